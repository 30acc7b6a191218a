/**
 * Builds a Parquet file with fewer columns and row groups from the bytes of another: a new footer at the old position, and the
 * needed values at their old positions. Data that is not in the footer cannot be read, so an error in the selection leads to a
 * missing column and never to wrong values (docs/decisions/0054-parquet-by-needed-bytes.md#decision).
 */
import type { ScanFilter } from "../../../planner/plan.ts";
import type { FileNeed } from "../need.ts";
import { type Field, type Struct, writeStruct } from "./compact-protocol.ts";
import type { Chunk, Footer, RowGroup, TopColumn } from "./footer.ts";
import { mayHold } from "./statistics.ts";

export interface Projection {
  /** The needed ranges of the file, ascending and disjoint; ends are exclusive. */
  readonly ranges: readonly ByteRange[];
  /** New bytes; the last entry ends the file. */
  readonly written: readonly WrittenBytes[];
}

export interface WrittenBytes {
  readonly at: number;
  readonly bytes: Uint8Array;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Ranges with a smaller gap are requested together: a request costs more than the gap. */
const GAP_BYTES = 64 * 1024;
const SIGN = new TextEncoder().encode("PAR1");

/** Without uses, a file without rows. */
export function project(footer: Footer, need: FileNeed): Projection {
  const columns = neededColumns(footer.columns, need);
  const groups = footer.rowGroups.filter((group) => isNeeded(group, footer.columns, need));
  const leaves = columns.flatMap(({ firstLeaf, leaves: count }) =>
    Array.from({ length: count }, (_, i) => firstLeaf + i),
  );
  const kept = groups.map((group) => keep(group, leaves));
  // The footer alone is enough to count rows.
  const areRead = need.columns === undefined || need.columns.size > 0;
  const changed = withFields(footer.fields, {
    2: list(12, [root(footer.fields, columns.length), ...columns.flatMap(({ elements }) => elements.map(struct))]),
    3: integer(
      groups.reduce((sum, { rows }) => sum + rows, 0n),
      6,
    ),
    4: list(
      12,
      kept.map(({ fields }) => struct(fields)),
    ),
    7: orders(footer.fields, leaves),
  });
  const body = writeStruct(changed);
  const bytes = new Uint8Array(body.length + 8);
  bytes.set(body);
  new DataView(bytes.buffer).setUint32(body.length, body.length, true);
  bytes.set(SIGN, body.length + 4);
  return {
    ranges: joined(areRead ? kept.flatMap(({ chunks }) => chunks) : []),
    written: [
      { at: 0, bytes: SIGN },
      // Without values, the footer follows the magic number.
      { at: kept.length === 0 ? SIGN.length : footer.start, bytes },
    ],
  };
}

/** At least one column, because a file without columns does not exist; the same one for several files. */
export function neededColumns(columns: readonly TopColumn[], { columns: wanted }: FileNeed): readonly TopColumn[] {
  const names = columns.map(({ name }) => name.toLowerCase());
  // Readers number names that differ only in case, in the order of all columns.
  if (wanted === undefined || new Set(names).size < names.length) return columns;
  const needed = columns.filter((_, index) => wanted.has(names[index] ?? ""));
  if (needed.length > 0) return needed;
  const [first] = [...names].sort();
  return columns.filter((_, index) => names[index] === first);
}

/** A group is not needed if no row of it can meet all filters of a use. */
export function isNeeded(group: RowGroup, columns: readonly TopColumn[], { uses }: FileNeed): boolean {
  return uses.some((filters) =>
    filters.every((filter) => {
      const leaf = leafOf(filter, columns, group);
      return leaf === undefined || mayHold(filter, leaf.element, leaf.chunk.metadata);
    }),
  );
}

/** The column of a filter; undefined for a nested one, or if several have the name. */
export function leafOf(
  filter: ScanFilter,
  columns: readonly TopColumn[],
  group: RowGroup,
): { readonly element: Struct; readonly chunk: Chunk } | undefined {
  const named = columns.filter(({ name }) => name.toLowerCase() === filter.column.toLowerCase());
  const [column] = named;
  const [element] = column?.elements ?? [];
  const chunk = group.chunks[column?.firstLeaf ?? -1];
  if (named.length !== 1 || column?.elements.length !== 1 || element === undefined || chunk === undefined)
    return undefined;
  return { element, chunk };
}

function keep(
  group: RowGroup,
  leaves: readonly number[],
): { readonly fields: Struct; readonly chunks: readonly Chunk[] } {
  const chunks = leaves.map((leaf) => group.chunks[leaf]).filter((chunk) => chunk !== undefined);
  const fields = withFields(group.fields, {
    1: list(
      12,
      chunks.map((chunk) => struct(withoutIndexes(chunk))),
    ),
    // The sort order of rows refers to column numbers, which have changed.
    4: undefined,
  });
  return { fields, chunks };
}

/** Indexes and Bloom filters are elsewhere in the file, and are not copied. */
function withoutIndexes({ fields, metadata }: Chunk): Struct {
  return withFields(fields, {
    3: struct(withFields(metadata, { 14: undefined, 15: undefined })),
    4: undefined,
    5: undefined,
    6: undefined,
    7: undefined,
  });
}

function root(fields: Struct, columns: number): Field {
  const schema = fields.get(2);
  const first = schema?.type === "list" ? schema.value[0] : undefined;
  return struct(withFields(first?.type === "struct" ? first.value : new Map(), { 5: integer(BigInt(columns), 5) }));
}

/** The sort order of each leaf's values, if the file defines it. */
function orders(fields: Struct, leaves: readonly number[]): Field | undefined {
  const all = fields.get(7);
  if (all?.type !== "list") return undefined;
  const kept = leaves.map((leaf) => all.value[leaf]).filter((order) => order !== undefined);
  return kept.length === leaves.length ? { ...all, value: kept } : undefined;
}

/** The structure with changed fields; undefined ones are removed. Fields stay in the order of their numbers. */
function withFields(fields: Struct, changes: Readonly<Record<number, Field | undefined>>): Struct {
  const changed = new Map(fields);
  for (const [id, field] of Object.entries(changes)) {
    if (field === undefined) changed.delete(Number(id));
    else changed.set(Number(id), field);
  }
  return new Map([...changed].sort(([a], [b]) => a - b));
}

export function joined(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const found: { start: number; end: number }[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (start === end) continue;
    if (last !== undefined && start <= last.end + GAP_BYTES) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
}

function struct(value: Struct): Field {
  return { type: "struct", value };
}

function list(of: number, value: readonly Field[]): Field {
  return { type: "list", of, value };
}

function integer(value: bigint, width: number): Field {
  return { type: "integer", width, value };
}
