/**
 * COLUMN_LEFT_OUT: `SELECT *` over a table with a column that the source cannot return, such as a structure. The other columns are
 * answered. A column that the caller names is refused instead.
 */

import type { Query, SelectExpression } from "../syntax/tree.ts";
import { describeType } from "../types.ts";
import type { BindingContext } from "./context.ts";
import type { OutputColumn } from "./scope.ts";

export interface WholeQuery {
  readonly query: Query;
  readonly columns: readonly OutputColumn[];
}

/**
 * The name of a type as `notAsColumns` of a target has it: `row` for a row that an expression makes, whose members have no names, and
 * `struct` for a column that the manifest declares as one.
 */
export function kindOfColumn({ type }: OutputColumn): string {
  if (type.kind === "opaque") return type.name;
  if (type.kind !== "row") return type.kind;
  return type.fields.every(({ name }) => name !== undefined) ? "struct" : "row";
}

/** `sql`: the text of the caller, which shows what columns come of a star. */
export function withoutUnreadable<T extends WholeQuery>(
  bound: T,
  refused: readonly string[],
  sql: string,
  context: BindingContext,
): T {
  if (refused.length === 0) return bound;
  const { query, columns } = bound;
  const { body } = query;
  const isReadable = (column: OutputColumn): boolean => !refused.includes(kindOfColumn(column));
  if (columns.every(isReadable) || body.kind !== "select" || body.distinct !== undefined) return bound;
  if (body.items.length !== columns.length || hasOrdinals(query)) return bound;
  const items: SelectExpression[] = [];
  for (const item of body.items) {
    if (item.kind !== "item") return bound;
    items.push(item);
  }
  const isOfStar = ({ origins: [origin] }: OutputColumn): boolean =>
    origin !== undefined && /^(?:[^()]*\.\s*)?\*/.test(sql.slice(origin.span.start, origin.span.end));
  const stays = columns.map((column) => isReadable(column) || !isOfStar(column));
  if (!stays.includes(true)) return bound;
  for (const [index, column] of columns.entries()) {
    const [origin] = column.origins;
    if (stays[index] === true || origin === undefined) continue;
    const message = `column "${column.name}" is left out of *: its type, ${describeType(column.type)}, cannot be returned`;
    context.warn("COLUMN_LEFT_OUT", message, origin.span, "Select its elements as columns of their own.");
  }
  return {
    ...bound,
    query: { ...query, body: { ...body, items: items.filter((_, index) => stays[index]) } },
    columns: columns.filter((_, index) => stays[index]),
  };
}

/** `ORDER BY 2` counts the columns that are selected. */
const hasOrdinals = ({ orderBy }: Query): boolean => orderBy.some(({ expression }) => expression.kind === "number");
