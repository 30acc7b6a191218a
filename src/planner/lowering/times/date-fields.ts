/** Fields of EXTRACT for targets with integer functions for the fields of dates and times, and without intervals. */

import { unsupported } from "../../diagnostics.ts";
import { binary, integer, typed } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, type SqlType, typeOrUnknown } from "../../types.ts";
import { fieldRules, type Rules } from "../rules.ts";
import { UNSUPPORTED } from "../templates/unsupported.ts";
import { partOfAge } from "./ages.ts";
import { endsOf, isDay } from "./time-arithmetic.ts";

/** Functions of a target over times in UTC. */
export interface UtcFunctions {
  /** The local time in UTC. */
  readonly shown: (value: Expression) => Expression;
  /** The midnight of a date. */
  readonly timed: (value: Expression) => Expression;
  readonly part: (name: PartName, value: Expression, at: Expression) => Expression;
  readonly whole: (value: Expression, by: number, at: Expression) => Expression;
  readonly rest: (value: Expression, by: number, at: Expression) => Expression;
  /** Microseconds as seconds with their fraction. */
  readonly secondsOf: (microseconds: Expression, at: Expression) => Expression;
  readonly microsecondsBetween: (from: Expression, to: Expression, at: Expression) => Expression;
  readonly monthsBetween: (from: Expression, to: Expression, at: Expression) => Expression;
  readonly epochOf: (value: Expression, at: Expression) => Expression;
  /** Days since 1970-01-01. */
  readonly dayNumber: (day: Expression, at: Expression) => Expression;
}

/** `isoday`: 1 is Monday. `weekday`: 0 is Sunday. `microsecond`: the microseconds of the second's fraction. */
export type PartName =
  | "year"
  | "quarter"
  | "month"
  | "day"
  | "hour"
  | "minute"
  | "second"
  | "microsecond"
  | "isoday"
  | "weekday"
  | "dayofyear"
  | "isoweek"
  | "isoyear";

const arithmetic =
  (type: SqlType) =>
  (left: Expression, operator: "+" | "-" | "*", right: Expression): Expression =>
    binary(left, operator, right, typed(type, left));
const whole = arithmetic(BIGINT);

export function dateFields(clocks: UtcFunctions): Rules<Extract> {
  const ofMoment =
    (say: (operand: Expression, node: Extract) => Expression) =>
    (node: Extract): Expression => {
      const { kind } = typeOrUnknown(node.operand);
      if (kind === "date" || kind === "timestamp" || kind === "time") return say(clocks.shown(node.operand), node);
      throw unsupported(`${node.field} of ${kind}`, node.span, "Use epoch or day of a difference of two timestamps.");
    };
  const named = (name: PartName) => ofMoment((operand, node) => clocks.part(name, operand, node));
  const ofClock = (name: PartName) => ofMoment((operand, node) => clocks.part(name, clocks.timed(operand), node));
  /** The seconds with their fraction. */
  const microseconds = (operand: Expression, node: Extract): Expression => {
    const value = clocks.timed(operand);
    const seconds = whole(clocks.part("second", value, node), "*", integer(1_000_000, node));
    return whole(seconds, "+", clocks.part("microsecond", value, node));
  };
  const years = (by: number, per: number) =>
    ofMoment((operand, node) => {
      const moved = whole(clocks.part("year", operand, node), "+", integer(by, node));
      return clocks.whole(moved, per, node);
    });
  const betweenTimes = (node: Extract): Expression | undefined => {
    const [from, to] = endsOf(node.operand) ?? [];
    return from && to && clocks.microsecondsBetween(clocks.timed(from), clocks.timed(to), node);
  };
  /** Full years of an age, and the months beyond them. */
  const ofAge =
    (operator: "/" | "%", name: "year" | "month") =>
    (node: Extract): Expression => {
      const age = partOfAge(node, operator, (from, to) => clocks.monthsBetween(from, to, node));
      if (age === undefined || age.kind !== "binary") return named(name)(node);
      return (operator === "/" ? clocks.whole : clocks.rest)(age.left, 12, node);
    };
  return fieldRules([], {
    year: ofAge("/", "year"),
    quarter: named("quarter"),
    month: ofAge("%", "month"),
    day: (node) => {
      const between = betweenTimes(node);
      return between === undefined ? named("day")(node) : clocks.whole(between, 86_400_000_000, node);
    },
    hour: ofClock("hour"),
    minute: ofClock("minute"),
    second: ofMoment((operand, node) => clocks.secondsOf(microseconds(operand, node), node)),
    milliseconds: ofMoment((operand, node) => {
      const all = clocks.secondsOf(microseconds(operand, node), node);
      return binary(all, "*", integer(1000, node), typed({ kind: "decimal" }, node));
    }),
    microseconds: ofMoment(microseconds),
    dow: named("weekday"),
    isodow: named("isoday"),
    doy: named("dayofyear"),
    week: named("isoweek"),
    isoyear: named("isoyear"),
    julian: (node) => {
      if (!isDay(node.operand)) throw unsupported("the Julian day of a timestamp", node.span, "Write CAST(… AS date).");
      return whole(clocks.dayNumber(node.operand, node), "+", integer(2_440_588, node));
    },
    century: years(99, 100),
    decade: years(0, 10),
    millennium: years(999, 1000),
    epoch: (node) => {
      const between = betweenTimes(node);
      if (between !== undefined) return clocks.secondsOf(between, node);
      return ofMoment((operand) => {
        if (typeOrUnknown(operand).kind === "time") throw unsupported("epoch of a time of day", node.span);
        return clocks.epochOf(operand, node);
      })(node);
    },
    timezone: UNSUPPORTED.zone,
    timezone_hour: UNSUPPORTED.zone,
    timezone_minute: UNSUPPORTED.zone,
  });
}
