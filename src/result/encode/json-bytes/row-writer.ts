/**
 * JSON of rows straight from a frame: the same bytes that `value-writers.ts` makes of their values. Each type has its common
 * values here; what is rare (an infinity, a year before 1, an exponent) is read and written as text by the other, and so is
 * every type that is not here.
 *
 * Classes and one switch instead of a function per column: functions that are made for an answer take optimised code with
 * them when they are collected, and the answers after it begin slowly again.
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

  /** Goes past the next row, which has been found sound. `index` counts rows from 0. */
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

/** The values of one column. */
export class FrameColumn {
  readonly #form: Form;
  readonly #codec: ValueCodec;
  readonly #write: WriteValue;
  readonly #dates: DateWriter;
  readonly #timestamps: TimestampWriter;

  /**
   * @param write What writes every value of the column as text.
   * @param seesAll It has to be asked about each of them.
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

  /** False when it writes no such values: nothing is written then, and the reader may stand anywhere. */
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
