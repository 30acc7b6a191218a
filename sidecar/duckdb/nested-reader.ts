/** Readers of DuckDB's nested vectors: lists, arrays, structs, maps and unions. */
import duckdb from "@duckdb/node-bindings";
import type { Field, Value } from "../../src/result/types.ts";
import { type ColumnReader, nullMask, type RawVector } from "./vector.ts";

export interface Member {
  readonly name: string;
  readonly reader: ColumnReader;
}

const PAIR_BYTES = 16;

/** The range of an entry's elements in the child vector; meaningless for NULL entries. */
interface Span {
  readonly start: number;
  readonly length: number;
}

function spans(vector: RawVector, start: number, count: number): (Span | null)[] {
  const bytes = duckdb.vector_get_data(vector, (start + count) * PAIR_BYTES);
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNull = nullMask(vector, start + count);
  return Array.from({ length: count }, (_, i) => {
    if (isNull(start + i)) return null;
    const at = (start + i) * PAIR_BYTES;
    return { start: Number(data.getBigUint64(at, true)), length: Number(data.getBigUint64(at + 8, true)) };
  });
}

/** The elements of the entries; `read` reads elements from an offset of the child vector on. */
function entries(
  vector: RawVector,
  start: number,
  count: number,
  read: (start: number, count: number) => readonly Value[],
): Value[] {
  const found = spans(vector, start, count);
  let first = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const span of found) {
    if (span === null || span.length === 0) continue;
    first = Math.min(first, span.start);
    end = Math.max(end, span.start + span.length);
  }
  const children = end === 0 ? [] : read(first, end - first);
  return found.map((span) => {
    if (span === null) return null;
    return span.length === 0 ? [] : children.slice(span.start - first, span.start - first + span.length);
  });
}

/** About eight bytes per element; the size of its contents is ignored. */
function weighEntries(vector: RawVector, count: number): (index: number) => number {
  const found = spans(vector, 0, count);
  return (index) => (found[index]?.length ?? 0) * 8;
}

export function listReader(element: ColumnReader): ColumnReader {
  return {
    type: { kind: "list", element: element.type },
    read: (vector, start, count) =>
      entries(vector, start, count, (from, length) => element.read(duckdb.list_vector_get_child(vector), from, length)),
    weigh: weighEntries,
  };
}

/** `size`: number of elements of every entry, NULL entries included. */
export function arrayReader(element: ColumnReader, size: number): ColumnReader {
  return {
    type: { kind: "list", element: element.type },
    read(vector, start, count) {
      const children = element.read(duckdb.array_vector_get_child(vector), start * size, count * size);
      const isNull = nullMask(vector, start + count);
      return Array.from({ length: count }, (_, i) =>
        isNull(start + i) ? null : children.slice(i * size, (i + 1) * size),
      );
    },
    weigh: () => () => size * 8,
  };
}

export function structReader(members: readonly Member[]): ColumnReader {
  return {
    type: { kind: "struct", fields: fieldsOf(members) },
    read: (vector, start, count) => zip(vector, start, count, members, 0),
  };
}

/** A map vector is a list vector of (key, value) structs. */
export function mapReader(key: ColumnReader, value: ColumnReader): ColumnReader {
  const members = [
    { name: "key", reader: key },
    { name: "value", reader: value },
  ];
  return {
    type: { kind: "map", key: key.type, value: value.type },
    read: (vector, start, count) =>
      entries(vector, start, count, (from, length) =>
        zip(duckdb.list_vector_get_child(vector), from, length, members, 0),
      ),
    weigh: weighEntries,
  };
}

/** A struct with one field per member, of which only the active one is not NULL: the canonical types have no union. */
export function unionReader(members: readonly Member[]): ColumnReader {
  return {
    type: { kind: "struct", fields: fieldsOf(members) },
    // The first child is the tag; DuckDB keeps the inactive members NULL.
    read: (vector, start, count) => zip(vector, start, count, members, 1),
  };
}

function fieldsOf(members: readonly Member[]): Field[] {
  return members.map(({ name, reader }) => ({ name, type: reader.type }));
}

/** Rows of the children of a struct vector, starting with child number `first`. */
function zip(vector: RawVector, start: number, count: number, members: readonly Member[], first: number): Value[] {
  const columns = members.map(({ reader }, i) =>
    reader.read(duckdb.struct_vector_get_child(vector, first + i), start, count),
  );
  const isNull = nullMask(vector, start + count);
  return Array.from({ length: count }, (_, i) =>
    isNull(start + i) ? null : columns.map((column) => column[i] ?? null),
  );
}
