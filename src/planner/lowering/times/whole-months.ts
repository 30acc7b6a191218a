/**
 * Full months between two times, for targets that count the boundaries between them. Targets render these internal calls: `months
 * between`, `microseconds between`, and `day of`.
 */
import { binary, call, cast, comparison, integer, typed, when } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { BIGINT, DATE, INTEGER, TIMESTAMP } from "../../types.ts";
import { isDay, negated } from "./time-arithmetic.ts";

/**
 * Full months, considering the day and the time within them: from 31 January to 29 February there is none.
 * @param clock The local time in UTC of a time.
 */
export const wholeMonthsBy =
  (clock: (value: Expression) => Expression) =>
  (from: Expression, to: Expression): Expression => {
    const isOfDays = isDay(from) && isDay(to);
    const [start, end] = isOfDays ? [from, to] : [atMidnight(clock(from)), atMidnight(clock(to))];
    const at = typed(BIGINT, from);
    const passed = (first: Expression, last: Expression): Expression => {
      const isEarlier = comparison(withinMonth(last), "<", withinMonth(first), from);
      const missing = when(isEarlier, integer(1, from), integer(0, from), typed(INTEGER, from));
      return binary(call("months between", [first, last], at), "-", missing, at);
    };
    return when(comparison(end, ">=", start, from), passed(start, end), negated(passed(end, start)), at);
  };

const atMidnight = (value: Expression): Expression =>
  isDay(value) ? cast(value, "timestamp", typed(TIMESTAMP, value)) : value;

function withinMonth(value: Expression): Expression {
  const day = call("day of", [value], typed(INTEGER, value));
  if (isDay(value)) return day;
  const at = typed(BIGINT, value);
  const midnight = cast(cast(value, "date", typed(DATE, value)), "timestamp", typed(TIMESTAMP, value));
  const microseconds = call("microseconds between", [midnight, value], at);
  return binary(binary(day, "*", bigNumber("86400000000", value), at), "+", microseconds, at);
}

const bigNumber = (digits: string, { span }: Expression): Expression => ({
  kind: "number",
  text: digits,
  span,
  type: BIGINT,
});
