/** Rules for the fields of EXTRACT on Spark. Seen on Spark 4.0.1. */

import { unsupported } from "../../diagnostics.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { partOfAge } from "../../lowering/times/ages.ts";
import { endsOf, isDateOrTimestamp, isDay } from "../../lowering/times/time-arithmetic.ts";
import { binary, call, cast, integer, text, typed } from "../../syntax/build.ts";
import type { Expression, Extract, Template } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { NO_ZONE_FIELDS } from "../baselines.ts";
import { epochOf, microsecondsBetween, monthsBetween, secondsOf } from "./times.ts";

/** A rule for dates and timestamps. */
function ofMoment(make: (operand: Expression, node: Extract) => Expression) {
  return (node: Extract): Expression => {
    if (isDateOrTimestamp(node.operand)) return make(node.operand, node);
    const { kind } = typeOrUnknown(node.operand);
    const hint = "Use epoch or day of a difference of two timestamps.";
    throw unsupported(`${node.field} of ${kind}`, node.span, hint);
  };
}

const fieldBy = (template: Template) => ofMoment((operand, node) => spelled(template, [operand], node));

/** An integer with at most so many digits, if that is known. */
const field = (text: string, precision?: number) =>
  fieldBy(sql(text, { type: INTEGER, scale: 0, ...(precision !== undefined && { precision }) }));

/** Databricks documents no error of these parts. */
const partOf = (text: string): Template => sql(text, { type: INTEGER, scale: 0, precision: 10, neverFails: true });
const part = (text: string) => fieldBy(partOf(text));

/** A date counts as its midnight. */
const ofClock = (text: string) => {
  const template = partOf(text);
  return ofMoment((operand, node) => spelled(template, [timed(operand)], node));
};

/** With six digits of its fraction. */
const second = (operand: Expression, node: Extract): Expression =>
  call("date_part", [text("SECOND", node), timed(operand)], typed(NUMERIC, node));

/** A product, because Databricks refuses one of a decimal of unknown length. */
const seconds = (node: Extract, factor: number): Expression =>
  binary(second(node.operand, node), "*", integer(factor, node), typed(NUMERIC, node));

const timed = (operand: Expression): Expression =>
  isDay(operand) ? cast(operand, "timestamp", typed(TIMESTAMP, operand)) : operand;

/** The microseconds of a difference of two times. */
function microsecondsOfDifference({ operand }: Extract): Expression | undefined {
  const ends = endsOf(operand);
  return ends && microsecondsBetween(...ends, operand);
}

function epoch(node: Extract): Expression {
  const between = microsecondsOfDifference(node);
  return between === undefined ? ofMoment((operand) => epochOf(operand, node))(node) : secondsOf(between, node);
}

const DAYS = sql("$1 // 86400000000", { type: BIGINT });
const DAY_OF_MONTH = part("day($1)");
const JULIAN_DAY = sql("unix_date($1) + 2440588", { type: INTEGER, scale: 0, precision: 11 });

function day(node: Extract): Expression {
  const between = microsecondsOfDifference(node);
  return between === undefined ? DAY_OF_MONTH(node) : spelled(DAYS, [between], node);
}

/** Full years of an age, and the full months besides. */
const ofAge =
  (operator: "//" | "%", otherwise: (node: Extract) => Expression) =>
  (node: Extract): Expression =>
    partOfAge(node, operator, (from, to) => monthsBetween(from, to, node)) ?? otherwise(node);

export const sparkFields = (): Rules<Extract> =>
  fieldRules([], {
    ...NO_ZONE_FIELDS,
    year: ofAge("//", part("year($1)")),
    quarter: part("quarter($1)"),
    month: ofAge("%", part("month($1)")),
    day,
    hour: ofClock("hour($1)"),
    minute: ofClock("minute($1)"),
    second: ofMoment(second),
    milliseconds: ofMoment((_, node) => seconds(node, 1000)),
    microseconds: ofMoment((_, node) => cast(seconds(node, 1_000_000), "bigint", typed(BIGINT, node))),
    // `dayofweek` of a Sunday is 1, and `weekday` of a Monday is 0.
    dow: field("dayofweek($1) - 1", 11),
    isodow: field("weekday($1) + 1", 11),
    doy: field("dayofyear($1)", 10),
    week: field("weekofyear($1)", 10),
    isoyear: field("date_part('YEAROFWEEK', $1)"),
    julian: (node) => {
      if (!isDay(node.operand)) throw unsupported("the Julian day of a timestamp", node.span, "Write CAST(… AS date).");
      return spelled(JULIAN_DAY, [node.operand], node);
    },
    century: field("CASE WHEN year($1) > 0 THEN (year($1) + 99) // 100 END"),
    decade: field("CASE WHEN year($1) > 0 THEN year($1) // 10 END"),
    millennium: field("CASE WHEN year($1) > 0 THEN (year($1) + 999) // 1000 END"),
    epoch,
  });
