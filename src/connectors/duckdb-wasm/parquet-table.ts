/**
 * Reads Parquet for an engine without a Parquet reader: decodes the columns and row groups that a statement needs, and loads them
 * into tables of the engine. Files that might be read differently than by native DuckDB, or that are too large, are left to the
 * sidecar before a row is returned (docs/decisions/0054-parquet-by-needed-bytes.md#decision).
 */
import { ConnectorFailure } from "../failure.ts";
import { Beyond } from "../files/beyond.ts";
import type { FileNeed } from "../files/need.ts";
import { ParquetFault } from "../files/parquet/fault.ts";
import { type Footer, integerOf, type RowGroup } from "../files/parquet/footer.ts";
import { isNeeded, joined, neededColumns } from "../files/parquet/projection.ts";
import { type Column, columnOf, type Leaf } from "../files/parquet/values/column-tree.ts";
import { type ChunkValues, readChunk } from "../files/parquet/values/pages.ts";
import { GroupRows } from "../files/parquet/values/vectors.ts";
import { BatchFault, type EngineStream, engineStream } from "./engine-stream.ts";
import { beyond } from "./needs-sidecar.ts";
import type { View } from "./view.ts";

/** One file of a table, and the part of it that is needed. */
export interface ParquetPart {
  readonly name: string;
  readonly footer: Footer;
  readonly need: FileNeed;
  readonly jsonAsText: View["jsonAsText"];
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
}

/** Maximum size of loaded values in the engine; the rest of its memory is for the statement. */
export const MOST_LOADED_BYTES = 16 * 1024 * 1024;
/** Maximum size of a row group, compressed and decompressed, outside of the engine. */
const MOST_GROUP_BYTES = 32 * 1024 * 1024;
/** Maximum size of all pages of a statement: decompression blocks the event loop. */
export const MOST_UNPACKED_BYTES = 128 * 1024 * 1024;
/** A batch is in the engine twice while it is inserted. */
const BATCH_BYTES = 1024 * 1024;
const MOST_ROWS_AT_ONCE = 16_384;

/** Called with a number of bytes before they take memory or time; throws if they are too many. */
export interface TableRoom {
  readonly unpack: (bytes: number) => void;
}

export interface ParquetTable {
  readonly columns: readonly Column[];
  /** Number of rows of all files; for a table without columns, the only information. */
  readonly rows: number;
  /** Minimum size of the values, from the footers. */
  readonly bytes: number;
  readonly parts: readonly PlannedPart[];
}

interface PlannedPart {
  readonly part: ParquetPart;
  readonly groups: readonly RowGroup[];
  /** Columns of this file, in the order of the table's columns. */
  readonly columns: readonly Column[];
}

/** The columns are those of the first file. Throws `NEEDS_SIDECAR` for unsupported types. */
export function planTable(parts: readonly [ParquetPart, ...ParquetPart[]]): ParquetTable {
  const [first] = parts;
  const columns = columnsOf(first);
  let rows = 0;
  let bytes = 0;
  const planned = parts.map((part): PlannedPart => {
    const groups = part.footer.rowGroups.filter((group) => isNeeded(group, part.footer.columns, part.need));
    for (const group of groups) rows += Number(group.rows);
    if (part === first) return { part, groups, columns };
    if (groups.length === 0) return { part, groups, columns: [] };
    const own = new Map(columnsOf(part).map((column) => [column.name.toLowerCase(), column]));
    const same = columns.map((column) => {
      const other = own.get(column.name.toLowerCase());
      if (other?.sql === column.sql) return other;
      throw beyond(part.name, `its column "${column.name}", which is another one in "${first.name}"`);
    });
    return { part, groups, columns: same };
  });
  for (const { groups, columns: read } of planned) {
    for (const leaf of leavesOf(read)) for (const group of groups) bytes += leastBytes(leaf, group);
  }
  return { columns, rows, bytes, parts: planned };
}

function columnsOf(part: ParquetPart): readonly Column[] {
  const { footer, need } = part;
  const names = footer.columns.map(({ name }) => name.toLowerCase());
  // DuckDB numbers names that differ only in case.
  if (new Set(names).size < names.length) throw beyond(part.name, "names of columns that only case tells apart");
  // The footer is enough to count rows.
  if (need.columns !== undefined && !names.some((name) => need.columns?.has(name))) return [];
  return neededColumns(footer.columns, need).map((top) => {
    try {
      const column = columnOf(top);
      const isJson = column.leaves.some(({ type }) => type.isJson);
      if (isJson && !(column.node.kind === "leaf" && part.jsonAsText(top.name))) {
        throw new Beyond(`the type of its column "${top.name}"`);
      }
      return column;
    } catch (error) {
      throw told(part, error);
    }
  });
}

const leavesOf = (columns: readonly Column[]): readonly Leaf[] => columns.flatMap(({ leaves }) => leaves);

function leastBytes({ index, type }: Leaf, group: RowGroup): number {
  const chunk = group.chunks[index];
  const values = Number((chunk && integerOf(chunk.metadata, 5)) ?? 0n);
  return values * type.width;
}

/** The rows in sequence, each part as a complete stream. */
export async function* rowsOf({ parts }: ParquetTable, room: TableRoom): AsyncGenerator<EngineStream> {
  for (const { part, groups, columns } of parts) {
    for (const group of groups) {
      if (group.rows === 0n) continue;
      try {
        yield* groupRows(part, group, columns, room);
      } catch (error) {
        throw told(part, error);
      }
    }
  }
}

async function* groupRows(
  part: ParquetPart,
  group: RowGroup,
  columns: readonly Column[],
  { unpack }: TableRoom,
): AsyncGenerator<EngineStream> {
  let held = 0;
  const hold = (bytes: number): void => {
    held += bytes;
    if (held > MOST_GROUP_BYTES) throw new Beyond(`a group of rows of more than ${MOST_GROUP_BYTES} bytes`);
  };
  const leaves = leavesOf(columns);
  const wanted = leaves.flatMap(({ index }) => group.chunks[index] ?? []);
  const fetched: { readonly start: number; readonly bytes: Uint8Array }[] = [];
  const ranges = joined(wanted);
  for (const { start, end } of ranges) hold(end - start);
  for (const { start, end } of ranges) fetched.push({ start, bytes: await part.read(start, end) });
  const values = new Map<Leaf, ChunkValues>();
  for (const leaf of leaves) {
    const chunk = group.chunks[leaf.index];
    const range = fetched.find(
      ({ start, bytes }) => chunk !== undefined && start <= chunk.start && chunk.end <= start + bytes.length,
    );
    if (chunk === undefined) throw new ParquetFault("It lacks values of a column.");
    const bytes = range?.bytes.subarray(chunk.start - range.start, chunk.end - range.start) ?? new Uint8Array(0);
    values.set(leaf, readChunk(leaf, chunk, bytes, { hold, unpack }));
  }
  const count = Number(group.rows);
  const rows = new GroupRows(columns, count, values);
  const size = [...values.values()].reduce((sum, { values: own }) => sum + own.size, 0);
  const rowsAtOnce = Math.max(1, Math.min(MOST_ROWS_AT_ONCE, Math.floor((BATCH_BYTES * count) / Math.max(size, 1))));
  const fields = columns.map(({ field }) => field);
  for (;;) {
    const next = rows.next(rowsAtOnce);
    if (next === undefined) return;
    yield engineStream(fields, next.rows, next.body);
  }
}

function told(part: ParquetPart, error: unknown): unknown {
  if (error instanceof Beyond) return beyond(part.name, error.message);
  if (!(error instanceof ParquetFault || error instanceof BatchFault)) return error;
  return new ConnectorFailure("FILE_INVALID", `"${part.name}" cannot be read: ${error.message}`, { cause: error });
}
