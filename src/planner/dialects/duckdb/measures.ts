/** Functions of numbers and intervals that DuckDB has no word for, or has one with another meaning. */
import { intervalParts } from "../../intervals.ts";
import { unsupported } from "../../lowering/target.ts";
import {
  binary,
  call,
  cases,
  cast,
  decimal,
  integer,
  isNull,
  logical,
  not,
  renamed,
  text,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { BinaryOperator, Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, DOUBLE, INTEGER, INTERVAL, isNumeric, NUMERIC, TIMESTAMP } from "../../types.ts";

/** `width_bucket(x, low, high, count)`; the bounds may be in either order. Decimals are made whole, doubles stay. */
export function bucketOf(node: Call): Expression {
  const [x, low, high, count] = values(node);
  if (x === undefined || low === undefined || high === undefined || count === undefined) return node;
  const { span } = node;
  const scales = [x, low, high].map(scaleOf);
  const isDouble = [x, low, high].some(({ type }) => type?.kind === "float");
  if (!isDouble && scales.includes(undefined)) {
    throw unsupported("buckets of decimals of any length", span, "Write CAST(x AS numeric(18, 4)).");
  }
  const scale = Math.max(...scales.map((each) => each ?? 0));
  const place = { span, type: isDouble ? DOUBLE : BIGINT };
  const comparable = (value: Expression): Expression => {
    if (isDouble) return cast(value, "double precision", place);
    const shifted =
      scale === 0 ? value : binary(value, "*", decimal(`1${"0".repeat(scale)}`, node), { span, type: NUMERIC });
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
  const wrong = call("error", [text("the bounds or the count of width_bucket are out of range", node)], node);
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

/** Digits behind the point, where they are known. */
function scaleOf({ type, ...value }: Expression): number | undefined {
  if (type?.kind === "integer") return 0;
  if (type?.kind === "decimal" && type.precision !== undefined) return type.scale ?? 0;
  if (value.kind === "unary") return scaleOf(value.operand);
  return value.kind === "number" ? (/\.(\d*)$/.exec(value.text)?.[1]?.length ?? 0) : undefined;
}

/** How many arguments are NULL, or are not. */
export function countedNulls(node: Call, negated: boolean): Expression {
  const place = { span: node.span, type: INTEGER };
  const ones = values(node).map((value) => when(isNull(value, negated), integer(1, node), integer(0, node), place));
  const [first = integer(0, node), ...others] = ones;
  return others.reduce((left, right) => binary(left, "+", right, place), first);
}

/** The sum of each unit by itself, as PostgreSQL has it. */
export function summedIntervals(node: Call): Expression {
  const [value] = values(node);
  if (value?.type?.kind !== "interval") return node;
  if (node.distinct) throw unsupported("the sum of distinct intervals", node.span);
  const place = { span: node.span, type: BIGINT };
  const field = (name: string) => call("date_part", [text(name, node), value], place);
  const scaled = (name: string, by: number) => binary(field(name), "*", integer(by, node), place);
  const sum = (...parts: readonly Expression[]): Expression => {
    const [first = integer(0, node), ...others] = parts;
    const total = others.reduce((left, right) => binary(left, "+", right, place), first);
    return cast({ ...withArguments(node, [total]), type: NUMERIC }, "bigint", place);
  };
  const months = sum(scaled("year", 12), field("month"));
  const micros = sum(scaled("hour", 3_600_000_000), scaled("minute", 60_000_000), field("microsecond"));
  const of = (name: string, amount: Expression) => call(name, [amount], { span: node.span, type: INTERVAL });
  return plus(
    [
      of("to_months", cast(months, "integer", place)),
      of("to_days", cast(sum(field("day")), "integer", place)),
      of("to_microseconds", micros),
    ],
    node,
  );
}

function plus(parts: readonly Expression[], node: Call): Expression {
  const [first = integer(0, node), ...others] = parts;
  return others.reduce((left, right) => binary(left, "+", right, { span: node.span, type: INTERVAL }), first);
}

/** Seven parts, of which the last may have a fraction. Parts that are a literal zero say nothing. */
export function intervalOfParts(node: Call): Expression {
  const given = values(node);
  const names = ["to_years", "to_months", "to_weeks", "to_days", "to_hours", "to_minutes", "to_microseconds"];
  const parts = names.flatMap((name, index) => {
    const value = given[index];
    if (value === undefined || (value.kind === "number" && value.text === "0")) return [];
    if (index < 6) {
      if (value.type?.kind === "integer" || value.type?.kind === "null") return [call(name, [value], node)];
      throw unsupported("parts of an interval that are no whole numbers", value.span, "Write CAST(… AS integer).");
    }
    if (value.type === undefined || !isNumeric(value.type))
      throw unsupported("these seconds of an interval", value.span);
    const micros = binary(value, "*", integer(1_000_000, node), { span: node.span, type: value.type });
    return [call(name, [cast(micros, "bigint", { span: node.span, type: BIGINT })], node)];
  });
  return parts.length === 0 ? call("to_days", [integer(0, node)], node) : plus(parts, node);
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
  return call("time_bucket", [stride, time(value), time(origin)], node);
}

/** Without a partner, DuckDB's correlation and slope are NaN. */
export function withoutNaN(node: Call): Expression {
  const spread = renamed(node, "covar_pop");
  const is = (value: Expression) => call("isnan", [value], { span: node.span, type: BOOLEAN });
  const alone = logical("and", [is(node), not(is(spread))], node);
  return when(alone, { kind: "null", span: node.span, type: DOUBLE }, node, node);
}

/** Months, days and time would each have to be divided and carried on. */
export function meanOf(node: Call): Expression {
  const [value] = values(node);
  if (value?.type?.kind !== "interval") return node;
  throw unsupported("the mean of intervals", node.span, "Take avg(extract(epoch FROM x)).");
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
