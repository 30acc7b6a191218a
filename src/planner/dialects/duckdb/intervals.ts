/** Intervals: parts, sums, means, factors, their text. Measured on DuckDB 1.4.5. */
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { byTemplate, spelled, sql } from "../../lowering/templates/template.ts";
import { binary, cast, inPlaceOf, renamed, typed, values, withArguments } from "../../syntax/build.ts";
import type { Binary, Call, Cast, Expression } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, INTERVAL, isNumeric, NUMERIC, TEXT } from "../../types.ts";

/** By doubles DuckDB spreads fractions of months and days as PostgreSQL does, whose factors are doubles, too. */
export function lowerIntervalFactor(node: Binary): Expression | undefined {
  const isLength = ({ type }: Expression): boolean => type?.kind === "interval";
  if (!isLength(node.left) && !isLength(node.right)) return undefined;
  const side = (value: Expression): Expression =>
    isLength(value) ? value : cast(value, "double precision", { span: value.span, type: DOUBLE });
  return { ...node, left: side(node.left), right: side(node.right) };
}

/** DuckDB writes `month` for `mon`, `-1 month`, and no plus between a part below zero and one above. */
const POSTGRES_TEXT = sql(
  String.raw`regexp_replace(regexp_replace(replace($1, 'month', 'mon'), '-1 ([a-z]+)', '-1 \1s', 'g'),
    '(-\d+ [a-z]+ )(\d)', '\1+\2', 'g')`,
  { type: TEXT },
);

export const intervalText = (node: Cast): Expression => spelled(POSTGRES_TEXT, [node], node);

const UNITS = ["years", "months", "weeks", "days", "hours", "mins"];
const OF_UNITS = ["to_years", "to_months", "to_weeks", "to_days", "to_hours", "to_minutes"].map((name) =>
  sql(`${name}($1)`, { type: INTERVAL }),
);
const OF_SECONDS = sql("to_microseconds(CAST($1 * 1000000 AS bigint))", { type: INTERVAL });
const NONE = sql("to_days(0)");

/** Seven parts, of which the last may have a fraction. Parts that are a literal zero are left out. */
export function intervalOfParts(node: Call): Expression {
  const parts = values(node).flatMap((value, index) => {
    if (value.kind === "number" && value.text === "0") return [];
    const template = OF_UNITS[index];
    if (template === undefined) {
      if (value.type !== undefined && isNumeric(value.type)) return [spelled(OF_SECONDS, [value], node)];
      throw unsupported("seconds of make_interval that are no number", value.span);
    }
    if (value.type?.kind === "integer" || value.type?.kind === "null") return [spelled(template, [value], node)];
    throw unsupported(`${UNITS[index]} of make_interval that are no integer`, value.span, "Write CAST(… AS integer).");
  });
  const [first = spelled(NONE, [], node), ...others] = parts;
  return others.reduce<Expression>((left, right) => binary(left, "+", right, typed(INTERVAL, node)), first);
}

const MONTHS = "date_part('year', $1) * 12 + date_part('month', $1)";
const DAYS = "date_part('day', $1)";
const MICROSECONDS =
  "date_part('hour', $1) * 3600000000 + date_part('minute', $1) * 60000000 + date_part('microsecond', $1)";

/** An interval of so many months, days and microseconds. */
const intervalOf = (months: string, days: string, microseconds: string): string =>
  `to_months(CAST(${months} AS integer)) + to_days(CAST(${days} AS integer)) + to_microseconds(${microseconds})`;

const AMOUNTS = [MONTHS, DAYS, MICROSECONDS].map((text) => sql(text, { type: BIGINT }));
const OF_SUMS = sql(intervalOf("CAST($1 AS bigint)", "CAST($2 AS bigint)", "CAST($3 AS bigint)"), { type: INTERVAL });

/** The sum of each unit by itself, as PostgreSQL has it. */
export function summedIntervals(node: Call): Expression {
  if (node.distinct) throw unsupported("the sum of distinct intervals", node.span);
  const sums = AMOUNTS.map((template) => ({
    ...withArguments(node, [spelled(template, values(node), node)]),
    type: NUMERIC,
  }));
  return spelled(OF_SUMS, sums, node);
}

/** The sum through the number of values: what is left of months and days is carried on to smaller units. */
export function meanOf(node: Call): Expression {
  if (values(node)[0]?.type?.kind !== "interval") return node;
  const count: Call = { ...renamed(node, "count"), type: BIGINT };
  const number = cast(count, "double precision", { span: node.span, type: DOUBLE });
  return binary(summedIntervals({ ...renamed(node, "sum"), type: INTERVAL }), "/", number, inPlaceOf(node));
}

const DAY = "86400000000";
const days = (months: string, rest: string): string => `CAST(${months} AS hugeint) * 30 + ${rest}`;
const microseconds = (wholeDays: string): string => `CAST(${wholeDays} AS hugeint) * ${DAY} + (${MICROSECONDS})`;
const rest = (total: string): string => `CAST((${total}) % ${DAY} AS bigint)`;
const all = microseconds(days(MONTHS, DAYS));
const allDays = `(${all}) // ${DAY}`;

/** Full days of hours, and full months of 30 days: all parts get one sign. */
const JUSTIFIED = new Map([
  ["justify_hours", sql(intervalOf(MONTHS, `(${microseconds(DAYS)}) // ${DAY}`, rest(microseconds(DAYS))))],
  ["justify_days", sql(intervalOf(`(${days(MONTHS, DAYS)}) // 30`, `(${days(MONTHS, DAYS)}) % 30`, MICROSECONDS))],
  ["justify_interval", sql(intervalOf(`${allDays} // 30`, `${allDays} % 30`, rest(all)))],
]);

export function justified(node: Call): Expression {
  const template = JUSTIFIED.get(functionName(node));
  return template === undefined ? node : byTemplate(template, node);
}
