/**
 * Decimals that become reals because they stand beside one, in a column, an array or among alternatives: DuckDB divides reals to make
 * one of a decimal, and may miss it from eight digits on (`casts.ts`).
 */
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { areReals, isReal } from "../../lowering/reals.ts";
import { cast, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Case, Expression, SetOperation } from "../../syntax/tree.ts";
import { DOUBLE, REAL } from "../../types.ts";
import { withColumn } from "./decimals.ts";

/** It does not miss the double. */
const asReal = (value: Expression): Expression =>
  value.type?.kind === "decimal"
    ? cast(cast(value, "double precision", typed(DOUBLE, value)), "real", typed(REAL, value))
    : value;

export const chosenOfReals = (node: Call): Call =>
  isReal(node.type) ? withArguments(node, values(node).map(asReal)) : node;

export function caseOfReals(node: Case): Case {
  if (!isReal(node.type)) return node;
  const branches = node.branches.map((each) => ({ ...each, then: asReal(each.then) }));
  return { ...node, branches, otherwise: node.otherwise && asReal(node.otherwise) };
}

export function setOfReals(node: SetOperation): SetOperation {
  const others = outputColumnsOf(node.right);
  let { left, right } = node;
  for (const [index, { type }] of outputColumnsOf(node.left).entries()) {
    if (!areReals([type, others[index]?.type])) continue;
    left = withColumn(left, index, asReal);
    right = withColumn(right, index, asReal);
  }
  return left === node.left && right === node.right ? node : { ...node, left, right };
}
