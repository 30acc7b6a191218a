/**
 * `x IN (query)` beside others in a SELECT, or inside an expression, is an existence join on Spark, which knows no NULL: what is not found
 * among NULLs is false. As a condition of WHERE, HAVING or ON it is right, with NOT in front of it too. Seen on 4.0.1; SPARK-58442,
 * open as https://github.com/apache/spark/pull/58186.
 */
import { isNullable } from "../../../binding/nullability.ts";
import { unsupported } from "../../../diagnostics.ts";
import type { Expression, InQuery, Query } from "../../../syntax/tree.ts";
import { walk } from "../../../syntax/walk.ts";

export function withoutUnknownMembership(statement: Query): Query {
  const conditions = new Set<Expression>();
  const found: InQuery[] = [];
  walk(statement, (node) => {
    if (node.kind === "select") {
      for (const each of [node.where, node.having]) addConditions(each, conditions);
    }
    if (node.kind === "join") addConditions(node.on, conditions);
    if (node.kind === "in-query") found.push(node);
    return true;
  });
  const unknown = found.find((node) => !conditions.has(node) && mayBeUnknown(node));
  if (unknown === undefined) return statement;
  throw unsupported("IN (query) as a value where something may be NULL", unknown.span, "Use EXISTS.");
}

function addConditions(condition: Expression | undefined, conditions: Set<Expression>): void {
  if (condition?.kind === "logical") for (const each of condition.operands) addConditions(each, conditions);
  else if (condition?.kind === "in-query") conditions.add(condition);
}

function mayBeUnknown({ operand, query: { body } }: InQuery): boolean {
  const [item] = body.kind === "select" ? body.items : [];
  const isSure = item?.kind === "item" && !isNullable(item.expression);
  return !isSure || isNullable(operand);
}
