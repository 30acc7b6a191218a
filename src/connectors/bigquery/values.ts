/**
 * BigQuery's types, from the schema of a response, and readers of their JSON values, which are texts for all types except
 * composite ones (https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types). Timestamps are requested as
 * microseconds.
 */

import { parseDate } from "../../result/text/date.ts";
import { canonicalDecimal } from "../../result/text/decimal.ts";
import { parseTimeOfDay } from "../../result/text/time.ts";
import { parseMicroseconds, timestampText } from "../../result/text/timestamp.ts";
import { openZone } from "../../result/text/zone.ts";
import type { IntervalValue, LogicalType, Value } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";
import type { JsonColumn, ReadJson } from "../http/json-rows.ts";
import { boolean, fail, integer, text } from "../http/json-texts.ts";
import { type Field, rowOf, valueOf } from "./answers.ts";

interface TypeReader {
  readonly type: LogicalType;
  readonly read: ReadJson;
}

/** Throws `SOURCE_ERROR` for a column whose values would lose precision in transfer. */
export function columnOf(field: Field): JsonColumn {
  const { name } = field;
  return { name, ...typeReader(field, name) };
}

function typeReader(field: Field, column: string): TypeReader {
  if (!field.isRepeated) return scalarReader(field, column);
  const { type, read } = scalarReader({ ...field, isRepeated: false }, column);
  const element = nullable(read);
  return {
    type: { kind: "list", element: type },
    read: (json) => (Array.isArray(json) ? json.map((cell) => element(valueOf(cell))) : fail("an array")),
  };
}

function scalarReader(field: Field, column: string): TypeReader {
  switch (field.type) {
    case "INTEGER":
    case "INT64":
      return { type: { kind: "int64" }, read: integer };
    case "FLOAT":
    case "FLOAT64":
      return { type: { kind: "float64" }, read: fraction };
    case "NUMERIC":
      return decimalReader(field, { precision: 38, scale: 9 });
    case "BIGNUMERIC":
      return decimalReader(field, { precision: 76, scale: 38 });
    case "BOOLEAN":
    case "BOOL":
      return { type: { kind: "boolean" }, read: boolean };
    case "STRING":
      return { type: { kind: "string" }, read: text };
    case "JSON":
      return { type: { kind: "json" }, read: text };
    case "BYTES":
      return { type: { kind: "binary" }, read: bytes };
    case "DATE":
      return { type: { kind: "date" }, read: (json) => parseDate(text(json)) ?? fail("a date") };
    case "TIME":
      return { type: { kind: "time", unit: "us" }, read: time };
    case "DATETIME":
      return { type: { kind: "timestamp", unit: "us", zone: undefined }, read: datetime };
    case "TIMESTAMP":
      // A timestamp of twelve digits would be reduced to microseconds.
      if ((field.timestampPrecision ?? "6") !== "6") throw tooPrecise(column);
      return { type: { kind: "timestamp", unit: "us", zone: "UTC" }, read: microseconds };
    case "INTERVAL":
      return { type: { kind: "interval" }, read: interval };
    case "RECORD":
    case "STRUCT":
      return structReader(field, column);
    case "RANGE":
      return { type: { kind: "opaque", name: `RANGE<${field.rangeElement ?? ""}>` }, read: rangeReader(field) };
    default:
      // GEOGRAPHY as WKT, and future types.
      return { type: { kind: "opaque", name: field.type }, read: text };
  }
}

function tooPrecise(column: string): ConnectorFailure {
  return new ConnectorFailure("SOURCE_ERROR", `Column "${column}" has timestamps finer than microseconds.`, {
    hint: "Cast the column to TIMESTAMP or STRING.",
  });
}

/** Columns with parameters report them: `NUMERIC(10, 2)`. */
function decimalReader(
  { precision, scale }: Field,
  standard: { readonly precision: number; readonly scale: number },
): TypeReader {
  const size = precision === undefined ? standard : { precision, scale: scale ?? 0 };
  return { type: { kind: "decimal", ...size }, read: decimal };
}

function structReader({ fields }: Field, column: string): TypeReader {
  const parts = fields.map((field) => ({ name: field.name, ...typeReader(field, column) }));
  const readers = parts.map(({ read }) => nullable(read));
  return {
    type: { kind: "struct", fields: parts.map(({ name, type }) => ({ name, type })) },
    read: (json) => {
      const cells = rowOf(json);
      if (cells.length !== readers.length) return fail("a struct");
      return readers.map((read, index) => read(cells[index]));
    },
  };
}

function nullable(read: ReadJson): ReadJson {
  return (json) => (json === null ? null : read(json));
}

function fraction(json: unknown): number {
  return /^(?:NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text(json)) ? Number(json) : fail("a number");
}

function decimal(json: unknown): Value {
  return /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text(json))
    ? (canonicalDecimal(text(json)) ?? fail("a decimal"))
    : fail("a decimal");
}

function bytes(json: unknown): Uint8Array {
  try {
    return Uint8Array.from(atob(text(json)), (character) => character.charCodeAt(0));
  } catch {
    return fail("bytes in base64");
  }
}

function time(json: unknown): number {
  const nanoseconds = parseTimeOfDay(text(json));
  return nanoseconds === undefined || nanoseconds % 1000 !== 0 ? fail("a time") : nanoseconds / 1000;
}

function datetime(json: unknown): bigint {
  const written = text(json);
  // No zone is accepted: it would be lost.
  return /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(written)
    ? (parseMicroseconds(written) ?? fail("a datetime"))
    : fail("a datetime");
}

/** From the year 1 to 9999. */
function microseconds(json: unknown): bigint {
  return /^-?\d{1,18}$/.test(text(json)) ? BigInt(text(json)) : fail("a timestamp");
}

const INTERVAL = /^(-?)(\d{1,5})-(\d{1,2}) (-?\d{1,7}) (-?)(\d{1,8}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?$/;

/** `[-]Y-M [-]D [-]H:M:S[.F]` */
function interval(json: unknown): IntervalValue {
  const [
    ,
    before,
    years = "",
    months = "",
    days = "",
    negative,
    hours = "",
    minutes = "",
    seconds = "",
    fraction = "",
  ] = INTERVAL.exec(text(json)) ?? fail("an interval");
  const nanoseconds = fraction.padEnd(9, "0");
  if (!nanoseconds.endsWith("000")) fail("an interval finer than microseconds");
  const clock =
    ((BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)) * 1_000_000n + BigInt(nanoseconds.slice(0, 6));
  const calendar = Number(years) * 12 + Number(months);
  // Avoids -0, which is another number.
  return {
    months: before === "-" ? 0 - calendar : calendar,
    days: Number(days) + 0,
    microseconds: negative === "-" ? -clock : clock,
  };
}

/** `[start, end)`; either end may be `UNBOUNDED`. Instants are microseconds, as everywhere in a response. */
function rangeReader({ rangeElement }: Field): ReadJson {
  const utc = openZone("UTC");
  const instant = (end: string): string =>
    rangeElement === "TIMESTAMP" && /^-?\d{1,18}$/.test(end) ? timestampText(BigInt(end), "us", utc) : end;
  return (json) => {
    const written = text(json);
    const comma = written.lastIndexOf(", ");
    const [start, end] = [written.slice(1, Math.max(comma, 1)), written.slice(comma + 2, -1)];
    if (!written.startsWith("[") || !written.endsWith(")") || start === "" || end === "") throw fail("a range");
    return `[${instant(start)}, ${instant(end)})`;
  };
}
