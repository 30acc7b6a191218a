/**
 * What a Parquet file says of itself at its end: columns, and where their values stand, by groups of rows. Fields are by the
 * numbers of https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift. Nothing in it is believed:
 * every place is checked to be within the file.
 */
import { type Field, readStruct, type Struct } from "./compact-protocol.ts";
import { FooterTooLarge, ParquetFault } from "./fault.ts";
import { assertStructure, FILE_METADATA } from "./structures.ts";

export interface Footer {
  readonly fields: Struct;
  /** Where it begins in the file: values stand before it. */
  readonly start: number;
  /** In bytes, as it stands there. */
  readonly length: number;
  /** Columns at the top, nested ones whole, in the order of the file. */
  readonly columns: readonly TopColumn[];
  readonly rowGroups: readonly RowGroup[];
}

/** As it stands in its file. */
export interface StoredFooter {
  readonly bytes: Uint8Array;
  /** Where it begins. */
  readonly start: number;
}

export interface TopColumn {
  readonly name: string;
  /** Its element of the schema and those below it. */
  readonly elements: readonly Struct[];
  /** Of those in all groups of rows, the first of its chunks and their count. */
  readonly firstLeaf: number;
  readonly leaves: number;
}

export interface RowGroup {
  readonly fields: Struct;
  readonly rows: bigint;
  /** One for each leaf of the schema. */
  readonly chunks: readonly Chunk[];
}

export interface Chunk {
  readonly fields: Struct;
  readonly metadata: Struct;
  /** Its bytes in the file. */
  readonly start: number;
  readonly end: number;
}

/** What follows the footer: four bytes of its length, and the sign of the format. */
export const TAIL_BYTES = 8;
const SIGN = "PAR1";
/** Begins and ends a file whose footer is encrypted. */
const ENCRYPTED_SIGN = "PARE";
/** Of more nothing is read: several are held at once. */
const MOST_FOOTER_BYTES = 16 * 1024 * 1024;

/** Where the footer begins, by the last eight bytes of a file. Throws `ParquetFault`. */
export function footerStart(tail: Uint8Array, fileSize: number): number {
  const sign = new TextDecoder("latin1").decode(tail.subarray(4, TAIL_BYTES));
  if (sign === ENCRYPTED_SIGN) throw new ParquetFault("It is encrypted.");
  if (tail.length !== TAIL_BYTES || sign !== SIGN) throw new ParquetFault("It is no Parquet file, or not whole.");
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  const start = fileSize - TAIL_BYTES - length;
  if (start < SIGN.length) throw new ParquetFault("Its footer is longer than the file.");
  if (length > MOST_FOOTER_BYTES) throw new FooterTooLarge(`Its footer is larger than ${MOST_FOOTER_BYTES} bytes.`);
  return start;
}

/** Takes a hundred times its bytes. Throws `ParquetFault`. */
export function readFooter({ bytes, start }: StoredFooter): Footer {
  const fields = readStruct(bytes);
  assertStructure(fields, FILE_METADATA);
  const schema = listOf(fields, 2).map(structIn);
  const { columns, leaves } = topColumns(schema);
  const rowGroups = listOf(fields, 4).map((group) => rowGroup(structIn(group), leaves, start));
  return { fields, start, length: bytes.length, columns, rowGroups };
}

function topColumns(schema: readonly Struct[]): { readonly columns: readonly TopColumn[]; readonly leaves: number } {
  const [root] = schema;
  if (root === undefined) throw new ParquetFault("Its schema is empty.");
  const count = childrenOf(root);
  const columns: TopColumn[] = [];
  let at = 1;
  let leaf = 0;
  while (columns.length < count) {
    const first = at;
    const firstLeaf = leaf;
    // Elements are in the order of the text, each with the count of those directly below it.
    for (let open = 1; open > 0; at++) {
      const element = schema[at];
      if (element === undefined) throw new ParquetFault("Its schema ends too early.");
      const below = childrenOf(element);
      open += below - 1;
      if (below === 0) leaf++;
    }
    const elements = schema.slice(first, at);
    columns.push({ name: textOf(elements[0], 4), elements, firstLeaf, leaves: leaf - firstLeaf });
  }
  if (at !== schema.length) throw new ParquetFault("Its schema has more elements than it says.");
  return { columns, leaves: leaf };
}

function childrenOf(element: Struct): number {
  const count = integerOf(element, 5) ?? 0n;
  if (count < 0n || count > 1_000_000n) throw new ParquetFault("Its schema has a count that is none.");
  return Number(count);
}

function rowGroup(fields: Struct, leaves: number, end: number): RowGroup {
  const chunks = listOf(fields, 1).map((each) => chunk(structIn(each), end));
  const rows = integerOf(fields, 3);
  if (chunks.length !== leaves || rows === undefined || rows < 0n) {
    throw new ParquetFault("A group of its rows does not have the columns of its schema.");
  }
  return { fields, rows, chunks };
}

/** Old writers left the heads of pages out of the count: who reads takes a little more. */
const UNCOUNTED_BYTES = 100;

function chunk(fields: Struct, fileEnd: number): Chunk {
  if (fields.has(1)) throw new ParquetFault("Its values stand in another file.");
  const inside = fields.get(3);
  // Encrypted by a key of its own: it says nothing of itself.
  if (inside?.type !== "struct") throw new ParquetFault("It does not say where its values stand.");
  const metadata = inside.value;
  const places = [9, 10, 11].map((id) => integerOf(metadata, id) ?? 0n).filter((place) => place > 0n);
  const size = integerOf(metadata, 7) ?? -1n;
  const start = places.reduce((least, place) => (place < least ? place : least), BigInt(Number.MAX_SAFE_INTEGER));
  if (size < 0n || start < 4n || start + size > BigInt(fileEnd)) {
    if (size === 0n) return { fields, metadata, start: 4, end: 4 };
    throw new ParquetFault("It says that values stand outside of it.");
  }
  return {
    fields,
    metadata,
    start: Number(start),
    end: Math.min(Number(start + size) + UNCOUNTED_BYTES, fileEnd),
  };
}

function listOf(fields: Struct, id: number): readonly Field[] {
  const field = fields.get(id);
  if (field === undefined) return [];
  if (field.type !== "list") throw new ParquetFault("Its footer has a field of another type.");
  return field.value;
}

function structIn(field: Field | undefined): Struct {
  if (field?.type !== "struct") throw new ParquetFault("Its footer has a field of another type.");
  return field.value;
}

export function integerOf(fields: Struct, id: number): bigint | undefined {
  const field = fields.get(id);
  if (field === undefined) return undefined;
  if (field.type !== "integer") throw new ParquetFault("Its footer has a field of another type.");
  return field.value;
}

export function bytesOf(fields: Struct, id: number): Uint8Array | undefined {
  const field = fields.get(id);
  return field?.type === "binary" ? field.value : undefined;
}

function textOf(fields: Struct | undefined, id: number): string {
  const bytes = fields && bytesOf(fields, id);
  if (bytes === undefined) throw new ParquetFault("A column of it has no name.");
  return new TextDecoder().decode(bytes);
}
