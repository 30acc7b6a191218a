/**
 * Columns of a prepared statement's result: the logical type of each and the reader of its bytes
 * (docs/spec/contract.md#types-of-answers). Values are in the binary form, where a FLOAT has all its bits and a date its fields.
 */
import { civilDate, epochDays, SECONDS_PER_DAY } from "../../result/text/calendar.ts";
import type { LogicalType, Value } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";
import { UnreadableValue } from "../unreadable-value.ts";
import type { PacketReader } from "./packet-reader.ts";

/** A column definition of the server. */
export interface ColumnDefinition {
  readonly name: string;
  /** The type number of the protocol. */
  readonly type: number;
  readonly flags: number;
  /** 63 is "bytes"; every other collation is text, which arrives as UTF-8. */
  readonly collation: number;
  /** In bytes or digits, depending on the type. */
  readonly length: number;
  readonly decimals: number;
  /** MariaDB's own types, whose values are texts: `uuid`, `inet6`, `point`. */
  readonly extendedType: string | undefined;
  /** `json` for a MariaDB column that is declared so. */
  readonly format: string | undefined;
}

export interface ColumnReader {
  readonly type: LogicalType;
  /** Reads a value that is not NULL. Throws `UnreadableValue`. */
  readonly read: (packet: PacketReader) => Value;
}

const UNSIGNED = 0x20;
const BYTES = 63;

/** Nanoseconds per microsecond. */
const NANOSECONDS = 1000;

const number = (
  kind: "int8" | "int16" | "int32" | "uint8" | "uint16" | "uint32" | "float32" | "float64",
  read: ColumnReader["read"],
): ColumnReader => ({ type: { kind }, read });

const INT8 = number("int8", (packet) => packet.int8());
const UINT8 = number("uint8", (packet) => packet.uint8());
const INT16 = number("int16", (packet) => packet.int16());
const UINT16 = number("uint16", (packet) => packet.uint16());
const INT32 = number("int32", (packet) => packet.int32());
const UINT32 = number("uint32", (packet) => packet.uint32());
const INT64: ColumnReader = { type: { kind: "int64" }, read: (packet) => packet.int64() };
const UINT64: ColumnReader = { type: { kind: "uint64" }, read: (packet) => packet.uint64() };
const FLOAT32 = number("float32", (packet) => packet.float32());
const FLOAT64 = number("float64", (packet) => packet.float64());
const STRING: ColumnReader = { type: { kind: "string" }, read: (packet) => packet.text() };
const JSON_TEXT: ColumnReader = { type: { kind: "json" }, read: (packet) => packet.text() };
const UUID: ColumnReader = { type: { kind: "uuid" }, read: (packet) => packet.text() };
const BINARY: ColumnReader = { type: { kind: "binary" }, read: (packet) => packet.data() };
const DATE: ColumnReader = { type: { kind: "date" }, read: readDate };
const TIME: ColumnReader = { type: { kind: "time", unit: "ns" }, read: readTime };
const timestamp = (zone: string | undefined): ColumnReader => ({
  type: { kind: "timestamp", unit: "us", zone },
  read: readTimestamp,
});
/** An instant: the server stores it in UTC, which is the session's zone. */
const TIMESTAMP = timestamp("UTC");
const DATETIME = timestamp(undefined);
const VECTOR: ColumnReader = { type: { kind: "list", element: { kind: "float32" } }, read: readVector };

/** By type number: the reader of signed values, and of unsigned ones. */
const NUMBERS: ReadonlyMap<number, readonly [signed: ColumnReader, unsigned: ColumnReader]> = new Map([
  [0x01, [INT8, UINT8]],
  [0x02, [INT16, UINT16]],
  [0x03, [INT32, UINT32]],
  [0x04, [FLOAT32, FLOAT32]],
  [0x05, [FLOAT64, FLOAT64]],
  [0x08, [INT64, UINT64]],
  // MEDIUMINT also takes four bytes.
  [0x09, [INT32, UINT32]],
  // YEAR: 1901 to 2155.
  [0x0d, [UINT16, UINT16]],
]);

const DECIMALS: ReadonlySet<number> = new Set([0x00, 0xf6]);
const BITS = 0x10;
const GEOMETRY = 0xff;

const OTHERS: ReadonlyMap<number, ColumnReader> = new Map([
  [0x07, TIMESTAMP],
  [0x0a, DATE],
  [0x0b, TIME],
  [0x0c, DATETIME],
  [0xf2, VECTOR],
  [0xf5, JSON_TEXT],
]);

/** Throws `SOURCE_ERROR` for a type without a text form. */
export function columnReader(column: ColumnDefinition): ColumnReader {
  const { type, flags, name } = column;
  const known = NUMBERS.get(type)?.[(flags & UNSIGNED) === 0 ? 0 : 1] ?? OTHERS.get(type);
  if (known !== undefined) return known;
  if (DECIMALS.has(type)) return decimal(column);
  if (type === BITS) return bits(column.length);
  if (type === GEOMETRY) {
    throw new ConnectorFailure("SOURCE_ERROR", `Column "${name}" is a geometry, which the service does not support.`, {
      hint: "Select its text: ST_AsText(column).",
    });
  }
  if (column.extendedType === "uuid") return UUID;
  if (column.format === "json") return JSON_TEXT;
  // MySQL reports an untyped NULL as bytes of length zero.
  return column.collation === BYTES && column.length > 0 && type !== NULL_TYPE ? BINARY : STRING;
}

const NULL_TYPE = 0x06;

/** The length counts the digits, the point and the sign. */
function decimal({ length, decimals, flags }: ColumnDefinition): ColumnReader {
  const precision = length - (decimals > 0 ? 1 : 0) - ((flags & UNSIGNED) === 0 ? 1 : 0);
  const isKnown = precision >= decimals && precision >= 1 && precision <= 65;
  return {
    type: { kind: "decimal", ...(isKnown && { precision, scale: decimals }) },
    read: (packet) => packet.ascii(),
  };
}

/** An unsigned number of `width` bits, in the smallest type that holds it (docs/spec/contract.md#types-of-answers: by width). */
function bits(width: number): ColumnReader {
  if (width >= 64) return { type: { kind: "uint64" }, read: readBits };
  if (width >= 32) return { type: { kind: "int64" }, read: readBits };
  const kind = width >= 16 ? "int32" : width >= 8 ? "int16" : "int8";
  return { type: { kind }, read: (packet) => Number(readBits(packet)) };
}

/** Most significant byte first. */
function readBits(packet: PacketReader): bigint {
  return packet.data().reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** Little-endian four-byte numbers (MySQL 9's VECTOR). */
function readVector(packet: PacketReader): number[] {
  const bytes = packet.data();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / 4) }, (_, i) => view.getFloat32(4 * i, true));
}

function readDate(packet: PacketReader): number {
  const length = packet.uint8();
  const day = readDay(packet, length);
  packet.skip(length - 4);
  return day;
}

/** Trailing zero parts are omitted: an empty value is the zero date. */
function readDay(packet: PacketReader, length: number): number {
  if (length === 0) throw new UnreadableValue("the zero date 0000-00-00");
  if (length < 4) throw new UnreadableValue("a date");
  const year = packet.uint16();
  const month = packet.uint8();
  const day = packet.uint8();
  if (month === 0 || day === 0) throw new UnreadableValue("a date whose month or day is zero");
  if (year === 0) throw new UnreadableValue("a date of the year zero");
  const days = epochDays(year, month, day);
  // Servers with ALLOW_INVALID_DATES store such days.
  if (civilDate(days).month !== month) throw new UnreadableValue("a day that its month does not have");
  return days;
}

function readTimestamp(packet: PacketReader): bigint {
  const length = packet.uint8();
  const days = readDay(packet, length);
  const seconds = length >= 7 ? readClock(packet) : 0;
  const microseconds = length >= 11 ? packet.uint32() : 0;
  const total = (days * SECONDS_PER_DAY + seconds) * 1_000_000;
  if (Number.isSafeInteger(total)) return BigInt(total + microseconds);
  return BigInt(days * SECONDS_PER_DAY + seconds) * 1_000_000n + BigInt(microseconds);
}

function readClock(packet: PacketReader): number {
  const hours = packet.uint8();
  const minutes = packet.uint8();
  return (hours * 60 + minutes) * 60 + packet.uint8();
}

/** Nanoseconds, from -838:59:59.999999 to 838:59:59.999999: a duration as well as a time of day. */
function readTime(packet: PacketReader): number {
  const length = packet.uint8();
  if (length === 0) return 0;
  const isNegative = packet.uint8() === 1;
  const days = packet.uint32();
  const seconds = days * SECONDS_PER_DAY + readClock(packet);
  const microseconds = length >= 12 ? packet.uint32() : 0;
  const nanoseconds = (seconds * 1_000_000 + microseconds) * NANOSECONDS;
  return isNegative ? -nanoseconds : nanoseconds;
}
