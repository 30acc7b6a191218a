/**
 * Builds checked Arrow streams of rows for the engine. DuckDB's WASM trusts every length, offset and value of a batch: one that
 * exceeds its buffer makes the engine read its own memory, and an answer would show this memory. So every batch is checked
 * against its types in this module, whichever reader made it, and the engine accepts no other type (`instance.ts`).
 */
import { concatenated } from "../../result/bytes.ts";
import { END_OF_STREAM, recordBatchMessage, schemaMessage } from "../../result/encode/arrow/messages.ts";
import { type ArrowField, type ArrowType, PER_DAY } from "../../result/encode/arrow/types.ts";
import type { Body } from "../../result/encode/arrow/vectors.ts";

declare const checked: unique symbol;

/** The bytes of a stream whose batch has been checked. */
export type EngineStream = Uint8Array & { readonly [checked]: true };

/** A defect in the rows of a file; the code that knows the file's name adds it. */
export class BatchFault extends Error {
  override readonly name = "BatchFault";
}

/** A complete stream: schema, one batch, end. Throws `BatchFault`. */
export function engineStream(fields: readonly ArrowField[], rows: number, body: Body): EngineStream {
  assertBatch(fields, rows, body);
  const parts = [schemaMessage(fields), recordBatchMessage(rows, body), END_OF_STREAM];
  return concatenated(parts) as EngineStream;
}

/** Throws `BatchFault` unless each length, offset and value of the batch fits its type and its parent. */
export function assertBatch(fields: readonly ArrowField[], rows: number, body: Body): void {
  const check = new Check(body);
  for (const field of fields) check.field(field, rows);
  check.end();
}

class Check {
  readonly #body: Body;
  #node = 0;
  #buffer = 0;

  constructor(body: Body) {
    this.#body = body;
  }

  end(): void {
    if (this.#node !== this.#body.nodes.length || this.#buffer !== this.#body.buffers.length) throw unequal();
  }

  /** `length`: the number of values that the parent has. */
  field({ type, nullable }: ArrowField, length: number): void {
    const [own, nulls] = this.#body.nodes[this.#node++] ?? [-1, 0];
    if (own !== length || !(nulls >= 0 && nulls <= length)) throw unequal();
    if (nulls > 0 && !nullable) throw new BatchFault("A value in it is NULL that must not be.");
    if (type.kind === "null") {
      if (nulls !== length) throw unequal();
      return;
    }
    assertValidity(this.#next(), length, nulls);
    this.#values(type, length);
  }

  #values(shape: Exclude<ArrowType, { readonly kind: "null" }>, length: number): void {
    switch (shape.kind) {
      case "boolean":
        this.#bytes(Math.ceil(length / 8));
        return;
      case "integer":
      case "float":
        this.#bytes(length * (shape.bits / 8));
        return;
      case "date":
        this.#bytes(length * 4);
        return;
      case "time":
        assertTimes(this.#bytes(length * (shape.bits / 8)), shape);
        return;
      case "timestamp":
        this.#bytes(length * 8);
        return;
      case "interval":
        this.#bytes(length * 16);
        return;
      case "decimal":
        assertDecimals(this.#bytes(length * 16), shape.precision);
        return;
      case "text":
      case "binary": {
        const offsets = this.#bytes((length + 1) * 4);
        const bytes = this.#next();
        assertOffsets(offsets, bytes.length);
        if (shape.kind === "text") assertText(bytes, offsets);
        return;
      }
      case "list":
      case "map": {
        const offsets = this.#bytes((length + 1) * 4);
        const [elements] = this.#body.nodes[this.#node] ?? [-1];
        assertOffsets(offsets, elements);
        this.field(shape.kind === "list" ? shape.element : shape.entries, elements);
        return;
      }
      case "struct":
        for (const field of shape.fields) this.field(field, length);
        return;
      default: {
        shape satisfies never;
      }
    }
  }

  #next(): Uint8Array {
    const bytes = this.#body.buffers[this.#buffer++];
    if (bytes === undefined) throw unequal();
    return bytes;
  }

  /** The next buffer, which must have this length. */
  #bytes(length: number): Uint8Array {
    const bytes = this.#next();
    if (bytes.length !== length) throw unequal();
    return bytes;
  }
}

const unequal = (): BatchFault => new BatchFault("Its columns are not equally long.");

/** A batch without NULLs may omit the bits. */
function assertValidity(bits: Uint8Array, length: number, nulls: number): void {
  if (bits.length === 0 && nulls === 0) return;
  if (bits.length !== Math.ceil(length / 8)) throw unequal();
  let valid = 0;
  for (const [index, byte] of bits.entries()) {
    const last = length - index * 8;
    for (let left = last >= 8 ? byte : byte & ((1 << last) - 1); left > 0; left &= left - 1) valid++;
  }
  if (length - valid !== nulls) throw unequal();
}

/** Offsets start at 0, never decrease, and end at the end of the elements. */
function assertOffsets(offsets: Uint8Array, end: number): void {
  const view = viewOf(offsets);
  let last = 0;
  if (view.getInt32(0, true) !== 0) throw beyond();
  for (let at = 4; at < offsets.length; at += 4) {
    const next = view.getInt32(at, true);
    if (next < last) throw beyond();
    last = next;
  }
  if (last !== end) throw beyond();
}

const beyond = (): BatchFault => new BatchFault("A value in it begins or ends outside of its column.");

/** 24:00:00 is also a valid time. DuckDB 1.4 prints a later time from memory that does not belong to it. */
function assertTimes(bytes: Uint8Array, { unit, bits }: ArrowType & { readonly kind: "time" }): void {
  const view = viewOf(bytes);
  const isIn = (at: number): boolean => {
    if (bits === 32) return view.getInt32(at, true) >= 0 && view.getInt32(at, true) <= PER_DAY[unit];
    const high = view.getInt32(at + 4, true);
    return high >= 0 && high * 2 ** 32 + view.getUint32(at, true) <= PER_DAY[unit];
  };
  for (let at = 0; at < bytes.length; at += bits / 8) {
    if (!isIn(at)) throw new BatchFault("A time in it is not within a day.");
  }
}

/** DuckDB stores decimals in the width that their precision needs, so a larger value would include other memory. */
function assertDecimals(bytes: Uint8Array, precision: number): void {
  const view = viewOf(bytes);
  const limit = 10n ** BigInt(precision);
  // Below this limit a binary64 comparison is sufficient: its error is smaller than the difference.
  const surely = Number(limit) * 0.999;
  for (let at = 0; at < bytes.length; at += 16) {
    const flip = view.getInt32(at + 12, true) < 0 ? -1 : 0;
    const word = (of: number): number => (view.getInt32(at + of, true) ^ flip) >>> 0;
    const size = word(12) * 2 ** 96 + word(8) * 2 ** 64 + word(4) * 2 ** 32 + word(0) - flip;
    if (size < surely) continue;
    const exact = (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true);
    if (exact >= limit || exact <= -limit) throw new BatchFault("A decimal in it has more digits than it says.");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Checks all texts at once, and that no text begins within a character. */
function assertText(bytes: Uint8Array, offsets: Uint8Array): void {
  const fault = () => new BatchFault("A text in it is not UTF-8.");
  try {
    utf8.decode(bytes);
  } catch {
    throw fault();
  }
  const view = viewOf(offsets);
  for (let index = 0; index < offsets.length; index += 4) {
    const at = view.getInt32(index, true);
    if (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) throw fault();
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
