/**
 * Arrays in the columns of an answer, as JSON: what quotes and escapes stand in the text of an array is not documented.
 * https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/json-functions/to-json
 */
import { unsupported } from "../../../diagnostics.ts";
import { isArrayOf } from "../../../lowering/arrays/array-values.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import { exactName } from "../../../syntax/build.ts";
import type { Query, QueryBody, SelectItem } from "../../../syntax/tree.ts";
import { typeOrUnknown } from "../../../types.ts";
import { MADE } from "./made-arrays.ts";

const AS_JSON = words("TO_JSON($1)");

export function withArraysAsJson(statement: Query): Query {
  const body = answered(statement.body);
  return body === statement.body ? statement : { ...statement, body };
}

function answered(body: QueryBody): QueryBody {
  if (body.kind === "set") {
    const [left, right] = [answered(body.left), answered(body.right)];
    return left === body.left && right === body.right ? body : { ...body, left, right };
  }
  if (body.kind === "nested") return { ...body, query: withArraysAsJson(body.query) };
  if (body.kind !== "select") return body;
  const items = body.items.map(shown);
  return items.every((item, index) => item === body.items[index]) ? body : { ...body, items };
}

function shown(item: SelectItem): SelectItem {
  if (item.kind !== "item" || typeOrUnknown(item.expression).kind !== "array") return item;
  const { expression, alias, span } = item;
  if (!isArrayOf(expression, MADE)) {
    throw unsupported("an array of such elements in the answer", span, "Select its elements.");
  }
  const name = alias ?? (expression.kind === "bound" ? exactName(expression.column.printedName, span) : undefined);
  return { ...item, expression: spelled(AS_JSON, [expression], expression), alias: name };
}
