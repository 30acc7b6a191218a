/** Dates, times and intervals. A timestamp is DATETIME or TIMESTAMP, which are alike in a session in UTC. */

import { unsupported } from "../../diagnostics.ts";
import { farShifts } from "../../lowering/shift-range.ts";
import { isDateOrTimestamp, isDay, negated, step, timeArithmetic } from "../../lowering/time-arithmetic.ts";
import { binary, call, cast, inPlaceOf, integer, text, values } from "../../syntax/build.ts";
import type { AtTimeZone, Binary, Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, DATE, INTEGER, type SqlType, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { raisingOnNull } from "./raising.ts";
import { unitsBetween } from "./templates.ts";

/** All sessions are in UTC, and names of other zones are in tables that a server need not have. */
export function atTimeZone({ operand, zone, span }: AtTimeZone): Expression {
  if (zone.kind === "string" && /^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone.value) && isDateOrTimestamp(operand)) {
    return isDay(operand) ? cast(operand, "timestamp", { span, type: TIMESTAMP }) : operand;
  }
  throw unsupported("another time zone than UTC", zone.span, "Compute in UTC and convert what you show.");
}

/** Beyond the year 9999 there is NULL. */
export function shiftedTime(node: Binary): Expression | undefined {
  const found = timeArithmetic(node);
  const shifts = found && farShifts(found);
  if (shifts === undefined) return found;
  // The window or the aggregate of a count is kept whole: MySQL would compute a part of it for every row, before the aggregate.
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

/** That of `date_trunc`; of a part of `date_diff` it is no matter. */
const resultOf = (at: Expression): SqlType => (typeOrUnknown(at).kind === "timestamp" ? typeOrUnknown(at) : TIMESTAMP);

function startOf(unit: string, value: Expression, at: Expression): Expression {
  const { span } = at;
  const place = { span, type: TIMESTAMP };
  const asTimestamp = (of: Expression): Expression => cast(of, "timestamp", { span, type: resultOf(at) });
  const format = FORMATS[unit];
  if (format !== undefined) return asTimestamp(call("date_format", [value, text(format, at)], { span, type: TEXT }));
  if (unit === "microsecond") return isDay(value) ? asTimestamp(value) : value;
  const day = cast(value, "date", { span, type: DATE });
  if (unit === "week") {
    const weekday = call("weekday", [value], { span, type: INTEGER });
    return asTimestamp(call("date_add", [day, step(negated(weekday), "day")], place));
  }
  if (unit === "quarter") {
    const first = call("makedate", [call("year", [value], { span, type: INTEGER }), integer(1, at)], {
      span,
      type: DATE,
    });
    const quarters = binary(call("quarter", [value], { span, type: INTEGER }), "-", integer(1, at), {
      span,
      type: INTEGER,
    });
    return asTimestamp(call("date_add", [first, step(quarters, "quarter")], place));
  }
  throw unsupported(`date_trunc to ${unit}`, at.span, "Use year, quarter, month, week, day, hour, minute or second.");
}

/** Boundaries of the unit that are crossed from the first to the second. */
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
  const { span } = node;
  const name = unit.value.toLowerCase().replace(/s$/, "");
  const part = (field: string, of: Expression): Expression => call(field, [of], { span, type: INTEGER });
  const minus = (a: Expression, b: Expression): Expression => binary(a, "-", b, { span, type: BIGINT });
  const scaled = (of: Expression, perYear: number, field: string): Expression =>
    binary(binary(part("year", of), "*", integer(perYear, node), { span, type: BIGINT }), "+", part(field, of), {
      span,
      type: BIGINT,
    });
  switch (name) {
    case "year":
      return minus(part("year", to), part("year", from));
    case "quarter":
    case "month": {
      const perYear = name === "quarter" ? 4 : 12;
      return minus(scaled(to, perYear, name), scaled(from, perYear, name));
    }
    case "week": {
      const days = call("datediff", [startOf("week", to, to), startOf("week", from, from)], { span, type: BIGINT });
      return binary(days, "//", integer(7, node), { span, type: BIGINT });
    }
    case "day":
      return call("datediff", [to, from], inPlaceOf(node));
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

export const utcTimestamp = (node: Call): Expression => call("utc_timestamp", [integer(6, node)], inPlaceOf(node));
