/** Functions of numbers and times that DuckDB lacks, or has with another meaning. */

import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { intervalParts } from "../../intervals.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { binary, call, cast, decimal, inPlaceOf, integer, renamed, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { DOUBLE, HUGEINT, INTEGER, NUMERIC, TIMESTAMP } from "../../types.ts";
import { scaleOfDecimal } from "./decimals.ts";
import { exactDigits } from "./significant-digits.ts";

const WRONG = "error('the bounds or the count of width_bucket are out of range')";
/** The bounds may be in either order. */
const bucket = (index: string) =>
  sql(
    `CASE WHEN $2 = $3 THEN ${WRONG} WHEN $4 <= 0 THEN ${WRONG} WHEN $2 < $3 AND $1 < $2 THEN 0
      WHEN $2 < $3 AND $1 >= $3 THEN $4 + 1 WHEN $2 > $3 AND $1 > $2 THEN 0 WHEN $2 > $3 AND $1 <= $3 THEN $4 + 1
      ELSE CAST(${index} + 1 AS integer) END`,
    { type: INTEGER },
  );
const BUCKET = bucket("($1 - $2) * CAST($4 AS hugeint) // ($3 - $2)");
const BUCKET_OF_DOUBLES = bucket("floor(($1 - $2) * CAST($4 AS double precision) / ($3 - $2))");

/** `width_bucket(x, low, high, count)`: decimals are made whole, doubles stay. */
export function bucketOf(node: Call): Expression {
  const [x, low, high, count] = values(node);
  if (x === undefined || low === undefined || high === undefined || count === undefined) return node;
  const numbers = [x, low, high];
  if (numbers.some(({ type }) => type?.kind === "float")) {
    const doubles = numbers.map((value) => cast(value, "double precision", typed(DOUBLE, node)));
    return spelled(BUCKET_OF_DOUBLES, [...doubles, count], node);
  }
  const scales = numbers.flatMap((each) => scaleOf(each, node) ?? []);
  if (scales.length < numbers.length) {
    throw unsupported("buckets of decimals of any length", node.span, "Write CAST(x AS numeric(18, 4)).");
  }
  const scale = Math.max(...scales);
  const whole = (value: Expression): Expression => {
    const digits = isInexactDecimal(value) ? exactDigits(value, scale) : value;
    const factor = decimal(`1${"0".repeat(scale)}`, node);
    return cast(
      scale === 0 ? digits : binary(digits, "*", factor, typed(NUMERIC, node)),
      "hugeint",
      typed(HUGEINT, node),
    );
  };
  return spelled(BUCKET, [...numbers.map(whole), count], node);
}

/** Digits behind the point, where they are known. A quotient's are those that tell it from what it is compared with. */
function scaleOf(value: Expression, node: Call): number | undefined {
  if (value.type?.kind === "integer" || value.type?.kind === "null") return 0;
  return isInexactDecimal(value) && haveEvenBounds(node) ? QUOTIENT_SCALE : scaleOfDecimal(value);
}

const QUOTIENT_SCALE = 15;

/**
 * Whether the buckets begin at decimals: there a quotient's 15 digits tell on which side it is, as they do where it is
 * compared. The seventh part of 1 is no decimal, and 1.0 / 7 is in the first of seven buckets on PostgreSQL.
 */
function haveEvenBounds(node: Call): boolean {
  const [, low, high, count] = values(node).map((each) => (each.kind === "number" ? Number(each.text) : Number.NaN));
  const width = ((high ?? 0) - (low ?? 0)) / (count ?? 0);
  return Number.isFinite(width) && Math.abs(width * 1e6 - Math.round(width * 1e6)) < 1e-6;
}

const IS_NULL = sql("CASE WHEN $1 IS NULL THEN 1 ELSE 0 END", { type: INTEGER, nulls: "never" });
const IS_PRESENT = sql("CASE WHEN $1 IS NOT NULL THEN 1 ELSE 0 END", { type: INTEGER, nulls: "never" });

/** How many arguments are NULL, or are not. */
export function countedNulls(node: Call, negated: boolean): Expression {
  const ones = values(node).map((value) => spelled(negated ? IS_PRESENT : IS_NULL, [value], node));
  const [first = integer(0, node), ...others] = ones;
  return others.reduce((left, right) => binary(left, "+", right, typed(INTEGER, node)), first);
}

/** `date_bin(stride, x, origin)`; a stride has no months, as in PostgreSQL. */
export function binned(node: Call): Expression {
  const [stride, value, origin] = values(node);
  if (stride === undefined || value === undefined || origin === undefined) return node;
  const parts = stride.kind === "interval" ? intervalParts(stride) : undefined;
  if (parts === undefined || parts.months !== 0)
    throw unsupported("date_bin with such a stride", stride.span, "Write a literal without months.");
  const time = (each: Expression): Expression =>
    each.type?.kind === "date" ? cast(each, "timestamp", { span: each.span, type: TIMESTAMP }) : each;
  return call("time_bucket", [stride, time(value), time(origin)], inPlaceOf(node));
}

/** `$2` is the covariance, which is NaN as well where a value is. Over one row DuckDB's correlation and slope are NaN. */
const WITHOUT_NAN = sql("CASE WHEN isnan($1) AND NOT isnan($2) THEN NULL ELSE $1 END");

export const withoutNaN = (node: Call): Expression => spelled(WITHOUT_NAN, [node, renamed(node, "covar_pop")], node);

/** The row's value counts, NULL or not. */
export function valueOfExtreme(node: Call): Expression {
  return renamed(node, functionName(node) === "max_by" ? "arg_max_null" : "arg_min_null");
}

/** DuckDB has no common divisor of decimals. */
export function ofWholeNumbers(node: Call): Expression {
  const part = values(node).find(({ type }) => type?.kind !== "integer" && type?.kind !== "null");
  if (part === undefined) return node;
  throw unsupported(`${functionName(node)} of numbers that are not integers`, part.span, "Write CAST(… AS bigint).");
}
