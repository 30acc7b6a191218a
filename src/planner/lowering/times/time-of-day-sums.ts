/**
 * Sums and differences of times of day in the input language, for targets without them: arithmetic of microseconds since midnight. A time
 * that is moved begins anew at midnight, and only the hours of an interval move it.
 */
import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Extract, IntervalLiteral, Span } from "../../syntax/tree.ts";
import { BIGINT, type SqlType, typeOrUnknown } from "../../types.ts";
import { endsOf, timeBetween } from "./time-arithmetic.ts";

/** SQL over `"$1"` and the next arguments of a call, which are lowered already. */
export interface DefinedTime {
  readonly node: Call;
  readonly sql: string;
}

/** How a target holds times of day. */
export interface TimeForm {
  /** A part as an argument of the SQL. */
  readonly part: (value: Expression) => Expression;
  /** SQL of the microseconds since midnight of the argument in this place. */
  readonly numberOf: (place: number) => string;
  /** SQL of the time with so many microseconds since midnight. */
  readonly timeOf: (microseconds: string) => string;
  /** SQL of a timestamp so many microseconds later. */
  readonly later: (timestamp: string, microseconds: string) => string;
}

/**
 * How a target without sums of times moves a timestamp by a computed number of microseconds: by as many microseconds, by seconds and
 * microseconds, because its numbers of units have 32 bits, or as seconds since 1970, because it has no unit of a microsecond.
 */
export type ClockSteps = "microseconds" | "seconds and microseconds" | "seconds since 1970";

/** Not one with a zone. */
export function isTime({ type }: Expression): boolean {
  return type?.kind === "time" && !type.zoned;
}

const asNumber = (value: Expression): Expression =>
  isTime(value) ? ({ ...value, type: BIGINT } as Expression) : value;

/** The microseconds since midnight of a time or a timestamp. */
export const microsecondsOfClock = (place: number): string =>
  `CAST(extract(hour FROM "$${place}") AS bigint) * 3600000000 + CAST(extract(minute FROM "$${place}") AS bigint) * 60000000` +
  ` + CAST(extract(microseconds FROM "$${place}") AS bigint)`;

const LATER: Readonly<Record<ClockSteps, TimeForm["later"]>> = {
  microseconds: (start, number) => `${start} + (${number}) * INTERVAL '1 microsecond'`,
  "seconds and microseconds": (start, number) =>
    `${start} + (${number}) / 1000000 * INTERVAL '1 second' + (${number}) % 1000000 * INTERVAL '1 microsecond'`,
  "seconds since 1970": (start, number) =>
    `CAST(to_timestamp(extract(epoch FROM ${start}) + (${number}) * 0.000001) AS timestamp)`,
};

/** Times are these numbers. */
export const NUMBERS: TimeForm = {
  part: asNumber,
  numberOf: (place) => `"$${place}"`,
  timeOf: (number) => number,
  later: LATER["seconds and microseconds"],
};

/** A target's own ways to compute with its times of day. */
export interface TypedClock {
  readonly steps: ClockSteps;
  /** How a time is made of its microseconds; unset: as a timestamp is moved. */
  readonly timesBy?: ClockSteps;
  /** The microseconds since midnight of a time, if its fields and texts are made of these, too; unset: it has rules for fields. */
  readonly numberOf?: (time: Expression) => Expression;
  /** It has its own rules for the difference of two times, and for texts of times. */
  readonly subtractsAndShows?: true;
}

/** Times have a type of the target. */
export function typedBy({ steps, timesBy = steps, numberOf }: TypedClock): TimeForm {
  const start = "TIMESTAMP '1970-01-01 00:00:00'";
  const timestamp = (number: string): string =>
    timesBy === "seconds since 1970"
      ? `CAST(to_timestamp((${number}) * 0.000001) AS timestamp)`
      : LATER[timesBy](start, number);
  return {
    part: (value) => (numberOf !== undefined && isTime(value) ? numberOf(value) : value),
    numberOf: (place) => (numberOf === undefined ? `(${microsecondsOfClock(place)})` : `"$${place}"`),
    timeOf: (number) => `CAST(${timestamp(number)} AS time)`,
    later: LATER[steps],
  };
}

export function definedTime(
  sql: string,
  parts: readonly Expression[],
  node: Expression,
  what = "a time of day",
): DefinedTime {
  return { node: call(what, parts, inPlaceOf(node)), sql };
}

/** Whether it is SQL that is still to be lowered. */
export const isDefined = (said: DefinedTime | Expression): said is DefinedTime => "sql" in said;

/** The lowered SQL in place of a node, with its type: a number may be a time there. */
export const inPlaceOfTime = (
  made: Expression,
  { span, type }: { readonly span: Span; readonly type?: SqlType },
): Expression => ({ ...made, span, ...(type && { type }) }) as Expression;

const MICROSECONDS_OF_DAY = 86_400_000_000n;

/** `+` and `-` with a time of day on a side; `undefined` for anything else. */
export function sumOfTime(node: Binary, form: TimeForm): DefinedTime | Expression | undefined {
  const { left, right, operator } = node;
  if ((operator !== "+" && operator !== "-") || !(isTime(left) || isTime(right))) return undefined;
  if (isTime(left) && isTime(right)) return operator === "-" ? timeBetween(right, left, node) : undefined;
  const [clock, other] = isTime(left) ? [left, right] : [right, left];
  const isBack = operator === "-";
  if (other.kind === "interval") return isBack && clock === right ? undefined : moved(clock, other, node, form);
  if (!isMoment(other) || (isBack && clock === left)) return undefined;
  const number = form.numberOf(2);
  const sql = form.later('CAST("$1" AS timestamp)', isBack ? `-${number}` : number);
  return definedTime(sql, [other, form.part(clock)], node);
}

const isMoment = (node: Expression): boolean => {
  const type = typeOrUnknown(node);
  return type.kind === "date" || (type.kind === "timestamp" && !type.zoned);
};

/** Microseconds of the units that move a clock. */
const UNITS: Readonly<Record<string, bigint>> = {
  hour: 3_600_000_000n,
  minute: 60_000_000n,
  second: 1_000_000n,
  millisecond: 1000n,
  microsecond: 1n,
};

function moved(clock: Expression, interval: IntervalLiteral, node: Binary, form: TimeForm): DefinedTime {
  const isBack = node.operator === "-";
  const number = form.numberOf(1);
  const within = (sum: string): string => form.timeOf(`(${sum}) % ${MICROSECONDS_OF_DAY}`);
  const parts = intervalParts(interval);
  if (parts !== undefined) {
    const passed = (isBack ? -parts.microseconds : parts.microseconds) % MICROSECONDS_OF_DAY;
    const forward = passed < 0n ? passed + MICROSECONDS_OF_DAY : passed;
    return definedTime(within(`${number} + ${forward}`), [form.part(clock)], node);
  }
  const { value, unit = "day", span } = interval;
  if (!["integer", "null"].includes(typeOrUnknown(value).kind)) {
    throw unsupported("an interval of a computed fraction", span, "Use an integer of a smaller unit.");
  }
  const size = UNITS[unit];
  // Days do not move it, but an unknown number of them makes it unknown.
  if (size === undefined)
    return definedTime(within(`${number} + 0 * CAST("$2" AS bigint)`), [form.part(clock), value], node);
  // Within a day, so that no product is too large.
  const passed = `CAST("$2" AS bigint) % ${MICROSECONDS_OF_DAY / size} * ${size}`;
  const sum = `${number} ${isBack ? "-" : "+"} ${passed} + ${MICROSECONDS_OF_DAY}`;
  return definedTime(within(sum), [form.part(clock), value], node);
}

/** The days, of which there are none, and the epoch of a difference of two times; `undefined` for other operands. */
export function partBetween({ operand, field, ...at }: Extract, form: TimeForm): DefinedTime | undefined {
  const [from, to] = endsOf(operand) ?? [];
  if (from === undefined || to === undefined || !isTime(from) || !isTime(to)) return undefined;
  const between = `(${form.numberOf(2)} - ${form.numberOf(1)})`;
  const sql = field === "day" ? `${between} * 0` : `${between} * 0.000001`;
  return definedTime(sql, [form.part(from), form.part(to)], { operand, field, ...at });
}
