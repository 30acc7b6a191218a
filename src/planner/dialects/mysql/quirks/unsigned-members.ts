/**
 * `x NOT IN (SELECT u …)` over unsigned numbers and a NULL among them. MariaDB keeps such a subquery's rows in a table, by their own
 * type; a number below zero has no place there, and it is told as not found where PostgreSQL and MySQL know nothing:
 * `SELECT id - 5 NOT IN (SELECT u FROM t) FROM t` where `u BIGINT UNSIGNED` is NULL once. Seen on MariaDB 10.11.18; not reported. Which
 * columns are unsigned nobody says, so each is made a decimal, but where a condition holds rows back all the same and an index may be
 * asked (`test/engines/mysql-members.test.ts`).
 */
import { isNullable } from "../../../binding/nullability.ts";
import { columnsAsKeys } from "../../../lowering/queries/keys.ts";
import { binary, decimal, typed } from "../../../syntax/build.ts";
import { type ChildMapper, mapBody, mapExpression, mapQuery, mapTable } from "../../../syntax/rewrite.ts";
import type { Expression, Query, QueryBody, TableExpression } from "../../../syntax/tree.ts";
import { NUMERIC, typeOrUnknown } from "../../../types.ts";

/** The lowered statement with such columns as decimals. */
export function withSignedMembers(statement: Query): Query {
  return MAPPER.query(statement);
}

const MAPPER: ChildMapper = {
  expression: value,
  query: (query) => mapQuery(query, MAPPER),
  body,
  table,
  item: (item) => (item.kind === "item" ? { ...item, expression: value(item.expression) } : item),
};

function body(node: QueryBody): QueryBody {
  if (node.kind !== "select") return mapBody(node, MAPPER);
  const { where, having } = node;
  const mapped = mapBody({ ...node, where: undefined, having: undefined }, MAPPER);
  return mapped.kind === "select"
    ? { ...mapped, where: where && condition(where), having: having && condition(having) }
    : mapped;
}

function table(node: TableExpression): TableExpression {
  if (node.kind !== "join") return mapTable(node, MAPPER);
  return { ...node, left: table(node.left), right: table(node.right), on: node.on && condition(node.on) };
}

/** False and unknown are one here. */
function condition(node: Expression): Expression {
  if (node.kind === "logical") return { ...node, operands: node.operands.map(condition) };
  return node.kind === "in-query" && !node.negated ? mapExpression(node, MAPPER) : value(node);
}

function value(node: Expression): Expression {
  const mapped = mapExpression(node, MAPPER);
  if (mapped.kind !== "in-query" && mapped.kind !== "quantified") return mapped;
  const { query } = mapped;
  return query === undefined ? mapped : { ...mapped, query: { ...query, body: columnsAsKeys(query.body, signed) } };
}

function signed(column: Expression): Expression {
  const { kind } = typeOrUnknown(column);
  if ((kind !== "integer" && kind !== "decimal") || !isNullable(column)) return column;
  return binary(column, "+", decimal("0.0", column), typed(NUMERIC, column));
}
