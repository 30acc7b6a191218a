/** Rules for the fields of EXTRACT on Redshift. https://docs.aws.amazon.com/redshift/latest/dg/r_Dateparts_for_datetime_functions.html */

import { unsupported } from "../../../diagnostics.ts";
import { fieldRules, type Rules } from "../../../lowering/rules.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { partOfAge } from "../../../lowering/times/ages.ts";
import { endsOf, isDateOrTimestamp } from "../../../lowering/times/time-arithmetic.ts";
import { binary, call, cast, decimal, inPlaceOf, integer, text, typed } from "../../../syntax/build.ts";
import type { Expression, Extract } from "../../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, TEXT, TIMESTAMP, typeOrUnknown } from "../../../types.ts";
import { asTimestamp, part, timeInUtc, wholeMonths } from "./times.ts";

type Say = (value: Expression, node: Extract) => Expression;

const ofMoment =
  (say: Say) =>
  (node: Extract): Expression => {
    if (isDateOrTimestamp(node.operand)) return asTyped(say(asTimestamp(timeInUtc(node.operand)), node), node);
    const hint = "Ask for that of a date or a timestamp.";
    throw unsupported(`${node.field} of ${typeOrUnknown(node.operand).kind}`, node.span, hint);
  };

/** EXTRACT gives 32 bits, whose products overflow sooner than the 64 bits of the language. */
function asTyped(value: Expression, node: Extract): Expression {
  const [from, to] = [typeOrUnknown(value), typeOrUnknown(node)];
  if (from.kind !== "integer") return value;
  if (to.kind === "decimal") return cast(value, "numeric", inPlaceOf(node), [from.bits < 64 ? 10 : 19, 0]);
  return from.bits < 64 ? cast(value, "bigint", inPlaceOf(node)) : value;
}

const named = (field: string) => ofMoment((value) => part(field, value));

const ofAge =
  (operator: "/" | "%", name: string) =>
  (node: Extract): Expression => {
    const found = partOfAge(node, operator, wholeMonths);
    return found === undefined ? named(name)(node) : asTyped(found, node);
  };

/** By TO_CHAR, which says which year or week of ISO 8601 it is. */
const formatted = (pattern: string) =>
  ofMoment((value, node) =>
    cast(call("to_char", [value, text(pattern, node)], typed(TEXT, node)), "integer", typed(INTEGER, node)),
  );

const between = (from: Expression, to: Expression): Expression =>
  call("microseconds between", [from, to], typed(BIGINT, to));

/** A field of a timestamp is a whole number there, without what is behind the point. */
const sinceMinute = (value: Expression): Expression =>
  between(call("date_trunc", [text("minute", value), value], typed(TIMESTAMP, value)), value);

const seconds = (factor: string) => ofMoment((value, node) => scaled(sinceMinute(value), factor, node));

const scaled = (microseconds: Expression, factor: string, node: Extract): Expression =>
  binary(microseconds, "*", decimal(factor, node), typed(NUMERIC, node));

function epoch(node: Extract): Expression {
  const { operand } = node;
  const [from, to] = endsOf(operand)?.map((each) => asTimestamp(timeInUtc(each))) ?? [];
  if (from !== undefined && to !== undefined) return scaled(between(from, to), "0.000001", node);
  const start = cast(text("1970-01-01 00:00:00", node), "timestamp", typed(TIMESTAMP, node));
  return ofMoment((value) => scaled(between(start, value), "0.000001", node))(node);
}

const DAY = 86_400_000_000;

/** Days of 24 hours between two timestamps. */
function day(node: Extract): Expression {
  const [from, to] = endsOf(node.operand)?.map((each) => asTimestamp(timeInUtc(each))) ?? [];
  if (from === undefined || to === undefined) return named("day")(node);
  const microsecondsOfDay: Expression = { kind: "number", text: String(DAY), span: node.span, type: BIGINT };
  return binary(between(from, to), "/", microsecondsOfDay, inPlaceOf(node));
}

const isoWeekday = ofMoment((value, node) => {
  const at = typed(INTEGER, node);
  const sinceMonday = binary(binary(part("dow", value), "+", integer(6, node), at), "%", integer(7, node), at);
  return binary(sinceMonday, "+", integer(1, node), at);
});

export const redshiftFields = (): Rules<Extract> =>
  fieldRules([], {
    year: ofAge("/", "year"),
    quarter: named("quarter"),
    month: ofAge("%", "month"),
    day,
    hour: named("hour"),
    minute: named("minute"),
    second: seconds("0.000001"),
    milliseconds: seconds("0.001"),
    microseconds: ofMoment(sinceMinute),
    dow: named("dow"),
    isodow: isoWeekday,
    doy: named("doy"),
    week: formatted("IW"),
    isoyear: formatted("IYYY"),
    epoch,
    julian: UNSUPPORTED.computedField,
    century: UNSUPPORTED.computedField,
    decade: UNSUPPORTED.computedField,
    millennium: UNSUPPORTED.computedField,
    timezone: UNSUPPORTED.zoneInUtc,
    timezone_hour: UNSUPPORTED.zoneInUtc,
    timezone_minute: UNSUPPORTED.zoneInUtc,
  });
