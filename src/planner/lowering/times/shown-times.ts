/**
 * `to_char` of dates, times of day and timestamps by the patterns that the target's own rule does not render: the text is made of parts
 * in the input language, joined by `||`. Runs of patterns that the rule renders stay one call of `to_char`.
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { values } from "../../syntax/build.ts";
import type { Call } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { type Definition, definitionOf, PART } from "../meanings.ts";
import { type FormatToken, readFormat, type TimePatterns } from "./formats.ts";

type Pattern = FormatToken & { readonly kind: "pattern" };

const NAMED = /^(?:mon|month|dy|day|rm)$/i;
const HALF_OF_DAY = /^[ap]\.?m\.?$/i;
/** Patterns whose text FM makes shorter. */
const FILLED = /^(?:YYYY|YYY|YY|IYYY|IYY|IY|CC|MM|DD|DDD|IDDD|WW|IW|HH24|HH12|HH|MI|SS|month|day|rm)$/i;

/** A pattern without its case, if that says nothing, and without FM, if that changes nothing: `FMMM`, `Mon`, `DAY`, `ID`. */
function patternKey({ pattern, bare, translated }: Pattern): string {
  const name = NAMED.test(pattern) || HALF_OF_DAY.test(pattern) ? pattern : pattern.toUpperCase();
  const isBare = bare || (translated && NAMED.test(pattern));
  return (isBare && FILLED.test(name) ? "FM" : "") + name;
}

const MONTHS = "January February March April May June July August September October November December";
const DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday";
const ROMAN = "I II III IV V VI VII VIII IX X XI XII";
/** The width that PostgreSQL fills names of months and days up to with blanks. */
const NAME_WIDTH = 9;

interface NumberPart {
  readonly sql: string;
  readonly width: number;
  /** Filled up with zeros even after FM. */
  readonly always?: true;
}

/** A field to compute with: a quotient of two fields would have a fraction. */
const whole = (field: string): string => `CAST(extract(${field} FROM $1) AS bigint)`;

/** Numbers of the day `$1`. */
const OF_DAY: Readonly<Record<string, NumberPart>> = {
  YYYY: { sql: "extract(year FROM $1)", width: 4 },
  YYY: { sql: `${whole("year")} % 1000`, width: 3 },
  YY: { sql: `${whole("year")} % 100`, width: 2 },
  Y: { sql: `${whole("year")} % 10`, width: 1 },
  IYYY: { sql: "extract(isoyear FROM $1)", width: 4 },
  IYY: { sql: `${whole("isoyear")} % 1000`, width: 3 },
  IY: { sql: `${whole("isoyear")} % 100`, width: 2 },
  I: { sql: `${whole("isoyear")} % 10`, width: 1 },
  CC: { sql: `(${whole("year")} + 99) / 100`, width: 2 },
  Q: { sql: "extract(quarter FROM $1)", width: 1 },
  MM: { sql: "extract(month FROM $1)", width: 2 },
  WW: { sql: `(${whole("doy")} - 1) / 7 + 1`, width: 2 },
  W: { sql: `(${whole("day")} - 1) / 7 + 1`, width: 1 },
  IW: { sql: "extract(week FROM $1)", width: 2 },
  DDD: { sql: "extract(doy FROM $1)", width: 3 },
  IDDD: { sql: `(${whole("week")} - 1) * 7 + ${whole("isodow")}`, width: 3 },
  DD: { sql: "extract(day FROM $1)", width: 2 },
  D: { sql: `${whole("dow")} + 1`, width: 1 },
  ID: { sql: "extract(isodow FROM $1)", width: 1 },
  J: { sql: "extract(julian FROM CAST($1 AS date))", width: 1 },
};

const SECOND = "CAST(floor(extract(second FROM $1)) AS bigint)";
const MICROSECOND = `${whole("microseconds")} % 1000000`;
const OF_DAYS_SECONDS = `${whole("hour")} * 3600 + ${whole("minute")} * 60 + ${SECOND}`;

/** Numbers of the time of day `$1`. */
const OF_CLOCK: Readonly<Record<string, NumberPart>> = {
  HH24: { sql: "extract(hour FROM $1)", width: 2 },
  HH12: { sql: `(${whole("hour")} + 11) % 12 + 1`, width: 2 },
  HH: { sql: `(${whole("hour")} + 11) % 12 + 1`, width: 2 },
  MI: { sql: "extract(minute FROM $1)", width: 2 },
  SS: { sql: SECOND, width: 2 },
  MS: { sql: `${MICROSECOND} / 1000`, width: 3, always: true },
  US: { sql: MICROSECOND, width: 6, always: true },
  FF3: { sql: `${MICROSECOND} / 1000`, width: 3, always: true },
  FF6: { sql: MICROSECOND, width: 6, always: true },
  SSSS: { sql: OF_DAYS_SECONDS, width: 1 },
  SSSSS: { sql: OF_DAYS_SECONDS, width: 1 },
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The names by the case of the pattern: `MONTH`, `Month` or `month`. */
function nameOf(pattern: string, name: string): string {
  if (pattern === pattern.toUpperCase()) return name.toUpperCase();
  return pattern === pattern.toLowerCase() ? name.toLowerCase() : name;
}

function chosen(number: string, names: readonly string[]): string {
  const branches = names.map((name, index) => `WHEN ${index + 1} THEN ${quoted(name)}`);
  return `CASE ${number} ${branches.join(" ")} END`;
}

function namedPart(token: Pattern): string {
  const { pattern } = token;
  const isBare = token.bare || token.translated;
  const kind = pattern.toUpperCase();
  const list = (kind.startsWith("M") ? MONTHS : kind === "RM" ? ROMAN : DAYS).split(" ");
  const isShort = kind === "MON" || kind === "DY";
  const width = isBare || isShort ? 0 : kind === "RM" ? 4 : NAME_WIDTH;
  const names = list.map((name) => nameOf(pattern, isShort ? name.slice(0, 3) : name).padEnd(width));
  return chosen(/^M|^RM/.test(kind) ? "extract(month FROM $1)" : "extract(isodow FROM $1)", names);
}

function halfOfDay(pattern: string, kind: "date" | "time" | "timestamp"): string {
  const word = (letter: "a" | "p"): string => quoted(nameOf(pattern, pattern.replace(/^[ap]/i, letter)));
  // 24:00:00 is a time of day, and a midnight.
  const hour = kind === "time" ? `${whole("hour")} % 24` : "extract(hour FROM $1)";
  return `CASE WHEN ${hour} < 12 THEN ${word("a")} WHEN ${hour} >= 12 THEN ${word("p")} END`;
}

/** st, nd, rd or th by the last two digits. */
function ordinalOf(digits: string, spelling: "TH" | "th"): string {
  const number = `CAST(${digits} AS bigint)`;
  const word = (text: string): string => quoted(spelling === "TH" ? text.toUpperCase() : text);
  const last = `CASE ${number} % 10 WHEN 1 THEN ${word("st")} WHEN 2 THEN ${word("nd")} WHEN 3 THEN ${word("rd")} ELSE ${word("th")} END`;
  return `CASE WHEN ${number} / 10 % 10 = 1 THEN ${word("th")} ELSE ${last} END`;
}

function numberPart({ sql, width, always }: NumberPart, { bare, ordinal }: Pattern): readonly string[] {
  const digits = `CAST(${sql} AS text)`;
  const filled = width === 1 || (bare && !always) ? digits : `lpad(${digits}, ${width}, '0')`;
  return ordinal === undefined ? [filled] : [filled, ordinalOf(sql, ordinal)];
}

/** The definition of a part over `$1`; `undefined` for a pattern without one. */
function partOf(token: Pattern, kind: "date" | "time" | "timestamp"): readonly string[] | undefined {
  const name = token.pattern.toUpperCase();
  const ofDay = OF_DAY[name];
  if (kind !== "time") {
    if (ofDay !== undefined) return numberPart(ofDay, token);
    if (NAMED.test(name) && token.ordinal === undefined) return [namedPart(token)];
  }
  const timed = (sql: string): string => (kind === "date" ? sql.replaceAll("$1", "CAST($1 AS timestamp)") : sql);
  const ofClock = OF_CLOCK[name];
  if (ofClock !== undefined) return numberPart({ ...ofClock, sql: timed(ofClock.sql) }, token);
  return HALF_OF_DAY.test(name) && token.ordinal === undefined ? [timed(halfOfDay(token.pattern, kind))] : undefined;
}

/** Separators that every rule of a target writes as they are. */
const PLAIN = /^[-/,.;: ]+$/;

/** The parts of the text, of which runs of patterns that the target renders are one. */
class Parts {
  readonly sql: string[] = [];
  #run = "";
  #keys: string[] = [];
  #separators = "";

  render(key: string): void {
    const format = this.#run + this.#separators + key;
    // Two patterns side by side may read as another one.
    const isSame = keysOf(format).join(" ") === [...this.#keys, key].join(" ");
    if (this.#run === "" || !isSame) this.flush();
    this.#run += this.#separators + key;
    this.#separators = "";
    this.#keys.push(key);
  }

  separate(text: string): void {
    if (this.#run === "" || !PLAIN.test(text)) this.add(quoted(text));
    else this.#separators += text;
  }

  add(...parts: readonly string[]): void {
    this.flush();
    this.sql.push(...parts);
  }

  flush(): void {
    const { sql } = this;
    if (this.#run !== "") sql.push(`to_char($1, ${quoted(this.#run)})`);
    if (this.#separators !== "") sql.push(quoted(this.#separators));
    this.#run = "";
    this.#separators = "";
    this.#keys = [];
  }
}

const keysOf = (format: string): readonly string[] =>
  readFormat(format).flatMap((token) => (token.kind === "pattern" ? patternKey(token) : []));

/** `undefined` for calls that the target's rule renders whole, and for those of other types. */
export function shownTime(node: Call, { dates }: TimePatterns): Definition | undefined {
  if (functionName(node) !== "to_char") return undefined;
  const [value, format] = values(node);
  const kind = value && typeOrUnknown(value).kind;
  if (format?.kind !== "string" || (kind !== "date" && kind !== "timestamp" && kind !== "time")) return undefined;
  if (kind !== "time" && dates === "all") return undefined;
  if (format.value === "") return definitionOf("CAST(NULL AS text)");
  const tokens = readFormat(format.value);
  const rendered = kind === "time" ? undefined : dates;
  const isRendered = (token: Pattern): boolean =>
    token.ordinal === undefined && rendered !== undefined && rendered !== "all" && rendered.has(patternKey(token));
  const written = (token: Pattern): string => (token.bare ? "FM" : token.translated ? "TM" : "") + token.pattern;
  const isWhole = tokens.every(
    (token) =>
      token.kind === "text" || (isRendered(token) && written(token).toUpperCase() === patternKey(token).toUpperCase()),
  );
  if (isWhole && tokens.some((token) => token.kind === "pattern")) return undefined;
  const parts = new Parts();
  for (const token of tokens) {
    if (token.kind === "text") parts.separate(token.text);
    else if (token.pattern.toUpperCase() === "FX") continue;
    else if (isRendered(token)) parts.render(patternKey(token));
    else {
      const made = partOf(token, kind);
      if (made === undefined) {
        const hint = "Use YYYY, MM, DD, HH24, MI, SS, Mon, Dy, Q and their like.";
        throw unsupported(`"${token.pattern}" in a format`, format.span, hint);
      }
      parts.add(...made);
    }
  }
  parts.flush();
  const sql = parts.sql.join(" || ");
  const isOfText = !tokens.some((token) => token.kind === "pattern");
  return definitionOf((isOfText ? `CASE WHEN $1 IS NOT NULL THEN ${sql} END` : sql).replaceAll("$1", PART));
}
