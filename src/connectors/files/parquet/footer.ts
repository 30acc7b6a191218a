/**
 * The footer of a Parquet file: columns, and the positions of their values, by row groups. Fields have the numbers of
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift. The footer is not trusted: every position
 * is checked to be within the file.
 */
import { type Field, readStruct, type Struct } from "./compact-protocol.ts";
import { FooterTooLarge, ParquetFault } from "./fault.ts";
import { assertStructure, FILE_METADATA } from "./structures.ts";

export interface Footer {
  readonly fields: Struct;
  /** Its start in the file; values precede it. */
  readonly start: number;
  /** Its length in bytes. */
  readonly length: number;
  /** Top-level columns with all nested ones, in the order of the file. */
  readonly columns: readonly TopColumn[];
  readonly rowGroups: readonly RowGroup[];
}

/** The footer's bytes in the file. */
export interface StoredFooter {
  readonly bytes: Uint8Array;
  /** Its start in the file. */
  readonly start: number;
}

export interface TopColumn {
  readonly name: string;
  /** The column's element of the schema and those below it. */
  readonly elements: readonly Struct[];
  /** Index of its first chunk in every row group, and the number of its chunks. */
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
  /** Its range in the file. */
  readonly start: number;
  readonly end: number;
}

/** The bytes after the footer: four bytes of its length, and the magic number. */
export const TAIL_BYTES = 8;
const SIGN = "PAR1";
/** Magic number at both ends of a file with an encrypted footer. */
const ENCRYPTED_SIGN = "PARE";
/** A larger footer is not read, because several are in memory at once. */
const MOST_FOOTER_BYTES = 16 * 1024 * 1024;

/** The start of the footer, from the last eight bytes of a file. Throws `ParquetFault`. */
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

/** Needs about a hundred times the memory of the footer's bytes. Throws `ParquetFault`. */
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
    // Elements are in pre-order, each with the number of its direct children.
    for (let open = 1; open > 0; at++) {
      const element = schema[at];
      if (element === undefined) throw new ParquetFault("Its schema ends too early.");
      const below = childrenOf(element);
      open += below - 1;
      if (below === 0) leaf++;
    }
    const elements = schema.slice(first, at);
    // DuckDB's name for a column without a name.
    const name = textOf(elements[0], 4) || `C${columns.length}`;
    columns.push({ name, elements, firstLeaf, leaves: leaf - firstLeaf });
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

/** Old writers did not count page headers: readers read a few more bytes. */
const UNCOUNTED_BYTES = 100;

function chunk(fields: Struct, fileEnd: number): Chunk {
  if (fields.has(1)) throw new ParquetFault("Its values are in another file.");
  const inside = fields.get(3);
  // A chunk encrypted with its own key has no metadata.
  if (inside?.type !== "struct") throw new ParquetFault("It has no offsets of its values.");
  const metadata = inside.value;
  const places = [9, 10, 11].map((id) => integerOf(metadata, id) ?? 0n).filter((place) => place > 0n);
  const size = integerOf(metadata, 7) ?? -1n;
  const start = places.reduce((least, place) => (place < least ? place : least), BigInt(Number.MAX_SAFE_INTEGER));
  if (size < 0n || start < 4n || start + size > BigInt(fileEnd)) {
    if (size === 0n) return { fields, metadata, start: 4, end: 4 };
    throw new ParquetFault("Its offsets point outside of the file.");
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
