/** Names of a query's columns: what the caller sees and what the SQL prints (docs/decisions/0003-names-of-columns.md). */
import type { Denial } from "../access/policy.ts";
import { INPUT_LANGUAGE } from "../dialects/input.ts";
import { printExpression } from "../syntax/printer.ts";
import { transformExpression } from "../syntax/rewrite.ts";
import type { Expression, QueryBody, SelectExpression, Span } from "../syntax/tree.ts";
import { typeOf } from "./coercion.ts";
import { implicitName } from "./implicit-names.ts";
import { isNullable } from "./nullability.ts";
import { UniqueNames } from "./printable-name.ts";
import type { OutputColumn } from "./scope.ts";

/** A select item with what was written, before it becomes an output column. */
export interface NamedItem {
  readonly written: Expression;
  readonly bound: Expression;
  readonly name: string | undefined;
  /** The reason why the caller may not name it. */
  readonly denial?: Denial;
}

/**
 * The caller's name of an item: alias, otherwise the column's name; `undefined` for other expressions. Restricted items
 * have no `bound`.
 */
export function itemName(item: SelectExpression, bound: Expression | undefined): string | undefined {
  if (item.alias !== undefined) return item.alias.name;
  const written =
    item.expression.kind === "column" ? item.expression.parts[item.expression.parts.length - 1]?.name : undefined;
  // A merged column of a full join is COALESCE(a.x, b.x); the caller wrote `x`.
  if (bound?.kind !== "bound") return written;
  // A column of the rows that a rule filters has no output name.
  const { name } = bound.column;
  if (name === undefined) return written;
  // `max` may be the implicit name of a column that is called `max(x)`: what differs by more than case is the caller's.
  return written === undefined || written.toLowerCase() === name.toLowerCase() ? name : written;
}

/** The output columns of a select list: names for the caller, printed names that no target confuses. */
export function outputColumns(items: readonly NamedItem[]): readonly OutputColumn[] {
  const printed = new UniqueNames();
  return items.map((item, index) => {
    const implicit = item.name === undefined ? implicitName(item.written) : undefined;
    const name = item.name ?? printExpression(withoutValues(item.written), INPUT_LANGUAGE);
    return {
      name,
      implicitName: implicit,
      printedName: uniqueName(item.name ?? implicit ?? `column${index + 1}`, index, printed),
      type: typeOf(item.bound),
      notNull: !isNullable(item.bound),
      origins: [item.bound],
      ...(item.denial && { denial: item.denial }),
    };
  });
}

/** Names of columns do not depend on the values of parameters: `$1` for each. */
function withoutValues(written: Expression): Expression {
  return transformExpression(written, {
    expression: (node) =>
      node.parameter === undefined ? node : { kind: "number", text: `$${node.parameter}`, span: node.span },
  });
}

/** An unused name; numbered columns replace names that do not fit every target. */
export function uniqueName(name: string, index: number, taken: UniqueNames): string {
  return taken.unique(name, `column${index + 1}`);
}

/** The position of an output column, as `ORDER BY 2` has it. */
export function ordinal(index: number, span: Span, column: OutputColumn | undefined): Expression {
  return { kind: "number", text: String(index + 1), span, ...(column === undefined ? {} : { type: column.type }) };
}

/** Whether a select list names the query's columns; VALUES names them differently on every target. */
export function startsWithSelect(body: QueryBody): boolean {
  switch (body.kind) {
    case "select":
      return true;
    case "values":
      return false;
    case "set":
      return startsWithSelect(body.left);
    case "nested":
      return startsWithSelect(body.query.body);
    default:
      return body satisfies never;
  }
}

/** For a bound body, whose stars are expanded. */
export function columnCount(body: QueryBody): number {
  switch (body.kind) {
    case "select":
      return body.items.length;
    case "values":
      return body.rows[0]?.length ?? 0;
    case "set":
      return columnCount(body.left);
    case "nested":
      return columnCount(body.query.body);
    default:
      return body satisfies never;
  }
}
