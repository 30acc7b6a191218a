/** Keys and values of maps by DuckDB's WASM, whose Arrow leaves out what they are: cell by cell as native DuckDB answers. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { int32s, leaf, map, parquetFile } from "../../support/parquet-file.ts";
import { type BothEngines, difference, openBoth, outcomeOf } from "./both-engines.ts";

let both: BothEngines;

/** `{1: 10, 1: 11}`, which no writer makes of a map. */
const TWICE = parquetFile({
  columns: [map("m", leaf("k", "int32"), leaf("v", "int32"))],
  rows: 1,
  leaves: [
    { repetitions: [0, 1], definitions: [2, 2], values: int32s(1, 1) },
    { repetitions: [0, 1], definitions: [3, 3], values: int32s(10, 11) },
  ],
});

beforeAll(async () => {
  both = await openBoth({
    "twice.parquet": TWICE,
    "one.csv": "n\n1\n",
    "maps.csv": 'm\n"{a=true, b=false}"\n"{c=NULL}"\n',
  });
}, 60_000);
afterAll(() => both.close());

it.each([
  "map {'a': true, 'b': false, 'c': NULL}",
  "map {true: 1::tinyint, false: -1::tinyint}",
  "map {'a': (-7)::tinyint, 'b': NULL}",
  "map {1::tinyint: true}",
  "map {'u': '00112233-4455-6677-8899-aabbccddeeff'::uuid}",
  "map {'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid: NULL}",
  "map {1::hugeint: (-170141183460469231731687303715884105728)::hugeint}",
  "map {1::uhugeint: 340282366920938463463374607431768211455::uhugeint}",
  "map {'10:00:00+02'::timetz: '\\xAA\\x00'::blob}",
  "map {'a': '10101'::bit}",
  "map {{'a': true}: {'b': false, 'c': 1::tinyint}}",
  "map {1: map {true: [true, NULL]}}",
  "map {1: map {2: map {false: 3::tinyint}}}",
  "map {[true]: [1::tinyint]}",
  "map {'a': [true, false, true]::bool[3]}",
  "{'m': map {'a': true}, 'n b': [map {true: 'x'::blob}], 't': 1::tinyint}",
  "[map {'a': true}, NULL, map {}]",
  "[map {'a': true}]::map(varchar, boolean)[1]",
])("%s", async (value) => {
  const sql = `SELECT ${value} AS v, ${value} AS "V w", true AS b, i FROM range(3) t(i) UNION ALL SELECT NULL, NULL, NULL, 3`;
  const native = await outcomeOf(both.native, "one.csv", { sql });
  expect(native).toHaveProperty("rows");
  expect(difference(await outcomeOf(both.wasm, "one.csv", { sql }), native)).toBe("none");
});

it("of many rows, in each batch", async () => {
  const sql = "SELECT map {'a': i % 3 = 0, 'b': NULL, 'c': i % 2 = 0} AS m FROM range(5000) t(i)";
  const native = await outcomeOf(both.native, "one.csv", { sql });
  expect(difference(await outcomeOf(both.wasm, "one.csv", { sql }), native)).toBe("none");
});

it("of CSV that is cast to a map", async () => {
  const sql = 'SELECT m::map(varchar, boolean) AS m FROM "maps.csv"';
  const native = await outcomeOf(both.native, "maps.csv", { sql });
  expect(native.rows).toHaveLength(2);
  expect(difference(await outcomeOf(both.wasm, "maps.csv", { sql }), native)).toBe("none");
});

it("are refused where their type has no counterpart", async () => {
  for (const sql of ["SELECT map {1: 5::bignum}", "SELECT map {1: union_value(n := true)}"]) {
    expect(await outcomeOf(both.wasm, "one.csv", { sql }), sql).toMatchObject({ reason: "SOURCE_ERROR" });
  }
});

it("leave errors where the statement has them", async () => {
  const sql = "SELECT map {'a': true}, error('at run time') FROM range(3)";
  const native = await outcomeOf(both.native, "one.csv", { sql });
  expect(difference(await outcomeOf(both.wasm, "one.csv", { sql }), native)).toBe("none");
});

it("are left to the sidecar where a key comes twice, which it reads", async () => {
  expect(await outcomeOf(both.native, "twice.parquet")).toHaveProperty("rows");
  expect(await outcomeOf(both.wasm, "twice.parquet")).toMatchObject({ reason: "NEEDS_SIDECAR" });
});
