/** Rules for the fields of EXTRACT on Spark. Seen on Spark 4.0.1. */

import { unsupported } from "../../diagnostics.ts";
import { partOfAge } from "../../lowering/ages.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { isDateOrTimestamp, isDay } from "../../lowering/time-arithmetic.ts";
import { binary, call, cases, cast, comparison, integer, text, typed, values } from "../../syntax/build.ts";
import type { BinaryOperator, Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { epochOf, microsecondsBetween, monthsBetween, secondsOf } from "./times.ts";

function ofMoment(say: (operand: Expression, node: Extract) => Expression) {
  return (node: Extract): Expression => {
    if (isDateOrTimestamp(node.operand)) return say(node.operand, node);
    const { kind } = typeOrUnknown(node.operand);
    const hint = "Use epoch or day of a difference of two timestamps.";
    throw unsupported(`${node.field} of ${kind}`, node.span, hint);
  };
}

const part = (name: string, operand: Expression, at: Extract): Expression => call(name, [operand], typed(INTEGER, at));

const named = (name: string) => ofMoment((operand, node) => part(name, operand, node));

const moved = (name: string, operator: BinaryOperator, by: number) =>
  ofMoment((operand, node) => binary(part(name, operand, node), operator, integer(by, node), typed(INTEGER, node)));

/** A date counts as its midnight. */
const timed = (operand: Expression): Expression =>
  isDay(operand) ? cast(operand, "timestamp", typed(TIMESTAMP, operand)) : operand;

const ofClock = (name: string) => ofMoment((operand, node) => part(name, timed(operand), node));

/** With its fraction, six digits. */
const second = (operand: Expression, node: Extract): Expression =>
  call("date_part", [text("SECOND", node), timed(operand)], typed(NUMERIC, node));

const times = (factor: number) =>
  ofMoment((operand, node) => binary(second(operand, node), "*", integer(factor, node), typed(NUMERIC, node)));

const years = (by: number, per: number) =>
  ofMoment((operand, node) => {
    const year = part("year", operand, node);
    const raised = by === 0 ? year : binary(year, "+", integer(by, node), typed(INTEGER, node));
    const count = binary(raised, "//", integer(per, node), typed(INTEGER, node));
    return cases(
      [{ when: comparison(year, ">", integer(0, node), node), then: count }],
      undefined,
      typed(INTEGER, node),
    );
  });

/** The microseconds of a difference of two times. */
function microsecondsOfDifference({ operand }: Extract): Expression | undefined {
  if (operand.kind !== "call" || operand.name[0]?.name !== "time between") return undefined;
  const [from, to] = values(operand);
  if (from === undefined || to === undefined) throw new TypeError("a difference has two ends");
  return microsecondsBetween(from, to, operand);
}

function epoch(node: Extract): Expression {
  const between = microsecondsOfDifference(node);
  return between === undefined ? ofMoment((operand) => epochOf(operand, node))(node) : secondsOf(between, node);
}

const MICROSECONDS_OF_A_DAY = "86400000000";

function day(node: Extract): Expression {
  const between = microsecondsOfDifference(node);
  if (between === undefined) return named("day")(node);
  const whole: Expression = { kind: "number", text: MICROSECONDS_OF_A_DAY, span: node.span, type: BIGINT };
  return binary(between, "//", whole, typed(BIGINT, node));
}

/** Whole years of an age, and whole months beside them. */
const ofAge =
  (operator: "//" | "%", name: string) =>
  (node: Extract): Expression =>
    partOfAge(node, operator, (from, to) => monthsBetween(from, to, node)) ?? named(name)(node);

export const sparkFields = (): Rules<Extract> =>
  fieldRules([], {
    year: ofAge("//", "year"),
    quarter: named("quarter"),
    month: ofAge("%", "month"),
    day,
    hour: ofClock("hour"),
    minute: ofClock("minute"),
    second: ofMoment(second),
    milliseconds: times(1000),
    microseconds: ofMoment((operand, node) => {
      const count = binary(second(operand, node), "*", integer(1_000_000, node), typed(NUMERIC, node));
      return cast(count, "bigint", typed(BIGINT, node));
    }),
    // Sundays are the first day there, and Mondays day 0 of the others.
    dow: moved("dayofweek", "-", 1),
    isodow: moved("weekday", "+", 1),
    doy: named("dayofyear"),
    week: named("weekofyear"),
    isoyear: ofMoment((operand, node) => call("date_part", [text("YEAROFWEEK", node), operand], typed(INTEGER, node))),
    julian: (node) => {
      if (!isDay(node.operand)) throw unsupported("the Julian day of a timestamp", node.span, "Write CAST(… AS date).");
      const days = call("unix_date", [node.operand], typed(INTEGER, node));
      return binary(days, "+", integer(2_440_588, node), typed(INTEGER, node));
    },
    century: years(99, 100),
    decade: years(0, 10),
    millennium: years(999, 1000),
    epoch,
    timezone: UNSUPPORTED.zone,
    timezone_hour: UNSUPPORTED.zone,
    timezone_minute: UNSUPPORTED.zone,
  });
