/** What BigQuery says for each field of EXTRACT. Seen on GoogleSQL's evaluator. */
import { unsupported } from "../../diagnostics.ts";
import { partOfAge } from "../../lowering/ages.ts";
import { fieldSayings, type Sayings } from "../../lowering/sayings.ts";
import { isDay } from "../../lowering/time-arithmetic.ts";
import { binary, call, integer, typed, values } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, type SqlType, typeOrUnknown } from "../../types.ts";
import { epochOf, microsecondsBetween, monthsBetween, secondsOf } from "./times.ts";
import { asDateTime, inUtc } from "./zones.ts";

function ofMoment(say: (operand: Expression, node: Extract) => Expression) {
  return (node: Extract): Expression => {
    const { kind } = typeOrUnknown(node.operand);
    if (kind === "date" || kind === "timestamp" || kind === "time") return say(inUtc(node.operand), node);
    throw unsupported(`${node.field} of ${kind}`, node.span, "Use epoch or day of a difference of two timestamps.");
  };
}

const part = (name: string, operand: Expression, at: Extract): Expression =>
  call(`part: ${name}`, [operand], typed(BIGINT, at));

const named = (name: string) => ofMoment((operand, node) => part(name, operand, node));

/** Of a day it is the midnight's. */
const timed = (operand: Expression): Expression => (isDay(operand) ? asDateTime(operand) : operand);
const ofClock = (name: string) => ofMoment((operand, node) => part(name, timed(operand), node));

const arithmetic =
  (type: SqlType) =>
  (left: Expression, operator: "+" | "-" | "*", right: Expression): Expression =>
    binary(left, operator, right, typed(type, left));
const whole = arithmetic(BIGINT);

/** The seconds with their fraction, in microseconds. */
function microseconds(operand: Expression, node: Extract): Expression {
  const value = timed(operand);
  const seconds = whole(part("second", value, node), "*", integer(1_000_000, node));
  return whole(seconds, "+", part("microsecond", value, node));
}

const remainder = (value: Expression, by: number, at: Extract): Expression =>
  call("mod", [value, integer(by, at)], typed(BIGINT, at));

const years = (by: number, per: number) =>
  ofMoment((operand, node) => {
    const moved = whole(part("year", operand, node), "+", integer(by, node));
    return call("div", [moved, integer(per, node)], typed(BIGINT, node));
  });

const isCallOf = (operand: Expression, name: string): boolean =>
  operand.kind === "call" && operand.name[0]?.name === name;

function betweenTimes(operand: Expression, node: Extract): Expression {
  const [from, to] = operand.kind === "call" ? values(operand) : [];
  if (from === undefined || to === undefined) throw new TypeError("a difference has two ends");
  return microsecondsBetween(timed(from), timed(to), node);
}

function epoch(node: Extract): Expression {
  if (isCallOf(node.operand, "time between")) return secondsOf(betweenTimes(node.operand, node), node);
  return ofMoment((operand) => {
    if (typeOrUnknown(operand).kind === "time") throw unsupported("epoch of a time of day", node.span);
    return epochOf(operand, node);
  })(node);
}

/** Whole years of an age, and whole months beside them. */
const ofAge =
  (operator: "/" | "%", name: string) =>
  (node: Extract): Expression => {
    const age = partOfAge(node, operator, (from, to) => monthsBetween(from, to, node));
    if (age === undefined || age.kind !== "binary") return named(name)(node);
    return call(operator === "/" ? "div" : "mod", [age.left, age.right], typed(BIGINT, node));
  };

function day(node: Extract): Expression {
  if (!isCallOf(node.operand, "time between")) return named("day")(node);
  return call("div", [betweenTimes(node.operand, node), integer(86_400_000_000, node)], typed(BIGINT, node));
}

const ZONE = { refused: "the zone of a timestamp", hint: "All sessions run in UTC." };

export const bigqueryFields = (): Sayings<Extract> =>
  fieldSayings([], {
    year: ofAge("/", "year"),
    quarter: named("quarter"),
    month: ofAge("%", "month"),
    day,
    hour: ofClock("hour"),
    minute: ofClock("minute"),
    second: ofMoment((operand, node) => secondsOf(microseconds(operand, node), node)),
    milliseconds: ofMoment((operand, node) => {
      const all = secondsOf(microseconds(operand, node), node);
      return binary(all, "*", integer(1000, node), typed({ kind: "decimal" }, node));
    }),
    microseconds: ofMoment(microseconds),
    // Sundays are the first day there.
    dow: ofMoment((operand, node) => whole(part("dayofweek", operand, node), "-", integer(1, node))),
    isodow: ofMoment((operand, node) =>
      whole(remainder(whole(part("dayofweek", operand, node), "+", integer(5, node)), 7, node), "+", integer(1, node)),
    ),
    doy: named("dayofyear"),
    week: named("isoweek"),
    isoyear: named("isoyear"),
    julian: (node) => {
      if (!isDay(node.operand)) throw unsupported("the Julian day of a timestamp", node.span, "Write CAST(… AS date).");
      return whole(call("unix_date", [node.operand], typed(BIGINT, node)), "+", integer(2_440_588, node));
    },
    century: years(99, 100),
    decade: years(0, 10),
    millennium: years(999, 1000),
    epoch,
    timezone: ZONE,
    timezone_hour: ZONE,
    timezone_minute: ZONE,
  });
