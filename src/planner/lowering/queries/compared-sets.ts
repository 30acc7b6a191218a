/**
 * UNION, INTERSECT and EXCEPT of texts. The set operation compares columns directly and ignores trailing blanks, so the texts are
 * compared with an appended character, which is removed afterwards.
 */

import { unsupported } from "../../diagnostics.ts";
import {
  binary,
  call,
  cast,
  columnOf,
  exactName,
  integer,
  queryOf,
  selectItem,
  selectOf,
  typed,
} from "../../syntax/build.ts";
import type { Expression, Identifier, QueryBody, Select, SetOperation } from "../../syntax/tree.ts";
import { INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { collated, type PaddedTexts } from "../texts/padded-texts.ts";
import { isText } from "../texts/text-equality.ts";

/** Alias of the derived tables with their columns. */
const ALIAS = "_k";

/** Nested set operations are rewritten first. */
export function comparedSet(body: QueryBody, texts: PaddedTexts): QueryBody {
  if (body.kind !== "set" || (body.operator === "union" && body.all)) return body;
  const leaves = leavesOf(body);
  const [first] = leaves;
  const columns = first?.items.map((_, index) => leaves.map((leaf) => valueAt(leaf, index, body))) ?? [];
  const isOfTexts = columns.map((values) => values.some(isText));
  if (first === undefined || !isOfTexts.includes(true)) return body;
  const compared = withLeaves(body, (leaf) =>
    overColumns(leaf, (value) => (isText(value) ? marked(value, texts) : value)),
  );
  return overColumns(compared, (value) => (isText(value) ? unsealed(value, texts) : value), first);
}

function leavesOf(body: QueryBody): readonly Select[] {
  switch (body.kind) {
    case "set":
      return [...leavesOf(body.left), ...leavesOf(body.right)];
    case "nested":
      return leavesOf(body.query.body);
    case "select":
      return [body];
    default:
      throw unsupported("rows of VALUES in a set operation", body.span, "Write SELECT for each row.");
  }
}

function withLeaves(body: QueryBody, change: (leaf: Select) => QueryBody): QueryBody {
  switch (body.kind) {
    case "set":
      return { ...body, left: withLeaves(body.left, change), right: withLeaves(body.right, change) };
    case "nested":
      return { ...body, query: { ...body.query, body: withLeaves(body.query.body, change) } };
    case "select":
      return change(body);
    default:
      return body;
  }
}

function valueAt({ items }: Select, index: number, set: SetOperation): Expression {
  const item = items[index];
  if (item?.kind === "item") return item.expression;
  throw unsupported(`${set.operator.toUpperCase()} of texts`, set.span, "Name the columns.");
}

/** Wraps a body as a table; its columns have the types and names of `like`. */
function overColumns(body: QueryBody, change: (value: Expression) => Expression, like = body as Select): Select {
  const names = like.items.map((_, index) => exactName(`c${index + 1}`, body.span));
  const items = like.items.map((item, index) => {
    const type = item.kind === "item" ? typeOrUnknown(item.expression) : undefined;
    const column = columnOf(ALIAS, names[index]?.name ?? "", { span: item.span, type });
    return selectItem(change(column), nameOf(item), item);
  });
  const alias = { name: exactName(ALIAS, body.span), columns: names };
  return selectOf(
    { items, from: [{ kind: "derived", query: queryOf(body), lateral: false, alias, span: body.span }] },
    body,
  );
}

function nameOf(item: Select["items"][number]): Identifier | undefined {
  if (item.kind !== "item") return undefined;
  const { expression, alias } = item;
  return alias ?? (expression.kind === "bound" ? exactName(expression.column.printedName, item.span) : undefined);
}

/** Cast to unlimited length, because a text that fills its type has no room for another character. */
const marked = (value: Expression, { sealed }: PaddedTexts): Expression =>
  sealed(cast(value, "text", typed(TEXT, value)));

/** The value without its last character. */
function unsealed(value: Expression, { codePoints }: PaddedTexts): Expression {
  const at = typed(INTEGER, value);
  const before = binary(call("len", [value], at), "-", integer(1, value), at);
  return collated(call("left", [value, before], typed(TEXT, value)), codePoints);
}
