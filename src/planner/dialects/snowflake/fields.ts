/** Rules for the fields of EXTRACT on Snowflake (https://docs.snowflake.com/en/sql-reference/functions/date_part); weeks are ISO's by their own names. */
import { dateFields, type UtcFunctions } from "../../lowering/times/date-fields.ts";
import { call, integer, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { BIGINT } from "../../types.ts";
import { wholeQuotient } from "./decimals.ts";
import { epochOf, microsecondsBetween, part, secondsOf, wholeMonths } from "./times.ts";
import { asClock, inUtc } from "./zones.ts";

const OWN: Readonly<Record<string, string>> = { isoday: "dayofweekiso", isoweek: "weekiso", isoyear: "yearofweekiso" };

const whole = (value: Expression, by: number, at: Expression): Expression =>
  wholeQuotient(value, integer(by, at), typed(BIGINT, at));

const rest = (value: Expression, by: number, at: Expression): Expression =>
  call("mod", [value, integer(by, at)], typed(BIGINT, at));

const CLOCKS: UtcFunctions = {
  shown: inUtc,
  timed: (value) => (value.type?.kind === "date" ? asClock(value) : value),
  part: (name, value, at) => {
    if (name === "weekday") return rest(part("dayofweekiso", value, at), 7, at);
    if (name === "microsecond") return whole(part("nanosecond", value, at), 1000, at);
    return part(OWN[name] ?? name, value, at);
  },
  whole,
  rest,
  secondsOf,
  microsecondsBetween,
  monthsBetween: wholeMonths,
  epochOf,
  dayNumber: (day, at) => whole(part("epoch_second", day, at), 86_400, at),
};

export const snowflakeFields = () => dateFields(CLOCKS);
