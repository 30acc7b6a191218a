/**
 * Common tables under WITH RECURSIVE. PostgreSQL gives a column of a recursive table the length or digits of its first rows, and
 * refuses `varchar(10)` first and a longer text later; the manifest's types contain no lengths. DuckDB treats every set operation
 * in WITH RECURSIVE as recursive: a UNION that does not refer to itself keeps its duplicates.
 */
import { typeOf } from "../../binding/coercion.ts";
import { relationColumn } from "../../binding/relation.ts";
import type { OutputColumn } from "../../binding/scope.ts";
import { cast, columnOf, exactName, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import type { Expression, Query, QueryBody, Select, SelectItem } from "../../syntax/tree.ts";
import type { RecursiveLengths } from "../target.ts";

/** Alias of the derived table around a set operation. */
const ALIAS = "_u";

/** Wraps the set operation in a derived table, so that it is not treated as recursive; `columns` are its own. */
export function wrapNonRecursive(query: Query, columns: readonly OutputColumn[]): Query {
  const { span } = query;
  const names = columns.map(({ printedName }) => exactName(printedName, span));
  const items = columns.map(({ printedName, type }) =>
    selectItem(columnOf(ALIAS, printedName, { span, type }), undefined, { span }),
  );
  const alias = { name: exactName(ALIAS, span), columns: names };
  const table = { kind: "derived", query, lateral: false, alias, span } as const;
  return queryOf(selectOf({ items, from: [table] }, { span }));
}

/** The lowered query; texts and decimals of its first rows get unlimited length if later rows have another column. */
export function ofAnyLength(query: Query, lengths: RecursiveLengths): Query {
  const { body } = query;
  if (body.kind !== "set") return query;
  const later = selectsOf(body.right);
  const left = inEverySelect(body.left, (item, index) => withoutLength(item, later, index, lengths));
  return { ...query, body: { ...body, left } };
}

function selectsOf(body: QueryBody): readonly Select[] {
  switch (body.kind) {
    case "select":
      return [body];
    case "set":
      return [...selectsOf(body.left), ...selectsOf(body.right)];
    case "nested":
      return selectsOf(body.query.body);
    case "values":
      return [];
    default:
      return body satisfies never;
  }
}

function inEverySelect(body: QueryBody, change: (item: SelectItem, index: number) => SelectItem): QueryBody {
  switch (body.kind) {
    case "select":
      return { ...body, items: body.items.map(change) };
    case "set":
      return { ...body, left: inEverySelect(body.left, change), right: inEverySelect(body.right, change) };
    case "nested":
      return { ...body, query: { ...body.query, body: inEverySelect(body.query.body, change) } };
    case "values":
      return body;
    default:
      return body satisfies never;
  }
}

function withoutLength(
  item: SelectItem,
  later: readonly Select[],
  index: number,
  lengths: RecursiveLengths,
): SelectItem {
  if (item.kind === "star") return item;
  const { expression } = item;
  const type = typeOf(expression);
  if (type.kind !== "text" && type.kind !== "decimal") return item;
  if (later.every(({ items }) => isSameColumn(expression, items[index]))) return item;
  const [name, length] =
    type.kind === "text" ? (["text", lengths.text] as const) : (["numeric", lengths.decimal] as const);
  // On some targets a cast has no column name.
  const alias =
    item.alias ?? (expression.kind === "bound" ? exactName(expression.column.printedName, item.span) : undefined);
  return { ...item, alias, expression: cast(expression, name, { span: expression.span, type }, length) };
}

/** The same column of a model, or the recursive table's own. */
function isSameColumn(first: Expression, later: SelectItem | undefined): boolean {
  if (first.kind !== "bound" || later?.kind !== "item" || later.expression.kind !== "bound") return false;
  const a = relationColumn(first);
  if (a.modelColumn !== undefined && a.modelColumn === relationColumn(later.expression).modelColumn) return true;
  // Columns of rows under an access rule have no origins.
  return later.expression.column.origins?.some((origin) => origin.kind === "bound" && origin.column === a) === true;
}
