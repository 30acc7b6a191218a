/** BOOLEAN keys and values of maps are read as the bits that they are, and never as bytes of the engine's memory beside them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FilesService, startFilesService } from "../support/files-service.ts";
import { booleans, leaf, map, parquetFile, texts } from "../support/parquet-file.ts";

const text = leaf("k", "bytes", { converted: "text" });
const boolean = leaf("v", "boolean");

/** `{a: true, b: false}`, NULL, `{}`, `{c: NULL}`. */
const VALUES = parquetFile({
  columns: [map("m", text, boolean)],
  rows: 4,
  leaves: [
    { repetitions: [0, 1, 0, 0, 0], definitions: [2, 2, 0, 1, 2], values: texts("a", "b", "c") },
    { repetitions: [0, 1, 0, 0, 0], definitions: [3, 3, 0, 1, 2], values: booleans(true, false) },
  ],
});

/** `{true: a, false: b}`, `{true: NULL}`. */
const KEYS = parquetFile({
  columns: [map("m", leaf("k", "boolean"), leaf("v", "bytes", { converted: "text" }))],
  rows: 2,
  leaves: [
    { repetitions: [0, 1, 0], definitions: [2, 2, 2], values: booleans(true, false, true) },
    { repetitions: [0, 1, 0], definitions: [3, 3, 2], values: texts("a", "b") },
  ],
});

const MANY = 1_500;
const LARGE = parquetFile({
  columns: [map("m", leaf("k", "int32"), boolean)],
  rows: 1,
  leaves: [
    {
      repetitions: Array.from({ length: MANY }, (_, i) => Math.min(i, 1)),
      definitions: new Array<number>(MANY).fill(2),
      values: new Uint8Array(Int32Array.from({ length: MANY }, (_, i) => i).buffer),
    },
    {
      repetitions: Array.from({ length: MANY }, (_, i) => Math.min(i, 1)),
      definitions: new Array<number>(MANY).fill(3),
      values: booleans(...Array.from({ length: MANY }, (_, i) => i % 3 === 0)),
    },
  ],
});

let service: FilesService;
beforeAll(async () => {
  service = await startFilesService({
    "values.parquet": VALUES,
    "keys.parquet": KEYS,
    "large.parquet": LARGE,
    "map.csv": Buffer.from('m\n"{a=true, b=false}"\n'),
  });
}, 300_000);
afterAll(() => service.close());

const COLUMNS = { m: "unknown" };

it("as values", async () => {
  const { data } = await service.ask("SELECT m FROM t", "values.parquet", COLUMNS);
  expect(data).toEqual([
    [
      [
        ["a", true],
        ["b", false],
      ],
    ],
    [null],
    [[]],
    [[["c", null]]],
  ]);
});

it("as keys", async () => {
  const { data } = await service.ask("SELECT m FROM t", "keys.parquet", COLUMNS);
  expect(data).toEqual([
    [
      [
        [true, "a"],
        [false, "b"],
      ],
    ],
    [[[true, null]]],
  ]);
});

it("in many entries", async () => {
  const { data } = await service.ask("SELECT m FROM t", "large.parquet", COLUMNS);
  expect(data).toEqual([[Array.from({ length: MANY }, (_, i) => [i, i % 3 === 0])]]);
});
