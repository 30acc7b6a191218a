/** Definitions of functions of times whose literals decide their form, for the catalogue's rows (see `meanings.ts`). */
import { parseDateTime } from "../datetimes.ts";
import { intervalParts } from "../intervals.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";
import type { Meaning } from "./specification.ts";

type Meanings = Readonly<Record<string, Meaning["sql"]>>;

const MICROSECONDS_OF_DAY = 86_400_000_000n;

/** The whole bins since the origin, rounded down, in seconds where a bin has no fraction of one. A day has 24 hours. */
function binned([stride, value, origin]: readonly Expression[]): string | undefined {
  const parts = stride?.kind === "interval" ? intervalParts(stride) : undefined;
  if (parts === undefined || value === undefined || origin === undefined) return undefined;
  const width = BigInt(parts.days) * MICROSECONDS_OF_DAY + parts.microseconds;
  if (parts.months !== 0 || width <= 0n || (isZoned(origin) && !isZoned(value))) return undefined;
  const name = isZoned(value) ? "timestamptz" : "timestamp";
  const [at, start] = [timed(value, "$2", name), timed(origin, "$3", name)];
  const epoch = `extract(epoch FROM ${at} - ${start})`;
  const isOfSeconds = width % 1_000_000n === 0n;
  const size = isOfSeconds ? width / 1_000_000n : width;
  const passed = `CAST(${isOfSeconds ? `floor(${epoch})` : `${epoch} * 1000000`} AS bigint)`;
  const bins = `${passed} - mod(mod(${passed}, ${size}) + ${size}, ${size})`;
  return `${start} + (${bins}) * interval '1 ${isOfSeconds ? "second" : "microsecond"}'`;
}

const isZoned = (value: Expression): boolean => {
  const type = typeOrUnknown(value);
  return type.kind === "timestamp" && type.zoned;
};

function timed(value: Expression, written: string, name: string): string {
  const isOfName = typeOrUnknown(value).kind === "timestamp" && isZoned(value) === (name === "timestamptz");
  return isOfName ? written : `CAST(${written} AS ${name})`;
}

export const DATE_BIN: Meanings = { "interval, date | timestamp, date | timestamp": binned };

/** Literal parts are read when a statement is planned; others are tested when it runs, as PostgreSQL tests them. */
function made(list: readonly Expression[]): string | undefined {
  if (list.some(({ kind }) => kind === "null")) return "CAST(NULL AS timestamp)";
  const [year, month, day, hour, minute] = list.slice(0, 5).map(wholeOf);
  const seconds = microsecondsOf(list[5]);
  if (seconds !== undefined && seconds > 60_000_000n) return undefined;
  const date = year === undefined || month === undefined || day === undefined ? undefined : dayOf(year, month, day);
  if (date === "") return undefined;
  const start = date === undefined ? MADE_DATE : `TIMESTAMP '${date} 00:00:00'`;
  if (hour === undefined || minute === undefined || seconds === undefined) {
    if (seconds === undefined && typeOrUnknown(list[5] ?? NOTHING).kind !== "integer") return undefined;
    return `${start} + (${passed(seconds)}) * interval '1 second'${beyondSecond(seconds)}`;
  }
  const clock = BigInt(hour * 60 + minute) * 60_000_000n + seconds;
  const isClock = minute <= 59 && clock <= MICROSECONDS_OF_DAY;
  if (!isClock) return undefined;
  if (date === undefined || clock === MICROSECONDS_OF_DAY) return `${start} + interval '${clock} microseconds'`;
  return `TIMESTAMP '${date} ${clockText(clock)}'`;
}

function clockText(microseconds: bigint): string {
  const two = (value: bigint): string => String(value).padStart(2, "0");
  const seconds = microseconds / 1_000_000n;
  const clock = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  return `${clock}.${String(microseconds % 1_000_000n).padStart(6, "0")}`;
}

const NOTHING: Expression = { kind: "null", span: NOWHERE };
const MADE_DATE = "CAST(make_date($1, $2, $3) AS timestamp)";

/** A calendar's day as its text, empty for any other. */
function dayOf(year: number, month: number, day: number): string {
  const text = [year, month, day].map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
  return year <= 9999 && parseDateTime(text) !== undefined ? text : "";
}

/** The seconds since midnight. A text that is no number raises; it has the values in it, so that no engine computes it before. */
function passed(literal: bigint | undefined): string {
  const seconds = literal === undefined ? "$6" : String(literal / 1_000_000n);
  const sum = `$4 * 3600 + $5 * 60 + ${seconds}`;
  const isOver = literal === undefined || literal % 1_000_000n === 0n ? `${sum} > 86400` : `${sum} >= 86400`;
  return `CASE WHEN $4 NOT BETWEEN 0 AND 24 OR $5 NOT BETWEEN 0 AND 59 OR ${seconds} NOT BETWEEN 0 AND 60 OR ${isOver}
    THEN CAST('no time: ' || CAST(${sum} AS text) AS integer) ELSE ${sum} END`;
}

/** The interval that a literal adds to whole seconds. */
function beyondSecond(literal: bigint | undefined): string {
  const rest = literal === undefined ? 0n : literal % 1_000_000n;
  return rest === 0n ? "" : ` + interval '${rest} microseconds'`;
}

const wholeOf = (value: Expression): number | undefined =>
  value.kind === "number" && /^\d{1,9}$/.test(value.text) ? Number(value.text) : undefined;

/** Literal seconds with at most six digits after the point, which some targets write as a cast of their text. */
function microsecondsOf(value: Expression | undefined): bigint | undefined {
  const found = /^(\d{1,9})(?:\.(\d{0,6})0*)?$/.exec(digitsOf(value));
  return found === null ? undefined : BigInt(`${found[1]}${(found[2] ?? "").padEnd(6, "0")}`);
}

function digitsOf(value: Expression | undefined): string {
  if (value?.kind === "number") return value.text;
  if (value?.kind !== "cast" || value.operand.kind !== "string") return "";
  const [type, digits] = [typeOrUnknown(value), value.operand.value];
  return type.kind === "decimal" && (type.scale ?? 0) >= digits.replace(/^\d*\.?/, "").length ? digits : "";
}

const WHOLE = "integer | null";

export const MAKE_TIMESTAMP: Meanings = {
  [`${WHOLE}, ${WHOLE}, ${WHOLE}, ${WHOLE}, ${WHOLE}, integer | decimal | null`]: made,
};
