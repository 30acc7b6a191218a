/**
 * Decimals that become reals because they stand beside one, in a column, an array or among alternatives: DuckDB divides reals to make
 * one of a decimal, and may miss it from eight digits on (`casts.ts`).
 */

import { areReals } from "../../lowering/numbers/reals.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { cast, typed } from "../../syntax/build.ts";
import type { Expression, SetOperation } from "../../syntax/tree.ts";
import { DOUBLE, REAL } from "../../types.ts";
import { withColumn } from "./decimals.ts";

/** It does not miss the double. */
export const asReal = (value: Expression): Expression =>
  value.type?.kind === "decimal"
    ? cast(cast(value, "double precision", typed(DOUBLE, value)), "real", typed(REAL, value))
    : value;

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
