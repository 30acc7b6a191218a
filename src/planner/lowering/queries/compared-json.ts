/** Refuses rows that are compared by JSON that is made of values, which is a text on some targets: equal values have several texts. */
import { unsupported } from "../../diagnostics.ts";
import type { Expression, Query, QueryBody, Select, Span } from "../../syntax/tree.ts";
import { isMadeJson, typeOrUnknown } from "../../types.ts";

export function refuseComparedJson({ body, orderBy }: Query): void {
  const items = itemsOf(body);
  for (const { expression } of orderBy) refuse(keyOf(expression, items));
  refuseWithin(body);
}

function refuseWithin(body: QueryBody): void {
  if (body.kind === "select") refuseKeys(body);
  if (body.kind !== "set") return;
  const [left, right] = [itemsOf(body.left), itemsOf(body.right)];
  for (const [index, item] of left.entries()) {
    const other = right[index] ?? item;
    // Beside each other they would be a text and the target's type.
    if (!body.all || isMade(item) !== isMade(other)) refuse(isMade(item) ? item : other);
  }
  refuseWithin(body.left);
  refuseWithin(body.right);
}

function refuseKeys(select: Select): void {
  const items = itemsOf(select);
  const keys = (select.groupBy ?? []).flatMap((element) =>
    element.kind === "expression" ? [keyOf(element.expression, items)] : [],
  );
  const distinct = select.distinct === undefined ? [] : select.distinct.length === 0 ? items : select.distinct;
  for (const key of [...keys, ...distinct]) refuse(key);
}

function itemsOf(body: QueryBody): readonly Expression[] {
  if (body.kind === "set") return itemsOf(body.left);
  if (body.kind === "nested") return itemsOf(body.query.body);
  if (body.kind !== "select") return [];
  return body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
}

const keyOf = (key: Expression, items: readonly Expression[]): Expression =>
  key.kind === "number" ? (items[Number(key.text) - 1] ?? key) : key;

const isMade = (expression: Expression): boolean => isMadeJson(typeOrUnknown(expression));

function refuse(expression: Expression): void {
  if (isMade(expression)) throw comparison(expression.span);
}

const comparison = (span: Span) => unsupported("a comparison of json", span, "Compare the texts of its members.");
