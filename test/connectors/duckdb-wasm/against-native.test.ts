/** The same files and statements by DuckDB's WASM and by native DuckDB as the sidecar has it, cell by cell. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import {
  ask,
  calling,
  DUCKDB_STATEMENTS,
  failureOf,
  type Playground,
  statement,
} from "../../sidecar/duckdb/fixtures.ts";
import { type BothEngines, openBoth } from "./both-engines.ts";

const wide = Array.from({ length: 30_000 }, (_, i) => `${i},${i < 19_000 ? i : `x${i}`},${"y".repeat(120)}`);

const FILES: Readonly<Record<string, string>> = {
  "plain.csv": "a,b\n1,x\n2,y\n",
  "types.csv":
    "i,d,s,dt,ts,b,n\n1,1.5,x,2024-01-01,2024-01-01 10:00:00.123456,true,\n9223372036854775807,1e300,ü😀,1969-12-31,1970-01-01 00:00:00,false,\n,,,,,,\n",
  "big.csv": "n\n18446744073709551615\n170141183460469231731687303715884105727\n",
  "semicolon.csv": "a;b\n1;2,5\n3;4,5\n",
  "tabs.tsv": "a\tb\n1\t2\n",
  "quoted.csv": 'a,b\n"x,""y""","line\nbreak"\n\'q\',\n',
  "crlf.csv": "a,b\r\n1,\r\n2,3\r\n",
  "bom.csv": "\uFEFFa,b\n1,2\n",
  "noheader.csv": "1,2\n3,4\n",
  "mixed.csv": "a\n1\nx\n",
  "folder with/sp ace%2F[1].csv": "a\n1\n",
  "ünïcode.csv": "größe,b\n1,2\n",
  "dates.csv": "d,t\n31/12/2024,10:00\n01/02/2024,23:59:59\n",
  "dups.csv": "a,a,A\n1,2,3\n",
  "ragged.csv": "a,b\n1\n2,3\n",
  "wide.csv": `a,b,c\n${wide.join("\n")}\n`,
  "empty.csv": "",
};

const VALUES = [
  "1::tinyint",
  "255::utinyint",
  "65535::usmallint",
  "4294967295::uinteger",
  "18446744073709551615::ubigint",
  "(-170141183460469231731687303715884105728)::hugeint",
  "340282366920938463463374607431768211455::uhugeint",
  "true",
  "false",
  "1.5::float",
  "'nan'::double",
  "'-inf'::double",
  "-1.50::decimal(4,2)",
  "-0.000001::decimal(9,6)",
  "123456789012345.678::decimal(18,3)",
  "-12345678901234567890123456789012345.678::decimal(38,3)",
  "'\\xAA\\x00'::blob",
  "'10101'::bit",
  "date '0001-01-01'",
  "'infinity'::date",
  "'-infinity'::timestamp",
  "time '23:59:59.999999'",
  "'10:00:00+02'::timetz",
  "'2020-01-01'::timestamp_s",
  "'2020-01-01 00:00:00.001'::timestamp_ms",
  "'2262-04-11 23:47:16.854775806'::timestamp_ns",
  "'2020-01-01 00:00:00+00'::timestamptz",
  "'infinity'::timestamptz",
  "interval '1 year -2 days 3.000004 seconds'",
  "'00112233-4455-6677-8899-aabbccddeeff'::uuid",
  "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid",
  "[1, NULL, 3]",
  "[]::int[]",
  "[[1.5], NULL, []]",
  "[1,2]::int[2]",
  "NULL::int[2]",
  "{'a': 1, 'b': [NULL]}",
  "NULL::struct(a int)",
  "map {'k': 1, 'l': NULL}",
  "NULL",
  "''",
  "'😀'",
];

const STATEMENTS: readonly string[] = [
  ...VALUES.map((value) => `SELECT ${value} AS v UNION ALL SELECT NULL`),
  `SELECT ${VALUES.map((value, i) => `${value} AS v${i}`).join(", ")}`,
  ...Object.keys(FILES).map((name) => `SELECT * FROM "${name}"`),
  'SELECT count(*), sum(a), min(b) FROM "wide.csv"',
  'SELECT t.a, u.b FROM "plain.csv" t JOIN "plain.csv" u USING (a) ORDER BY 1 DESC',
  "SELECT i, i % 7 AS g FROM range(5000) t(i) ORDER BY i",
  "SELECT sum(i), avg(i), count(DISTINCT i % 10), stddev(i), string_agg(i::varchar, ',' ORDER BY i) FROM range(100) t(i)",
  "SELECT i, row_number() OVER (PARTITION BY i % 3 ORDER BY i DESC) FROM range(10) t(i) ORDER BY i",
  "SELECT date_trunc('month', DATE '2024-05-06'), strftime(TIMESTAMP '2024-05-06', '%Y/%m'), regexp_replace('abc', 'b', 'x')",
  "SELECT i % 3 = 0, [i % 2 = 0, NULL], CASE WHEN i % 5 > 0 THEN i % 7 > 2 END FROM range(5000) t(i) ORDER BY i",
  "SELECT 1 LIMIT 0",
  "SELECT error('boom') FROM range(3)",
  "SELECT 'a'::integer",
  "SELECT nope",
  "SELECT 'é', nope FROM range(2)",
  "SELECT 1; SELECT 2",
  "CREATE TABLE t (a int)",
  "SET memory_limit = '1GB'",
  "SELECT ?",
  "SELEC 1",
];

/** Files read by a statement: those whose names it contains. */
const readsOf = (sql: string) => Object.keys(FILES).filter((name) => sql.includes(`"${name}"`));

async function outcome(connector: Connector, sql: string): Promise<unknown> {
  try {
    const { columns, rows } = await ask(connector, sql, ...readsOf(sql));
    return { columns, rows };
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error;
    const { reason, position, engineCode, message } = error;
    return { reason, position, engineCode, message: message.replace(/\s+/g, " ").slice(0, 60) };
  }
}

let both: BothEngines;
let ground: Playground;
let native: Connector;
let wasm: Connector;

beforeAll(async () => {
  both = await openBoth(FILES);
  ({ ground, native, wasm } = both);
}, 60_000);
afterAll(() => both.close());

describe("texts that name zones", () => {
  it.each([
    ["of every row", "t\n2024-01-01 10:00:00 Europe/Berlin\n2024-01-02 10:00:00 UTC\n", true],
    ["behind rows without any", 'n,t\n1,\n2,"2024-01-01 10:00:00 America/New_York"\n', true],
    ["of a row among words", "t\n2024-01-01 10:00:00 Europe/Berlin\nx\n", false],
    ["as offsets", "t\n2024-01-01 10:00:00+02\n2024-01-02 10:00:00Z\n", false],
    ["that are UTC alone", "t\n2024-01-01 10:00:00 UTC\n2024-01-02 10:00:00 UTC\n", false],
    ["that are words of a log", "t\n2024-01-01 10:00:00 ERROR disk full\n2024-01-02 10:00:00 INFO ok\n", false],
  ])("%s", async (_, content, areMoments) => {
    ground.write("zones.csv", content);
    const sql = 'SELECT *, typeof(t) FROM "zones.csv"';
    const read = async (connector: Connector) => (await ask(connector, sql, "zones.csv")).rows;
    const there = await read(native);
    if (areMoments) expect((await failureOf(read(wasm))).reason).toBe("NEEDS_SIDECAR");
    else expect(await read(wasm)).toEqual(there);
    expect(there[0]?.at(-1) === "TIMESTAMP WITH TIME ZONE").toBe(areMoments || content.includes("+02"));
  });
});

describe("what the files Worker has not", () => {
  const has = (sql: string) => outcome(wasm, sql);
  it.each([
    ["a value of a union", "SELECT union_value(n := 1)", "SOURCE_ERROR"],
    ["an integer of any length", "SELECT 1::bignum", "SOURCE_ERROR"],
    ["time zones", "SELECT date_trunc('month', '2020-01-01'::timestamptz)", "NEEDS_SIDECAR"],
    ["JSON", "SELECT to_json(1)", "NEEDS_SIDECAR"],
    ["Parquet", "SELECT * FROM read_parquet('x')", "NEEDS_SIDECAR"],
  ])("%s", async (_, sql, reason) => {
    expect(await has(sql)).toMatchObject({ reason });
  });

  it("files that the plan does not name, addresses, and writing", async () => {
    for (const sql of [
      "SELECT * FROM read_csv('file-0.csv')",
      "SELECT * FROM read_csv('https://example.com/a.csv')",
      "SELECT * FROM read_text('/etc/passwd')",
      "SELECT * FROM glob('*')",
    ]) {
      expect(await has(sql)).not.toHaveProperty("rows");
    }
  });
});

describe("statements after each other", () => {
  it("find nothing of those before, and nothing of those that failed", async () => {
    const left = 'SELECT * FROM "plain.csv"';
    await outcome(wasm, left);
    for (const sql of [
      "SELECT count(*) FROM duckdb_tables()",
      "SELECT count(*) FROM duckdb_views() WHERE NOT internal",
      "SELECT count(*) FROM duckdb_prepared_statements()",
      "SELECT count(*) FROM duckdb_variables()",
      "SELECT count(*) FROM duckdb_temporary_files()",
    ]) {
      expect(await outcome(wasm, sql), sql).toMatchObject({ rows: [[0n]] });
    }
    expect(await outcome(wasm, "SELECT * FROM read_csv('file-0.csv')")).not.toHaveProperty("rows");
  });

  it("one at a time, in their order; aborted ones leave", async () => {
    const asked = Array.from({ length: 4 }, (_, i) => ask(wasm, `SELECT ${i} AS v, count(*) FROM range(100000)`));
    const rows = (await Promise.all(asked)).map((answer) => answer.rows[0]);
    expect(rows).toEqual([0, 1, 2, 3].map((i) => [i, 100_000n]));
  });

  it("beyond those that may wait are refused, with when to ask again", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => ask(wasm, `SELECT ${i}, count(*) FROM range(100000)`)),
    );
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(3);
    for (const failure of refused) expect(failure).toMatchObject({ reason: "OVERLOADED", retryAfter: 5 });
  });

  it("end by their time and by abort, and the next one is served", async () => {
    const endless = statement(DUCKDB_STATEMENTS.stuck);
    const late = await failureOf(wasm.query(endless, calling({ timeoutMs: 300 })));
    expect(late.reason).toBe("STATEMENT_TIMEOUT");
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    const gone = await failureOf(wasm.query(endless, calling({ signal: abort.signal })));
    expect(gone.reason).toBe("CANCELLED");
    const left = await wasm.query(statement(DUCKDB_STATEMENTS.endless), calling());
    expect(await left.batches.next()).toMatchObject({ done: false });
    await left.close();
    expect(await outcome(wasm, "SELECT 1")).toMatchObject({ rows: [[1]] });
  });
});

describe("DuckDB's WASM answers as native DuckDB does", () => {
  it.each(STATEMENTS)("%s", async (sql) => {
    expect(await outcome(wasm, sql)).toEqual(await outcome(native, sql));
  });
});
