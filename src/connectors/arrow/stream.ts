/**
 * Reads Arrow's stream format as Spark sends it (https://arrow.apache.org/docs/format/Columnar.html, `Schema.fbs`,
 * `Message.fbs`): the schema and batches of one answer, with all values still in their buffers. Numbers of slots and types are
 * those of the schemas. Sizes and offsets from a server are not trusted: buffers are cut from the bytes that have arrived.
 */
import { ByteBuffer } from "flatbuffers";

export interface ArrowField {
  readonly name: string;
  /** The type's number in the union of `Schema.fbs`. */
  readonly typeId: number;
  /** An attribute of the type, by its slot and width in the type's table; an absent attribute has the default. */
  readonly attribute: (slot: number, bytes: 1 | 2 | 4, otherwise: number) => number;
  readonly hasTimeZone: boolean;
  readonly children: readonly ArrowField[];
  readonly metadata: ReadonlyMap<string, string>;
}

export interface ArrowBatch {
  readonly rows: number;
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
  readonly buffers: readonly Uint8Array[];
}

export interface ArrowStream {
  readonly fields: readonly ArrowField[];
  readonly batches: readonly ArrowBatch[];
}

/** The bytes violate the format. */
export class ArrowError extends Error {
  override readonly name = "ArrowError";
}

const HEADER = { schema: 1, recordBatch: 3 } as const;
const CONTINUATION = -1;
const MAX_DEPTH = 100;
const TIMESTAMP = 10;
/** Number of the member that holds a name or a key in the tables `Field` and `KeyValue`, as a byte offset into their vtable. */
const TEXT_OF_NAME = 4;

/** Takes ownership of `bytes`: values are read from them later. Throws `ArrowError`. */
export function readArrowStream(bytes: Uint8Array): ArrowStream {
  let fields: readonly ArrowField[] | undefined;
  const batches: ArrowBatch[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.length; ) {
    const hasMark = view.getInt32(at, true) === CONTINUATION;
    const length = view.getInt32(at + (hasMark ? 4 : 0), true);
    if (length === 0) break;
    at += hasMark ? 8 : 4;
    const message = new Table(new ByteBuffer(part(bytes, at, length)));
    at += length;
    const bodyLength = message.long(10);
    const body = part(bytes, at, bodyLength);
    at += bodyLength;
    const header = message.table(8);
    const type = message.attribute(6, 1, 0);
    if (header === undefined) throw new ArrowError("a message without a header");
    if (type === HEADER.schema) fields ??= readSchema(header, length);
    else if (type === HEADER.recordBatch) batches.push(readBatch(header, body));
    else throw new ArrowError(`a message of type ${type}`);
  }
  if (fields === undefined) throw new ArrowError("no schema");
  return { fields, batches };
}

function part(bytes: Uint8Array, at: number, length: number): Uint8Array {
  if (!(length >= 0) || at < 0 || at + length > bytes.length) throw new ArrowError("a part beyond the end");
  return bytes.subarray(at, at + length);
}

/**
 * Tables of a FlatBuffer may share parts, so that a few bytes could describe an endless number of fields. Regular writers do not
 * share them.
 */
function readSchema(schema: Table, size: number): readonly ArrowField[] {
  let left = size;
  const text = (table: Table): string => {
    const value = table.text(TEXT_OF_NAME, left);
    left -= value.length + 1;
    return value;
  };
  const readField = (field: Table, depth: number): ArrowField => {
    if (depth > MAX_DEPTH) throw new ArrowError("fields without end");
    if (field.table(12) !== undefined) throw new ArrowError("a dictionary");
    const name = text(field);
    const type = field.table(10);
    const typeId = field.attribute(8, 1, 0);
    const metadata = new Map<string, string>();
    for (const pair of field.tables(16)) metadata.set(text(pair), pair.text(6, left));
    return {
      name,
      typeId,
      attribute: (slot, bytes, otherwise) => type?.attribute(slot, bytes, otherwise) ?? otherwise,
      hasTimeZone: typeId === TIMESTAMP && type?.has(6) === true,
      children: readAll(field.tables(14), depth + 1),
      metadata,
    };
  };
  const readAll = (fields: Iterable<Table>, depth: number): ArrowField[] => {
    const read: ArrowField[] = [];
    for (const field of fields) read.push(readField(field, depth));
    return read;
  };
  return readAll(schema.tables(6), 0);
}

function readBatch(batch: Table, body: Uint8Array): ArrowBatch {
  if (batch.table(10) !== undefined) throw new ArrowError("compressed buffers");
  return {
    rows: batch.long(4),
    nodes: Array.from(batch.pairs(6), ([length, nullCount]) => ({ length, nullCount })),
    buffers: Array.from(batch.pairs(8), ([offset, length]) => part(body, offset, length)),
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** A table of a FlatBuffer; slots are offsets in the vtable. */
class Table {
  readonly #buffer: ByteBuffer;
  readonly #at: number;

  constructor(buffer: ByteBuffer, at = buffer.readInt32(0)) {
    this.#buffer = buffer;
    this.#at = at;
    if (at < 0 || at >= buffer.capacity()) throw new ArrowError("a table beyond the end");
  }

  has(slot: number): boolean {
    return this.#slot(slot) !== undefined;
  }

  attribute(slot: number, bytes: 1 | 2 | 4, otherwise: number): number {
    const at = this.#slot(slot);
    if (at === undefined) return otherwise;
    if (bytes === 1) return this.#buffer.readUint8(at);
    return bytes === 2 ? this.#buffer.readInt16(at) : this.#buffer.readInt32(at);
  }

  long(slot: number): number {
    const at = this.#slot(slot);
    return at === undefined ? 0 : Number(this.#buffer.readInt64(at));
  }

  /** `""` if it is absent; at most `most` bytes. */
  text(slot: number, most: number): string {
    const at = this.#slot(slot);
    if (at === undefined) return "";
    const start = at + this.#buffer.readInt32(at);
    const length = this.#buffer.readInt32(start);
    if (length > most) throw new ArrowError("fields without end");
    return utf8.decode(part(this.#buffer.bytes(), start + 4, length));
  }

  table(slot: number): Table | undefined {
    const at = this.#slot(slot);
    return at === undefined ? undefined : new Table(this.#buffer, this.#buffer.__indirect(at));
  }

  *tables(slot: number): Generator<Table> {
    for (const at of this.#each(slot, 4)) yield new Table(this.#buffer, this.#buffer.__indirect(at));
  }

  /** Structs of two 64-bit numbers. */
  *pairs(slot: number): Generator<readonly [number, number]> {
    const number = (at: number): number => Number(this.#buffer.readInt64(at));
    for (const at of this.#each(slot, 16)) yield [number(at), number(at + 8)];
  }

  *#each(slot: number, size: number): Generator<number> {
    const at = this.#slot(slot);
    if (at === undefined) return;
    const start = this.#buffer.__vector(at);
    const length = this.#buffer.__vector_len(at);
    if (start < 0 || length < 0 || start + length * size > this.#buffer.capacity()) {
      throw new ArrowError("a vector beyond the end");
    }
    for (let index = 0; index < length; index++) yield start + index * size;
  }

  #slot(slot: number): number | undefined {
    const offset = this.#buffer.__offset(this.#at, slot);
    return offset === 0 ? undefined : this.#at + offset;
  }
}
