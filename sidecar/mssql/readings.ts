/** Values of each type by their bytes (MS-TDS §2.2.5.5): exactly, or not at all. */
import { UnreadableValue } from "../../src/connectors/unreadable-value.ts";
import { hexText } from "../../src/result/text/hex.ts";
import { decimalText } from "../../src/result/text/scaled-decimal.ts";
import type { LogicalType, Value } from "../../src/result/types.ts";
import type { AnswerReader } from "./answer-reader.ts";
import { decoderOf, decodeUtf8 } from "./code-pages.ts";
import { notTds } from "./failures.ts";
import {
  dateTimeLength,
  offsetTimeLength,
  readDateTime,
  readDay,
  readOffsetTime,
  readOldDateTime,
  readSmallDateTime,
  readTime,
  timeLength,
} from "./times.ts";

/** Reads a value after its length. */
export interface Reading {
  readonly type: LogicalType;
  /** Reads a non-NULL value of `length` bytes. Throws `UnreadableValue`. */
  readonly read: (reader: AnswerReader, length: number) => Value;
  /** Valid lengths of the type's values. Absent if every length is valid. */
  readonly lengths?: readonly number[];
}

const bytesOf = (reader: AnswerReader, length: number): Buffer => {
  const from = reader.skip(length);
  return reader.bytes.subarray(from, reader.at);
};

const number = (kind: "int16" | "int32" | "uint8" | "float32" | "float64", bytes: number, read: Reading["read"]) => ({
  type: { kind },
  read,
  lengths: [bytes],
});

export const TINYINT = number("uint8", 1, (reader) => reader.uint8());
export const SMALLINT = number("int16", 2, (reader) => reader.int16());
export const INT = number("int32", 4, (reader) => reader.int32());
export const BIGINT: Reading = { type: { kind: "int64" }, read: (reader) => reader.int64(), lengths: [8] };
export const REAL = number("float32", 4, (reader) => reader.float32());
export const FLOAT = number("float64", 8, (reader) => reader.float64());
export const BIT: Reading = { type: { kind: "boolean" }, read: (reader) => reader.uint8() !== 0, lengths: [1] };
export const UUID: Reading = { type: { kind: "uuid" }, read: readUuid, lengths: [16] };
export const BINARY: Reading = { type: { kind: "binary" }, read: (reader, length) => reader.data(length) };
export const TEXT: Reading = { type: { kind: "string" }, read: readText };
export const XML: Reading = { type: { kind: "string" }, read: (...value) => readText(...value).replace(/^\ufeff/, "") };
export const SMALLMONEY: Reading = {
  type: { kind: "decimal", precision: 10, scale: 4 },
  read: (reader) => decimalText(String(reader.int32()), 4),
  lengths: [4],
};
export const MONEY: Reading = { type: { kind: "decimal", precision: 19, scale: 4 }, read: readMoney, lengths: [8] };
/**
 * Always nanoseconds, whatever the type's scale: all such columns then report one type (docs/spec/contract.md#types-of-answers).
 */
const TIMESTAMP: LogicalType = { kind: "timestamp", unit: "ns", zone: undefined };
export const DATETIME: Reading = { type: TIMESTAMP, read: readOldDateTime, lengths: [8] };
export const SMALLDATETIME: Reading = { type: TIMESTAMP, read: readSmallDateTime, lengths: [4] };
export const DATE: Reading = { type: { kind: "date" }, read: readDay, lengths: [3] };
export const JSON_TEXT: Reading = { type: { kind: "json" }, read: (...value) => decodeUtf8(bytesOf(...value)) };
const NOTHING: Reading = { type: { kind: "string" }, read: () => null };

/** A time with `scale` fractional digits. */
export const time = (scale: number): Reading => ({
  type: { kind: "time", unit: "ns" },
  read: (reader) => readTime(reader, scale),
  lengths: [timeLength(scale)],
});
export const datetime2 = (scale: number): Reading => ({
  type: TIMESTAMP,
  read: (reader) => readDateTime(reader, scale),
  lengths: [dateTimeLength(scale)],
});
export const datetimeoffset = (scale: number): Reading => ({
  type: { kind: "timestamp", unit: "ns", zone: "UTC" },
  read: (reader) => readOffsetTime(reader, scale),
  lengths: [offsetTimeLength(scale)],
});
/** A sign and a number of up to sixteen bytes. */
export const decimal = (precision: number, scale: number): Reading => ({
  type: { kind: "decimal", precision, scale },
  read: (reader, length) => {
    const isNegative = reader.uint8() === 0;
    const digits = String(reader.big(length - 1));
    return decimalText(isNegative && digits !== "0" ? `-${digits}` : digits, scale);
  },
  lengths: [5, 9, 13, 17],
});
export const narrowText = (collation: Uint8Array): Reading => {
  const decode = decoderOf(collation);
  return { type: { kind: "string" }, read: (reader, length) => decode(bytesOf(reader, length)) };
};

/** Types without further parameters, by type number. */
export const FIXED: ReadonlyMap<number, Reading> = new Map<number, Reading>([
  [0x1f, { ...NOTHING, lengths: [0] }],
  [0x30, TINYINT],
  [0x32, BIT],
  [0x34, SMALLINT],
  [0x38, INT],
  [0x3a, SMALLDATETIME],
  [0x3b, REAL],
  [0x3c, MONEY],
  [0x3d, DATETIME],
  [0x3e, FLOAT],
  [0x7a, SMALLMONEY],
  [0x7f, BIGINT],
]);

function readText(reader: AnswerReader, length: number): string {
  if (length % 2 !== 0) throw notTds();
  const text = reader.text(length / 2);
  // The server takes any two bytes for a character; half a pair has no other form.
  if (!text.isWellFormed()) throw new UnreadableValue("text that is not UTF-16");
  return text;
}

/** The first three parts are numbers, and little-endian. In the letters of the server itself. */
function readUuid(reader: AnswerReader): string {
  const from = reader.skip(16);
  const part = (...order: readonly number[]): string =>
    hexText(Uint8Array.from(order, (at) => reader.bytes[from + at] as number)).toUpperCase();
  return [part(3, 2, 1, 0), part(5, 4), part(7, 6), part(8, 9), part(10, 11, 12, 13, 14, 15)].join("-");
}

/** The upper half comes first. */
function readMoney(reader: AnswerReader): string {
  const high = BigInt(reader.int32());
  return decimalText(String((high << 32n) | BigInt(reader.uint32())), 4);
}

/** A .NET object as its serialized bytes, which is also what the server shows. */
export function readSerialized(reader: AnswerReader, length: number): string {
  return `0x${hexText(bytesOf(reader, length)).toUpperCase()}`;
}
