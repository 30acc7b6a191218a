/** Dates, times and intervals. Spark adds a number of units, and has no type for times of day (`times-of-day.ts`). */

import { unsupported } from "../../diagnostics.ts";
import { byTemplate, spelled, sql, words } from "../../lowering/templates/template.ts";
import { dateDifferenceArguments, unitOf } from "../../lowering/times/date-differences.ts";
import { isDateOrTimestamp, isDay, timeArithmetic } from "../../lowering/times/time-arithmetic.ts";
import { instantSql } from "../../lowering/times/zone-instants.ts";
import { call, cast, text, typed, values } from "../../syntax/build.ts";
import type { AtTimeZone, Binary, Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, NUMERIC, type SqlType, TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../types.ts";
import { isZoneName } from "../../zone-names.ts";

const isZoned = ({ type }: { readonly type?: SqlType }): boolean => type?.kind === "timestamp" && type.zoned;

export function timeSum(node: Binary): Expression | undefined {
  return timeArithmetic(node);
}

/** Timestamps without a zone beside others count as instants of the session, which is in UTC. */
const OF_ZONE = words(
  instantSql({
    inZone: (time) => `CAST(from_utc_timestamp(${time}, $2) AS TIMESTAMP_NTZ)`,
    days: (time, days) => `timestampadd(DAY, ${days}, ${time})`,
    minus: (time, from, to) => `timestampadd(SECOND, timestampdiff(SECOND, ${to}, ${from}), ${time})`,
  }),
);

/** AT TIME ZONE: from a local time to the instant, or back. */
export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone, span } = node;
  if (zone.kind !== "string" || !isZoneName(zone.value) || !isDateOrTimestamp(operand)) {
    throw unsupported("the time zone", zone.span, "Write the name of a zone: 'Europe/Berlin'.");
  }
  if (isZoned(operand)) {
    return cast(
      call("from_utc_timestamp", [operand, zone], typed(TIMESTAMPTZ, operand)),
      "timestamp",
      typed(TIMESTAMP, node),
    );
  }
  if (/^(UTC|GMT)$/.test(zone.value)) {
    if (isDay(operand)) return cast(operand, "timestamp", typed(TIMESTAMP, node));
    return cast(operand, "timestamp with time zone", typed(TIMESTAMPTZ, node));
  }
  if (isDay(operand)) throw unsupported("a date at a time zone", span, "Cast it to a timestamp.");
  const inUtc = spelled(OF_ZONE, [operand, zone], typed(TIMESTAMP, node));
  return cast(inUtc, "timestamp with time zone", typed(TIMESTAMPTZ, node));
}

const UNITS: ReadonlySet<string> = new Set(
  "year quarter month week day hour minute second millisecond microsecond".split(" "),
);

const NO_UNIT = "Use year, quarter, month, week, day, hour, minute or second.";

/** Start of the unit as a timestamp. */
export function truncated(node: Call): Expression {
  const [unit, value, ...others] = values(node);
  if (unit?.kind !== "string" || value === undefined || others.length > 0 || !isDateOrTimestamp(value)) {
    const hint = "Write the unit as a literal, and truncate dates or timestamps.";
    throw unsupported("date_trunc of this", node.span, hint);
  }
  const name = unitOf(unit.value);
  if (!UNITS.has(name)) throw unsupported(`date_trunc to ${name}`, unit.span, NO_UNIT);
  return startOf(name, value, node);
}

/** Spark's `date_trunc` gives an instant of any argument; a local time counts as one in UTC. */
function startOf(unit: string, value: Expression, at: Expression): Expression {
  const start = call("date_trunc", [text(unit.toUpperCase(), at), value], typed(TIMESTAMPTZ, at));
  return isZoned(at) ? start : cast(start, "timestamp", typed(TIMESTAMP, at));
}

/** Counts the boundaries of the unit from the first to the second; Spark counts full units. */
export function dateDifference(node: Call): Expression {
  const { unit, from, to } = dateDifferenceArguments(node, UNITS, NO_UNIT);
  const start = (each: Expression): Expression =>
    call("date_trunc", [text(unit.toUpperCase(), node), each], typed(TIMESTAMPTZ, node));
  return spelled(words(`timestampdiff(${unit.toUpperCase()}, $1, $2)`), [start(from), start(to)], node);
}

/** The instant at which the clocks of UTC show it. */
export const instant = (value: Expression): Expression =>
  isZoned(value) ? value : cast(value, "timestamp with time zone", typed(TIMESTAMPTZ, value));

const MICROSECONDS_SINCE_1970 = sql("unix_micros($1)", { type: BIGINT });
const microsecondsSince = (value: Expression, at: Expression): Expression =>
  spelled(MICROSECONDS_SINCE_1970, [instant(value)], at);

/** $3 and $4 say how far $1 and $2 are in their months. */
const fullMonths = (from: string, to: string, intoFrom: string, intoTo: string): string =>
  `year(${to}) * 12 + month(${to}) - (year(${from}) * 12 + month(${from})) - CASE WHEN ${intoTo} < ${intoFrom} THEN 1 ELSE 0 END`;

const MONTHS_BETWEEN = sql(
  `CASE WHEN $2 >= $1 THEN ${fullMonths("$1", "$2", "$3", "$4")}
    WHEN $2 < $1 THEN -(${fullMonths("$2", "$1", "$4", "$3")}) END`,
  { type: BIGINT },
);
const DIFFERENCE = sql("$2 - $1", { type: BIGINT });
const START_OF_MONTH = sql("date_trunc('MONTH', $1)", { type: TIMESTAMPTZ });

/** The full months of an age, which is negative as a whole. */
export function monthsBetween(from: Expression, to: Expression, at: Expression): Expression {
  const into = (of: Expression): Expression => microsecondsBetween(spelled(START_OF_MONTH, [of], at), of, at);
  return spelled(MONTHS_BETWEEN, [from, to, into(from), into(to)], at);
}

/** Microseconds from one time to another. */
export const microsecondsBetween = (from: Expression, to: Expression, at: Expression): Expression =>
  spelled(DIFFERENCE, [microsecondsSince(from, at), microsecondsSince(to, at)], at);

const SECONDS_OF_MICROSECONDS = sql("CAST($1 AS numeric(19, 0)) * 0.000001", {
  type: NUMERIC,
  scale: 6,
  precision: 27,
});

export const secondsOf = (microseconds: Expression, at: Expression): Expression =>
  spelled(SECONDS_OF_MICROSECONDS, [microseconds], at);

const SECONDS_OF_DAYS = sql("CAST(unix_date($1) AS bigint) * 86400", { type: BIGINT, scale: 0, precision: 26 });

/** Seconds since 1970, with their fraction. */
export const epochOf = (value: Expression, at: Expression): Expression =>
  isDay(value) ? spelled(SECONDS_OF_DAYS, [value], at) : secondsOf(microsecondsSince(value, at), at);

const OF_SECONDS = sql("timestamp_seconds($1)");
const OF_DECIMAL_SECONDS = sql("timestamp_micros(CAST(round($1 * 1000000, 0) AS bigint))");

/** Seconds since 1970 as an instant. */
export function ofEpoch(node: Call): Expression {
  const [seconds] = values(node);
  const kind = seconds && typeOrUnknown(seconds).kind;
  if (seconds === undefined || (kind !== "integer" && kind !== "decimal")) {
    throw unsupported("to_timestamp of this", node.span, "Give it an integer number of seconds.");
  }
  return byTemplate(kind === "integer" ? OF_SECONDS : OF_DECIMAL_SECONDS, node);
}
