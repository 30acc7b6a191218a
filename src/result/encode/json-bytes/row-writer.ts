/**
 * Writes JSON of rows straight from a frame, with the same bytes that `value-writers.ts` makes of their values. Each type handles
 * its common values; rare values (an infinity, a year before 1, an exponent) and all other types are decoded and written as text
 * by `value-writers.ts`.
 *
 * Classes and one switch replace a function per column: functions that are created per answer lose their optimised code when they
 * are collected, and the next answers start slowly again.
 */
import { floatNumber } from "../../text/float.ts";
import type { Zone } from "../../text/zone.ts";
import type { LogicalType, TimeUnit } from "../../types.ts";
import { type ByteReader, WELL_FORMED } from "../frames/bytes.ts";
import { NULL, SECOND, VALUE, type ValueCodec, valueCodec } from "../frames/values.ts";
import type { WriterContext, WriteValue } from "../value-writers.ts";
import { DateWriter, TimestampWriter, writeEpochOfDate } from "./calendar.ts";
import { writeDecimalNumber, writeDecimalText } from "./decimals.ts";
import type { JsonOutput } from "./output.ts";

const OPEN = 0x5b;
const CLOSE = 0x5d;
const COMMA = 0x2c;

const TWO_32 = 2 ** 32;

export interface Separators {
  readonly between: "," | "";
  readonly after: "\n" | "";
}

export class FrameRowWriter {
  readonly #separators: Separators;
  readonly #columns: readonly FrameColumn[];

  constructor(separators: Separators, columns: readonly FrameColumn[]) {
    this.#separators = separators;
    this.#columns = columns;
  }

  /** Writes the next row of a checked frame. `index` counts rows from 0. */
  write(values: ByteReader, out: JsonOutput, index: number): void {
    if (index > 0) out.ascii(this.#separators.between);
    this.#writeRow(values, out);
    out.ascii(this.#separators.after);
  }

  #writeRow(values: ByteReader, out: JsonOutput): void {
    const columns = this.#columns;
    out.byte(OPEN);
    for (let index = 0; index < columns.length; index++) {
      if (index > 0) out.byte(COMMA);
      columns[index]?.write(values, out);
    }
    out.byte(CLOSE);
  }
}

type Form =
  | ("any" | "boolean" | "int32" | "uint32" | "int64" | "uint64" | "float64" | "text")
  | ("decimal text" | "decimal number" | "date text" | "date number" | "timestamp");

/** Writes the values of one column. */
export class FrameColumn {
  readonly #form: Form;
  readonly #codec: ValueCodec;
  readonly #write: WriteValue;
  readonly #dates: DateWriter;
  readonly #timestamps: TimestampWriter;

  /**
   * @param write Writes every value of the column as text.
   * @param seesAll Whether `write` must be called for each of them.
   */
  constructor(type: LogicalType, context: WriterContext, write: WriteValue, seesAll: boolean) {
    this.#form = seesAll ? "any" : formOf(type, context);
    this.#codec = valueCodec(type, context.column);
    this.#write = write;
    this.#dates = new DateWriter();
    const { unit, zone } = timestampOf(type, context);
    this.#timestamps = new TimestampWriter(unit, context.rules.timestamp, zone);
  }

  write(values: ByteReader, out: JsonOutput): void {
    const start = values.position;
    const tag = values.uint8();
    if (tag === NULL) {
      out.ascii("null");
    } else if (!this.#writeCommon(values, tag, out)) {
      values.rewind(start);
      out.text(this.#write(this.#codec.read(values)));
    }
  }

  /** Returns false for values that it does not write. Then it has written nothing, and the reader's position is undefined. */
  #writeCommon(values: ByteReader, tag: number, out: JsonOutput): boolean {
    switch (this.#form) {
      case "any":
        return false;
      case "boolean":
        out.ascii(tag === SECOND ? "false" : "true");
        return true;
      case "int32":
        out.integer(values.int32());
        return true;
      case "uint32":
        out.integer(values.uint32());
        return true;
      case "int64":
        out.integer64(values.int32(), values.uint32());
        return true;
      case "uint64":
        out.integer64(values.uint32(), values.uint32());
        return true;
      case "float64":
        out.ascii(floatNumber(values.float64()) ?? "null");
        return true;
      case "date text":
        return this.#dates.write(values.float64(), out);
      case "date number":
        return writeEpochOfDate(values.float64(), out);
      case "timestamp":
        return tag === VALUE && this.#timestamps.write(values.int32() * TWO_32 + values.uint32(), out);
      case "text":
      case "decimal text":
      case "decimal number":
        return this.#writeText(values, out);
      default:
        return this.#form satisfies never;
    }
  }

  #writeText(values: ByteReader, out: JsonOutput): boolean {
    if (values.uint8() !== WELL_FORMED) return false;
    const length = values.uint32();
    const from = values.take(length);
    if (this.#form === "decimal text") return writeDecimalText(values.bytes, from, from + length, out);
    if (this.#form === "decimal number") return writeDecimalNumber(values.bytes, from, from + length, out);
    out.string(values.bytes, from, from + length);
    return true;
  }
}

function formOf(type: LogicalType, { rules }: WriterContext): Form {
  switch (type.kind) {
    case "boolean":
    case "int64":
    case "uint64":
    case "float64":
    case "timestamp":
      return type.kind;
    case "int8":
    case "int16":
    case "int32":
      return "int32";
    case "uint8":
    case "uint16":
    case "uint32":
      return "uint32";
    case "decimal":
      return rules.decimal === "text" ? "decimal text" : "decimal number";
    case "string":
    case "uuid":
    case "json":
    case "opaque":
      return "text";
    case "date":
      return rules.date === "text" ? "date text" : "date number";
    case "float32":
    case "time":
    case "binary":
    case "interval":
    case "list":
    case "struct":
    case "map":
    case "null":
      return "any";
    default:
      return type satisfies never;
  }
}

function timestampOf(type: LogicalType, { zoneOf }: WriterContext): { unit: TimeUnit; zone: Zone | undefined } {
  if (type.kind !== "timestamp") return { unit: "us", zone: undefined };
  return { unit: type.unit, zone: type.zone === undefined ? undefined : zoneOf(type.zone) };
}
