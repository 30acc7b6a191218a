/** Converts the server's rows directly to frames: rows that are forwarded to another process are not decoded to values. */
import { BatchFrameWriter } from "../../result/encode/frames/batch-frame.ts";
import type { ByteWriter } from "../../result/encode/frames/bytes.ts";
import { FrameBatch } from "../../result/encode/frames/frame-batch.ts";
import { NULL, type ValueCodec, valueCodec } from "../../result/encode/frames/values.ts";
import type { Column } from "../../result/types.ts";
import type { DataCursor, DataRows } from "./data-rows.ts";
import {
  writeBoolean,
  writeDate,
  writeFloat64,
  writeInt64,
  writeSmallInteger,
  writeText,
  writeTimestamp,
} from "./direct-values.ts";
import { type ReadColumn, readField } from "./rows.ts";
import type { ReadValue } from "./types.ts";
import { readBoolean, readDate, readFloat64, readInt64, readText, readTimestamp } from "./values.ts";

type DirectForm = "text" | "boolean" | "int16" | "int32" | "int64" | "float64" | "date" | "timestamp" | undefined;

/** The direct form of each reader, which writes the same value without a string. */
const FORMS: ReadonlyMap<ReadValue, DirectForm> = new Map<ReadValue, DirectForm>([
  [readText, "text"],
  [readBoolean, "boolean"],
  [readInt64, "int64"],
  [readFloat64, "float64"],
  [readDate, "date"],
  [readTimestamp, "timestamp"],
]);

const LIMIT_OF_INT16 = 2 ** 15;
const LIMIT_OF_INT32 = 2 ** 31;

/** The rows of one result. */
export class FrameRows {
  readonly #columns: readonly Column[];
  readonly #codecs: readonly ValueCodec[];
  readonly #fields: readonly FieldWriter[];
  readonly #writer = new BatchFrameWriter();

  /** @param columns The columns for the reader of the batches; `read` contains their readers. */
  constructor(columns: readonly Column[], read: readonly ReadColumn[]) {
    this.#columns = columns;
    this.#codecs = columns.map(({ type, name }) => valueCodec(type, name));
    this.#fields = read.map((column) => new FieldWriter(column));
  }

  /** Takes all rows out of `rows`, or as many as fit into a frame. */
  take(rows: DataRows): FrameBatch {
    const writer = this.#writer;
    const { out } = writer;
    writer.restart();
    const cursor = rows.cursor();
    let end = out.length;
    while (writer.rows < rows.count) {
      const before = cursor.position;
      this.#writeRow(cursor, out);
      if (writer.isFull) {
        cursor.returnTo(before);
        break;
      }
      writer.finishRow();
      end = out.length;
    }
    rows.drop(writer.rows, cursor);
    return new FrameBatch(this.#columns, this.#codecs, writer.cut(end));
  }

  #writeRow(cursor: DataCursor, out: ByteWriter): void {
    const fields = this.#fields;
    cursor.beginRow(fields.length);
    for (let index = 0; index < fields.length; index++) {
      if (cursor.next()) fields[index]?.write(cursor, out);
      else out.uint8(NULL);
    }
    cursor.endRow();
  }
}

/** One column. A class and a switch, for the reason in `json-bytes/row-writer.ts`. */
class FieldWriter {
  readonly #column: ReadColumn;
  readonly #codec: ValueCodec;
  readonly #form: DirectForm;

  constructor(column: ReadColumn) {
    const { kind } = column.type;
    this.#column = column;
    this.#codec = valueCodec(column.type, column.name);
    this.#form = kind === "int16" || kind === "int32" ? kind : FORMS.get(column.read);
  }

  write(cursor: DataCursor, out: ByteWriter): void {
    if (!this.#writeDirectly(cursor, out)) this.#codec.write(out, readField(cursor.text(), this.#column));
  }

  #writeDirectly({ bytes, from, to }: DataCursor, out: ByteWriter): boolean {
    switch (this.#form) {
      case undefined:
        return false;
      case "text":
        return writeText(bytes, from, to, out);
      case "boolean":
        return writeBoolean(bytes, from, to, out);
      case "int16":
        return writeSmallInteger(bytes, from, to, LIMIT_OF_INT16, out);
      case "int32":
        return writeSmallInteger(bytes, from, to, LIMIT_OF_INT32, out);
      case "int64":
        return writeInt64(bytes, from, to, out);
      case "float64":
        return writeFloat64(bytes, from, to, out);
      case "date":
        return writeDate(bytes, from, to, out);
      case "timestamp":
        return writeTimestamp(bytes, from, to, out);
      default:
        return this.#form satisfies never;
    }
  }
}
