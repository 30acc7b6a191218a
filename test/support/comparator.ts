/**
 * Compares rows with committed expectations (docs/decisions/0042-judging-answers.md): numbers within 1e-9 relative, decimals
 * numerically, timestamps as instants, text by code point, order only where the query fixes it.
 */
import { isDeepStrictEqual } from "node:util";

/** A JSON scalar, or `{decimal|date|timestamp|interval|json|jsonb: text}`; `jsonb` leaves the order of keys open. */
export type ExpectedCell = null | boolean | number | string | Readonly<Record<string, string>>;

/**
 * A value of an engine, converted to text, number, boolean or null; temporal values as ISO text, decimals as digits.
 */
export type ActualCell = null | boolean | number | bigint | string | readonly ActualCell[];

export type ExpectedRows = readonly (readonly ExpectedCell[])[];
export type ActualRows = readonly (readonly ActualCell[])[];

/** One sentence about the difference between the rows, or `undefined`. */
export function rowsDiffer(expected: ExpectedRows, actual: ActualRows, ordered: boolean): string | undefined {
  if (expected.length !== actual.length) return `${actual.length} rows instead of ${expected.length}`;
  if (ordered) {
    const wrong = expected.findIndex((row, index) => !sameRow(row, actual[index] ?? []));
    return wrong < 0 ? undefined : `row ${wrong + 1}: ${show(actual[wrong])} instead of ${show(expected[wrong])}`;
  }
  const left = [...actual];
  for (const row of expected) {
    const found = left.findIndex((candidate) => sameRow(row, candidate));
    if (found < 0) return `no row like ${show(row)}; left over: ${show(left.slice(0, 3))}`;
    left.splice(found, 1);
  }
  return undefined;
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? `${each}n` : each));
}

function sameRow(expected: readonly ExpectedCell[], actual: readonly ActualCell[]): boolean {
  return expected.length === actual.length && expected.every((cell, index) => sameCell(cell, actual[index] ?? null));
}

function sameCell(expected: ExpectedCell, actual: ActualCell): boolean {
  if (expected === null || actual === null) return expected === actual;
  if (typeof expected === "object") {
    const [kind = "", text = ""] = Object.entries(expected)[0] ?? [];
    if (kind === "decimal") return sameNumber(text, String(actual));
    if (kind === "timestamp" || kind === "date") return sameInstant(text, String(actual));
    if (kind === "json") return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(String(actual)));
    if (kind === "jsonb") return isDeepStrictEqual(JSON.parse(text), parsedJson(actual));
    return text === String(actual);
  }
  if (typeof expected === "boolean" || typeof actual === "boolean") return expected === actual;
  if (typeof expected === "number") return sameNumber(String(expected), String(actual));
  if (typeof actual === "string")
    return expected === actual || (looksTemporal(expected) && sameInstant(expected, actual));
  if (Array.isArray(actual)) return sameList(parsedJson(expected), JSON.parse(listText(actual)));
  return sameNumber(expected, String(actual));
}

/** Numbers in a list are as close as others are. */
function sameList(expected: unknown, actual: unknown): boolean {
  if (typeof expected === "number" && typeof actual === "number") return sameNumber(`${expected}`, `${actual}`);
  if (!Array.isArray(expected) || !Array.isArray(actual)) return expected === actual;
  return expected.length === actual.length && expected.every((each, index) => sameList(each, actual[index]));
}

/** Nothing that JSON has where the text is none. */
function parsedJson(cell: ActualCell): unknown {
  try {
    return JSON.parse(String(cell));
  } catch {
    return undefined;
  }
}

/** A list as an expectation spells it: JSON, its integers without a mark of their size. */
export function listText(cells: readonly ActualCell[]): string {
  return JSON.stringify(cells, (_key, each) => (typeof each === "bigint" ? Number(each) : each));
}

function sameNumber(expected: string, actual: string): boolean {
  const [a, b] = [Number(expected), Number(actual)];
  if (Number.isNaN(a) || Number.isNaN(b)) return expected === actual;
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

const TEMPORAL = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([+-]\d{2}(:?\d{2})?|Z)?)?$/;

function looksTemporal(text: string): boolean {
  return TEMPORAL.test(text);
}

/** A date is its midnight; a text without zone is UTC. */
function sameInstant(expected: string, actual: string): boolean {
  return instant(expected) === instant(actual);
}

function instant(text: string): string {
  if (!looksTemporal(text)) return text;
  const [, day = "", time = "00:00:00", fraction = "", zone = "Z"] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?(?:\.(\d+))?([+-]\d{2}(?::?\d{2})?|Z)?$/.exec(text) ?? [];
  const offset = /^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone;
  const seconds = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${offset}`) / 1000;
  return `${seconds}.${fraction.replace(/0+$/, "")}`;
}
