/** Interval texts of the input language, read once into calendar parts so that every target can spell them its way. */
import type { IntervalLiteral, IntervalUnit } from "./syntax/tree.ts";

/** Months, days and microseconds do not convert into each other; microseconds as decimal digits to stay exact. */
export interface IntervalParts {
  readonly months: number;
  readonly days: number;
  readonly microseconds: bigint;
}

const UNIT_NAMES: ReadonlyMap<string, IntervalUnit> = new Map([
  ...named("year", "y yr yrs year years"),
  ...named("quarter", "quarter quarters qtr"),
  ...named("month", "mon mons month months"),
  ...named("week", "w week weeks"),
  ...named("day", "d day days"),
  ...named("hour", "h hr hrs hour hours"),
  ...named("minute", "m min mins minute minutes"),
  ...named("second", "s sec secs second seconds"),
  ...named("millisecond", "ms msec msecs millisecond milliseconds"),
  ...named("microsecond", "us usec usecs microsecond microseconds"),
]);

function named(unit: IntervalUnit, spellings: string): [string, IntervalUnit][] {
  return spellings.split(" ").map((spelling) => [spelling, unit]);
}

/** The unit of a word in any of PostgreSQL's spellings, or `undefined`. */
export function unitOfWord(word: string): IntervalUnit | undefined {
  return UNIT_NAMES.get(word.toLowerCase());
}

const MICROSECONDS: Readonly<Record<string, bigint>> = {
  hour: 3_600_000_000n,
  minute: 60_000_000n,
  second: 1_000_000n,
  millisecond: 1_000n,
  microsecond: 1n,
};

const TERM = /\s*([+-]?)(?:(\d+):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,6}))?)?|(\d+)(?:\.(\d+))?\s*([A-Za-z]+))\s*/y;

/**
 * Reads `3 days`, `1 year 2 mons -04:05:06.7`, `1.5 hours`, `2 weeks ago`; `undefined` for anything else, among it
 * fractions of years, months and days, which engines spread differently.
 */
export function parseInterval(text: string): IntervalParts | undefined {
  let rest = text.trim();
  let sign = 1;
  if (/\sago$/i.test(rest)) {
    sign = -1;
    rest = rest.slice(0, -4).trim();
  }
  if (rest === "") return undefined;
  let months = 0;
  let days = 0;
  let microseconds = 0n;
  TERM.lastIndex = 0;
  while (TERM.lastIndex < rest.length) {
    const match = TERM.exec(rest);
    if (match === null) return undefined;
    const [, minus, hours, minutes, seconds, fraction, whole, part, word] = match;
    const termSign = (minus === "-" ? -1 : 1) * sign;
    if (hours !== undefined) {
      const total =
        BigInt(hours) * 3_600_000_000n +
        BigInt(minutes ?? 0) * 60_000_000n +
        BigInt(seconds ?? 0) * 1_000_000n +
        BigInt((fraction ?? "").padEnd(6, "0"));
      microseconds += BigInt(termSign) * total;
      continue;
    }
    const unit = unitOfWord(word ?? "");
    if (unit === undefined || whole === undefined || whole.length > 15) return undefined;
    const parts = intervalOf(`${whole}${part === undefined ? "" : `.${part}`}`, unit);
    if (parts === undefined) return undefined;
    months += termSign * parts.months;
    days += termSign * parts.days;
    microseconds += BigInt(termSign) * parts.microseconds;
  }
  return { months, days, microseconds };
}

/** `amount` (decimal digits, optional sign and fraction) of a unit; `undefined` for fractions of a calendar unit. */
function intervalOf(amount: string, unit: IntervalUnit): IntervalParts | undefined {
  const match = /^\s*([+-]?)(\d{1,15})(?:\.(\d+))?\s*$/.exec(amount);
  if (match === null) return undefined;
  const [, minus, whole = "0", fraction] = match;
  const sign = minus === "-" ? -1 : 1;
  const count = sign * Number(whole);
  const micros = MICROSECONDS[unit];
  if (micros !== undefined) {
    const scaled = BigInt(whole) * micros;
    const extra = fraction === undefined ? 0n : (BigInt(fraction) * micros) / 10n ** BigInt(fraction.length);
    return { months: 0, days: 0, microseconds: BigInt(sign) * (scaled + extra) };
  }
  if (fraction !== undefined && /[1-9]/.test(fraction)) return undefined;
  switch (unit) {
    case "year":
      return { months: count * 12, days: 0, microseconds: 0n };
    case "quarter":
      return { months: count * 3, days: 0, microseconds: 0n };
    case "month":
      return { months: count, days: 0, microseconds: 0n };
    case "week":
      return { months: 0, days: count * 7, microseconds: 0n };
    default:
      return { months: 0, days: count, microseconds: 0n };
  }
}

/** `INTERVAL '1-2' YEAR TO MONTH` and the `DAY TO SECOND` family. */
export function parseFieldInterval(text: string, unit: IntervalUnit, toUnit: IntervalUnit): IntervalParts | undefined {
  const trimmed = text.trim();
  if (unit === "year" && toUnit === "month") {
    const match = /^([+-]?)(\d+)-(\d+)$/.exec(trimmed);
    if (match === null) return undefined;
    const months = Number(match[2]) * 12 + Number(match[3]);
    return { months: match[1] === "-" ? -months : months, days: 0, microseconds: 0n };
  }
  const match = /^([+-]?)(?:(\d+)\s+)?(\d+:\d+(?::\d+(?:\.\d+)?)?)$/.exec(trimmed);
  if (match === null || (unit === "day") !== (match[2] !== undefined)) return undefined;
  // `MINUTE TO SECOND` reads `3:04` as minutes and seconds.
  const clock = unit === "minute" ? `0:${match[3]}` : (match[3] ?? "");
  const time = parseInterval(clock);
  if (time === undefined) return undefined;
  const sign = match[1] === "-" ? -1 : 1;
  return { months: 0, days: sign * Number(match[2] ?? 0), microseconds: BigInt(sign) * time.microseconds };
}

/** The canonical text: `14 months 3 days 04:05:06.7`, understood by PostgreSQL and DuckDB alike. */
export function intervalText(parts: IntervalParts): string {
  const words: string[] = [];
  if (parts.months !== 0) words.push(`${parts.months} months`);
  if (parts.days !== 0) words.push(`${parts.days} days`);
  if (parts.microseconds !== 0n || words.length === 0) {
    const absolute = parts.microseconds < 0n ? -parts.microseconds : parts.microseconds;
    const seconds = absolute / 1_000_000n;
    const fraction = (absolute % 1_000_000n).toString().padStart(6, "0").replace(/0+$/, "");
    const two = (value: bigint): string => value.toString().padStart(2, "0");
    const clock = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
    words.push(`${parts.microseconds < 0n ? "-" : ""}${clock}${fraction === "" ? "" : `.${fraction}`}`);
  }
  return words.join(" ");
}

/** The calendar parts of a literal interval; `undefined` when its amount is computed. */
export function intervalParts(node: IntervalLiteral): IntervalParts | undefined {
  const { value, unit, toUnit } = node;
  const digits = value.kind === "string" ? value.value : value.kind === "number" ? value.text : undefined;
  if (digits === undefined) return undefined;
  if (unit === undefined) return parseInterval(digits);
  return toUnit === undefined ? intervalOf(digits, unit) : parseFieldInterval(digits, unit, toUnit);
}
