/** Rules for the fields of EXTRACT on Trino. Seen on Trino 476. */

import { unsupported } from "../../diagnostics.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { spelled, sql, words } from "../../lowering/templates/template.ts";
import { partOfAge } from "../../lowering/times/ages.ts";
import { endsOf, isDay } from "../../lowering/times/time-arithmetic.ts";
import { binary, cast, typed } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, type SqlType, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { NO_ZONE_FIELDS } from "../baselines.ts";
import { microsecondsOf } from "./casts.ts";
import { epochOf, monthsBetween } from "./times.ts";
import { inUtc } from "./zones.ts";

/** A rule for dates, timestamps and times of day, in UTC. */
function ofMoment(make: (operand: Expression, node: Extract) => Expression) {
  return (node: Extract): Expression => {
    const { kind } = typeOrUnknown(node.operand);
    if (kind === "date" || kind === "timestamp" || kind === "time") return make(inUtc(node.operand), node);
    throw unsupported(`${node.field} of ${kind}`, node.span, "Use epoch or day of a difference of two timestamps.");
  };
}

const field = (text: string) => {
  const template = sql(text, { type: INTEGER });
  return ofMoment((operand, node) => spelled(template, [operand], node));
};

/** A date counts as its midnight. */
const ofClock = (text: string) => {
  const template = sql(text, { type: INTEGER });
  return ofMoment((operand, node) => spelled(template, [timed(operand)], node));
};

const timed = (operand: Expression): Expression =>
  isDay(operand) ? cast(operand, "timestamp", typed(TIMESTAMP, operand)) : operand;

/** A field of the time $1 and its microseconds $2. */
const ofMicroseconds = (text: string, type: SqlType, scale: number) => {
  const template = sql(text, { type, scale });
  return ofMoment((operand, node) => spelled(template, [timed(operand), microsecondsOf(timed(operand))], node));
};

function secondsBetween(node: Extract): Expression | undefined {
  const [from, to] = endsOf(node.operand)?.map((each) => epochOf(timed(each), node)) ?? [];
  return from && to && binary(to, "-", from, typed(NUMERIC, node));
}

function epoch(node: Extract): Expression {
  const between = secondsBetween(node);
  if (between !== undefined) return between;
  return ofMoment((operand) => {
    if (typeOrUnknown(operand).kind === "time") throw unsupported("epoch of a time of day", node.span);
    return epochOf(operand, node);
  })(node);
}

const DAYS = sql("CAST(truncate($1 / 86400) AS bigint)", { type: BIGINT });

function day(node: Extract): Expression {
  const between = secondsBetween(node);
  return between === undefined ? DAY_OF_MONTH(node) : spelled(DAYS, [between], node);
}

/** Full years of an age, and the full months besides. */
const ofAge =
  (operator: "/" | "%", otherwise: (node: Extract) => Expression) =>
  (node: Extract): Expression =>
    partOfAge(node, operator, (from, to) => monthsBetween(from, to, node)) ?? otherwise(node);

const DAY_OF_MONTH = field("day($1)");
const JULIAN_DAY = words("date_diff('day', DATE '1970-01-01', $1)", { type: BIGINT });
const SINCE_JULIAN_ERA = sql("$1 + 2440588", { type: BIGINT });

/** Trino's fields are integers. */
export const trinoFields = (): Rules<Extract> =>
  fieldRules([], {
    ...NO_ZONE_FIELDS,
    year: ofAge("/", field("year($1)")),
    quarter: field("quarter($1)"),
    month: ofAge("%", field("month($1)")),
    day,
    hour: ofClock("hour($1)"),
    minute: ofClock("minute($1)"),
    second: ofMicroseconds("second($1) + CAST($2 AS numeric(19, 0)) * 0.000001", NUMERIC, 6),
    milliseconds: ofMicroseconds("CAST(second($1) * 1000000 + $2 AS numeric(19, 0)) * 0.001", NUMERIC, 3),
    microseconds: ofMicroseconds("second($1) * 1000000 + $2", BIGINT, 0),
    // Sunday is the seventh day on Trino.
    dow: field("day_of_week($1) % 7"),
    isodow: field("day_of_week($1)"),
    doy: field("day_of_year($1)"),
    week: field("week($1)"),
    isoyear: field("year_of_week($1)"),
    julian: (node) => {
      if (!isDay(node.operand)) throw unsupported("the Julian day of a timestamp", node.span, "Write CAST(… AS date).");
      return spelled(SINCE_JULIAN_ERA, [spelled(JULIAN_DAY, [node.operand], node)], node);
    },
    century: field("CASE WHEN year($1) > 0 THEN (year($1) + 99) / 100 END"),
    decade: field("CASE WHEN year($1) > 0 THEN year($1) / 10 END"),
    millennium: field("CASE WHEN year($1) > 0 THEN (year($1) + 999) / 1000 END"),
    epoch,
  });
