/** Columns of values as Arrow's buffers: validity bits, offsets, and the values. */
import { ResultError } from "../../failure.ts";
import type { IntervalValue, Value } from "../../types.ts";
import { type ArrowField, type ArrowType, PER_DAY } from "./types.ts";

/** Nodes and buffers in pre-order of the fields: each field before its children. */
export interface Body {
  /** Number of values, and how many of them are NULL. */
  readonly nodes: (readonly [length: number, nulls: number])[];
  readonly buffers: Uint8Array[];
}

type NotNull = Exclude<Value, null>;

/** Adds the values of one column. Throws `ResultError` VALUE_MISMATCH at a value that does not have the field's type. */
export function addVector(body: Body, field: ArrowField, values: readonly Value[], column: string): void {
  const { type } = field;
  const mismatch = (): ResultError =>
    new ResultError("VALUE_MISMATCH", `A value of column "${column}" does not fit Arrow's ${type.kind}.`, { column });
  let nulls = 0;
  for (const value of values) if (value === null) nulls++;
  body.nodes.push([values.length, nulls]);
  if (type.kind === "null") {
    if (nulls < values.length) throw mismatch();
    return;
  }
  if (nulls > 0 && !field.nullable) throw mismatch();
  body.buffers.push(nulls === 0 ? NOTHING : bits(values, (value) => value !== null));
  addValues(body, type, values, column, mismatch);
}

const NOTHING = new Uint8Array(0);

function addValues(
  body: Body,
  shape: Exclude<ArrowType, { readonly kind: "null" }>,
  values: readonly Value[],
  column: string,
  mismatch: () => ResultError,
): void {
  const { length } = values;
  /** Writes values with a fixed number of bytes each. */
  const fixed = (width: number, write: (view: DataView, at: number, value: NotNull) => boolean): void => {
    const view = new DataView(new ArrayBuffer(length * width));
    for (const [index, value] of values.entries()) {
      if (value !== null && !write(view, index * width, value)) throw mismatch();
    }
    body.buffers.push(new Uint8Array(view.buffer));
  };
  switch (shape.kind) {
    case "boolean":
      if (values.some((value) => value !== null && typeof value !== "boolean")) throw mismatch();
      body.buffers.push(bits(values, (value) => value === true));
      return;
    case "integer": {
      const { bits: size, signed } = shape;
      fixed(size / 8, (view, at, value) =>
        size === 64 ? writeInt64(view, at, value, signed) : writeInteger(view, at, value, size, signed),
      );
      return;
    }
    case "float":
      fixed(shape.bits / 8, (view, at, value) => {
        if (typeof value !== "number") return false;
        if (shape.bits === 32) view.setFloat32(at, value, true);
        else view.setFloat64(at, value, true);
        return true;
      });
      return;
    case "decimal":
      fixed(16, (view, at, value) => writeDecimal(view, at, value, shape));
      return;
    case "date":
      fixed(4, (view, at, value) => writeInteger(view, at, value, 32, true));
      return;
    case "time":
      fixed(shape.bits / 8, (view, at, value) => writeTime(view, at, value, shape));
      return;
    case "timestamp":
      fixed(8, (view, at, value) => writeInt64(view, at, value, true));
      return;
    case "interval":
      fixed(16, writeInterval);
      return;
    case "text":
      addTexts(body, values, mismatch);
      return;
    case "binary":
      addBytes(body, values, mismatch);
      return;
    case "list":
    case "map":
      addVector(body, shape.kind === "list" ? shape.element : shape.entries, addLists(body, values, mismatch), column);
      return;
    case "struct":
      for (const [index, field] of shape.fields.entries()) {
        const members = values.map((value): Value => {
          if (value === null) return null;
          const member = isList(value) && value.length === shape.fields.length ? value[index] : undefined;
          if (member === undefined) throw mismatch();
          return member;
        });
        // Where the whole value is NULL, readers ignore the children.
        addVector(body, { ...field, nullable: field.nullable || values.includes(null) }, members, column);
      }
      return;
    default:
      shape satisfies never;
  }
}

function bits(values: readonly Value[], isSet: (value: Value) => boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (const [index, value] of values.entries()) {
    if (isSet(value)) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bytes;
}

function writeInteger(view: DataView, at: number, value: NotNull, size: 8 | 16 | 32, signed: boolean): boolean {
  const least = signed ? -(2 ** (size - 1)) : 0;
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value >= least + 2 ** size)
    return false;
  if (size === 8) view.setInt8(at, value);
  else if (size === 16) view.setInt16(at, value, true);
  else view.setInt32(at, value, true);
  return true;
}

function writeInt64(view: DataView, at: number, value: NotNull, signed: boolean): boolean {
  if (typeof value !== "bigint" || (signed ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)) !== value) {
    return false;
  }
  view.setBigInt64(at, value, true);
  return true;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

function writeDecimal(view: DataView, at: number, value: NotNull, type: ArrowType & { kind: "decimal" }): boolean {
  const match = typeof value === "string" ? DECIMAL.exec(value) : null;
  if (match === null) return false;
  const [, sign = "", whole = "", fraction = ""] = match;
  const kept = fraction.slice(0, type.scale).padEnd(type.scale, "0");
  if (/[^0]/.test(fraction.slice(type.scale))) return false;
  const digits = BigInt(whole + kept);
  if (digits >= 10n ** BigInt(type.precision)) return false;
  const number = sign === "" ? digits : -digits;
  view.setBigInt64(at, BigInt.asIntN(64, number), true);
  view.setBigInt64(at + 8, number >> 64n, true);
  return true;
}

function writeTime(view: DataView, at: number, value: NotNull, { unit, bits }: ArrowType & { kind: "time" }): boolean {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value >= PER_DAY[unit]) return false;
  if (bits === 32) view.setInt32(at, value, true);
  else view.setBigInt64(at, BigInt(value), true);
  return true;
}

function writeInterval(view: DataView, at: number, value: NotNull): boolean {
  if (!isInterval(value)) return false;
  const { months, days, microseconds } = value;
  return (
    writeInteger(view, at, months, 32, true) &&
    writeInteger(view, at + 4, days, 32, true) &&
    writeInt64(view, at + 8, microseconds * 1000n, true)
  );
}

/** The start of each value, and the end of the last one. */
class Offsets {
  readonly #view: DataView;
  #index = 0;

  constructor(values: number) {
    this.#view = new DataView(new ArrayBuffer((values + 1) * 4));
  }

  add(end: number): void {
    if (end > 0x7fff_ffff) throw new ResultError("ROW_TOO_LARGE", "A batch holds more than Arrow's offsets reach.");
    this.#index++;
    this.#view.setInt32(this.#index * 4, end, true);
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer);
  }
}

function addTexts(body: Body, values: readonly Value[], mismatch: () => ResultError): void {
  const utf8 = new TextEncoder();
  const offsets = new Offsets(values.length);
  let bytes: Uint8Array = new Uint8Array(1024);
  let end = 0;
  for (const value of values) {
    if (value !== null) {
      if (typeof value !== "string") throw mismatch();
      // A UTF-16 code unit takes at most three bytes in UTF-8.
      const needed = end + value.length * 3;
      if (needed > bytes.length) bytes = grown(bytes, end, needed);
      end += utf8.encodeInto(value, bytes.subarray(end)).written;
    }
    offsets.add(end);
  }
  body.buffers.push(offsets.bytes, bytes.subarray(0, end));
}

function grown(bytes: Uint8Array, used: number, needed: number): Uint8Array {
  const larger = new Uint8Array(Math.max(needed, bytes.length * 2));
  larger.set(bytes.subarray(0, used));
  return larger;
}

function addBytes(body: Body, values: readonly Value[], mismatch: () => ResultError): void {
  const offsets = new Offsets(values.length);
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const value of values) {
    if (value !== null) {
      if (!(value instanceof Uint8Array)) throw mismatch();
      parts.push(value);
      end += value.length;
    }
    offsets.add(end);
  }
  const bytes = new Uint8Array(end);
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  body.buffers.push(offsets.bytes, bytes);
}

/** The elements of all lists, concatenated. */
function addLists(body: Body, values: readonly Value[], mismatch: () => ResultError): readonly Value[] {
  const offsets = new Offsets(values.length);
  const elements: Value[] = [];
  for (const value of values) {
    if (value !== null) {
      if (!isList(value)) throw mismatch();
      for (const element of value) elements.push(element);
    }
    offsets.add(elements.length);
  }
  body.buffers.push(offsets.bytes);
  return elements;
}

function isList(value: NotNull): value is readonly Value[] {
  return Array.isArray(value);
}

function isInterval(value: NotNull): value is IntervalValue {
  return typeof value === "object" && "microseconds" in value;
}
