/**
 * Parses MySQL's text values by Vitess' type names, for results over HTTP. Accepted types and their results are those of the
 * binary form (`types.ts`).
 */

import { parseDate } from "../../result/text/date.ts";
import { parseMicroseconds } from "../../result/text/timestamp.ts";
import { isUtf8 } from "../../result/text/utf8.ts";
import type { LogicalType, Value } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";
import { UnreadableValue } from "../unreadable-value.ts";
import { asBuffer } from "./packet-reader.ts";

/** A field of a result, with the protocol's member names; numbers that are zero are omitted. */
export interface TextField {
  readonly name: string;
  readonly type: string;
  readonly columnLength?: number | null;
  readonly decimals?: number | null;
  readonly flags?: number | null;
}

export interface TextColumn {
  readonly name: string;
  readonly type: LogicalType;
  /** Reads a value that is not NULL. Throws `UnreadableValue`. */
  readonly read: (bytes: Uint8Array) => Value;
}

type Reading = Omit<TextColumn, "name">;

const latin1 = (bytes: Uint8Array): string => asBuffer(bytes).toString("latin1");
const integer = (kind: "int8" | "int16" | "int32" | "uint8" | "uint16" | "uint32"): Reading => ({
  type: { kind },
  read: (bytes) => Number(latin1(bytes)),
});
const large = (kind: "int64" | "uint64"): Reading => ({ type: { kind }, read: (bytes) => BigInt(latin1(bytes)) });
const text = (kind: "string" | "json"): Reading => ({ type: { kind }, read: readText });
const timestamp = (zone: string | undefined): Reading => ({
  type: { kind: "timestamp", unit: "us", zone },
  read: (bytes) => readTimestamp(latin1(bytes)),
});
const BINARY: Reading = { type: { kind: "binary" }, read: (bytes) => bytes };

const READINGS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ["NULL", text("string")],
  ["NULL_TYPE", text("string")],
  ["INT8", integer("int8")],
  ["UINT8", integer("uint8")],
  ["INT16", integer("int16")],
  ["UINT16", integer("uint16")],
  ["INT24", integer("int32")],
  ["UINT24", integer("uint32")],
  ["INT32", integer("int32")],
  ["UINT32", integer("uint32")],
  ["INT64", large("int64")],
  ["UINT64", large("uint64")],
  ["YEAR", integer("uint16")],
  ["FLOAT64", { type: { kind: "float64" }, read: (bytes) => Number(latin1(bytes)) }],
  ["DATE", { type: { kind: "date" }, read: (bytes) => readDay(latin1(bytes)) }],
  ["TIME", { type: { kind: "time", unit: "ns" }, read: (bytes) => readTime(latin1(bytes)) }],
  ["DATETIME", timestamp(undefined)],
  ["TIMESTAMP", timestamp("UTC")],
  ["TEXT", text("string")],
  ["VARCHAR", text("string")],
  ["CHAR", text("string")],
  ["ENUM", text("string")],
  ["SET", text("string")],
  ["JSON", text("json")],
  ["BLOB", BINARY],
  ["VARBINARY", BINARY],
  ["BINARY", BINARY],
]);

const UNSIGNED = 0x20;

/** Throws `SOURCE_ERROR` for a type without an exact text. */
export function textColumn(field: TextField): TextColumn {
  const { name, type } = field;
  const known = READINGS.get(type);
  if (known !== undefined) return { name, ...known };
  if (type === "DECIMAL") return { name, ...decimal(field) };
  if (type === "BIT") return { name, ...bits(field.columnLength ?? 1) };
  const hint = HINTS.get(type);
  throw new ConnectorFailure("SOURCE_ERROR", `Column "${name}" is of the type ${type}, which has no exact text.`, {
    ...(hint !== undefined && { hint }),
  });
}

const HINTS: ReadonlyMap<string, string> = new Map([
  // Its text has only six digits.
  ["FLOAT32", "Cast the column: CAST(column AS DOUBLE)."],
  ["GEOMETRY", "Select its text: ST_AsText(column)."],
]);

function decimal({ columnLength, decimals, flags }: TextField): Reading {
  const scale = decimals ?? 0;
  const precision = (columnLength ?? 0) - (scale > 0 ? 1 : 0) - (((flags ?? 0) & UNSIGNED) === 0 ? 1 : 0);
  const isKnown = precision >= scale && precision >= 1 && precision <= 65;
  return { type: { kind: "decimal", ...(isKnown && { precision, scale }) }, read: latin1 };
}

function bits(width: number): Reading {
  const value = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  if (width >= 32) return { type: { kind: width >= 64 ? "uint64" : "int64" }, read: value };
  const kind = width >= 16 ? "int32" : width >= 8 ? "int16" : "int8";
  return { type: { kind }, read: (bytes) => Number(value(bytes)) };
}

function readText(bytes: Uint8Array): string {
  if (!isUtf8(bytes, 0, bytes.length)) throw new UnreadableValue("a text whose bytes are not UTF-8");
  return asBuffer(bytes).toString("utf8");
}

function readDay(written: string): number {
  const days = parseDate(written);
  if (days === undefined || !Number.isFinite(days))
    throw new UnreadableValue("a date whose year, month or day is zero");
  return days;
}

const CLOCK = /^(-)?(\d{2,3}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/;

/** Nanoseconds, up to 838 hours, also negative. */
function readTime(written: string): number {
  const [match, sign, hours, minutes, seconds, fraction = ""] = CLOCK.exec(written) ?? [];
  if (match === undefined) throw new UnreadableValue("a time");
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const nanoseconds = whole * 1_000_000_000 + Number(fraction.padEnd(6, "0")) * 1000;
  return sign === undefined ? nanoseconds : -nanoseconds;
}

function readTimestamp(written: string): bigint {
  const microseconds = parseMicroseconds(written);
  if (microseconds === undefined) throw new UnreadableValue("a date whose year, month or day is zero");
  return microseconds;
}
