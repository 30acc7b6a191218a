/**
 * Thrift's compact protocol, the format of Parquet's footers: parsed into structures that keep every field, known or unknown, and
 * written again. https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
import { FooterTooLarge, ParquetFault } from "./fault.ts";

/** Type numbers within a structure; list elements of type boolean are also 1 or 2. */
const TYPE = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
  uuid: 13,
} as const;

export type Field =
  | { readonly type: "boolean"; readonly value: boolean }
  /** With its type number, because a reader expects the writer's width. */
  | { readonly type: "integer"; readonly width: number; readonly value: bigint }
  | { readonly type: "double" | "binary"; readonly value: Uint8Array }
  | { readonly type: "list"; readonly of: number; readonly value: readonly Field[] }
  | { readonly type: "struct"; readonly value: Struct };

/** Fields by their numbers, ascending. */
export type Struct = ReadonlyMap<number, Field>;

/** Deeper than any regular footer; a hostile one would exhaust the stack. */
const MOST_DEPTH = 32;
/**
 * Maximum number of values: a value may take one byte in the footer and a hundred in memory. A thousand columns in twenty groups
 * have this many.
 */
const MOST_VALUES = 500_000;

/** The structure at the beginning of `bytes`. Throws `ParquetFault`. */
export function readStruct(bytes: Uint8Array): Struct {
  return new Reader(bytes).struct(0);
}

/** `readStruct` that also returns the length in bytes. */
export function readStructAt(bytes: Uint8Array): { readonly struct: Struct; readonly length: number } {
  const reader = new Reader(bytes);
  const struct = reader.struct(0);
  return { struct, length: reader.at };
}

export function writeStruct(struct: Struct): Uint8Array {
  const writer = new Writer();
  writer.struct(struct);
  return writer.bytes();
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get at(): number {
    return this.#at;
  }

  struct(depth: number): Struct {
    if (depth > MOST_DEPTH) throw new ParquetFault("Its footer is nested too deep.");
    const fields = new Map<number, Field>();
    let id = 0;
    for (;;) {
      const head = this.#byte();
      if (head === 0) return fields;
      const delta = head >> 4;
      id = delta === 0 ? Number(zigzag(this.#varint())) : id + delta;
      if (fields.has(id)) throw new ParquetFault("Its footer has a field twice.");
      fields.set(id, this.#field(head & 15, depth, false));
    }
  }

  #field(type: number, depth: number, isElement: boolean): Field {
    if (++this.#values > MOST_VALUES) throw new FooterTooLarge(`Its footer has more than ${MOST_VALUES} values.`);
    switch (type) {
      case TYPE.true:
      case TYPE.false:
        return { type: "boolean", value: (isElement ? this.#byte() : type) === TYPE.true };
      case TYPE.byte:
        return { type: "integer", width: type, value: BigInt(this.#byte()) };
      case TYPE.i16:
      case TYPE.i32:
      case TYPE.i64:
        return { type: "integer", width: type, value: zigzag(this.#varint()) };
      case TYPE.double:
        return { type: "double", value: this.#take(8) };
      case TYPE.binary:
        return { type: "binary", value: this.#take(this.#length()) };
      case TYPE.list:
        return this.#list(depth);
      case TYPE.struct:
        return { type: "struct", value: this.struct(depth + 1) };
      default:
        // No structure of the format contains sets, maps or UUIDs.
        throw new ParquetFault("Its footer has a field of a type that no footer has.");
    }
  }

  #list(depth: number): Field {
    if (depth > MOST_DEPTH) throw new ParquetFault("Its footer is nested too deep.");
    const head = this.#byte();
    const count = head >> 4 === 15 ? this.#length() : head >> 4;
    // Each element takes at least one byte, so no list is longer than the remaining bytes.
    if (count > this.#bytes.length - this.#at) throw new ParquetFault("Its footer ends within a list.");
    const of = head & 15;
    const value: Field[] = [];
    while (value.length < count) value.push(this.#field(of, depth + 1, true));
    return { type: "list", of, value };
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new ParquetFault("Its footer ends too early.");
    return byte;
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new ParquetFault("Its footer ends within a value.");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #length(): number {
    const length = this.#varint();
    if (length > BigInt(this.#bytes.length)) throw new ParquetFault("Its footer ends within a value.");
    return Number(length);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new ParquetFault("Its footer has a number without an end.");
  }
}

class Writer {
  #buffer = new Uint8Array(1024);
  #length = 0;

  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  struct(struct: Struct): void {
    let last = 0;
    for (const [id, field] of struct) {
      const delta = id - last;
      const type = typeOf(field);
      if (delta > 0 && delta < 16) this.#byte((delta << 4) | type);
      else {
        this.#byte(type);
        this.#varint(unzigzag(BigInt(id)));
      }
      last = id;
      if (field.type !== "boolean") this.#value(field);
    }
    this.#byte(0);
  }

  #value(field: Field): void {
    switch (field.type) {
      case "boolean":
        this.#byte(field.value ? TYPE.true : TYPE.false);
        return;
      case "integer":
        if (field.width === TYPE.byte) this.#byte(Number(field.value));
        else this.#varint(unzigzag(field.value));
        return;
      case "double":
        this.#append(field.value);
        return;
      case "binary":
        this.#varint(BigInt(field.value.length));
        this.#append(field.value);
        return;
      case "list": {
        const { length } = field.value;
        this.#byte((Math.min(length, 15) << 4) | field.of);
        if (length >= 15) this.#varint(BigInt(length));
        for (const element of field.value) this.#value(element);
        return;
      }
      case "struct":
        this.struct(field.value);
        return;
      default:
        field satisfies never;
    }
  }

  #varint(value: bigint): void {
    let rest = value;
    while (rest > 127n) {
      this.#byte(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    this.#byte(Number(rest));
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = byte;
  }

  #append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + more));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

function typeOf(field: Field): number {
  switch (field.type) {
    case "boolean":
      return field.value ? TYPE.true : TYPE.false;
    case "integer":
      return field.width;
    default:
      return TYPE[field.type];
  }
}

function zigzag(value: bigint): bigint {
  return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
}

function unzigzag(value: bigint): bigint {
  return BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
}
