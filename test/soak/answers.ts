/** Answers in each format, read by code that shares nothing with what wrote them, as rows of texts that can be compared. */
import { tableFromIPC } from "@uwdata/flechette";
import type { Kind, Question } from "./questions.ts";

export const FORMATS = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv: "text/csv",
  arrow: "application/vnd.apache.arrow.stream",
} as const;
export type Format = keyof typeof FORMATS;

type Row = readonly (string | null)[];

/** Whether the answer is what the question's must be. A text that is no answer at all throws. */
export function isRight(question: Question, format: Format, bytes: Buffer): boolean {
  const rows = read(format, bytes);
  return (
    rows.length === question.rows.length &&
    rows.every((row, index) => isSame(row, question.rows[index] ?? [], question.kinds))
  );
}

function isSame(row: readonly unknown[], expected: Row, kinds: readonly Kind[]): boolean {
  return row.length === kinds.length && kinds.every((kind, index) => cellText(row[index], kind) === expected[index]);
}

/** A canonical text of one value; `null` is NULL. */
function cellText(value: unknown, kind: Kind): string | null {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case "integer":
    case "text":
      return String(value);
    case "decimal":
      return Number(value).toFixed(2);
    case "date":
      return typeof value === "number" ? new Date(value).toISOString().slice(0, 10) : String(value).slice(0, 10);
    default:
      return kind satisfies never;
  }
}

function read(format: Format, bytes: Buffer): readonly (readonly unknown[])[] {
  switch (format) {
    case "json":
      return (JSON.parse(bytes.toString()) as { readonly data: readonly (readonly unknown[])[] }).data;
    case "ndjson":
      return linesOf(bytes.toString());
    case "csv":
      return csvRows(bytes.toString()).slice(1);
    case "arrow":
      return tableFromIPC(bytes)
        .toArray()
        .map((row) => Object.values(row as object));
    default:
      return format satisfies never;
  }
}

/** Head, rows, and an end that counts them: without it the answer is cut. */
function linesOf(text: string): readonly (readonly unknown[])[] {
  const lines = text.trimEnd().split("\n");
  const end = JSON.parse(lines.at(-1) ?? "") as { readonly end?: { readonly rows: number } };
  const rows = lines.slice(1, -1).map((line) => JSON.parse(line) as readonly unknown[]);
  if (end.end?.rows !== rows.length) throw new Error("the answer is cut");
  return rows;
}

/** RFC 4180; an empty field without quotes is NULL. */
function csvRows(text: string): readonly Row[] {
  const rows: (string | null)[][] = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$)/gy;
  for (let match = field.exec(text); match !== null && field.lastIndex <= text.length; match = field.exec(text)) {
    const [, quoted, plain = "", separator] = match;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain === "" ? null : plain));
    if (field.lastIndex === text.length) break;
    if (separator !== ",") rows.push([]);
  }
  if (field.lastIndex !== text.length) throw new Error("no CSV");
  return rows;
}
