/**
 * Small Parquet files in the shapes that other writers make (`test/fixtures/parquet`): DuckDB without our code, the sidecar and the
 * files Worker return the same type and the same cells for every column. The files Worker may refuse a column with `NEEDS_SIDECAR` and
 * the column's name, if the table below lists it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { int32s, leaf, map, parquetFile, type SchemaNode, struct, texts } from "../../support/parquet-file.ts";
import { type BothEngines, difference, openBoth, outcomeOf } from "./both-engines.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/parquet/", import.meta.url));
const WRITTEN = readdirSync(FIXTURES).filter((name) => name.endsWith(".parquet"));

/** Shapes that PyArrow does not write. */
const BY_HAND: Readonly<Record<string, Uint8Array>> = {
  "repeated-without-list.parquet": repeated(undefined, leaf("v", "int32", { repetition: "repeated" })),
  "list-of-two-levels.parquet": repeated("list", leaf("array", "int32", { repetition: "repeated" })),
  "list-of-tuples.parquet": repeated("list", {
    name: "v_tuple",
    repetition: "repeated",
    children: [leaf("x", "int32", { repetition: "required" })],
  }),
  "list-of-structs-of-two-levels.parquet": pairs(),
  "list-of-bags.parquet": repeated("list", {
    name: "bag",
    repetition: "repeated",
    children: [leaf("array_element", "int32", { repetition: "required" })],
  }),
  "repeated-inside-of-a-struct.parquet": insideOfStruct(),
  "map-of-keys.parquet": keys(),
};

/** `1, 2` | NULL or empty | `3` in `v`, beside the required column `n`. */
function repeated(converted: "list" | undefined, inside: SchemaNode): Uint8Array {
  const column: SchemaNode =
    converted === undefined ? inside : { name: "v", repetition: "optional", converted, children: [inside] };
  const full = converted === undefined ? 1 : 2;
  return parquetFile({
    columns: [column, leaf("n", "int32", { repetition: "required" })],
    rows: 3,
    leaves: [
      { definitions: [full, full, 0, full], repetitions: [0, 1, 0, 0], values: int32s(1, 2, 3) },
      { count: 3, values: int32s(1, 2, 3) },
    ],
  });
}

/** A list whose repeated group is the element, with two members. */
function pairs(): Uint8Array {
  const [x, y] = ["x", "y"].map((name) => leaf(name, "int32"));
  const array: SchemaNode = { name: "array", repetition: "repeated", children: [x!, y!] };
  return parquetFile({
    columns: [{ name: "v", repetition: "optional", converted: "list", children: [array] }],
    rows: 3,
    leaves: [
      { definitions: [3, 2, 0, 1], repetitions: [0, 1, 0, 0], values: int32s(1) },
      { definitions: [3, 3, 0, 1], repetitions: [0, 1, 0, 0], values: int32s(2, 3) },
    ],
  });
}

/** A repeated leaf and a repeated group, in a struct that may be NULL. */
function insideOfStruct(): Uint8Array {
  const group: SchemaNode = { name: "g", repetition: "repeated", children: [leaf("a", "int32"), leaf("b", "int32")] };
  return parquetFile({
    columns: [struct("s", leaf("r", "int32", { repetition: "repeated" }), group)],
    rows: 3,
    leaves: [
      { definitions: [2, 2, 0, 1], repetitions: [0, 1, 0, 0], values: int32s(1, 2) },
      { definitions: [3, 0, 2], repetitions: [0, 0, 0], values: int32s(3) },
      { definitions: [2, 0, 3], repetitions: [0, 0, 0], values: int32s(4) },
    ],
  });
}

function keys(): Uint8Array {
  return parquetFile({
    columns: [map("m", leaf("key", "bytes", { converted: "text" }), leaf("value", "int32"))],
    rows: 2,
    leaves: [
      { definitions: [2, 2, 0], repetitions: [0, 1, 0], values: texts("a", "b") },
      { definitions: [3, 2, 0], repetitions: [0, 1, 0], values: int32s(1) },
    ],
  });
}

const FILES = [...WRITTEN, ...Object.keys(BY_HAND)];

/** Columns that the files Worker leaves to the sidecar, in files that have others. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "decimal-of-76-digits.parquet": ["d76"],
  "json.parquet": ["j"],
  "null-type.parquet": ["n"],
  "time-nanoseconds.parquet": ["t_ns"],
};
/** Columns that native DuckDB refuses as well. */
const UNREADABLE: Readonly<Record<string, readonly string[]>> = {
  "byte-stream-split-numbers.parquet": ["i32", "i64", "f16", "fix", "dec"],
};

let both: BothEngines;
let plain: (sql: string) => Promise<readonly (readonly unknown[])[]>;
let closePlain: () => void;

beforeAll(async () => {
  const written = WRITTEN.map((name) => [name, new Uint8Array(readFileSync(join(FIXTURES, name)))] as const);
  both = await openBoth({ ...Object.fromEntries(written), ...BY_HAND }, "parquet");
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  plain = async (sql) => (await connection.runAndReadAll(sql)).getRows();
  closePlain = () => {
    connection.closeSync();
    instance.closeSync();
  };
}, 60_000);
afterAll(async () => {
  closePlain();
  await both.close();
});

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

interface Readable {
  readonly refused: readonly string[];
  readonly unreadable: readonly string[];
}

/** Compares these columns in all places; those of `refused` and `unreadable` are compared as failures. */
async function compare(file: string, columns: readonly string[]): Promise<Readable | undefined> {
  const path = `'${join(both.ground.root, file)}'`;
  const items = columns.map((name) => `typeof(${identifier(name)}), CAST(${identifier(name)} AS VARCHAR)`).join(", ");
  const scans = [{ columns, filters: [] }];
  const values = { sql: `SELECT ${columns.map(identifier).join(", ")} FROM "${file}"`, scans };
  const written = { sql: `SELECT ${items} FROM "${file}"`, scans };
  const expected = await plain(`SELECT ${items} FROM read_parquet(${path})`).catch(() => undefined);
  const native = await outcomeOf(both.native, file, values);
  const wasm = await outcomeOf(both.wasm, file, values);
  if (columns.length > 1 && (expected === undefined || wasm.rows === undefined)) return undefined;
  const [name = ""] = columns;
  const isNamed = { name, message: expect.stringContaining(`"${name}"`) };
  if (expected === undefined) {
    expect({ name, ...native }).toMatchObject({ name, reason: "SOURCE_ERROR" });
    expect({ name, ...wasm }).toMatchObject({ ...isNamed, reason: "NEEDS_SIDECAR" });
    return { refused: [], unreadable: columns };
  }
  expect((await outcomeOf(both.native, file, written)).rows).toEqual(expected);
  if (wasm.rows === undefined) {
    expect({ name, ...wasm }).toMatchObject({ ...isNamed, reason: "NEEDS_SIDECAR" });
    return { refused: columns, unreadable: [] };
  }
  expect(difference(wasm, native)).toBe("none");
  expect((await outcomeOf(both.wasm, file, written)).rows).toEqual(expected);
  return { refused: [], unreadable: [] };
}

describe("every column of", () => {
  it.each(FILES)("%s", async (file) => {
    const described = await plain(`DESCRIBE SELECT * FROM read_parquet('${join(both.ground.root, file)}')`);
    // A statement cannot name the column without a name.
    const columns = described.map(([name]) => String(name)).filter((name) => name !== "");
    let found = await compare(file, columns);
    if (found === undefined) {
      const single: Readable[] = [];
      for (const name of columns) single.push((await compare(file, [name])) ?? { refused: [], unreadable: [] });
      found = {
        refused: single.flatMap(({ refused }) => refused),
        unreadable: single.flatMap(({ unreadable }) => unreadable),
      };
    }
    expect(found).toEqual({ refused: REFUSED[file] ?? [], unreadable: UNREADABLE[file] ?? [] });
  });
});
