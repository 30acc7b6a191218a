/** CSV that is compressed, in directories that name columns, or read by declared types: by WASM as by native DuckDB. */
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DeclaredColumn, SqlType } from "../../../src/planner/plan.ts";
import { type BothEngines, openBoth, outcomeOf } from "./both-engines.ts";

const lines = (...rows: string[]): string => `${rows.join("\n")}\n`;
const long = lines("n,text", ...Array.from({ length: 60_000 }, (_, i) => `${i},${"x".repeat(i % 50)}`));

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "packed.csv.gz": gzipSync("a,b\n1,x\n2,ü\n"),
  "PACKED.TSV.GZ": gzipSync("a\tb\n1\tx\n"),
  "long.csv.gz": gzipSync(long),
  "members.csv.gz": Buffer.concat([gzipSync("a,b\n1,x\n"), gzipSync("2,y\n")]),
  "packed.csv.zst": zstdCompressSync("a,b\n1,x\n2,ü\n"),
  "long.csv.zst": zstdCompressSync(long),
  "frames.csv.zst": Buffer.concat([zstdCompressSync("a,b\n1,x\n"), zstdCompressSync("2,y\n")]),
  "empty.csv.zst": zstdCompressSync(""),
  "packs/day=2024-01-03/zone=eu west/c.csv.zst": zstdCompressSync("n\n3\n"),
  "typed.csv.zst": zstdCompressSync("s;I\n01;2\n"),
  "cut.csv.zst": zstdCompressSync(long).subarray(0, 5_000),
  "second-frame.csv.zst": Buffer.concat([zstdCompressSync("a,b\n1,x\n"), zstdCompressSync(long).subarray(0, 5_000)]),
  "behind.csv.zst": Buffer.concat([zstdCompressSync("a,b\n1,x\n"), Buffer.from("2,y\n")]),
  "flipped.csv.zst": zstdCompressSync(long, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }).map((byte, at) =>
    at === 3_000 ? byte ^ 1 : byte,
  ),
  // One raw block, in a frame that says 32 MiB.
  "far.csv.zst": Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x78, 0x41, 0, 0]),
    Buffer.from("a,b\n1,2\n"),
  ]),
  "plain-named.csv.zst": "a,b\n1,2\n",
  "cut.csv.gz": gzipSync(long).subarray(0, 5_000),
  "flipped.csv.gz": gzipSync(long).map((byte, at) => (at === 3_000 ? byte ^ 1 : byte)),
  "plain-named.csv.gz": "a,b\n1,2\n",
  "empty.csv.gz": gzipSync(""),
  "no-extension": "a,b\n1,2\n",
  "years/year=2023/a.csv": "n\n1\n2\n",
  "years/year=2024/b.csv": "n\n3\n",
  "packs/day=2024-01-01/zone=eu west/a.csv.gz": gzipSync("n\n1\n"),
  "packs/day=2024-01-02/zone=us%20east/b.csv.gz": gzipSync("n\n2\n"),
  "own/n=5/a.csv": "n,m\n1,2\n",
  "typed.csv": lines("i,d,s,ts,b,extra", "007,1.50,01,2024-01-01 10:00:00,true,x", ",,,,,"),
  "typed.csv.gz": gzipSync("s;I\n01;2\n"),
  "odd.csv": "i,s\nx,1\n",
  "headless.csv": "1,2\n3,4\n",
  "unended.csv": `"${"a".repeat(3_000_000)}`,
  "moments.csv": lines("t", "2024-01-01 10:00:00+02", "2024-01-01 10:00:00Z"),
  "word-days.csv": lines("d", "31/12/2024", "infinity"),
  "european.csv": lines("d,t", "31/12/2024,31/12/2024 10:00:00", "30/12/2024,30/12/2024 10:00:00"),
  "iso-word-days.csv": lines("d", "2024-12-31", "infinity"),
  "zones.csv": lines("t", "2024-01-01 10:00:00 Europe/Berlin"),
};

const INTEGER: SqlType = { kind: "integer", bits: 32 };
const DECLARED: readonly DeclaredColumn[] = [
  { name: "i", type: INTEGER },
  { name: "d", type: { kind: "decimal", precision: 10, scale: 3 } },
  { name: "s", type: { kind: "text" } },
  { name: "ts", type: { kind: "timestamp", zoned: false } },
  { name: "b", type: { kind: "boolean" } },
  { name: "n", type: INTEGER },
  { name: "year", type: { kind: "text" } },
  { name: "t", type: { kind: "timestamp", zoned: true } },
];

let both: BothEngines;
beforeAll(async () => {
  both = await openBoth(FILES);
}, 60_000);
afterAll(() => both.close());

const asked = (engine: "native" | "wasm", path: string, declared?: readonly DeclaredColumn[], sql?: string) =>
  outcomeOf(both[engine], path, { sql: sql ?? `SELECT * FROM "${path}" ORDER BY ALL`, ...(declared && { declared }) });

describe("as native DuckDB reads it", () => {
  it.each([
    "packed.csv.gz",
    "long.csv.gz",
    "members.csv.gz",
    "empty.csv.gz",
    "packed.csv.zst",
    "long.csv.zst",
    "frames.csv.zst",
    "empty.csv.zst",
    "packs/*/*/*.csv.zst",
    "no-extension",
    "years/*/*.csv",
    "years/year=2024/b.csv",
    "packs/*/*/*.csv.gz",
    "own/*/*.csv",
    "european.csv",
    "iso-word-days.csv",
  ])("%s", async (path) => {
    const there = await asked("native", path);
    expect(there).toHaveProperty("rows");
    expect(await asked("wasm", path)).toEqual(there);
  });

  it.each(["cut.csv.gz", "flipped.csv.gz", "cut.csv.zst", "second-frame.csv.zst", "flipped.csv.zst", "behind.csv.zst"])(
    "%s is cut off or damaged to both",
    async (path) => {
      const told = { reason: "FILE_INVALID" };
      expect(await asked("native", path)).toMatchObject(told);
      expect(await asked("wasm", path)).toMatchObject({ ...told, message: `"${path}" is cut off or damaged.` });
    },
  );

  it.each(["PACKED.TSV.GZ", "plain-named.csv.gz", "plain-named.csv.zst"])("%s is in order to neither", async (path) => {
    expect(await asked("native", path)).toMatchObject({ reason: "FILE_INVALID" });
    expect(await asked("wasm", path)).toMatchObject({
      reason: expect.stringMatching(/^(FILE_INVALID|NEEDS_SIDECAR)$/),
    });
  });

  it("frames that look back by more than there is room for take the sidecar", async () => {
    expect(await asked("native", "far.csv.zst")).toHaveProperty("rows");
    expect(await asked("wasm", "far.csv.zst")).toMatchObject({ reason: "NEEDS_SIDECAR" });
  });

  it("days that are words, where DuckDB makes 1900 of them, are in order to neither", async () => {
    expect(await asked("native", "word-days.csv")).toMatchObject({ reason: "FILE_INVALID" });
    expect(await asked("wasm", "word-days.csv")).toMatchObject({ reason: "NEEDS_SIDECAR" });
  });

  it("leaves out what the directories tell", async () => {
    const sql = `SELECT sum(n) FROM "years/*/*.csv" WHERE year > 2023`;
    expect(await asked("wasm", "years/*/*.csv", undefined, sql)).toMatchObject({ rows: [["3"]] });
  });
});

describe("by declared types", () => {
  it.each([
    "typed.csv",
    "typed.csv.gz",
    "typed.csv.zst",
    "odd.csv",
    "headless.csv",
    "unended.csv",
    "empty.csv.gz",
    "years/*/*.csv",
    "moments.csv",
  ])("%s as native DuckDB does", async (path) => {
    expect(await asked("wasm", path, DECLARED)).toEqual(await asked("native", path, DECLARED));
  });

  it.each([
    ["typed.csv", ["i", "d", "s", "ts", "b"]],
    ["years/*/*.csv", ["n", "year"]],
  ])("%s has the declared columns and no others; a column that the file lacks is NULL", async (path, own) => {
    const answer = await asked("wasm", path, DECLARED);
    const names = DECLARED.map(({ name }) => name);
    const { columns = [], rows = [] } = answer;
    expect(columns.map(({ name }) => name).sort()).toEqual([...names].sort());
    const lacking = columns.flatMap(({ name }, index) => (own.includes(name) ? [] : [index]));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(lacking.map((index) => row[index])).toEqual(lacking.map(() => null));
  });

  it("names of zones take the sidecar", async () => {
    expect(await asked("wasm", "zones.csv", DECLARED)).toMatchObject({ reason: "NEEDS_SIDECAR" });
  });
});
