/** Column types in the server's messages (MS-TDS §2.2.5.4). */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { AnswerReader } from "./answer-reader.ts";
import { notTds } from "./failures.ts";
import {
  BIGINT,
  BINARY,
  BIT,
  DATE,
  DATETIME,
  datetime2,
  datetimeoffset,
  decimal,
  FIXED,
  FLOAT,
  INT,
  JSON_TEXT,
  MONEY,
  narrowText,
  REAL,
  type Reading,
  readSerialized,
  SMALLDATETIME,
  SMALLINT,
  SMALLMONEY,
  TEXT,
  TINYINT,
  time,
  UUID,
  XML,
} from "./readings.ts";
import { VARIANT } from "./variant-values.ts";

/** Encoding of a value's length: fixed by the type, in one, two or four bytes, after a pointer, or per chunk. */
export type Framing = number | "byte" | "short" | "pointer" | "long" | "chunks";

export interface ColumnType extends Reading {
  readonly framing: Framing;
}

/** Nullable types: the length selects the reading. */
const NULLABLE: ReadonlyMap<number, ReadonlyMap<number, Reading>> = new Map([
  [0x24, byLength(UUID)],
  [0x26, byLength(TINYINT, SMALLINT, INT, BIGINT)],
  [0x68, byLength(BIT)],
  [0x6d, byLength(REAL, FLOAT)],
  [0x6e, byLength(SMALLMONEY, MONEY)],
  [0x6f, byLength(SMALLDATETIME, DATETIME)],
]);

function byLength(...readings: readonly Reading[]): ReadonlyMap<number, Reading> {
  return new Map(readings.map((reading) => [reading.lengths?.[0] ?? 0, reading]));
}

const SCALED: ReadonlyMap<number, (scale: number) => Reading> = new Map([
  [0x29, time],
  [0x2a, datetime2],
  [0x2b, datetimeoffset],
]);
const MOST_SCALE = 7;
const MOST_DIGITS = 38;
const WITHOUT_BOUND = 0xffff;
const COLLATION_BYTES = 5;

/** Reads the type before a column's name. Fails with `SOURCE_ERROR` for an unknown type. */
export function readColumnType(reader: AnswerReader): ColumnType {
  const type = reader.uint8();
  const fixed = FIXED.get(type);
  if (fixed !== undefined) return { ...fixed, framing: fixed.lengths?.[0] ?? 0 };
  const nullable = NULLABLE.get(type);
  if (nullable !== undefined) return { ...known(nullable.get(reader.uint8())), framing: "byte" };
  const scaled = SCALED.get(type);
  if (scaled !== undefined) return { ...scaled(upTo(MOST_SCALE, reader.uint8())), framing: "byte" };
  switch (type) {
    case 0x28:
      return { ...DATE, framing: "byte" };
    // DECIMAL and NUMERIC, and the same of old.
    case 0x37:
    case 0x3f:
    case 0x6a:
    case 0x6c: {
      reader.uint8();
      const precision = upTo(MOST_DIGITS, reader.uint8());
      return { ...decimal(precision, upTo(precision, reader.uint8())), framing: "byte" };
    }
    // CHAR and VARCHAR of old.
    case 0x2f:
    case 0x27:
      reader.uint8();
      return { ...narrowText(reader.data(COLLATION_BYTES)), framing: "byte" };
    // BINARY and VARBINARY of old.
    case 0x2d:
    case 0x25:
      reader.uint8();
      return { ...BINARY, framing: "byte" };
    // CHAR and VARCHAR.
    case 0xaf:
    case 0xa7: {
      const framing = boundOrChunks(reader.uint16());
      return { ...narrowText(reader.data(COLLATION_BYTES)), framing };
    }
    // NCHAR and NVARCHAR.
    case 0xef:
    case 0xe7: {
      const framing = boundOrChunks(reader.uint16());
      reader.skip(COLLATION_BYTES);
      return { ...TEXT, framing };
    }
    // BINARY and VARBINARY.
    case 0xad:
    case 0xa5:
      return { ...BINARY, framing: boundOrChunks(reader.uint16()) };
    // TEXT, NTEXT, IMAGE: the name of their table follows.
    case 0x23: {
      reader.skip(4);
      const reading = narrowText(reader.data(COLLATION_BYTES));
      skipTableName(reader);
      return { ...reading, framing: "pointer" };
    }
    case 0x63:
      reader.skip(4 + COLLATION_BYTES);
      skipTableName(reader);
      return { ...TEXT, framing: "pointer" };
    case 0x22:
      reader.skip(4);
      skipTableName(reader);
      return { ...BINARY, framing: "pointer" };
    case 0x62:
      reader.skip(4);
      return { ...VARIANT, framing: "long" };
    case 0xf1:
      if (reader.uint8() !== 0) {
        // The collection of schemas that it keeps to.
        reader.shortText();
        reader.shortText();
        reader.longText();
      }
      return { ...XML, framing: "chunks" };
    case 0xf0: {
      reader.skip(2);
      reader.shortText();
      reader.shortText();
      const name = reader.shortText();
      reader.longText();
      return { type: { kind: "opaque", name }, read: readSerialized, framing: "chunks" };
    }
    case 0xf4:
      return { ...JSON_TEXT, framing: "chunks" };
  }
  throw new ConnectorFailure("SOURCE_ERROR", `The server sends a type that is not known (0x${type.toString(16)}).`, {
    hint: "Cast the column to NVARCHAR(MAX).",
  });
}

function boundOrChunks(longest: number): Framing {
  return longest === WITHOUT_BOUND ? "chunks" : "short";
}

function skipTableName(reader: AnswerReader): void {
  for (let parts = reader.uint8(); parts > 0; parts--) reader.longText();
}

function upTo(most: number, value: number): number {
  if (value > most) throw notTds();
  return value;
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw notTds();
  return value;
}
