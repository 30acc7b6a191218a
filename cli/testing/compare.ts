/** Compares the rows of an answer with what a golden question expects. */
import type { Step } from "../project/yaml.ts";
import type { Assertions, Cell, ExpectedRow, GoldenQuestion } from "./golden.ts";

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface Failure {
  readonly message: string;
  /** The member that is not met, and where in it. */
  readonly path: readonly Step[];
}

/** Differences that are listed; the rest is counted. */
const MOST_LISTED = 5;

export function failuresOf(question: GoldenQuestion, answer: Answer, other: Answer | undefined): readonly Failure[] {
  const { rows, ordered = false, tolerance } = question;
  const failures = assertionFailures(question, answer, tolerance);
  if (rows !== undefined) failures.push(...rowFailures(rows, answer, { ordered, tolerance }));
  if (other !== undefined) {
    const expected = other.rows as readonly (readonly Cell[])[];
    const [first] = rowFailures(expected, answer, { ordered: false, tolerance });
    if (first !== undefined) failures.push({ message: `equals_sql: ${first.message}`, path: ["equals_sql"] });
  }
  return failures;
}

function assertionFailures(
  { row_count, not_null, unique, contains, excludes }: Assertions,
  answer: Answer,
  tolerance: number | undefined,
): Failure[] {
  const failures: Failure[] = [];
  const { rows } = answer;
  if (row_count !== undefined) {
    const { min = 0, max = Number.POSITIVE_INFINITY } =
      typeof row_count === "number" ? { min: row_count, max: row_count } : row_count;
    if (rows.length < min || rows.length > max) {
      const wanted = min === max ? `${min}` : `${min} to ${max}`;
      failures.push({ message: `The answer has ${rows.length} rows instead of ${wanted}.`, path: ["row_count"] });
    }
  }
  const columnOf = (name: string, path: readonly Step[]): number | undefined => {
    const at = columnAt(answer, name);
    if (at >= 0) return at;
    failures.push({ message: `The answer has no column ${name}. Columns: ${answer.columns.join(", ")}.`, path });
    return undefined;
  };
  for (const [index, name] of (not_null ?? []).entries()) {
    const at = columnOf(name, ["not_null", index]);
    if (at === undefined) continue;
    const count = rows.filter((row) => row[at] === null).length;
    if (count > 0) failures.push({ message: `${name} is NULL in ${count} rows.`, path: ["not_null", index] });
  }
  for (const [index, key] of (unique ?? []).entries()) {
    const names = typeof key === "string" ? [key] : key;
    const places = names.map((name) => columnOf(name, ["unique", index]));
    if (places.includes(undefined)) continue;
    const keys = new Set(rows.map((row) => JSON.stringify(places.map((at) => row[at ?? 0]))));
    if (keys.size < rows.length) {
      const message = `${names.join(", ")} is not unique: ${rows.length} rows have ${keys.size} values.`;
      failures.push({ message, path: ["unique", index] });
    }
  }
  for (const [member, parts, isWanted] of [
    ["contains", contains, true],
    ["excludes", excludes, false],
  ] as const) {
    for (const [index, part] of (parts ?? []).entries()) {
      const names = Object.keys(part);
      if (names.map((name) => columnOf(name, [member, index])).includes(undefined)) continue;
      const count = rows.filter((row) => isPartOf(part, row, answer, tolerance)).length;
      if (isWanted === count > 0) continue;
      const message = isWanted ? `No row has ${shown(part)}.` : `${count} rows have ${shown(part)}.`;
      failures.push({ message, path: [member, index] });
    }
  }
  return failures;
}

const columnAt = ({ columns }: Answer, name: string): number => {
  const exact = columns.indexOf(name);
  return exact >= 0 ? exact : columns.findIndex((each) => each.toLowerCase() === name.toLowerCase());
};

function isPartOf(
  part: Readonly<Record<string, Cell>>,
  row: readonly unknown[],
  answer: Answer,
  tolerance: number | undefined,
): boolean {
  return Object.entries(part).every(([name, value]) => isEqual(value, row[columnAt(answer, name)], tolerance));
}

interface Comparison {
  readonly ordered: boolean;
  readonly tolerance: number | undefined;
}

function rowFailures(
  expected: readonly ExpectedRow[],
  answer: Answer,
  { ordered, tolerance }: Comparison,
): readonly Failure[] {
  const failures: Failure[] = [];
  const isMet = (wanted: ExpectedRow, row: readonly unknown[]): boolean =>
    isByPosition(wanted)
      ? wanted.length === row.length && wanted.every((value, at) => isEqual(value, row[at], tolerance))
      : Object.keys(wanted).length > 0 &&
        Object.keys(wanted).every((name) => columnAt(answer, name) >= 0) &&
        isPartOf(wanted, row, answer, tolerance);
  if (ordered) {
    const length = Math.max(expected.length, answer.rows.length);
    for (let at = 0; at < length; at++) {
      const [wanted, row] = [expected[at], answer.rows[at]];
      if (wanted !== undefined && row !== undefined && isMet(wanted, row)) continue;
      const message = `Row ${at + 1} is ${row === undefined ? "missing" : shown(row)} instead of ${wanted === undefined ? "none" : shown(wanted)}.`;
      failures.push({ message, path: wanted === undefined ? ["rows"] : ["rows", at] });
    }
    return listed(failures);
  }
  const left = new Set(answer.rows.keys());
  for (const [at, wanted] of expected.entries()) {
    const found = [...left].find((index) => isMet(wanted, answer.rows[index] ?? []));
    if (found === undefined) failures.push({ message: `No row is ${shown(wanted)}.`, path: ["rows", at] });
    else left.delete(found);
  }
  for (const index of left)
    failures.push({ message: `A row is not expected: ${shown(answer.rows[index])}.`, path: ["rows"] });
  return listed(failures);
}

const isByPosition = (row: ExpectedRow): row is readonly Cell[] => Array.isArray(row);

function listed(failures: readonly Failure[]): readonly Failure[] {
  if (failures.length <= MOST_LISTED) return failures;
  const more = { message: `${failures.length - MOST_LISTED} more differences are not listed.`, path: ["rows"] };
  return [...failures.slice(0, MOST_LISTED), more];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Numbers are equal by value: 1, "1.00" and 1.0. A double is equal within 1e-9 of its size, unless the question is stricter. */
function isEqual(expected: unknown, actual: unknown, tolerance: number | undefined): boolean {
  if (expected === null || actual === null || expected === undefined || actual === undefined)
    return expected === actual;
  if (typeof expected === "object" || typeof actual === "object")
    return JSON.stringify(expected) === JSON.stringify(actual);
  if (typeof expected === "boolean" || typeof actual === "boolean") return expected === actual;
  const [a, b] = [String(expected), String(actual)];
  if (a === b) return true;
  // Two texts are equal only as they are written: "1.10" may be a version.
  const areTexts = typeof expected === "string" && typeof actual === "string" && tolerance === undefined;
  if (areTexts || !NUMBER.test(a) || !NUMBER.test(b)) return false;
  if (canonical(a) === canonical(b)) return true;
  const difference = Math.abs(Number(a) - Number(b));
  const isDouble = typeof actual === "number" && !Number.isInteger(actual);
  const allowed = tolerance ?? (isDouble ? 1e-9 * Math.max(Math.abs(Number(a)), Math.abs(Number(b))) : 0);
  return difference <= allowed;
}

/** Digits without zeros that mean nothing. */
function canonical(text: string): string {
  if (/e/i.test(text)) return String(Number(text));
  const [, sign = "", whole = "", fraction = ""] = /^(-?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  const digits = `${whole === "" ? "0" : whole}${fraction === "" ? "" : `.${fraction}`}`;
  return digits === "0" ? "0" : sign + digits;
}
