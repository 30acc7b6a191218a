/** Judges lowered expressions of a source that is judged by its manual: which of them cannot fail, whatever the row holds. */
import { haveCommonType } from "../../access/common-types.ts";
import type { Harmless } from "../../access/harmless.ts";
import { isListed } from "../../access/plain-sent.ts";
import type { PlainSource } from "../../access/plain-sources.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { COMPARISON_OPERATORS } from "../../syntax/comparisons.ts";
import type { Call, Expression, Query } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";

const COMPARISONS: ReadonlySet<string> = new Set([...COMPARISON_OPERATORS, "is distinct from", "is not distinct from"]);
const ALTERNATIVES: ReadonlySet<string> = new Set(["coalesce", "nullif"]);

/** Judges the node itself; its parts are judged separately. Types that the lowering did not note count as ones that may fail. */
export function cannotFail(node: Expression, engine: Harmless, source: PlainSource): boolean {
  if (!isListed(node, source)) return false;
  const alike = (...expressions: readonly Expression[]): boolean => haveCommonType(expressions, engine.conversions);
  switch (node.kind) {
    case "binary":
      return !COMPARISONS.has(node.operator) || alike(node.left, node.right);
    case "between":
      return alike(node.operand, node.low, node.high);
    case "in-list":
      return alike(node.operand, ...node.list);
    case "case":
      return (
        (node.operand === undefined || alike(node.operand, ...node.branches.map(({ when }) => when))) &&
        alike(...node.branches.map(({ then }) => then), ...(node.otherwise === undefined ? [] : [node.otherwise]))
      );
    case "call":
      return !ALTERNATIVES.has(functionName(node)) || alike(...node.arguments.map(({ value }) => value));
    default:
      return true;
  }
}

/** Aggregates under the names that a dialect gives them. */
const RENAMED: ReadonlySet<string> = new Set(["logical_and", "logical_or", "any of"]);

export function isAggregate(node: Expression): boolean {
  if (node.kind !== "call" || node.over !== undefined) return false;
  const name = functionName(node);
  return RENAMED.has(name) || isAggregateCall(node, findFunction(name));
}

/** Aggregates that give one of their values, a number of rows or a truth. All others compute with the values. */
const COPIES: ReadonlySet<string> = new Set([
  ...["count", "min", "max", "logical_and", "logical_or", "row_number", "rank", "dense_rank"],
]);

/** The values of an aggregate or a window function that may fail over them, but for literals. */
export const computesWithValues = (call: Call): boolean => !COPIES.has(functionName(call));

/** Whether a query has one row, whatever its tables hold. */
export function hasOneRow({ body, limit }: Query): boolean {
  if (limit?.count.kind === "number" && limit.count.text === "1") return true;
  if (body.kind !== "select") return body.kind === "nested" && hasOneRow(body.query);
  if (body.from.length === 0) return true;
  const groups = body.items.some((item) => item.kind === "item" && someExpression(item.expression, isAggregate));
  return body.groupBy === undefined && (groups || body.having !== undefined);
}
