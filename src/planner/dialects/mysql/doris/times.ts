/**
 * Dates and times, in a session in UTC, where instants and clocks are alike.
 * https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/date-trunc
 */

import { unsupported } from "../../../diagnostics.ts";
import { type DateFormats, dateText } from "../../../lowering/date-texts.ts";
import { readDate } from "../../../lowering/literal-dates.ts";
import { PERCENT_FORMATS } from "../../../lowering/percent-formats.ts";
import { isDateOrTimestamp, isDay } from "../../../lowering/time-arithmetic.ts";
import { typedLiteral } from "../../../lowering/typed-literals.ts";
import { binary, call, cast, inPlaceOf, integer, text, typed, values } from "../../../syntax/build.ts";
import type { AtTimeZone, Call, Expression, TypedLiteral } from "../../../syntax/tree.ts";
import { BIGINT, DATE, INTEGER, TEXT, TIMESTAMP, typeOrUnknown } from "../../../types.ts";
import { concat } from "../templates.ts";

export const asTimestamp = (value: Expression): Expression =>
  isDay(value) ? cast(value, "timestamp", typed(TIMESTAMP, value)) : value;

/** In the one form that is read alike. */
export function literalTime(node: TypedLiteral): Expression {
  const read = typedLiteral(node);
  const { kind } = typeOrUnknown(node);
  if (kind !== "date" && kind !== "timestamp") throw unsupported(`a literal of type ${kind}`, node.span);
  return cast(text(read.value, node), kind, inPlaceOf(node));
}

export function atTimeZone({ operand, zone, span, type }: AtTimeZone): Expression {
  if (zone.kind !== "string" || !/^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone.value) || !isDateOrTimestamp(operand)) {
    throw unsupported("another time zone than UTC", zone.span, "Compute in UTC and convert what you show.");
  }
  return { ...asTimestamp(operand), span, ...(type && { type }) };
}

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/now */
export const currentTimestamp = (node: Call): Expression => call("now", [integer(6, node)], inPlaceOf(node));

export const currentDate = (node: Call): Expression => cast(currentTimestamp(node), "date", typed(DATE, node));

const UNITS: ReadonlySet<string> = new Set("year quarter month week day hour minute second".split(" "));

function unitOf(unit: Expression | undefined, what: string, node: Call): string {
  const name = unit?.kind === "string" ? unit.value.toLowerCase().replace(/s$/, "") : "";
  if (UNITS.has(name)) return name;
  throw unsupported(what, node.span, `Use a literal of ${[...UNITS].join(", ")}.`);
}

/** Weeks begin on Monday. Of a day it is a day, of its midnight a timestamp. */
const start = (unit: string, value: Expression, at: Expression): Expression =>
  call("date_trunc", [asTimestamp(value), text(unit, value)], inPlaceOf(at));

export function truncated(node: Call): Expression {
  const [unit, value] = values(node);
  if (value === undefined || !isDateOrTimestamp(value)) {
    throw unsupported("date_trunc of this", node.span, "Truncate dates or timestamps.");
  }
  return start(unitOf(unit, "date_trunc with these arguments", node), value, node);
}

export const part = (field: string, value: Expression): Expression =>
  call(`${field} of`, [value], typed(INTEGER, value));

const minus = (left: Expression, right: Expression): Expression => binary(left, "-", right, typed(BIGINT, left));

/** Boundaries of the unit that are crossed. */
export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (from === undefined || to === undefined || !isDateOrTimestamp(from) || !isDateOrTimestamp(to)) {
    throw unsupported("date_diff of this", node.span, "Compare dates or timestamps.");
  }
  const name = unitOf(unit, "date_diff with these arguments", node);
  const at = typed(BIGINT, node);
  const counted = (perYear: number): Expression => {
    const of = (value: Expression): Expression =>
      binary(binary(part("year", value), "*", integer(perYear, node), at), "+", part(name, value), at);
    return minus(of(to), of(from));
  };
  switch (name) {
    case "year":
      return minus(part("year", to), part("year", from));
    case "quarter":
      return counted(4);
    case "month":
      return counted(12);
    case "day":
      return call("datediff", [to, from], inPlaceOf(node));
    case "week": {
      const [last, first] = [to, from].map((each) => start("week", each, { ...each, type: TIMESTAMP }));
      const days = last && first && call("datediff", [last, first], at);
      return days === undefined ? node : binary(days, "//", integer(7, node), inPlaceOf(node));
    }
    default:
      return call(
        `${name}s between`,
        [from, to].map((each) => start(name, each, { ...each, type: TIMESTAMP })),
        inPlaceOf(node),
      );
  }
}

/** The difference of two clocks in microseconds. */
export function microsecondsBetween(from: Expression, to: Expression): Expression {
  const at = typed(BIGINT, to);
  const [first, last] = [asTimestamp(from), asTimestamp(to)];
  const second = (value: Expression): Expression => start("second", value, { ...value, type: TIMESTAMP });
  const whole = call("seconds between", [second(first), second(last)], at);
  return binary(
    binary(whole, "*", integer(1_000_000, to), at),
    "+",
    minus(part("microsecond", last), part("microsecond", first)),
    at,
  );
}

export const lastDay = (node: Call): Expression => call("last_day", values(node), inPlaceOf(node));

const DECLARE_DAY = "Declare the column as a date, or cast it in the model's own SQL.";

export function dateByFormat(node: Call): Expression {
  if (node.arguments.length > 1) return literalTime(readDate(node, DECLARE_DAY));
  throw unsupported("to_timestamp of a number", node.span, "Add seconds to TIMESTAMP '1970-01-01 00:00:00'.");
}

/** Specifiers that mean what MySQL's do: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/date-format */
const SHARED: ReadonlySet<string> = new Set(
  "YYYY YY MM Mon FMMonth DD DDD Dy FMDay HH24 HH12 HH MI SS AM PM".split(" "),
);

const DATES: DateFormats = {
  tokens: Object.fromEntries(Object.entries(PERCENT_FORMATS.tokens).filter(([token]) => SHARED.has(token))),
  literal: PERCENT_FORMATS.literal,
  values: { Q: (value, at) => cast(part("quarter", value), "text", typed(TEXT, at)) },
  joined: (parts, at) => concat(parts, at),
};

export function formatted(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || isDateOrTimestamp(value)) return dateText(node, DATES);
  throw unsupported("to_char of a number", node.span, "Round it, and cast it to text.");
}
