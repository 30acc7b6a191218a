/**
 * Arrays of an answer that may be NULL, which ClickHouse's own cannot be: where they are columns of the answer itself they are documents, which
 * the connector reads as lists. In a query within it they are refused.
 */
import { unsupported } from "../../diagnostics.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import type { Expression, Query, Select, SelectItem } from "../../syntax/tree.ts";
import { nullableSubject } from "./arrays.ts";
import { documentOf, elementKind } from "./document-arrays.ts";

const NOT_EMPTY = words("arraySlice($1, 1 + throwIf(empty($1), 'An array of no values'))", { nulls: "unknown" });
const UNLESS_EMPTY = words("if(empty($1), NULL, $2)");
const MAY_BE_NULL = words("$1");
const UNLESS_NULL = words("if(isNull($1), NULL, $2)");

/** An array of collected values, which is NULL where there are none: in a group there are some. */
export const collectedItem = (array: Expression): Expression => spelled(NOT_EMPTY, [array], array);

/** The parts of a text that may be NULL. */
export function splitItem(array: Expression): Expression {
  if (nullableSubject(array) === undefined || elementKind(array) === undefined) throw refusedItem(array);
  return spelled(MAY_BE_NULL, [array], array);
}

const refusedItem = ({ span }: Pick<Expression, "span">) =>
  unsupported("an array that may be NULL", span, "Select its elements: a[1].");

/** The statement with its own columns as documents. */
export function withDocuments(statement: Query): Query {
  const { body } = statement;
  if (body.kind !== "select") return statement;
  const items = body.items.map((item) => asDocument(item, body));
  if (items.every((item, index) => item === body.items[index])) return statement;
  return { ...statement, body: { ...body, items } };
}

function asDocument(item: SelectItem, { groupBy }: Select): SelectItem {
  if (item.kind !== "item" || item.expression.kind !== "spelled") return item;
  const { expression } = item;
  const [array] = expression.parts;
  const type = expression.type;
  if (array === undefined || type === undefined || elementKind(array) === undefined) return item;
  if (isSpelled(expression, MAY_BE_NULL)) {
    const subject = nullableSubject(array);
    const parts = subject === undefined ? [] : [subject, documentOf(array, type)];
    return { ...item, expression: spelled(UNLESS_NULL, parts, expression) };
  }
  if (!isSpelled(expression, NOT_EMPTY) || groupBy !== undefined) return item;
  return { ...item, expression: spelled(UNLESS_EMPTY, [array, documentOf(array, type)], expression) };
}

/** Refuses arrays that may be NULL in any other query: without GROUP BY there may be no values. */
export function refuseNullableArrays({ groupBy, items }: Select): void {
  for (const item of items) {
    if (item.kind !== "item") continue;
    if (isSpelled(item.expression, MAY_BE_NULL)) throw refusedItem(item);
    if (groupBy === undefined && isSpelled(item.expression, NOT_EMPTY)) {
      throw unsupported("array_agg without GROUP BY", item.span, "Use string_agg.");
    }
  }
}
