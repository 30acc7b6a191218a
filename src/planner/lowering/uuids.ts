/**
 * UUIDs of engines that have a type for them: literals in the one form that every engine reads, and their order. PostgreSQL sorts
 * UUIDs by their digits. SQL Server begins with the last group, MariaDB with the parts of a time, so order is taken from their texts.
 * https://learn.microsoft.com/en-us/sql/t-sql/data-types/uniqueidentifier-transact-sql
 * https://mariadb.com/docs/server/reference/data-types/string-data-types/uuid-data-type
 */
import { unsupported } from "../diagnostics.ts";
import { cast, text, typed } from "../syntax/build.ts";
import type { Between, Binary, Call, Cast, Expression, Quantified } from "../syntax/tree.ts";
import { TEXT, typeOrUnknown } from "../types.ts";

/** PostgreSQL reads a UUID with hyphens after any four digits, and in braces. */
const UUID = /^\{?(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}\}?$/i;

/** The literal of a cast to uuid as 8-4-4-4-12 small digits. Throws UNSUPPORTED_ON_SOURCE for computed texts and other forms. */
export function uuidLiteral({ operand, span }: Cast): Expression {
  if (operand.kind !== "string") throw unsupported("a cast from text to uuid", span, "Compare with a literal.");
  const { value } = operand;
  const inBraces = value.startsWith("{");
  if (!UUID.test(value) || inBraces !== value.endsWith("}")) {
    throw unsupported(`'${value.slice(0, 40)}' as a uuid`, span, "Write it as 8-4-4-4-12 hexadecimal digits.");
  }
  const digits = value.replaceAll(/[{}-]/g, "").toLowerCase();
  const [, ...groups] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(digits) ?? [];
  return text(groups.join("-"), operand);
}

const isUuid = (node: Expression): boolean => typeOrUnknown(node).kind === "uuid";
const holdsUuid = (node: Expression): boolean => (node.kind === "row" ? node.elements.some(holdsUuid) : isUuid(node));

/** The text of a UUID, which sorts as PostgreSQL sorts UUIDs; any other expression as it is. */
export const uuidInOrder = (node: Expression): Expression =>
  isUuid(node) ? cast(node, "text", typed(TEXT, node)) : node;

/** `<`, `<=`, `>` or `>=` with each UUID as `inOrder` makes it, also in rows. */
export function orderedUuids(node: Binary, inOrder = uuidInOrder): Binary {
  if (!holdsUuid(node.left) && !holdsUuid(node.right)) return node;
  return { ...node, left: withinRow(node.left, inOrder), right: withinRow(node.right, inOrder) };
}

export function betweenUuids(node: Between, inOrder = uuidInOrder): Between {
  if (!holdsUuid(node.operand)) return node;
  const [operand = node.operand, low = node.low, high = node.high] = [node.operand, node.low, node.high].map((each) =>
    withinRow(each, inOrder),
  );
  return { ...node, operand, low, high };
}

const withinRow = (node: Expression, inOrder: (each: Expression) => Expression): Expression =>
  node.kind === "row" ? { ...node, elements: node.elements.map((each) => withinRow(each, inOrder)) } : inOrder(node);

/** Throws UNSUPPORTED_ON_SOURCE for the least and greatest of UUIDs, which the engine chooses in its own order. */
export function refuseExtremeUuids(node: Call): void {
  if (!node.arguments.some(({ value }) => isUuid(value))) return;
  throw unsupported("the least or greatest of UUIDs", node.span, "Take it of their texts: max(CAST(x AS text)).");
}

/** Throws UNSUPPORTED_ON_SOURCE for UUIDs compared in an order with the rows of a query or the elements of a list. */
export function refuseOrderedUuids({ operand, operator, quantifier, span }: Quantified): void {
  if (operator === "=" || operator === "<>" || !holdsUuid(operand)) return;
  throw unsupported(`${operator} ${quantifier.toUpperCase()} of UUIDs`, span, "Compare their texts: CAST(x AS text).");
}
