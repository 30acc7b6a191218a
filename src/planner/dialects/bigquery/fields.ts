/** Rules for the fields of EXTRACT on BigQuery. Seen on GoogleSQL's evaluator. */
import { dateFields, type UtcFunctions } from "../../lowering/times/date-fields.ts";
import { isDay } from "../../lowering/times/time-arithmetic.ts";
import { binary, call, integer, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { BIGINT } from "../../types.ts";
import { epochOf, microsecondsBetween, monthsBetween, secondsOf } from "./times.ts";
import { asClock, inUtc } from "./zones.ts";

const plus = (value: Expression, by: number, at: Expression): Expression =>
  binary(value, by < 0 ? "-" : "+", integer(Math.abs(by), at), typed(BIGINT, at));

const rest = (value: Expression, by: number, at: Expression): Expression =>
  call("mod", [value, integer(by, at)], typed(BIGINT, at));

const CLOCKS: UtcFunctions = {
  shown: inUtc,
  timed: (value) => (isDay(value) ? asClock(value) : value),
  part: (name, value, at) => {
    const field = (spelled: string): Expression => call(`part: ${spelled}`, [value], typed(BIGINT, at));
    // Sundays are the first day there.
    if (name === "weekday") return plus(field("dayofweek"), -1, at);
    return name === "isoday" ? plus(rest(plus(field("dayofweek"), 5, at), 7, at), 1, at) : field(name);
  },
  whole: (value, by, at) => call("div", [value, integer(by, at)], typed(BIGINT, at)),
  rest,
  secondsOf,
  microsecondsBetween,
  monthsBetween,
  epochOf,
  dayNumber: (day, at) => call("unix_date", [day], typed(BIGINT, at)),
};

export const bigqueryFields = () => dateFields(CLOCKS);
