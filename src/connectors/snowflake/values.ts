/**
 * Snowflake's types, from the column descriptions of a result, and readers of their values, which are all texts
 * (https://docs.snowflake.com/developer-guide/sql-api/handling-responses). Sessions send them in the same form.
 */

import type { SqlType } from "../../planner/plan.ts";
import { canonicalDecimal } from "../../result/text/decimal.ts";
import type { LogicalType } from "../../result/types.ts";
import { listOf, readList } from "../http/json-lists.ts";
import type { JsonColumn, ReadJson } from "../http/json-rows.ts";
import { boolean as booleanWord, fail, integer, text } from "../http/json-texts.ts";
import type { RowType } from "./answers.ts";

interface TypeReader {
  readonly type: LogicalType;
  readonly read: ReadJson;
}

/** `meant`: the type in the plan. All Snowflake integers are NUMBER(38, 0), whatever their declaration, and arrays are JSON. */
export function columnOf(row: RowType, meant: SqlType | undefined): JsonColumn {
  return { name: row.name, ...typeReader(row, meant) };
}

function typeReader({ type, precision = 38, scale = 0 }: RowType, meant: SqlType | undefined): TypeReader {
  switch (type) {
    case "FIXED":
      if (scale === 0 && meant?.kind !== "decimal") return { type: { kind: "int64" }, read: integer };
      return { type: { kind: "decimal", precision, scale }, read: decimal };
    case "DECFLOAT":
      return { type: { kind: "decimal" }, read: decimal };
    case "REAL":
      return { type: { kind: "float64" }, read: fraction };
    case "TEXT":
      return { type: { kind: "string" }, read: text };
    case "BOOLEAN":
      return { type: { kind: "boolean" }, read: boolean };
    case "BINARY":
      return { type: { kind: "binary" }, read: bytes };
    case "DATE":
      return { type: { kind: "date" }, read: days };
    case "TIME":
      return { type: { kind: "time", unit: "ns" }, read: (json) => Number(nanoseconds(json)) };
    case "TIMESTAMP_NTZ":
      return { type: { kind: "timestamp", unit: "ns", zone: undefined }, read: nanoseconds };
    case "TIMESTAMP_LTZ":
      return { type: { kind: "timestamp", unit: "ns", zone: "UTC" }, read: nanoseconds };
    case "TIMESTAMP_TZ":
      // The instant, followed by its offset.
      return {
        type: { kind: "timestamp", unit: "ns", zone: "UTC" },
        read: (json) => nanoseconds(/^(\S+) \d{1,4}$/.exec(text(json))?.[1]),
      };
    case "ARRAY":
    case "VARIANT": {
      const list = listOf(meant);
      if (list !== undefined) return { type: list, read: (json) => readList(text(json), list) };
      return { type: { kind: "json" }, read: text };
    }
    case "OBJECT":
    case "MAP":
      return { type: { kind: "json" }, read: text };
    default:
      // GEOGRAPHY as GeoJSON, VECTOR, and future types.
      return { type: { kind: "opaque", name: type }, read: text };
  }
}

/** Sessions send `1` and `0`, the SQL API words. */
function boolean(json: unknown): boolean {
  return json === "1" ? true : json === "0" ? false : booleanWord(json);
}

function decimal(json: unknown): string {
  const written = text(json);
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,5})?$/.test(written)
    ? (canonicalDecimal(written) ?? fail("a decimal"))
    : fail("a decimal");
}

const NOT_FINITE: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

function fraction(json: unknown): number {
  const written = text(json);
  if (/^-?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?$/.test(written)) return Number(written);
  return NOT_FINITE.get(written.toLowerCase()) ?? fail("a number");
}

function bytes(json: unknown): Uint8Array {
  const digits = text(json);
  if (!/^(?:[\da-f]{2})*$/i.test(digits)) return fail("bytes in hexadecimal digits");
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

function days(json: unknown): number {
  return /^-?\d{1,7}$/.test(text(json)) ? Number(text(json)) : fail("a date");
}

/** `-1.500000000` is a second and a half before 1970. */
function nanoseconds(json: unknown): bigint {
  const [, sign, seconds, fraction = ""] = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?$/.exec(text(json)) ?? [];
  if (seconds === undefined) return fail("a time");
  const value = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
  return sign === "-" ? -value : value;
}
