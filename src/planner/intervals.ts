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
const MONTHS: Readonly<Record<string, bigint>> = { year: 12n, quarter: 3n, month: 1n };
const DAYS: Readonly<Record<string, bigint>> = { week: 7n, day: 1n };
const MICROSECONDS_OF_DAY = 86_400_000_000n;

/** Words for many years, which are units of intervals only. */
const MANY_YEARS: ReadonlyMap<string, bigint> = new Map(
  Object.entries({ decade: 10n, century: 100n, millennium: 1000n } as const).flatMap(([unit, years]) =>
    (
      ({
        decade: "dec decs decade decades",
        century: "c cent century centuries",
        millennium: "mil mils millennia millennium",
      })[unit] ?? ""
    )
      .split(" ")
      .map((word) => [word, years] as const),
  ),
);

// No digit is part of it in two ways: a text of many numbers would be tried in all combinations.
const NUMBER = "(\\d+(?:\\.\\d*)?|\\.\\d+)";
const SIGN = "([+-]?)\\s*";
const TERMS = {
  yearMonth: new RegExp(`${SIGN}(\\d+)-(\\d{1,2})(?![\\d:.-])`, "y"),
  clock: new RegExp(`${SIGN}(\\d+):(\\d{1,2})(?::(\\d{1,2})(\\.\\d{1,6})?)?(?![\\d:.])`, "y"),
  amount: new RegExp(`${SIGN}${NUMBER}\\s*([A-Za-z]+)`, "y"),
  bare: new RegExp(`${SIGN}${NUMBER}(?![\\d.:A-Za-z-])`, "y"),
};
const ISO = new RegExp(`^P(?=[-+\\d.T])((?:[-+]?${NUMBER}[YMWD])*)(?:T((?:[-+]?${NUMBER}[HMS])+))?$`);
const ISO_UNITS: Readonly<Record<string, IntervalUnit>> = { Y: "year", M: "month", W: "week", D: "day" };
const ISO_CLOCK: Readonly<Record<string, IntervalUnit>> = { H: "hour", M: "minute", S: "second" };

/** PostgreSQL reads no longer ones, either. */
const LONGEST = 255;

/**
 * Reads what PostgreSQL reads: `3 days`, `1 year 2 mons -04:05:06.7`, `1 month - 1 day`, `2 weeks ago`, `@ 1 decade`, `1-2`,
 * `3 4:05:06`, `90` (seconds), `P1Y2M3DT4H`. `undefined` for anything else, among it fractions that do not come out even in
 * the next smaller parts, which engines spread differently.
 */
export function parseInterval(text: string): IntervalParts | undefined {
  return parseTerms(text, "second");
}

/** `bare` is the unit of a number without one at the end. */
function parseTerms(text: string, bare: IntervalUnit): IntervalParts | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return undefined;
  if (trimmed.startsWith("P")) return parseIso(trimmed);
  const signed = trimmed.startsWith("@") ? trimmed.slice(1).trimStart() : trimmed;
  const isAgo = /\sago$/i.test(signed);
  const body = isAgo ? signed.slice(0, -"ago".length).trimEnd() : signed;
  const sum = new Sum();
  let isComplete = body !== "";
  for (let at = 0; at < body.length && isComplete; at = sum.end) isComplete = readTerm(body, at, bare, sum);
  return isComplete ? sum.parts(isAgo) : undefined;
}

/** The sum of an interval's terms; each unit may occur once. */
class Sum {
  end = 0;
  #months = 0n;
  #days = 0n;
  #microseconds = 0n;
  readonly #seen = new Set<string>();

  /** `false` for an amount that cannot be represented, or a unit that occurred before. */
  add(unit: string, minus: string | undefined, amount: string): boolean {
    if (this.#seen.has(unit)) return false;
    this.#seen.add(unit);
    const parts = partsOf(amount, unit);
    if (parts === undefined) return false;
    // Behind a time of day PostgreSQL loses the hours of a fraction of a day.
    if (this.#seen.has("hour") && MICROSECONDS[unit] === undefined && parts.microseconds !== 0n) return false;
    const sign = minus === "-" ? -1n : 1n;
    this.#months += sign * BigInt(parts.months);
    this.#days += sign * BigInt(parts.days);
    this.#microseconds += sign * parts.microseconds;
    return true;
  }

  /** Months and days have 32 bits, microseconds 64. */
  parts(negated: boolean): IntervalParts | undefined {
    const sign = negated ? -1n : 1n;
    const fits = (value: bigint, bits: number): boolean => BigInt.asIntN(bits, value) === value && -value !== 1n << 31n;
    if (!fits(this.#months, 32) || !fits(this.#days, 32) || !fits(this.#microseconds, 63)) return undefined;
    const [months, days] = [Number(sign * this.#months), Number(sign * this.#days)];
    return { months: months === 0 ? 0 : months, days: days === 0 ? 0 : days, microseconds: sign * this.#microseconds };
  }
}

function readTerm(body: string, at: number, bare: IntervalUnit, sum: Sum): boolean {
  const match = (term: RegExp): RegExpExecArray | null => {
    term.lastIndex = at;
    const found = term.exec(body);
    if (found === null) return null;
    const blanks = /\s*/y;
    blanks.lastIndex = term.lastIndex;
    blanks.exec(body);
    sum.end = blanks.lastIndex;
    return found;
  };
  const clock = match(TERMS.clock);
  if (clock !== null) {
    const [, sign, hours = "", minutes = "", seconds = "0", fraction = ""] = clock;
    if (Number(minutes) > 59 || Number(seconds) > 59 || hours.length > 9) return false;
    return (
      sum.add("hour", sign, hours) &&
      sum.add("minute", sign, minutes) &&
      sum.add("second", sign, `${seconds}${fraction}`)
    );
  }
  const yearMonth = match(TERMS.yearMonth);
  if (yearMonth !== null) {
    const [, sign, years = "", months = ""] = yearMonth;
    return Number(months) < 12 && sum.add("year", sign, years) && sum.add("month", sign, months);
  }
  const amount = match(TERMS.amount);
  if (amount !== null) {
    const [, sign, digits = "", word = ""] = amount;
    const years = MANY_YEARS.get(word.toLowerCase());
    if (years !== undefined) return sum.add(`${years} years`, sign, digits);
    const unit = unitOfWord(word);
    return unit !== undefined && sum.add(unit, sign, digits);
  }
  const number = match(TERMS.bare);
  if (number === null) return false;
  const [, sign, digits = ""] = number;
  if (sum.end >= body.length) return sum.add(bare, sign, digits);
  // Days before a time of day, or before the number that the last field is.
  const isBeforeTime = /^[+-]?\s*(?:\d+:|\d+(?:\.\d+)?$)/.test(body.slice(sum.end));
  return isBeforeTime && (bare !== "second" || body.slice(sum.end).includes(":")) && sum.add("day", sign, digits);
}

function parseIso(text: string): IntervalParts | undefined {
  const alternative = /^P(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2}))?$/.exec(text);
  const sum = new Sum();
  const added = (term: string, units: Readonly<Record<string, IntervalUnit>>): boolean => {
    const [, sign, digits = "", letter = ""] = /^([-+]?)([\d.]+)([A-Z])$/.exec(term) ?? [];
    return sum.add(units[letter] ?? "", sign, digits);
  };
  if (alternative !== null) {
    const units = ["year", "month", "day", "hour", "minute", "second"] as const;
    return units.every((unit, index) => sum.add(unit, "", alternative[index + 1] ?? "0"))
      ? sum.parts(false)
      : undefined;
  }
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const terms = (part: string | undefined): readonly string[] => part?.match(/[-+]?(?<![\d.])[\d.]+[A-Z]/g) ?? [];
  const isComplete =
    terms(match[1]).every((term) => added(term, ISO_UNITS)) && terms(match[3]).every((term) => added(term, ISO_CLOCK));
  return isComplete ? sum.parts(false) : undefined;
}

/** `amount` (decimal digits) of a unit, or of so many years; `undefined` where a fraction does not come out even. */
function partsOf(amount: string, unit: string): IntervalParts | undefined {
  const [whole = "", fraction = ""] = amount.split(".");
  if (whole.length > 15 || fraction.length > 12) return undefined;
  const digits = BigInt(`${whole}${fraction}` || "0");
  const scale = 10n ** BigInt(fraction.length);
  const micros = MICROSECONDS[unit];
  if (micros !== undefined) {
    const isWhole = (digits * micros) % scale === 0n;
    return isWhole ? { months: 0, days: 0, microseconds: (digits * micros) / scale } : undefined;
  }
  const years = /^(\d+) years$/.exec(unit)?.[1];
  const perMonth = MONTHS[unit] ?? (years === undefined ? undefined : BigInt(years) * 12n);
  if (perMonth === undefined) return dayParts(digits * (DAYS[unit] ?? 1n), scale);
  const months = digits * perMonth;
  if (months % scale === 0n) return { months: Number(months / scale), days: 0, microseconds: 0n };
  if (perMonth !== 1n) return undefined;
  const rest = dayParts((months % scale) * 30n, scale);
  return rest && { ...rest, months: Number(months / scale) };
}

function dayParts(digits: bigint, scale: bigint): IntervalParts | undefined {
  const microseconds = (digits % scale) * MICROSECONDS_OF_DAY;
  if (microseconds % scale !== 0n) return undefined;
  return { months: 0, days: Number(digits / scale), microseconds: microseconds / scale };
}

/**
 * `INTERVAL '1-2' YEAR TO MONTH`, `'90' MINUTE`, `'1 2:03:04.5' DAY TO SECOND`: a number without a unit belongs to the
 * last field, and smaller parts are cut off.
 */
export function parseFieldInterval(
  text: string,
  unit: IntervalUnit,
  toUnit: IntervalUnit | undefined,
): IntervalParts | undefined {
  const last = toUnit ?? unit;
  // `MINUTE TO SECOND` reads `3:04` as minutes and seconds.
  const isShort = unit === "minute" && toUnit === "second";
  const clock = isShort ? text.replace(/(^|[^\d:])(\d+:\d+(?:\.\d+)?)(?![\d:.])/, "$10:$2") : text;
  const parts = parseTerms(clock, last);
  return parts && cutBelow(parts, last);
}

function cutBelow({ months, days, microseconds }: IntervalParts, unit: IntervalUnit): IntervalParts {
  const cut = (factor: bigint): bigint => (microseconds / factor) * factor;
  switch (unit) {
    case "year":
      return { months: months - (months % 12), days: 0, microseconds: 0n };
    case "month":
      return { months, days: 0, microseconds: 0n };
    case "day":
      return { months, days, microseconds: 0n };
    case "hour":
      return { months, days, microseconds: cut(MICROSECONDS["hour"] ?? 1n) };
    case "minute":
      return { months, days, microseconds: cut(MICROSECONDS["minute"] ?? 1n) };
    case "quarter":
    case "week":
    case "second":
    case "millisecond":
    case "microsecond":
      return { months, days, microseconds };
    default:
      return unit satisfies never;
  }
}

/** The canonical text: `14 months 3 days 04:05:06.7`, understood by PostgreSQL and DuckDB alike. */
export function intervalText(parts: IntervalParts): string {
  const words: string[] = [];
  if (parts.months !== 0) words.push(`${parts.months} months`);
  if (parts.days !== 0) words.push(`${parts.days} days`);
  if (parts.microseconds !== 0n || words.length === 0) {
    const absolute = parts.microseconds < 0n ? -parts.microseconds : parts.microseconds;
    const seconds = absolute / 1_000_000n;
    const fraction = (absolute % 1_000_000n)
      .toString()
      .padStart(6, "0")
      .replace(/(?<!0)0+$/, "");
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
  if (value.kind === "string") return parseFieldInterval(digits, unit, toUnit);
  return /^\d+(\.\d+)?$/.test(digits) ? partsOf(digits, unit) : undefined;
}
