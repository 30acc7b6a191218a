/**
 * Converts values in Arrow's buffers to canonical ones (`result/types.ts`). `org.apache.spark.sql.util.ArrowUtils` defines the
 * Arrow type of each Spark type; engines that send other types pass a reader of their own. Offsets are checked before they are
 * used, and a view throws at a read beyond its end.
 */

import { decimalText } from "../../result/text/scaled-decimal.ts";
import type { Batch, Column, LogicalType, Row, Value } from "../../result/types.ts";
import type { Statement } from "../connector.ts";
import { typeAsMeant } from "../meant-type.ts";
import { variantJson } from "../spark/variant.ts";
import { failureOfColumn, UnreadableValue } from "../unreadable-value.ts";
import { type ArrowBatch, ArrowError, type ArrowField } from "./stream.ts";

/** A value of one column in one batch; NULL where the slot is empty. */
export type ReadAt = (index: number) => Value;

export interface FieldReader {
  readonly type: LogicalType;
  /** Takes the field's nodes and buffers in the order of the message. */
  readonly bind: (parts: BatchParts) => Bound;
}

export interface Bound {
  readonly length: number;
  readonly at: ReadAt;
}

/** A reader for a field that an engine sends in its own form; undefined for all other fields. `read` is for nested fields. */
export type CustomReader = (field: ArrowField, read: (field: ArrowField) => FieldReader) => FieldReader | undefined;

export interface RowReader {
  readonly columns: readonly Column[];
  batches(batch: ArrowBatch): Generator<Batch, void>;
}

const BATCH_ROWS = 1000;
/**
 * NULLs of the null type take no bytes, so that a few bytes could declare any number of them. Spark sends at most 10,000 rows.
 */
const MAX_VALUES = 1 << 24;
const SECONDS = ["s", "ms", "us", "ns"] as const;

/**
 * Reads batches with this schema; `meant` contains the columns of the plan. Throws `ConnectorFailure` for a type without a
 * canonical one.
 */
export function rowReader(
  fields: readonly ArrowField[],
  meant: Statement["columns"] = [],
  own: CustomReader = () => undefined,
): RowReader {
  const readerOf = (field: ArrowField): FieldReader => own(field, readerOf) ?? standardReader(field, readerOf);
  const readers = fields.map((field, index) => {
    try {
      const reader = readerOf(field);
      return { name: field.name, ...reader, type: typeAsMeant(reader.type, meant[index]?.type) };
    } catch (error) {
      throw failureOfColumn(field.name, error, "STRING");
    }
  });
  return {
    columns: readers.map(({ name, type }) => ({ name, type })),
    *batches(batch) {
      const parts = new BatchParts(batch);
      const bound = readers.map(({ name, bind }) => {
        const { length, at } = bind(parts);
        if (length !== batch.rows) throw new ArrowError("a column of another length");
        return { name, at };
      });
      for (let start = 0; start < batch.rows; start += BATCH_ROWS) {
        const length = Math.min(BATCH_ROWS, batch.rows - start);
        yield Array.from({ length }, (_, index): Row => bound.map(({ name, at }) => readAt(name, at, start + index)));
      }
    },
  };
}

function readAt(name: string, at: ReadAt, index: number): Value {
  try {
    return at(index);
  } catch (error) {
    throw failureOfColumn(name, error, "STRING");
  }
}

/** Nodes and buffers of a batch in sequence. */
export class BatchParts {
  readonly #batch: ArrowBatch;
  #node = 0;
  #buffer = 0;

  constructor(batch: ArrowBatch) {
    this.#batch = batch;
  }

  node(): { readonly length: number; readonly nullCount: number } {
    const node = this.#batch.nodes[this.#node++] ?? missing();
    if (!(node.length >= 0 && node.length <= MAX_VALUES)) throw new ArrowError("values without end");
    return node;
  }

  bytes(): Uint8Array {
    return this.#batch.buffers[this.#buffer++] ?? missing();
  }

  view(): DataView {
    const { buffer, byteOffset, byteLength } = this.bytes();
    return new DataView(buffer, byteOffset, byteLength);
  }
}

function missing(): never {
  throw new ArrowError("fewer buffers than columns");
}

type ReaderOf = (field: ArrowField) => FieldReader;

function standardReader(field: ArrowField, readerOf: ReaderOf): FieldReader {
  const { attribute, children } = field;
  switch (field.typeId) {
    case 1:
      return { type: { kind: "null" }, bind: (parts) => ({ length: parts.node().length, at: () => null }) };
    case 2:
      return integer(attribute(4, 4, 0), attribute(6, 1, 0) !== 0);
    case 3:
      return float(attribute(4, 2, 0));
    case 4:
    case 19:
      return variable({ kind: "binary" }, field.typeId === 19, (bytes) => bytes.slice());
    case 5:
    case 20:
      return variable({ kind: "string" }, field.typeId === 20, text);
    case 6:
      return fixed({ kind: "boolean" }, (view) => (index) => bit(view, index));
    case 7:
      return decimal(attribute(4, 4, 0), attribute(6, 4, 0), attribute(8, 4, 128));
    case 8:
      if (attribute(4, 2, 1) !== 0) break;
      return fixed({ kind: "date" }, (view) => (index) => view.getInt32(index * 4, true));
    case 9:
      // Sent by Spark 4.1.
      if (attribute(6, 4, 32) !== 64) break;
      return fixed({ kind: "time", unit: unitOf(attribute(4, 2, 1)) }, (view) => (index) => Number(long(view, index)));
    case 10: {
      const unit = unitOf(attribute(4, 2, 0));
      // The zone is the session's, which is UTC.
      const zone = field.hasTimeZone ? "UTC" : undefined;
      return fixed({ kind: "timestamp", unit, zone }, (view) => (index) => long(view, index));
    }
    case 11:
      return interval(attribute(4, 2, 0));
    case 12:
    case 21:
      return list(readerOf(onlyOf(children)), field.typeId === 21);
    case 13:
      return isVariant(children) ? variant(children, readerOf) : struct(children, readerOf);
    case 17:
      return map(onlyOf(children), readerOf);
    case 18:
      if (unitOf(attribute(4, 2, 1)) !== "us") break;
      return fixed({ kind: "interval" }, (view) => (index) => dayTime(long(view, index)));
  }
  throw new UnreadableValue("its type has no counterpart");
}

export function unitOf(unit: number): (typeof SECONDS)[number] {
  return SECONDS[unit] ?? missing();
}

export function onlyOf(children: readonly ArrowField[]): ArrowField {
  return children[0] ?? missing();
}

/** A type with fixed-width values in one buffer. */
export function fixed(type: LogicalType, reading: (view: DataView) => ReadAt): FieldReader {
  return { type, bind: (parts) => nullable(parts, () => reading(parts.view())) };
}

/** The field's own node and validity bits, which precede its other buffers. */
export function nullable(parts: BatchParts, bindValues: (length: number) => ReadAt): Bound {
  const { length, nullCount } = parts.node();
  const validity = parts.view();
  const value = bindValues(length);
  return { length, at: nullCount === 0 ? value : (index) => (bit(validity, index) ? value(index) : null) };
}

export function bit(view: DataView, index: number): boolean {
  return ((view.getUint8(index >> 3) >> (index & 7)) & 1) === 1;
}

export function long(view: DataView, index: number): bigint {
  return view.getBigInt64(index * 8, true);
}

function integer(bits: number, isSigned: boolean): FieldReader {
  if (!isSigned) throw new UnreadableValue("its type has no counterpart");
  switch (bits) {
    case 8:
      return fixed({ kind: "int8" }, (view) => (index) => view.getInt8(index));
    case 16:
      return fixed({ kind: "int16" }, (view) => (index) => view.getInt16(index * 2, true));
    case 32:
      return fixed({ kind: "int32" }, (view) => (index) => view.getInt32(index * 4, true));
    default:
      return fixed({ kind: "int64" }, (view) => (index) => long(view, index));
  }
}

function float(precision: number): FieldReader {
  return precision === 1
    ? fixed({ kind: "float32" }, (view) => (index) => view.getFloat32(index * 4, true))
    : fixed({ kind: "float64" }, (view) => (index) => view.getFloat64(index * 8, true));
}

function decimal(precision: number, scale: number, bits: number): FieldReader {
  if (bits !== 128 || scale < 0) throw new UnreadableValue("its type has no counterpart");
  return fixed({ kind: "decimal", precision, scale }, (view) => (index) => {
    const low = view.getBigUint64(index * 16, true);
    const high = view.getBigInt64(index * 16 + 8, true);
    return decimalText(((high << 64n) | low).toString(), scale);
  });
}

/** Months; or months, days and nanoseconds, of which Spark uses only whole microseconds. */
function interval(unit: number): FieldReader {
  if (unit === 0) {
    return fixed({ kind: "interval" }, (view) => (index) => ({
      months: view.getInt32(index * 4, true),
      days: 0,
      microseconds: 0n,
    }));
  }
  return fixed({ kind: "interval" }, (view) => (index) => ({
    months: view.getInt32(index * 16, true),
    days: view.getInt32(index * 16 + 4, true),
    microseconds: long(view, index * 2 + 1) / 1000n,
  }));
}

const MICROSECONDS_PER_DAY = 86_400_000_000n;

/** A day in a day-to-second interval has 24 hours. */
function dayTime(microseconds: bigint): Value {
  return {
    months: 0,
    days: Number(microseconds / MICROSECONDS_PER_DAY),
    microseconds: microseconds % MICROSECONDS_PER_DAY,
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Casts from BINARY produce texts with arbitrary bytes. */
function text(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableValue("a text that is not UTF-8");
  }
}

function variable(type: LogicalType, isLarge: boolean, read: (bytes: Uint8Array) => Value): FieldReader {
  return {
    type,
    bind: (parts) =>
      nullable(parts, (length) => {
        const offset = offsets(parts.view(), length, isLarge);
        const bytes = parts.bytes();
        assertWithin(offset, length, bytes.length);
        return (index) => read(bytes.subarray(offset(index), offset(index + 1)));
      }),
  };
}

function offsets(view: DataView, length: number, isLarge: boolean): (index: number) => number {
  // A buffer without values may have no offsets either.
  if (length === 0) return () => 0;
  return isLarge ? (index) => Number(long(view, index)) : (index) => view.getInt32(index * 4, true);
}

/** Overlapping values could be as many as there are rows, each as long as all of them together. */
function assertWithin(offset: (index: number) => number, length: number, end: number): void {
  let last = 0;
  for (let index = 0; index <= length; index++) {
    const next = offset(index);
    if (!(next >= last)) throw new ArrowError("offsets that go back");
    last = next;
  }
  if (last > end) throw new ArrowError("offsets beyond the end");
}

function ranges(
  child: FieldReader,
  isLarge: boolean,
  read: (at: ReadAt, from: number, to: number) => readonly Value[],
): FieldReader["bind"] {
  return (parts) =>
    nullable(parts, (length) => {
      const offset = offsets(parts.view(), length, isLarge);
      const elements = child.bind(parts);
      assertWithin(offset, length, elements.length);
      return (index) => read(elements.at, offset(index), offset(index + 1));
    });
}

function list(element: FieldReader, isLarge: boolean): FieldReader {
  return {
    type: { kind: "list", element: element.type },
    bind: ranges(element, isLarge, (at, from, to) => Array.from({ length: to - from }, (_, index) => at(from + index))),
  };
}

function struct(
  children: readonly ArrowField[],
  readerOf: ReaderOf,
): FieldReader & { readonly type: { readonly kind: "struct" } } {
  const readers = children.map((child) => ({ name: child.name, ...readerOf(child) }));
  return {
    type: { kind: "struct", fields: readers.map(({ name, type }) => ({ name, type })) },
    bind: (parts) =>
      nullable(parts, (length) => {
        const fields = readers.map(({ bind }) => bind(parts));
        if (fields.some((field) => field.length !== length)) throw new ArrowError("a field of another length");
        return (index) => fields.map(({ at }) => at(index));
      }),
  };
}

/** A list of structs of key and value. */
function map(entries: ArrowField, readerOf: ReaderOf): FieldReader {
  const [key, value] = entries.children;
  if (key === undefined || value === undefined) return missing();
  const pairs = struct([key, value], readerOf);
  const [keyType, valueType] = pairs.type.fields.map(({ type }) => type);
  if (keyType === undefined || valueType === undefined) return missing();
  return {
    type: { kind: "map", key: keyType, value: valueType },
    bind: ranges(pairs, false, (at, from, to) => Array.from({ length: to - from }, (_, index) => at(from + index))),
  };
}

function isVariant(children: readonly ArrowField[]): boolean {
  return children.some(({ metadata }) => metadata.get("variant") === "true");
}

/** A struct of two binaries, `value` and `metadata`. */
function variant(children: readonly ArrowField[], readerOf: ReaderOf): FieldReader {
  const parts = struct(children, readerOf);
  const [value, metadata] = ["value", "metadata"].map((name) => children.findIndex((child) => child.name === name));
  return {
    type: { kind: "json" },
    bind: (batch) => {
      const { length, at } = parts.bind(batch);
      return {
        length,
        at: (index) => {
          const fields = at(index);
          if (fields === null) return null;
          if (!Array.isArray(fields)) return missing();
          return variantJson(bytesOf(fields[value ?? -1]), bytesOf(fields[metadata ?? -1]));
        },
      };
    },
  };
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : missing();
}
