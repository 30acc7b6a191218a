/** Intervals: parts, sums, means, factors, their text. Measured on DuckDB 1.4.5. */
import { unsupported } from "../../diagnostics.ts";
import {
  binary,
  call,
  cast,
  inPlaceOf,
  integer,
  renamed,
  text,
  typed,
  values,
  withArguments,
} from "../../syntax/build.ts";
import type { Binary, Call, Cast, Expression } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, HUGEINT, INTERVAL, isNumeric, NUMERIC, TEXT } from "../../types.ts";

/** By doubles DuckDB spreads fractions of months and days as PostgreSQL does, whose factors are doubles, too. */
export function lowerIntervalFactor(node: Binary): Expression | undefined {
  const isLength = ({ type }: Expression): boolean => type?.kind === "interval";
  if (!isLength(node.left) && !isLength(node.right)) return undefined;
  const side = (value: Expression): Expression =>
    isLength(value) ? value : cast(value, "double precision", { span: value.span, type: DOUBLE });
  return { ...node, left: side(node.left), right: side(node.right) };
}

/** DuckDB writes `month` for `mon`, `-1 month`, and no plus between a part below zero and one above. */
export function intervalText(node: Cast): Expression {
  const place = { span: node.span, type: TEXT };
  const named = call("replace", [node, text("month", node), text("mon", node)], place);
  const replaced = (value: Expression, pattern: string, by: string): Expression =>
    call("regexp_replace", [value, text(pattern, node), text(by, node), text("g", node)], place);
  return replaced(replaced(named, "-1 ([a-z]+)", "-1 \\1s"), "(-\\d+ [a-z]+ )(\\d)", "\\1+\\2");
}

/** Seven parts, of which the last may have a fraction. Parts that are a literal zero say nothing. */
export function intervalOfParts(node: Call): Expression {
  const given = values(node);
  const names = ["to_years", "to_months", "to_weeks", "to_days", "to_hours", "to_minutes", "to_microseconds"];
  const parts = names.flatMap((name, index) => {
    const value = given[index];
    if (value === undefined || (value.kind === "number" && value.text === "0")) return [];
    if (index < 6) {
      if (value.type?.kind === "integer" || value.type?.kind === "null")
        return [call(name, [value], typed(INTERVAL, node))];
      throw unsupported("parts of an interval that are no integers", value.span, "Write CAST(… AS integer).");
    }
    if (value.type === undefined || !isNumeric(value.type))
      throw unsupported("these seconds of an interval", value.span);
    const micros = binary(value, "*", integer(1_000_000, node), { span: node.span, type: value.type });
    return [call(name, [cast(micros, "bigint", { span: node.span, type: BIGINT })], typed(INTERVAL, node))];
  });
  return parts.length === 0 ? call("to_days", [integer(0, node)], typed(INTERVAL, node)) : sumOf(parts, node);
}

const MONTHS = [
  ["year", 12],
  ["month", 1],
] as const;
const DAYS = [["day", 1]] as const;
const MICROSECONDS = [
  ["hour", 3_600_000_000],
  ["minute", 60_000_000],
  ["microsecond", 1],
] as const;

/** How many of the smallest of these units an interval has in them. */
function amount(value: Expression, fields: readonly (readonly [field: string, units: number])[]): Expression {
  const place = { span: value.span, type: BIGINT };
  const [first = integer(0, value), ...others] = fields.map(([field, units]) => {
    const count = call("date_part", [text(field, value), value], place);
    return units === 1 ? count : binary(count, "*", integer(units, value), place);
  });
  return others.reduce((left, right) => binary(left, "+", right, place), first);
}

function joined(months: Expression, days: Expression, micros: Expression, { span }: Call): Expression {
  const of = (name: string, count: Expression) => call(name, [count], { span, type: INTERVAL });
  const short = (count: Expression) => cast(count, "integer", { span, type: BIGINT });
  const parts = [of("to_months", short(months)), of("to_days", short(days)), of("to_microseconds", micros)] as const;
  return sumOf(parts, { span });
}

function sumOf(parts: readonly Expression[], { span }: { readonly span: Expression["span"] }): Expression {
  const [first = integer(0, { span }), ...others] = parts;
  return others.reduce((left, right) => binary(left, "+", right, { span, type: INTERVAL }), first);
}

/** The sum of each unit by itself, as PostgreSQL has it. */
export function summedIntervals(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  if (node.distinct) throw unsupported("the sum of distinct intervals", node.span);
  const sum = (fields: typeof MONTHS | typeof DAYS | typeof MICROSECONDS): Expression =>
    cast({ ...withArguments(node, [amount(value, fields)]), type: NUMERIC }, "bigint", {
      span: node.span,
      type: BIGINT,
    });
  return joined(sum(MONTHS), sum(DAYS), sum(MICROSECONDS), node);
}

/** The sum through the number of values: what is left of months and days is carried on to smaller units. */
export function meanOf(node: Call): Expression {
  if (values(node)[0]?.type?.kind !== "interval") return node;
  const count: Call = { ...renamed(node, "count"), type: BIGINT };
  const number = cast(count, "double precision", { span: node.span, type: DOUBLE });
  return binary(summedIntervals({ ...renamed(node, "sum"), type: INTERVAL }), "/", number, inPlaceOf(node));
}

const DAY = 86_400_000_000;
const MONTH = 30;

/** Whole days of hours, and whole months of 30 days: all parts get one sign. */
export function justified(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const { span } = node;
  const place = { span, type: BIGINT };
  const wide = { span, type: HUGEINT };
  const number = (count: number): Expression => ({ kind: "number", text: `${count}`, ...place });
  const plus = (high: Expression, units: number, low: Expression) =>
    binary(binary(cast(high, "hugeint", wide), "*", number(units), wide), "+", low, wide);
  const whole = (total: Expression, units: number) => binary(total, "//", number(units), wide);
  const rest = (total: Expression, units: number) => binary(total, "%", number(units), wide);
  const small = (total: Expression) => cast(total, "bigint", place);
  const [months, days, micros] = [amount(value, MONTHS), amount(value, DAYS), amount(value, MICROSECONDS)];
  switch (node.name[0]?.name) {
    case "justify_hours": {
      const total = plus(days, DAY, micros);
      return joined(months, whole(total, DAY), small(rest(total, DAY)), node);
    }
    case "justify_days": {
      const total = plus(months, MONTH, days);
      return joined(whole(total, MONTH), rest(total, MONTH), micros, node);
    }
    default: {
      const total = plus(plus(months, MONTH, days), DAY, micros);
      const inDays = whole(total, DAY);
      return joined(whole(inDays, MONTH), rest(inDays, MONTH), small(rest(total, DAY)), node);
    }
  }
}
