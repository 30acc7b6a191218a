/**
 * Oracle's types as the driver reports them, and exact readers for their values; a value that cannot be read exactly is
 * an error.
 */
import type { DbType, Metadata } from "oracledb";
import type { Statement } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { asListMeant } from "../../src/connectors/json-lists.ts";
import { typeAsMeant } from "../../src/connectors/meant-type.ts";
import type { LogicalType, Value } from "../../src/result/types.ts";
import type { OracleDriver } from "./driver.ts";
import {
  day,
  daysAndTime,
  decimal,
  double,
  integer,
  localTimestamp,
  monthsAlone,
  text,
  timestampInUtc,
  truth,
} from "./values.ts";

type Meant = Statement["columns"][number]["type"];

export interface ColumnReading {
  readonly name: string;
  readonly type: LogicalType;
  /** Reads a non-NULL value. Throws `UnreadableValue`. */
  readonly read: (value: unknown) => Value;
}

/** Maximum bytes of a value. */
const DOCUMENT_BYTES = 256 * 1024;

/** Documents come as texts and bytes, by the server's own conversion, and not as something to read from later. */
export function fetchType(driver: OracleDriver, { dbTypeName }: Metadata): { readonly type: DbType } | undefined {
  switch (dbTypeName) {
    case "CLOB":
    case "JSON":
    case "NUMBER":
      return { type: driver.DB_TYPE_VARCHAR };
    case "NCLOB":
      return { type: driver.DB_TYPE_NVARCHAR };
    case "BLOB":
      return { type: driver.DB_TYPE_RAW };
    default:
      return undefined;
  }
}

const bytes = (value: unknown): Value => (value instanceof Uint8Array ? value : text(value));
const boolean = (value: unknown): Value => value === true;

type Reading = Omit<ColumnReading, "name">;

const TEXT: Reading = { type: { kind: "string" }, read: text };
const BINARY: Reading = { type: { kind: "binary" }, read: bytes };
/**
 * Always nanoseconds, whatever the type's scale: all such columns then report one type (docs/spec/contract.md#types-of-answers).
 */
const INSTANT: Reading = { type: { kind: "timestamp", unit: "ns", zone: "UTC" }, read: timestampInUtc };
const INTERVAL = { kind: "interval" } as const;

const READINGS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ["VARCHAR2", TEXT],
  ["NVARCHAR2", TEXT],
  ["CHAR", TEXT],
  ["NCHAR", TEXT],
  ["CLOB", TEXT],
  ["NCLOB", TEXT],
  ["LONG", TEXT],
  ["ROWID", TEXT],
  ["UROWID", TEXT],
  ["RAW", BINARY],
  ["LONG RAW", BINARY],
  ["BLOB", BINARY],
  ["JSON", { type: { kind: "json" }, read: text }],
  ["BOOLEAN", { type: { kind: "boolean" }, read: boolean }],
  ["BINARY_FLOAT", { type: { kind: "float32" }, read: double }],
  ["BINARY_DOUBLE", { type: { kind: "float64" }, read: double }],
  [
    "DATE",
    {
      type: { kind: "timestamp", unit: "s", zone: undefined },
      read: (value) => localTimestamp(value) / 1_000_000_000n,
    },
  ],
  ["TIMESTAMP", { type: { kind: "timestamp", unit: "ns", zone: undefined }, read: localTimestamp }],
  ["TIMESTAMP WITH TIME ZONE", INSTANT],
  ["TIMESTAMP WITH LOCAL TIME ZONE", INSTANT],
  ["INTERVAL YEAR TO MONTH", { type: INTERVAL, read: monthsAlone }],
  ["INTERVAL DAY TO SECOND", { type: INTERVAL, read: daysAndTime }],
]);

const HINTS: ReadonlyMap<string, string> = new Map([
  ["VECTOR", "Use VECTOR_SERIALIZE for its text."],
  ["XMLTYPE", "Use XMLSERIALIZE for its text."],
  ["BFILE", "Files of the server are not read."],
  ["CURSOR", "Select rows, and no cursors."],
]);

/** Fails with `SOURCE_ERROR` for a type without an exact representation. */
export function columnOf(column: Metadata, meant: Meant | undefined): ColumnReading {
  const { dbColumnName: name, dbTypeName } = column;
  if (dbTypeName === "NUMBER") return { name, ...numberReading(column, meant) };
  // DATE is the type of days, too.
  const reading = dbTypeName === "DATE" && meant?.kind === "date" ? DAY : READINGS.get(dbTypeName);
  if (reading !== undefined) {
    const { type, read } = asListMeant(reading, meant);
    return { name, type: typeAsMeant(type, meant), read };
  }
  const hint = HINTS.get(dbTypeName) ?? "Select its attributes, or a text of it.";
  throw new ConnectorFailure(
    "SOURCE_ERROR",
    `Column "${name}" is of the type ${dbTypeName}, which has no exact form.`,
    {
      hint,
    },
  );
}

/** The driver's values for NUMBER without precision and for computed columns: no precision, and this scale. */
const NO_SCALE = -127;
const MOST_DIGITS = 38;

/**
 * Readings of integers, and of columns that a plan treats as integers: INTEGER is NUMBER(38), and every expression is
 * NUMBER without precision (docs/spec/contract.md#types-of-answers). A column that a plan treats as a decimal has all its digits; a
 * value that does not fit is an error.
 */
function numberReading({ precision = 0, scale = NO_SCALE }: Metadata, meant: Meant | undefined): Reading {
  if (meant?.kind === "float")
    return { type: { kind: meant.bits === 32 ? "float32" : "float64" }, read: (value) => Number(decimal(value)) };
  if (meant?.kind === "boolean") return TRUTH;
  const isBare = scale === NO_SCALE || precision === 0;
  if (isBare) return meant?.kind === "integer" ? INT64 : { type: { kind: "decimal" }, read: decimal };
  const digits = precision - Math.min(scale, 0);
  if (scale <= 0 && meant?.kind !== "decimal") return digits <= 9 ? INT32 : INT64;
  const declared = { precision: Math.max(digits, scale), scale: Math.max(scale, 0) };
  if (declared.precision > MOST_DIGITS) return { type: { kind: "decimal" }, read: decimal };
  return { type: { kind: "decimal", ...declared }, read: (value) => decimal(value, declared.scale) };
}

/** Oracle before 23ai has no BOOLEAN type. */
const TRUTH: Reading = { type: { kind: "boolean" }, read: truth };
const DAY: Reading = { type: { kind: "date" }, read: day };
const INT32: Reading = { type: { kind: "int32" }, read: (value) => Number(integer(value, 31)) };
const INT64: Reading = { type: { kind: "int64" }, read: (value) => integer(value, 63) };

/** Maximum bytes of a row in the protocol, estimated from its columns. */
export function widthOf(columns: readonly Metadata[]): number {
  return columns.reduce(
    (sum, { byteSize = 32, dbTypeName }) => sum + (LONG.has(dbTypeName) ? DOCUMENT_BYTES : byteSize),
    0,
  );
}

const LONG: ReadonlySet<string> = new Set(["CLOB", "NCLOB", "BLOB", "JSON", "LONG", "LONG RAW"]);
