/** `date_trunc(unit, instant, zone)` for targets that have no such function, and the units by which clocks of a zone matter. */
import { unsupported } from "../diagnostics.ts";
import { binary, call, cast, interval, text, typed, unbound, values } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { BIGINT, INTERVAL, TIMESTAMP, TIMESTAMPTZ } from "../types.ts";
import { bindIn, type ExpressionBinding } from "./binding.ts";
import { Clock } from "./zoned-values.ts";

const DAYS_AND_MORE = /^(?:(?:day|week|month|quarter|year|decade)s?|centur(?:y|ies)|millenni(?:um|ums|a))$/i;
const WITHIN_DAYS = /^(?:hour|minute)s?$/i;
const UP_TO_SECONDS = /^(?:second|millisecond|microsecond)s?$/i;

const nameOf = (unit: Expression): string => (unit.kind === "string" ? unit.value : "");

/** Whether a unit begins at a local time of the zone. */
export const isOfDays = (unit: Expression): boolean => DAYS_AND_MORE.test(nameOf(unit));

/** Whether a unit is the same in all zones, whose offsets are whole seconds. */
export const isOfSeconds = (unit: Expression): boolean => UP_TO_SECONDS.test(nameOf(unit));

/** The beginning of a unit. One of days is a local time; an hour or a minute begins at the offset that the instant has. */
export function truncatedInZone(node: Call, unit: Expression, value: Expression, clock: Clock): Expression {
  if (isOfSeconds(unit)) return call("date_trunc", [unit, value], typed(TIMESTAMPTZ, node));
  const local = clock.local(value);
  if (isOfDays(unit)) return clock.instant(call("date_trunc", [unit, local], typed(TIMESTAMP, node)));
  const { span } = node;
  const passed = call(
    "date_diff",
    [text("second", node), call("date_trunc", [unit, local], typed(TIMESTAMP, node)), local],
    {
      span,
      type: BIGINT,
    },
  );
  const second = call("date_trunc", [text("second", node), value], typed(TIMESTAMPTZ, node));
  const seconds = binary(passed, "*", interval("1 second", node), { span, type: INTERVAL });
  return binary(second, "-", seconds, typed(TIMESTAMPTZ, node));
}

/** A call with the zone as its third argument. */
export function bindTruncationInZone(node: Call, binding: ExpressionBinding): Expression {
  const [unit, value, zone] = values(node);
  if (unit === undefined || value === undefined || zone === undefined) throw new TypeError("three arguments");
  if (!isOfDays(unit) && !isOfSeconds(unit) && !WITHIN_DAYS.test(nameOf(unit))) {
    throw unsupported(
      "date_trunc in a time zone with a computed unit",
      unit.span,
      "Write the unit as a literal: 'hour', 'day', 'week', 'month', 'quarter', 'year' or 'decade'.",
    );
  }
  const instant = bindIn(cast(value, "timestamp with time zone", unbound(value)), binding);
  const placed = truncatedInZone(node, bindIn(unit, binding), instant, new Clock(bindIn(zone, binding)));
  return { ...placed, span: node.span };
}
