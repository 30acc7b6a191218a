/** Values of `sql_variant`, which include their type (MS-TDS §2.2.5.5.4); returned as texts. */
import { UnreadableValue } from "../../src/connectors/unreadable-value.ts";
import { dateText } from "../../src/result/text/date.ts";
import { hexText } from "../../src/result/text/hex.ts";
import { timeText } from "../../src/result/text/time.ts";
import { timestampText } from "../../src/result/text/timestamp.ts";
import type { LogicalType, Value } from "../../src/result/types.ts";
import type { AnswerReader } from "./answer-reader.ts";
import { notTds } from "./failures.ts";
import {
  BINARY,
  DATE,
  datetime2,
  datetimeoffset,
  decimal,
  FIXED,
  narrowText,
  type Reading,
  TEXT,
  time,
  UUID,
} from "./readings.ts";

export const VARIANT: Reading = { type: { kind: "opaque", name: "sql_variant" }, read: readVariant };

/** Type number, property length, properties, value. */
const HEAD_BYTES = 2;
const COLLATION_BYTES = 5;

function readVariant(reader: AnswerReader, length: number): Value {
  const start = reader.at;
  const type = reader.uint8();
  const told = reader.uint8();
  const reading = readingOf(type, reader);
  if (reader.at !== start + HEAD_BYTES + told) throw notTds();
  const rest = length - HEAD_BYTES - told;
  if (rest < 0 || (reading.lengths !== undefined && !reading.lengths.includes(rest))) throw notTds();
  return textOf(reading.type, reading.read(reader, rest));
}

function readingOf(type: number, reader: AnswerReader): Reading {
  const fixed = FIXED.get(type);
  if (fixed !== undefined) return fixed;
  switch (type) {
    case 0x24:
      return UUID;
    case 0x28:
      return DATE;
    case 0x29:
      return time(digits(reader));
    case 0x2a:
      return datetime2(digits(reader));
    case 0x2b:
      return datetimeoffset(digits(reader));
    case 0x6a:
    case 0x6c:
      return decimal(reader.uint8(), reader.uint8());
    case 0xa5:
    case 0xad:
      reader.skip(2);
      return BINARY;
    case 0xa7:
    case 0xaf: {
      const reading = narrowText(reader.data(COLLATION_BYTES));
      reader.skip(2);
      return reading;
    }
    case 0xe7:
    case 0xef:
      reader.skip(COLLATION_BYTES + 2);
      return TEXT;
  }
  throw new UnreadableValue("a type that is not known");
}

function digits(reader: AnswerReader): number {
  const scale = reader.uint8();
  if (scale > 7) throw notTds();
  return scale;
}

/** Number of digits that distinguish a REAL from the next value. */
const REAL_DIGITS = 9;

function textOf(type: LogicalType, value: Value): string {
  if (value instanceof Uint8Array) return `0x${hexText(value).toUpperCase()}`;
  switch (type.kind) {
    case "boolean":
      return value === true ? "1" : "0";
    case "float32":
      return String(Number(Number(value).toPrecision(REAL_DIGITS)));
    case "date":
      return dateText(Number(value));
    case "time":
      return timeText(Number(value), type.unit);
    case "timestamp":
      return `${timestampText(value as bigint, type.unit)}${type.zone === undefined ? "" : " +00:00"}`;
    default:
      return String(value);
  }
}
