/** ClickHouse's rule for each field of EXTRACT. Seen on ClickHouse 26.7. */
import { partOfAge } from "../../lowering/ages.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { call, inPlaceOf, typed } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT } from "../../types.ts";
import { partOfDifference } from "./differences.ts";
import { part, toTimestamp } from "./times.ts";

const NO_FIELD = { refused: "the field of EXTRACT", hint: "All sessions run in UTC." };

/** Full years of an age, and the months beyond them. */
const ofAge =
  (operator: "/" | "%", name: string) =>
  (node: Extract): Expression => {
    const months = (from: Expression, to: Expression): Expression =>
      call("months between", [toTimestamp(from), toTimestamp(to)], typed(BIGINT, node));
    const age = partOfAge(node, operator, months);
    if (age?.kind !== "binary") return part(name)(node);
    return operator === "/" ? call("whole quotient", [age.left, age.right], inPlaceOf(node)) : age;
  };

const orOfDifference =
  (length: string, name: string) =>
  (node: Extract): Expression =>
    partOfDifference(node, length) ?? part(name)(node);

function epoch(node: Extract): Expression {
  return partOfDifference(node, "seconds between") ?? part("seconds since 1970")(node);
}

export const clickHouseFields = (): Rules<Extract> =>
  fieldRules([], {
    year: ofAge("/", "year of"),
    quarter: part("quarter of"),
    month: ofAge("%", "month of"),
    day: orOfDifference("days in", "day of"),
    hour: orOfDifference("hours in", "hour of"),
    minute: orOfDifference("minutes in", "minute of"),
    doy: part("day of year"),
    week: part("week of"),
    isoyear: part("year of week"),
    isodow: part("day of week"),
    dow: part("day after sunday"),
    epoch,
    second: orOfDifference("seconds in", "seconds of"),
    milliseconds: part("milliseconds of"),
    microseconds: part("microseconds of"),
    julian: NO_FIELD,
    century: part("century of"),
    decade: part("decade of"),
    millennium: part("millennium of"),
    timezone: NO_FIELD,
    timezone_hour: NO_FIELD,
    timezone_minute: NO_FIELD,
  });
