/** Levels that contradict each other: each file breaks one rule, and is refused by it. */
import { describe, expect, it } from "vitest";
import { ParquetFault } from "../../../../../src/connectors/files/parquet/fault.ts";
import { columnOf, type Leaf } from "../../../../../src/connectors/files/parquet/values/column-tree.ts";
import { type ChunkValues, readChunk } from "../../../../../src/connectors/files/parquet/values/pages.ts";
import { GroupRows } from "../../../../../src/connectors/files/parquet/values/vectors.ts";
import {
  int32s,
  type LeafData,
  leaf,
  list,
  map,
  parquetFile,
  type SchemaNode,
  struct,
} from "../../../../support/parquet-file.ts";
import { footerOf } from "../footer-of.ts";

/** The first group of rows. */
function read(column: SchemaNode, rows: number, leaves: readonly LeafData[]): GroupRows {
  const bytes = parquetFile({ columns: [column], rows, leaves });
  const { columns, rowGroups } = footerOf(bytes);
  const [group] = rowGroups;
  const read = columns.map(columnOf);
  const values = new Map<Leaf, ChunkValues>();
  for (const own of read.flatMap(({ leaves }) => leaves)) {
    const chunk = group!.chunks[own.index]!;
    const room = { hold: () => {}, unpack: () => {} };
    values.set(own, readChunk(own, chunk, bytes.subarray(chunk.start, chunk.end), room));
  }
  return new GroupRows(read, rows, values);
}

const a = leaf("a", "int32");
const b = leaf("b", "int32");
const data = (definitions: readonly number[], repetitions?: readonly number[], count = 8): LeafData => ({
  definitions,
  ...(repetitions && { repetitions }),
  values: int32s(...Array.from({ length: count }, (_, i) => i)),
});

describe("levels that fit", () => {
  it.each<[what: string, column: SchemaNode, rows: number, leaves: readonly LeafData[]]>([
    ["a list", list("l", a), 4, [data([3, 2, 1, 0, 3], [0, 1, 0, 0, 0])]],
    ["a struct", struct("s", a, b), 3, [data([2, 1, 0]), data([1, 2, 0])]],
    ["lists of structs", list("l", struct("s", a, b)), 2, [data([4, 3, 2], [0, 1, 0]), data([4, 4, 2], [0, 1, 0])]],
    [
      "structs of lists",
      struct("s", list("x", a), list("y", b)),
      2,
      [data([4, 4, 2], [0, 1, 0]), data([1, 4, 3], [0, 0, 1])],
    ],
    ["a map", map("m", a, b), 3, [data([2, 2, 1, 0], [0, 1, 0, 0]), data([3, 2, 1, 0], [0, 1, 0, 0])]],
    ["lists of lists", list("l", list("m", a)), 2, [data([5, 5, 5, 3, 1], [0, 2, 1, 1, 0])]],
  ])("%s", (_, column, rows, leaves) => {
    expect(read(column, rows, leaves).next(100)?.rows).toBe(rows);
  });
});

describe("levels that contradict each other", () => {
  it.each<[what: string, message: RegExp, column: SchemaNode, rows: number, leaves: readonly LeafData[]]>([
    ["fewer rows", /as many values as rows/, list("l", a), 2, [data([3, 3], [0, 1])]],
    ["more rows", /as many values as rows/, list("l", a), 1, [data([3, 3], [0, 0])]],
    ["a row that goes on before it begins", /begins within a row/, list("l", a), 1, [data([3, 3], [1, 0])]],
    ["a repetition beyond its lists", /higher than any|wider than it says/, list("l", a), 1, [data([3, 3], [0, 2])]],
    ["an empty list that goes on", /goes on/, list("l", a), 1, [data([1, 3], [0, 1])]],
    ["a NULL that goes on", /goes on/, list("l", a), 1, [data([0, 3], [0, 1])]],
    ["a list that goes on with nothing", /goes on/, list("l", a), 1, [data([3, 1], [0, 1])]],
    ["an inner list that goes on empty", /goes on/, list("l", list("m", a)), 1, [data([3, 5], [0, 2])]],
    ["structs that are NULL in one member", /equally many/, struct("s", a, b), 1, [data([1]), data([0])]],
    ["fewer entries", /equally many/, list("l", struct("s", a, b)), 1, [data([4, 4], [0, 1]), data([4], [0])]],
    ["more entries", /equally many/, list("l", struct("s", a, b)), 1, [data([4], [0]), data([4, 4], [0, 1])]],
    [
      "entries of other rows",
      /equally many/,
      list("l", struct("s", a, b)),
      2,
      [data([4, 4, 4], [0, 1, 0]), data([4, 4, 4], [0, 0, 1])],
    ],
    [
      "a list that is empty in one member",
      /equally many/,
      list("l", struct("s", a, b)),
      1,
      [data([1], [0]), data([0], [0])],
    ],
    ["a map of fewer values", /equally many/, map("m", a, b), 1, [data([2, 2], [0, 1]), data([3], [0])]],
    [
      "a struct within a map",
      /equally many/,
      map("m", a, struct("v", a, b)),
      1,
      [data([2], [0]), data([4], [0]), data([2], [0])],
    ],
  ])("%s", (_, message, column, rows, leaves) => {
    expect(() => read(column, rows, leaves)).toThrow(ParquetFault);
    expect(() => read(column, rows, leaves)).toThrow(message);
  });
});
