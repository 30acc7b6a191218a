/** Levels of nested columns that contradict each other: native DuckDB makes other rows of them, so the files Worker refuses the file. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FilesService, startFilesService } from "../support/files-service.ts";
import { int32s, leaf, list, map, parquetFile, type SchemaNode, struct } from "../support/parquet-file.ts";

const a = leaf("a", "int32");
const b = leaf("b", "int32");

interface Damaged {
  readonly column: SchemaNode;
  readonly rows: number;
  /** Definition levels and repetition levels of each leaf. */
  readonly levels: readonly (readonly [definitions: readonly number[], repetitions: readonly number[]])[];
}

const DAMAGED: Readonly<Record<string, Damaged>> = {
  "a NULL list that goes on": {
    column: list("c", a),
    rows: 2,
    levels: [
      [
        [0, 3, 3],
        [0, 1, 0],
      ],
    ],
  },
  "an empty list that goes on": {
    column: list("c", a),
    rows: 2,
    levels: [
      [
        [1, 3, 3],
        [0, 1, 0],
      ],
    ],
  },
  "a list that goes on with no element": {
    column: list("c", a),
    rows: 1,
    levels: [
      [
        [3, 1, 3],
        [0, 1, 1],
      ],
    ],
  },
  "a list that goes on with NULL": {
    column: list("c", a),
    rows: 1,
    levels: [
      [
        [3, 0, 3],
        [0, 1, 1],
      ],
    ],
  },
  "a struct that is NULL in one member": {
    column: struct("c", a, b),
    rows: 1,
    levels: [
      [[2], []],
      [[0], []],
    ],
  },
  "a struct in a list that is NULL in one member": {
    column: list("c", struct("e", a, b)),
    rows: 1,
    levels: [
      [
        [4, 4],
        [0, 1],
      ],
      [
        [4, 2],
        [0, 1],
      ],
    ],
  },
  "a map that is empty in its values": {
    column: map("c", a, b),
    rows: 2,
    levels: [
      [
        [2, 2],
        [0, 0],
      ],
      [
        [3, 1],
        [0, 0],
      ],
    ],
  },
};

const MOST_VALUES = 8;

function fileOf({ column, rows, levels }: Damaged): Uint8Array {
  const values = int32s(...Array.from({ length: MOST_VALUES }, (_, index) => index));
  const leaves = levels.map(([definitions, repetitions]) => ({
    definitions,
    ...(repetitions.length > 0 && { repetitions }),
    values,
  }));
  return parquetFile({ columns: [column], rows, leaves });
}

const pathOf = (name: string): string => `${name.replaceAll(" ", "-")}.parquet`;

let service: FilesService;
beforeAll(async () => {
  const files = Object.entries(DAMAGED).map(([name, damaged]) => [pathOf(name), fileOf(damaged)] as const);
  service = await startFilesService(Object.fromEntries(files));
}, 300_000);
afterAll(() => service.close());

it.each(Object.keys(DAMAGED))("%s", async (name) => {
  const answer = await service.ask("SELECT c FROM t", pathOf(name), { c: "unknown" });
  expect(answer).toMatchObject({ status: 422, reason: "FILE_INVALID", data: undefined });
});
