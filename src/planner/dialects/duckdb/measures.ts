/** Functions of numbers and times that DuckDB has no word for, or has one with another meaning. */

import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { isInexactDecimal } from "../../lowering/inexact.ts";
import {
  binary,
  call,
  cases,
  cast,
  decimal,
  inPlaceOf,
  integer,
  isNull,
  logical,
  not,
  renamed,
  text,
  values,
  when,
} from "../../syntax/build.ts";
import type { BinaryOperator, Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, DOUBLE, HUGEINT, INTEGER, NUMERIC, TIMESTAMP } from "../../types.ts";
import { scaleOfDecimal } from "./decimals.ts";
import { exactDigits } from "./significant-digits.ts";

/** `width_bucket(x, low, high, count)`; the bounds may be in either order. Decimals are made whole, doubles stay. */
export function bucketOf(node: Call): Expression {
  const [x, low, high, count] = values(node);
  if (x === undefined || low === undefined || high === undefined || count === undefined) return node;
  const { span } = node;
  const scales = [x, low, high].map((each) => scaleOf(each, node));
  const isDouble = [x, low, high].some(({ type }) => type?.kind === "float");
  if (!isDouble && scales.includes(undefined)) {
    throw unsupported("buckets of decimals of any length", span, "Write CAST(x AS numeric(18, 4)).");
  }
  const scale = Math.max(...scales.map((each) => each ?? 0));
  const place = { span, type: isDouble ? DOUBLE : HUGEINT };
  const comparable = (value: Expression): Expression => {
    if (isDouble) return cast(value, "double precision", place);
    const digits = isInexactDecimal(value) ? exactDigits(value, scale) : value;
    const shifted =
      scale === 0 ? digits : binary(digits, "*", decimal(`1${"0".repeat(scale)}`, node), { span, type: NUMERIC });
    return cast(shifted, "hugeint", place);
  };
  const [value, from, to] = [comparable(x), comparable(low), comparable(high)];
  const minus = (a: Expression, b: Expression) => binary(a, "-", b, place);
  const scaled = binary(minus(value, from), "*", cast(count, isDouble ? "double precision" : "hugeint", place), place);
  const index = isDouble
    ? call("floor", [binary(scaled, "/", minus(to, from), place)], place)
    : binary(scaled, "//", minus(to, from), place);
  const [one, zero] = [integer(1, node), integer(0, node)];
  const above = binary(count, "+", one, { span, type: INTEGER });
  const wrong = call(
    "error",
    [text("the bounds or the count of width_bucket are out of range", node)],
    inPlaceOf(node),
  );
  const is = (left: Expression, operator: BinaryOperator, right: Expression): Expression =>
    binary(left, operator, right, { span, type: BOOLEAN });
  const both = (...conditions: readonly Expression[]): Expression => logical("and", conditions, node);
  return cases(
    [
      { when: is(from, "=", to), then: wrong },
      { when: is(count, "<=", zero), then: wrong },
      { when: both(is(from, "<", to), is(value, "<", from)), then: zero },
      { when: both(is(from, "<", to), is(value, ">=", to)), then: above },
      { when: both(is(from, ">", to), is(value, ">", from)), then: zero },
      { when: both(is(from, ">", to), is(value, "<=", to)), then: above },
    ],
    cast(binary(index, "+", one, place), "integer", { span, type: INTEGER }),
    { span, type: INTEGER },
  );
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

/** How many arguments are NULL, or are not. */
export function countedNulls(node: Call, negated: boolean): Expression {
  const place = { span: node.span, type: INTEGER };
  const ones = values(node).map((value) => when(isNull(value, negated), integer(1, node), integer(0, node), place));
  const [first = integer(0, node), ...others] = ones;
  return others.reduce((left, right) => binary(left, "+", right, place), first);
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

/** Without a partner, DuckDB's correlation and slope are NaN. */
export function withoutNaN(node: Call): Expression {
  const spread = renamed(node, "covar_pop");
  const is = (value: Expression) => call("isnan", [value], { span: node.span, type: BOOLEAN });
  const alone = logical("and", [is(node), not(is(spread))], node);
  return when(alone, { kind: "null", span: node.span, type: DOUBLE }, node, inPlaceOf(node));
}

/** The row's value counts, NULL or not. */
export function valueOfExtreme(node: Call): Expression {
  return renamed(node, node.name[0]?.name === "max_by" ? "arg_max_null" : "arg_min_null");
}

/** DuckDB has no common divisor of decimals. */
export function ofWholeNumbers(node: Call): Expression {
  const part = values(node).find(({ type }) => type?.kind !== "integer" && type?.kind !== "null");
  if (part === undefined) return node;
  throw unsupported(
    `${node.name[0]?.name ?? ""} of numbers that are not integers`,
    part.span,
    "Write CAST(… AS bigint).",
  );
}
