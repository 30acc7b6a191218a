/** Time64 supports only comparison; all other functions of a time are computed on 1970-01-01. */
import { unsupported } from "../../diagnostics.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { timeArithmetic } from "../../lowering/time-arithmetic.ts";
import { cast, typed } from "../../syntax/build.ts";
import type { Binary, Cast, Expression } from "../../syntax/tree.ts";
import { TIME, TIMESTAMP, typeOrUnknown } from "../../types.ts";

export const isTimeOfDay = (value: Expression): boolean => typeOrUnknown(value).kind === "time";

const ON_FIRST_DAY = words("CAST(CAST($1 AS Decimal(18, 6)) AS DateTime64(6, 'UTC'))", { type: TIMESTAMP });
const DATE_AND_TIME = words("addMicroseconds($1, CAST(CAST($2 AS Decimal(18, 6)) * 1000000 AS Int64))");

export const onFirstDay = (value: Expression): Expression =>
  isTimeOfDay(value) ? spelled(ON_FIRST_DAY, [value], value) : value;

const timeOfDayOf = (value: Expression, at: Expression): Expression => cast(value, "time", typed(TIME, at));

/** `+` and `-` with a time of day on one side; added days and months have no effect on it. */
export function timeOfDayArithmetic(node: Binary): Expression | undefined {
  const { left, right, operator } = node;
  const isBoth = isTimeOfDay(left) && isTimeOfDay(right);
  if (isBoth && operator === "-") {
    return timeArithmetic({ ...node, left: onFirstDay(left), right: onFirstDay(right) });
  }
  const [clock, other] = isTimeOfDay(left) ? [left, right] : [right, left];
  if (isBoth || !isTimeOfDay(clock)) return undefined;
  const { kind } = typeOrUnknown(other);
  if (operator === "+" && kind === "date") {
    const midnight = cast(other, "timestamp", typed(TIMESTAMP, node));
    return spelled(DATE_AND_TIME, [midnight, clock], node);
  }
  if (kind !== "interval" || (operator === "-" && clock === right)) return undefined;
  const moved = timeArithmetic({ ...node, left: onFirstDay(clock), right: other, type: TIMESTAMP });
  return moved && timeOfDayOf(moved, node);
}

/** The time of day. */
export function toTimeOfDay(node: Cast): Expression {
  const { type, typeName, span, operand } = node;
  const [precision = 6] = typeName.parameters;
  if (precision < 6 || (type?.kind === "time" && type.zoned)) throw unsupported("a time of another type", span);
  return timeOfDayOf(operand, node);
}
