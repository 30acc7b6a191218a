/** JSON by the files Worker's engine: what native DuckDB reads of the same files, or `NEEDS_SIDECAR`. */
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scan, ScanFilter } from "../../../src/planner/plan.ts";
import { type BothEngines, openBoth, outcomeOf, type Question } from "./both-engines.ts";
import { randomJson } from "./generated-json.ts";

const lines = (...values: string[]): string => values.map((value) => `{"a":${value}}\n`).join("");
const many = (count: number, last: string): string => `${'{"a":1}\n'.repeat(count)}${last}`;

/** Read here. */
const READ: Readonly<Record<string, string | Uint8Array>> = {
  integers: lines("1", "-9223372036854775808", "9223372036854775807", "null", "-0", "0"),
  doubles: lines("1", "2.5", "-0.0", "1e3", "123456789012345678.9", "5e-324", "9223372036854775807"),
  "exact digits": lines("0.1", "1.7976931348623157e308", "9007199254740993", "3.0000000000000004"),
  booleans: lines("true", "false", "null"),
  texts: lines('"x"', '""', '"ü😀"', '"\\u00e9\\ud83d\\ude00\\n\\"\\\\\\/"', '"\\u0000"', '" y"', "null"),
  days: lines('"2024-02-29"', '"0001-01-01"', '"9999-12-31"', "null"),
  moments: lines('"2024-02-29 23:59:59"', '"1969-12-31 00:00:00"'),
  "moments with fractions": lines('"2024-02-29 23:59:59.5"', '"1969-12-31 00:00:00.123456"'),
  "moments in UTC": lines('"2024-02-29T23:59:59Z"', '"1900-01-01T00:00:00Z"'),
  "texts among days": lines('"2024-02-29"', '"none"', '"2024-01-01 10:00:00"'),
  "digits in texts": lines('"20240101"', '"123"', '"007"', '"123456"', '"20240101101112"'),
  addresses: lines('"12 Main Street"', '"1 b"', '"+49 nice"', '"a-1"'),
  "long texts": lines(`"${"x".repeat(100_000)}"`, `"${'\\"\\n'.repeat(1_000_000)}"`),
  lists: lines("[1, 2, null]", "[]", "null", "[3]"),
  "lists of lists": lines("[[1], [2.5, null], []]", "[[]]"),
  objects: lines('{"b": 1, "c": "x"}', '{"c": "y"}', '{"b": 2, "d": true, "c": null}', "null", '{"d": false}'),
  "objects in lists": lines('[{"b": 1}, {"b": 2, "c": "x"}, null]', "[]"),
  "objects in objects": lines('{"b": {"c": {"d": 1.5}, "e": ["x"]}}', '{"b": null}'),
  "names in another order": '{"b":1,"a":2}\n{"c":3,"a":4}\n{"a":5,"c":6,"b":7}\n',
  "odd names": '{"a b":1,"ü":2,"\\"q\\"":3,"select":4,"__proto__":5}\n',
  "an array": '[{"a":1},\n {"a":2},{"b":"x","a":null}]\n',
  "records that share a line": '{"a":1}{"a":2} {"a":3}',
  "records of several lines": '{\n  "a": 1\n}\n\n{\r\n"a": 2\r\n}',
  "blanks and a mark": '\uFEFF \n {"a":1}\n\n',
  "no blanks at the end": '{"a":1}\n{"a":2}',
  "more records than are looked at, all alike": many(25_000, '{"a":2}\n'),
};

/** Left to the sidecar: what native DuckDB makes of it is another thing, or an error. */
const LEFT: Readonly<Record<string, string>> = {
  "only NULLs": lines("null", "null"),
  "several kinds": lines("1", "true"),
  "numbers and texts": lines("1", '"x"'),
  "empty lists": lines("[]", "[]"),
  "empty objects": lines("{}"),
  "whole numbers beyond 64 bits": lines("9223372036854775808"),
  "numbers beyond doubles": lines("1e400"),
  "no numbers": lines("NaN"),
  times: lines('"10:00:00"'),
  "days in another form": lines('"31-12-2024"'),
  "days and moments": lines('"2024-01-01"', '"2024-01-01 10:00:00"'),
  "moments of two forms": lines('"2024-01-01 10:00:00"', '"2024-01-01T10:00:00Z"'),
  "moments in UTC with fractions": lines('"2024-02-29T23:59:59.25Z"', '"1900-01-01T00:00:00.000001Z"'),
  "moments of two forms in two columns": '{"a":"2024-01-01 10:00:00","b":"2024-01-01 10:00:00.5"}\n',
  "days that are none": lines('"2024-02-30"'),
  "infinite days": lines('"infinity"', '"2024-01-01"'),
  offsets: lines('"2024-01-01T10:00:00+02:00"'),
  ids: lines('"00112233-4455-6677-8899-aabbccddeeff"'),
  "objects with other names each": lines(...Array.from({ length: 12 }, (_, i) => `{"x${i}":1}`)),
  "names that differ only in case": '{"a":1,"A":2}\n',
  "a name twice": '{"a":1,"a":2}\n',
  "no name": '{"":1}\n',
  "no records": "",
  "an empty array": "[]",
  "values that are no records": "1\n2\n",
  "a record and another value": '{"a":1}\n[2]\n',
  "two arrays": '[{"a":1}]\n[{"a":2}]\n',
  "an end within": '{"a":1}\n{"a":',
  "what is no JSON": "{'a':1}\n",
  "a comma at the end": '[{"a":1},]',
  "another type behind those that are looked at": many(25_000, '{"a":"x"}\n'),
  "another name behind those that are looked at": many(25_000, '{"b":1}\n'),
  "halves of letters": lines('"\\ud800"'),
  "a record of many names": `{${Array.from({ length: 1_001 }, (_, i) => `"a${i}":1`).join()}}\n`,
  "records of other names each": Array.from({ length: 12_000 }, (_, i) => `{"a${i}":1}\n`).join(""),
  "a long list": lines(`[${"1,".repeat(100_000)}1]`),
  "deep values": lines(`${"[".repeat(150)}${"]".repeat(150)}`),
};

const file = (name: string): string => `${name.replaceAll(/\W+/g, "-")}.json`;

let both: BothEngines;
beforeAll(async () => {
  const files = Object.entries({ ...READ, ...LEFT }).map(([name, content]) => [file(name), content] as const);
  both = await openBoth(Object.fromEntries(files), "json");
}, 60_000);
afterAll(() => both.close());

const asked = (engine: "native" | "wasm", path: string, question: Question = {}) =>
  outcomeOf(both[engine], path, question);

describe("as native DuckDB reads it", () => {
  it.each(Object.keys(READ))("%s", async (name) => {
    const there = await asked("native", file(name));
    expect(there).toHaveProperty("rows");
    expect(await asked("wasm", file(name))).toEqual(there);
  });

  it("several files, compressed ones among them", async () => {
    both.ground.write("some/a.ndjson", '{"a":1,"b":"x"}\n');
    both.ground.write("some/b.ndjson.gz", gzipSync('{"c":true,"a":2.5}\n'));
    both.ground.write(
      "some/c.ndjson.zst",
      Buffer.concat(['{"a":3}\n', '{"a":4}\n'].map((line) => zstdCompressSync(line))),
    );
    const sql = 'SELECT a, b, c FROM "some/*" ORDER BY a';
    expect(await asked("wasm", "some/*", { sql })).toEqual(await asked("native", "some/*", { sql }));
    expect(await asked("wasm", "some/*", { sql })).toMatchObject({
      rows: [
        [1, "x", null],
        [2.5, null, true],
        [3, null, null],
        [4, null, null],
      ],
    });
  });
});

it.each([
  ["cut.json.gz", gzipSync],
  ["cut.json.zst", zstdCompressSync],
])("%s is cut off or damaged to both", async (name, pack) => {
  both.ground.write(name, pack(many(5_000, "")).subarray(0, -3));
  for (const engine of ["native", "wasm"] as const) {
    expect(await asked(engine, name)).toMatchObject({ reason: "FILE_INVALID" });
  }
});

describe("in directories that name columns", () => {
  const FOLDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    years: {
      "year=2023/a.json": '{"a":1}\n{"a":2}\n',
      "year=2024/b.json": '{"a":3}\n',
      "year=2024/c.ndjson": '{"a":4}\n',
    },
    days: { "day=2024-01-01/k=a b/a.json": '[{"a":1}]', "day=2024-01-02/k=c%20d/a.json": '[{"a":2,"b":"x"}]' },
    texts: { "k=x/a.json": '{"a":1}\n', "k=__HIVE_DEFAULT_PARTITION__/a.json": '{"a":2}\n', "k=1/b.json": '{"a":3}\n' },
    // Beyond those by which the columns are told: neither engine looks at a file of another year.
    many: Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`year=${1990 + n}/a.json`, n === 20 ? "none" : `{"a":${n}}\n`]),
    ),
  };
  beforeAll(() => {
    for (const [folder, files] of Object.entries(FOLDERS))
      for (const [name, text] of Object.entries(files)) both.ground.write(`${folder}/${name}`, text);
  });

  it.each<[path: string, sql: string, scans?: readonly Scan[]]>([
    ["years/*/*", "SELECT *, typeof(year) FROM t ORDER BY ALL"],
    ["years/*/*", "SELECT sum(a) FROM t WHERE year = 2024"],
    ["years/*/*", "SELECT sum(a) FROM t", [{ columns: ["a"], filters: [] }]],
    ["days/*/*/*", "SELECT *, typeof(day), typeof(k) FROM t ORDER BY ALL"],
    ["texts/*/*", "SELECT *, typeof(k) FROM t ORDER BY ALL"],
    ["many/*/*", "SELECT * FROM t WHERE year = 2019", [{ filters: [of("year", 2019)] }]],
    ["many/*/*", "SELECT count(*), max(a) FROM t WHERE year = 1900", [{ filters: [of("year", 1900)] }]],
  ])("%s: %s", async (path, sql, scans) => {
    const question = { sql: sql.replace("FROM t", `FROM "${path}"`), ...(scans && { scans }) };
    const there = await asked("native", path, question);
    expect(there).toHaveProperty("rows");
    expect(await asked("wasm", path, question)).toEqual(there);
  });
});

function of(column: string, value: number): ScanFilter {
  return { column, operator: "=", values: [{ kind: "number", text: String(value) }] };
}

describe("left to the sidecar", () => {
  it.each(Object.keys(LEFT))("%s", async (name) => {
    expect(await asked("wasm", file(name))).toMatchObject({ reason: "NEEDS_SIDECAR" });
  });

  it("files under access rules", async () => {
    expect(await asked("wasm", file("integers"), { declared: [] })).toMatchObject({ reason: "NEEDS_SIDECAR" });
  });

  it.each<[what: string, files: Readonly<Record<string, string>>]>([
    ["a column that a directory is called by", { "year=2024/a.json": '{"year":1}\n' }],
    ["directories that differ", { "year=2024/a.json": '{"a":1}\n', "month=1/b.json": '{"a":2}\n' }],
    ["a strange name of a directory", { "year=20{24}/a.json": '{"a":1}\n' }],
  ])("in directories that name columns, %s", async (what, files) => {
    const folder = what.replaceAll(" ", "-");
    for (const [name, text] of Object.entries(files)) both.ground.write(`${folder}/${name}`, text);
    expect(await asked("wasm", `${folder}/*/*.json`)).toMatchObject({ reason: "NEEDS_SIDECAR" });
  });

  it("more than there is room for, packed too", async () => {
    const large = `{"a":"${"x".repeat(1000)}"}\n`.repeat(9_000);
    for (const [name, content] of [
      ["large.json", large],
      ["large.json.gz", gzipSync(large)],
    ] as const) {
      both.ground.write(name, content);
      const left = { reason: "NEEDS_SIDECAR", message: expect.stringContaining("8388608 bytes of JSON") };
      expect(await asked("wasm", name)).toMatchObject(left);
    }
  });
});

/** How many are asked; `HOSTILE_FILES` says more. */
const COUNT = Number(process.env["HOSTILE_FILES"] ?? 60);

it("random records are read as native DuckDB reads them, or not at all", {
  timeout: 30_000 + 200 * COUNT,
}, async () => {
  let read = 0;
  for (let seed = 1; seed <= COUNT; seed++) {
    const text = randomJson(seed);
    both.ground.write(`random-${seed}.json`, text);
    const here = await asked("wasm", `random-${seed}.json`);
    if ("reason" in here && here.reason === "NEEDS_SIDECAR") continue;
    read++;
    expect(here, text.slice(0, 2_000)).toEqual(await asked("native", `random-${seed}.json`));
  }
  expect(read).toBeGreaterThan(COUNT / 3);
});
