/**
 * Every type that Parquet has, plain and inside of lists, structs and maps, with NULLs at every depth: cell by cell as native DuckDB
 * reads the same file, as values and as texts.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeWith } from "../../sidecar/duckdb/fixtures.ts";
import { type BothEngines, difference, openBoth, outcomeOf } from "./both-engines.ts";

/** Expressions over the number `i` of a row, never NULL, different for rows that follow each other. */
const TYPES: Readonly<Record<string, string>> = {
  boolean: "i % 3 = 0",
  tinyint: "(i * 37 % 256 - 128)::tinyint",
  smallint: "(i * 37 % 65536 - 32768)::smallint",
  integer: "(i * 7919 - 100000)::integer",
  bigint: "(i::hugeint * 922337203685477 - 9223372036854775807)::bigint",
  utinyint: "(i % 256)::utinyint",
  usmallint: "(i * 11 % 65536)::usmallint",
  uinteger: "(4294967295 - i)::uinteger",
  ubigint: "18446744073709551615::ubigint - i::ubigint",
  hugeint: "i::hugeint",
  float: "(i / 7)::float",
  double: "CASE i % 4 WHEN 0 THEN 'inf' WHEN 1 THEN '-0.0' WHEN 2 THEN '1e-300' ELSE '1.1' END::double + i",
  "decimal(4,2)": "((i % 20000 - 9999) / 100)::decimal(4,2)",
  "decimal(9,9)": "(i / 1000000)::decimal(9,9)",
  "decimal(18,3)": "(i * 1001)::decimal(18,3)",
  "decimal(38,3)": "(i::hugeint * 12345678901234567890123456789)::decimal(38,3)",
  varchar: "CASE i % 4 WHEN 0 THEN '' WHEN 1 THEN chr(0) WHEN 2 THEN repeat('ü😀', 9) ELSE 'v' END || i",
  blob: "encode('b' || i) || '\\x00\\xFF'::blob",
  date: "date '0001-01-01' + (i * 1000)::int",
  time: "time '00:00:00' + to_microseconds(i * 7777777 % 86400000000)",
  timetz: "('10:00:0' || i % 10 || '+02')::timetz",
  timestamp: "timestamp '1969-12-31 23:59:59.999999' + to_microseconds(i * 123456789)",
  timestamp_s: "(timestamp '1969-12-31 23:59:59' + to_seconds(i))::timestamp_s",
  timestamp_ms: "(timestamp '1960-01-01' + to_milliseconds(i * 1001))::timestamp_ms",
  timestamp_ns: "make_timestamp_ns(i * 1234567891 - 5000000001)",
  timestamptz: "(timestamp '2024-01-01' + to_microseconds(i * 999999))::timestamptz",
  interval: "to_months(i::int) + to_days((i % 40)::int) + to_milliseconds(i * 1001)",
  uuid: "md5(i::varchar)::uuid",
  enum: "('x' || i % 3)::enum('x0', 'x1', 'x2')",
};

/** Types that the files Worker leaves to the sidecar. */
const LEFT = new Set(["timetz"]);

/** Expressions around a value `v`. A column per line; keys have one entry, because values may repeat. */
const NESTINGS: readonly ((v: string) => string)[] = [
  (v) => v,
  (v) => `CASE WHEN i % 3 > 0 THEN ${v} END`,
  (v) => `CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN [] ELSE [${v}, NULL, ${v}] END`,
  (v) => `CASE WHEN i % 4 > 0 THEN {'a': CASE WHEN i % 3 > 0 THEN ${v} END, 'b': ${v}} END`,
  (v) => `CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN map {} ELSE map {'k': ${v}, 'l': NULL, 'm': ${v}} END`,
  (v) => `CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN map {} ELSE map {${v}: i} END`,
  (v) => `map {${v}: ${v}}`,
  (v) => `CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN [] ELSE [{'a': ${v}, 'b': i}, NULL, {'a': NULL, 'b': NULL}] END`,
  (v) => `{'a': CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN [] ELSE [${v}, NULL] END, 'b': ${v}}`,
  (v) => `CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN [] ELSE [[${v}], NULL, [], [NULL, ${v}]] END`,
  (v) => `[map {i: ${v}}, NULL, map {}]`,
  (v) => `map {i: [${v}, NULL], i + 1: NULL}`,
  (v) => `map {i: {'a': ${v}, 'b': [{'c': ${v}}]}}`,
  (v) => `map {{'a': ${v}}: map {i: ${v}}}`,
  (v) => `{'a': {'b': {'c': CASE WHEN i % 3 > 0 THEN ${v} END}}}`,
];

const COLUMNS = NESTINGS.map((_, index) => `c${index}`);
const ROWS = 300;
const pathOf = (name: string): string => `types/${name}.parquet`;

let both: BothEngines;
beforeAll(async () => {
  both = await openBoth({});
  mkdirSync(join(both.ground.root, "types"));
  const files = Object.entries(TYPES).map(([name, value], index) => {
    const selected = NESTINGS.map((nesting, column) => `${nesting(`(${value})`)} AS c${column}`);
    const version = index % 2 === 0 ? "v1" : "v2";
    const options = `FORMAT parquet, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048`;
    return `COPY (SELECT ${selected.join(", ")} FROM range(${ROWS}) t(i)) TO '${both.ground.root}/${pathOf(name)}' (${options})`;
  });
  await makeWith(files);
}, 300_000);
afterAll(() => both.close());

it.each(Object.keys(TYPES))("%s", async (name) => {
  const path = pathOf(name);
  for (const columns of [COLUMNS, COLUMNS.map((column) => `${column}::varchar`)]) {
    const sql = `SELECT ${columns.join(", ")} FROM "${path}"`;
    const native = await outcomeOf(both.native, path, { sql });
    expect(native.rows).toHaveLength(ROWS);
    const ours = await outcomeOf(both.wasm, path, { sql });
    if (LEFT.has(name)) expect(ours).toMatchObject({ reason: "NEEDS_SIDECAR" });
    else expect(difference(ours, native)).toBe("none");
  }
});
