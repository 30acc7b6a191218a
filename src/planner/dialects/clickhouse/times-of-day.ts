/** Time64 supports only comparison; all other functions of a time are computed of its microseconds, and differences on 1970-01-01. */
import { unsupported } from "../../diagnostics.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { timeArithmetic } from "../../lowering/times/time-arithmetic.ts";
import { isTime, type TypedClock } from "../../lowering/times/time-of-day-sums.ts";
import { cast, typed } from "../../syntax/build.ts";
import type { Binary, Cast, Expression } from "../../syntax/tree.ts";
import { BIGINT, TIME, TIMESTAMP } from "../../types.ts";

const ON_FIRST_DAY = words("CAST(CAST($1 AS Decimal(18, 6)) AS DateTime64(6, 'UTC'))", { type: TIMESTAMP });
const MICROSECONDS = words("CAST(CAST($1 AS Decimal(18, 6)) * 1000000 AS Int64)", { type: BIGINT });

export const CLOCK: TypedClock = {
  steps: "microseconds",
  timesBy: "seconds since 1970",
  numberOf: (time) => spelled(MICROSECONDS, [time], time),
  subtractsAndShows: true,
};

const onFirstDay = (value: Expression): Expression => spelled(ON_FIRST_DAY, [value], value);

/** The difference of two times of day. */
export function timeOfDayDifference(node: Binary): Expression | undefined {
  const { left, right, operator } = node;
  if (operator !== "-" || !isTime(left) || !isTime(right)) return undefined;
  return timeArithmetic({ ...node, left: onFirstDay(left), right: onFirstDay(right) });
}

/** The time of day. */
export function toTimeOfDay(node: Cast): Expression {
  const { type, typeName, span, operand } = node;
  const [precision = 6] = typeName.parameters;
  if (precision < 6 || (type?.kind === "time" && type.zoned)) throw unsupported("a time of another type", span);
  return cast(operand, "time", typed(TIME, node));
}
