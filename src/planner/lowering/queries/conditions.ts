/**
 * Booleans for targets where a condition is not a value and a value is not a condition: `SELECT a > b` becomes CASE, and `WHERE
 * flag` becomes `flag = 1`. A node's form depends on its position: WHERE, ON, HAVING, WHEN, and the operands of AND, OR and NOT
 * contain conditions, all other positions values.
 */
import { isNullable } from "../../binding/nullability.ts";
import { binary, cases, cast, integer, isNull, not, typed, when } from "../../syntax/build.ts";
import { type ChildMapper, mapBody, mapExpression, mapTable } from "../../syntax/rewrite.ts";
import type { Case, Expression, Is, Query, QueryBody, TableExpression } from "../../syntax/tree.ts";
import { BOOLEAN, INTEGER } from "../../types.ts";

/** The lowered statement with every boolean in the form of its position; values have the target's type `boolean`. */
export function withConditionsApart(statement: Query): Query {
  return MAPPER.query(statement);
}

const MAPPER: ChildMapper = {
  expression: asValue,
  query: (query) => ({
    ...query,
    with: query.with && {
      ...query.with,
      tables: query.with.tables.map((table) => ({ ...table, query: MAPPER.query(table.query) })),
    },
    body: body(query.body),
    orderBy: query.orderBy.map((item) => ({ ...item, expression: asValue(item.expression) })),
  }),
  body,
  table,
  item: (item) => (item.kind === "item" ? { ...item, expression: asValue(item.expression) } : item),
};

function body(node: QueryBody): QueryBody {
  if (node.kind !== "select") return mapBody(node, MAPPER);
  const { where, having } = node;
  const mapped = mapBody({ ...node, where: undefined, having: undefined }, MAPPER);
  return mapped.kind === "select"
    ? { ...mapped, where: where && asCondition(where), having: having && asCondition(having) }
    : mapped;
}

function table(node: TableExpression): TableExpression {
  if (node.kind !== "join") return mapTable(node, MAPPER);
  return { ...node, left: table(node.left), right: table(node.right), on: node.on && asCondition(node.on) };
}

const CONDITIONS: ReadonlySet<Expression["kind"]> = new Set([
  "logical",
  "like",
  "between",
  "in-list",
  "in-query",
  "quantified",
  "exists",
  "is",
] as const);

/** Decided by the kind of the node, and not by its type: a boolean call or column is a value. */
function isCondition(node: Expression): boolean {
  if (node.kind === "binary") return node.type?.kind === "boolean";
  return CONDITIONS.has(node.kind) || (node.kind === "unary" && node.operator === "not");
}

function asCondition(node: Expression): Expression {
  if (node.kind === "boolean") return node;
  if (isCondition(node)) return condition(node);
  return binary(asValue(node), "=", integer(1, node), typed(BOOLEAN, node));
}

function asValue(node: Expression): Expression {
  if (node.kind === "boolean") return bit(integer(node.value ? 1 : 0, node), node);
  if (node.kind === "case") return caseOf(node);
  if (!isCondition(node)) return mapExpression(node, MAPPER);
  const met = condition(node);
  const [one, zero] = [integer(1, node), integer(0, node)];
  const at = typed(INTEGER, node);
  if (!isNullable(node)) return bit(when(met, one, zero, at), node);
  return bit(
    cases(
      [
        { when: met, then: one },
        { when: not(met), then: zero },
      ],
      undefined,
      at,
    ),
    node,
  );
}

function bit(value: Expression, node: Expression): Expression {
  return cast(value, "boolean", typed(BOOLEAN, node));
}

function condition(node: Expression): Expression {
  switch (node.kind) {
    case "logical":
      return { ...node, operands: node.operands.map(asCondition) };
    case "unary":
      return { ...node, operand: asCondition(node.operand) };
    case "is":
      return node.test === "null" ? mapExpression(node, MAPPER) : tested(node);
    default:
      return mapExpression(node, MAPPER);
  }
}

/** `x IS TRUE` and its variants are never unknown. */
function tested(node: Is): Expression {
  const { operand, negated, test } = node;
  if (test === "unknown") return isNull(asValue(operand), negated);
  const met = asCondition(test === "true" ? operand : not(operand));
  const found = when(met, integer(1, node), integer(0, node), typed(INTEGER, node));
  return binary(found, "=", integer(negated ? 0 : 1, node), typed(BOOLEAN, node));
}

function caseOf(node: Case): Case {
  const { operand, branches, otherwise } = node;
  const isSearched = operand === undefined;
  return {
    ...node,
    operand: operand && asValue(operand),
    branches: branches.map((each) => ({
      when: isSearched ? asCondition(each.when) : asValue(each.when),
      then: asValue(each.then),
    })),
    otherwise: otherwise && asValue(otherwise),
  };
}
