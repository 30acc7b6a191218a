/** Rules for the fields of EXTRACT on SQL Server. https://learn.microsoft.com/en-us/sql/t-sql/functions/datepart-transact-sql */

import { unsupported } from "../../diagnostics.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { partOfAge } from "../../lowering/times/ages.ts";
import { endsOf, isDateOrTimestamp } from "../../lowering/times/time-arithmetic.ts";
import { binary, cast, decimal, inPlaceOf, integer, text, typed } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, DATE, INTEGER, NUMERIC, typeOrUnknown } from "../../types.ts";
import { type PARTS, part, unitsBetween } from "./templates.ts";
import { timeInUtc, weekday, wholeMonths } from "./times.ts";

/** A field of a date or timestamp, and of a time of day where `hasClock`. */
const of =
  (field: keyof typeof PARTS, hasClock = false) =>
  (node: Extract): Expression => {
    const { operand, span } = node;
    const { kind } = typeOrUnknown(operand);
    if (hasClock && kind === "time") return asTyped(part(field, operand), node);
    if (isDateOrTimestamp(operand)) return asTyped(part(field, timeInUtc(operand)), node);
    throw unsupported(`${node.field} of ${kind}`, span, "Ask for that of a date or a timestamp.");
  };

/** DATEPART gives 32 bits, whose products overflow sooner than the 64 bits of the language. */
function asTyped(value: Expression, node: Extract): Expression {
  const [from, to] = [typeOrUnknown(value), typeOrUnknown(node)];
  if (from.kind !== "integer") return value;
  if (to.kind === "decimal") return cast(value, "numeric", inPlaceOf(node), [from.bits < 64 ? 10 : 19, 0]);
  return from.bits < 64 ? cast(value, "bigint", inPlaceOf(node)) : value;
}

const ofAge =
  (operator: "/" | "%", field: "year" | "month") =>
  (node: Extract): Expression => {
    const found = partOfAge(node, operator, wholeMonths);
    return found === undefined ? of(field)(node) : asTyped(found, node);
  };

const ofWeek =
  (first: "monday" | "sunday", by: number) =>
  (node: Extract): Expression => {
    const { operand, span } = node;
    if (!isDateOrTimestamp(operand)) {
      const hint = "Ask for that of a date or a timestamp.";
      throw unsupported(`${node.field} of ${typeOrUnknown(operand).kind}`, span, hint);
    }
    const day = weekday(timeInUtc(operand), first);
    return asTyped(by === 0 ? day : binary(day, "+", integer(by, node), typed(INTEGER, node)), node);
  };

/** Whole days of a difference of two times. */
function day(node: Extract): Expression {
  const found = endsOf(node.operand);
  if (found === undefined) return of("day")(node);
  const between = unitsBetween("microsecond", ...found, typed(BIGINT, node));
  const perDay: Expression = { kind: "number", text: "86400000000", span: node.span, type: BIGINT };
  return asTyped(binary(between, "/", perDay, typed(BIGINT, node)), node);
}

function epoch(node: Extract): Expression {
  const { operand } = node;
  const start = cast(text("1970-01-01", node), "date", typed(DATE, node));
  const found =
    endsOf(node.operand) ?? (isDateOrTimestamp(operand) ? ([start, timeInUtc(operand)] as const) : undefined);
  if (found === undefined) {
    const hint = "Ask for that of a date, a timestamp or a difference of two.";
    throw unsupported("EXTRACT(EPOCH) of that type", node.span, hint);
  }
  const between = unitsBetween("microsecond", ...found, typed(BIGINT, node));
  return binary(between, "*", decimal("0.000001", node), typed(NUMERIC, node));
}

export const mssqlFields = (): Rules<Extract> =>
  fieldRules([], {
    year: ofAge("/", "year"),
    quarter: of("quarter"),
    month: ofAge("%", "month"),
    day,
    hour: of("hour", true),
    minute: of("minute", true),
    second: of("second", true),
    milliseconds: of("milliseconds", true),
    microseconds: of("microseconds", true),
    dow: ofWeek("sunday", 0),
    isodow: ofWeek("monday", 1),
    doy: of("doy"),
    week: of("week"),
    isoyear: of("isoyear"),
    julian: UNSUPPORTED.julianDay,
    century: of("century"),
    decade: of("decade"),
    millennium: of("millennium"),
    epoch,
    timezone: UNSUPPORTED.zoneInUtc,
    timezone_hour: UNSUPPORTED.zoneInUtc,
    timezone_minute: UNSUPPORTED.zoneInUtc,
  });
