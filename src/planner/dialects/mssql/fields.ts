/** Rules for the fields of EXTRACT on SQL Server. https://learn.microsoft.com/en-us/sql/t-sql/functions/datepart-transact-sql */

import { unsupported } from "../../diagnostics.ts";
import { partOfAge } from "../../lowering/ages.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { isDateOrTimestamp, step } from "../../lowering/time-arithmetic.ts";
import { binary, call, cast, decimal, inPlaceOf, integer, text, typed, values } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, DATE, INTEGER, NUMERIC, typeOrUnknown } from "../../types.ts";
import { timeInUtc, weekday, wholeMonths } from "./times.ts";

type Say = (value: Expression, node: Extract) => Expression;

const ofMoment =
  (say: Say) =>
  (node: Extract): Expression => {
    if (isDateOrTimestamp(node.operand)) return asTyped(say(timeInUtc(node.operand), node), node);
    throw unsupported(
      `${node.field} of ${typeOrUnknown(node.operand).kind}`,
      node.span,
      "Ask for that of a date or a timestamp.",
    );
  };

/** DATEPART gives 32 bits, whose products overflow sooner than the 64 bits of the language. */
function asTyped(value: Expression, node: Extract): Expression {
  const [from, to] = [typeOrUnknown(value), typeOrUnknown(node)];
  if (from.kind !== "integer") return value;
  if (to.kind === "decimal") return cast(value, "numeric", inPlaceOf(node), [from.bits < 64 ? 10 : 19, 0]);
  return from.bits < 64 ? cast(value, "bigint", inPlaceOf(node)) : value;
}

const ofAge =
  (operator: "/" | "%", name: string) =>
  (node: Extract): Expression => {
    const found = partOfAge(node, operator, wholeMonths);
    return found === undefined ? named(name)(node) : asTyped(found, node);
  };

/** Accepts a time of day too. */
const ofClock = (say: Say) => {
  const other = ofMoment(say);
  return (node: Extract): Expression =>
    typeOrUnknown(node.operand).kind === "time" ? asTyped(say(node.operand, node), node) : other(node);
};

/** Whole days of a difference of two times. */
function day(node: Extract): Expression {
  const { operand } = node;
  if (operand.kind !== "call" || operand.name[0]?.name !== "time between") return named("day")(node);
  const between = call("microseconds between", values(operand), typed(BIGINT, node));
  const perDay: Expression = { kind: "number", text: "86400000000", span: node.span, type: BIGINT };
  return asTyped(binary(between, "/", perDay, typed(BIGINT, node)), node);
}

const part = (name: string, value: Expression): Expression => call(`${name} of`, [value], typed(INTEGER, value));

const named = (name: string) => ofMoment((value) => part(name, value));

const years = (by: number, per: number) =>
  ofMoment((value, node) => {
    const year = binary(part("year", value), "+", integer(by, node), typed(INTEGER, node));
    return binary(year, "/", integer(per, node), typed(INTEGER, node));
  });

function microseconds(value: Expression, node: Extract): Expression {
  const whole = binary(part("second", value), "*", integer(1_000_000, node), typed(BIGINT, node));
  return binary(whole, "+", part("microsecond", value), typed(BIGINT, node));
}

const seconds = (factor: string) =>
  ofClock((value, node) => binary(microseconds(value, node), "*", decimal(factor, node), typed(NUMERIC, node)));

function epoch(node: Extract): Expression {
  const { operand } = node;
  const isDifference = operand.kind === "call" && operand.name[0]?.name === "time between";
  if (!isDifference && !isDateOrTimestamp(operand)) {
    throw unsupported(
      "EXTRACT(EPOCH) of that type",
      node.span,
      "Ask for that of a date, a timestamp or a difference of two.",
    );
  }
  const start = cast(text("1970-01-01", node), "date", typed(DATE, node));
  const ends = isDifference ? values(operand) : [start, timeInUtc(operand)];
  return binary(
    call("microseconds between", ends, typed(BIGINT, node)),
    "*",
    decimal("0.000001", node),
    typed(NUMERIC, node),
  );
}

/** That of the Thursday of its week. */
const isoYear = ofMoment((value, node) => {
  const middle = binary(integer(26, node), "-", part("iso_week", value), typed(INTEGER, node));
  return part("year", call("date_add", [value, step(middle, "day")], typed(DATE, node)));
});

export const mssqlFields = (): Rules<Extract> =>
  fieldRules([], {
    year: ofAge("/", "year"),
    quarter: named("quarter"),
    month: ofAge("%", "month"),
    day,
    hour: ofClock((value) => part("hour", value)),
    minute: ofClock((value) => part("minute", value)),
    second: seconds("0.000001"),
    milliseconds: seconds("0.001"),
    microseconds: ofClock(microseconds),
    dow: ofMoment((value) => weekday(value, "sunday")),
    isodow: ofMoment((value, node) => binary(weekday(value, "monday"), "+", integer(1, node), typed(INTEGER, node))),
    doy: named("dayofyear"),
    week: named("iso_week"),
    isoyear: isoYear,
    julian: UNSUPPORTED.julianDay,
    century: years(99, 100),
    decade: years(0, 10),
    millennium: years(999, 1000),
    epoch,
    timezone: UNSUPPORTED.zoneInUtc,
    timezone_hour: UNSUPPORTED.zoneInUtc,
    timezone_minute: UNSUPPORTED.zoneInUtc,
  });
