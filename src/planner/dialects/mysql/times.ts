/** Dates, times and intervals. A timestamp is DATETIME or TIMESTAMP, which have the same values in a session in UTC. */

import { unsupported } from "../../diagnostics.ts";
import { spelled, sql, words } from "../../lowering/templates/template.ts";
import { farShifts } from "../../lowering/times/shift-range.ts";
import { isDateOrTimestamp, isDay, negated, step, timeArithmetic } from "../../lowering/times/time-arithmetic.ts";
import { call, cast, text, typed, values } from "../../syntax/build.ts";
import type { AtTimeZone, Binary, Call, Expression, Template } from "../../syntax/tree.ts";
import { DATE, INTEGER, type SqlType, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { isZoneName } from "../../zone-names.ts";
import { raisingOnNull, raisingUnless } from "./raising.ts";
import { MYSQL_INSTANT, unitsBetween } from "./templates.ts";

/**
 * All sessions are in UTC. The names of other zones are in tables that a server may lack: CONVERT_TZ gives NULL for a name that it does
 * not know, and a value beyond the range of TIMESTAMP as it is. Both raise.
 * https://dev.mysql.com/doc/refman/9.5/en/date-and-time-functions.html#function_convert-tz
 */
const inTables = (then: string, first: string, last: string): Template =>
  words(raisingUnless(`$1 >= '${first}' AND $1 < '${last}' AND CONVERT_TZ($1, '+00:00', $2) IS NOT NULL`, then));

/** The range is that of all servers. */
const IN_ZONE = inTables("CONVERT_TZ($1, '+00:00', $2)", "1970-01-02", "2038-01-18");
const OF_ZONE = inTables(MYSQL_INSTANT, "1970-01-04", "2038-01-16");

export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone, span } = node;
  if (zone.kind === "string" && /^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone.value) && isDateOrTimestamp(operand)) {
    return isDay(operand) ? cast(operand, "timestamp", { span, type: TIMESTAMP }) : inPlace(operand, node);
  }
  const type = typeOrUnknown(operand);
  if (zone.kind === "string" && isZoneName(zone.value) && type.kind === "timestamp") {
    return spelled(type.zoned ? IN_ZONE : OF_ZONE, [operand, zone], node);
  }
  throw unsupported("the time zone", zone.span, "Write the name of a zone: 'Europe/Berlin'.");
}

/** The same value, whose type has a zone or has none. */
const inPlace = (operand: Expression, { span, type }: AtTimeZone): Expression => ({
  ...operand,
  span,
  ...(type && { type }),
});

/** MySQL gives NULL beyond the year 9999. */
export function shiftedTime(node: Binary): Expression | undefined {
  const found = timeArithmetic(node);
  const shifts = found && farShifts(found);
  if (shifts === undefined) return found;
  // A count that is a window or an aggregate stays whole: MySQL would compute a part of it for every row, before the aggregate.
  const counts = shifts.steps.map(({ value }) => value).filter((value) => !isConstant(value));
  const { base } = shifts;
  const given = counts.length === 0 ? base : call("concat", [base, ...counts], { span: node.span, type: TEXT });
  return found && raisingOnNull(found, given);
}

function isConstant(value: Expression): boolean {
  return value.kind === "number" || (value.kind === "unary" && value.operand.kind === "number");
}

/** Start of the unit as a timestamp; weeks begin on Monday. */
export function truncated(node: Call): Expression {
  const [unit, value] = values(node);
  if (unit?.kind !== "string" || value === undefined || !isDateOrTimestamp(value)) {
    throw unsupported(
      "date_trunc of this",
      node.span,
      "Write the unit as a literal, and truncate dates or timestamps.",
    );
  }
  return startOf(unit.value.toLowerCase().replace(/s$/, ""), value, node);
}

const FORMATS: Readonly<Record<string, string>> = {
  year: "%Y-01-01",
  month: "%Y-%m-01",
  day: "%Y-%m-%d",
  hour: "%Y-%m-%d %H:00:00",
  minute: "%Y-%m-%d %H:%i:00",
  second: "%Y-%m-%d %H:%i:%s",
};

const FORMATTED = sql("date_format($1, $2)");
const WEEKDAY = sql("weekday($1)", { type: INTEGER });
const FIRST_OF_YEAR = sql("makedate(year($1), 1)", { type: DATE });
const QUARTERS = sql("quarter($1) - 1", { type: INTEGER });

/** The type of `date_trunc`; a part of `date_diff` is always a TIMESTAMP. */
const resultOf = (at: Expression): SqlType => (typeOrUnknown(at).kind === "timestamp" ? typeOrUnknown(at) : TIMESTAMP);

function startOf(unit: string, value: Expression, at: Expression): Expression {
  const { span } = at;
  const place = { span, type: TIMESTAMP };
  const asTimestamp = (of: Expression): Expression => cast(of, "timestamp", { span, type: resultOf(at) });
  const format = FORMATS[unit];
  if (format !== undefined) return asTimestamp(spelled(FORMATTED, [value, text(format, at)], typed(TEXT, at)));
  if (unit === "microsecond") return isDay(value) ? asTimestamp(value) : value;
  const day = cast(value, "date", { span, type: DATE });
  if (unit === "week") {
    return asTimestamp(call("date_add", [day, step(negated(spelled(WEEKDAY, [value], at)), "day")], place));
  }
  if (unit === "quarter") {
    const quarters = step(spelled(QUARTERS, [value], at), "quarter");
    return asTimestamp(call("date_add", [spelled(FIRST_OF_YEAR, [value], at), quarters], place));
  }
  throw unsupported(`date_trunc to ${unit}`, at.span, "Use year, quarter, month, week, day, hour, minute or second.");
}

/** Counts the boundaries of a unit between two times. */
const BOUNDARIES = {
  year: sql("year($2) - year($1)"),
  quarter: sql("year($2) * 4 + quarter($2) - (year($1) * 4 + quarter($1))"),
  month: sql("year($2) * 12 + month($2) - (year($1) * 12 + month($1))"),
  week: sql("datediff($2, $1) // 7"),
  day: sql("datediff($2, $1)"),
} as const;

export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (
    unit?.kind !== "string" ||
    from === undefined ||
    to === undefined ||
    !isDateOrTimestamp(from) ||
    !isDateOrTimestamp(to)
  ) {
    throw unsupported("date_diff of this", node.span, "Write the unit as a literal, and compare dates or timestamps.");
  }
  const name = unit.value.toLowerCase().replace(/s$/, "");
  switch (name) {
    case "year":
    case "quarter":
    case "month":
    case "day":
      return spelled(BOUNDARIES[name], [from, to], node);
    case "week":
      return spelled(BOUNDARIES.week, [startOf(name, from, from), startOf(name, to, to)], node);
    case "hour":
    case "minute":
    case "second":
      return unitsBetween(name, startOf(name, from, from), startOf(name, to, to), node);
    default:
      throw unsupported(
        `date_diff in ${name}s`,
        unit.span,
        "Use year, quarter, month, week, day, hour, minute or second.",
      );
  }
}

export const UTC_TIMESTAMP = sql("utc_timestamp(6)", { nulls: "never" });
