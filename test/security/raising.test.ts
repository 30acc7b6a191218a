/** Expressions that the planner takes for harmless are computed over the most extreme values of every type, on the real engines. */
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXPRESSIONS, MANIFEST, TYPES } from "../planner/access/expressions.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { startPostgres } from "../support/postgres.ts";

const manifest = manifestOf(MANIFEST);

interface Engine {
  readonly source: "duckdb" | "postgres";
  readonly run: (sql: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The k-th row holds the k-th value of every column, or NULL. */
function inserts(values: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const rows = Math.max(...Object.values(values).map((column) => column.length)) + 1;
  return Array.from({ length: rows }, (_row, k) => {
    const row = Object.keys(TYPES).map((name) => values[name]?.[k] ?? "NULL");
    return `INSERT INTO extremes VALUES (${row.join(", ")})`;
  });
}

const COMMON = {
  i: ["-2147483648", "2147483647", "0"],
  s: ["-32768", "32767", "0"],
  l: ["-9223372036854775808", "9223372036854775807", "0"],
  p: ["999999999999999.999", "-999999999999999.999"],
  q: ["9999999999999999999999999999.9999999999", "-9999999999999999999999999999.9999999999"],
  r: ["99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"],
  f: ["'NaN'", "'Infinity'", "'-Infinity'", "1.7e308", "-1.7e308", "1e-307"],
  g: ["'NaN'", "'Infinity'", "3.4e38"],
  t: ["''", "'poison\\'", "'%_\\'", "'💥ﬃİß'", "repeat('x', 100000)"],
  o: ["true", "false"],
  tm: ["'00:00:00'", "'24:00:00'", "'23:59:59.999999'"],
  u: ["'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  iv: ["'178000000 years'", "'-178000000 years'", "'2147483647 days'"],
  j: ["'{\"a\": 1}'"],
};

async function openPostgres(): Promise<Engine> {
  const database = await startPostgres();
  const client = await database.connect();
  const types = { ...TYPES, f: "double precision", x: "text" };
  await client.query(
    `CREATE TABLE extremes (${Object.entries(types).map(([name, type]) => `${name} ${type}`)});
     SET TimeZone = 'UTC'`,
  );
  const values = {
    ...COMMON,
    n: ["'NaN'", "'Infinity'", `1${"0".repeat(1000)}`],
    d: ["'infinity'", "'-infinity'", "'5874897-12-31'", "'4713-01-01 BC'"],
    ts: ["'infinity'", "'-infinity'", "'294276-12-31 23:59:59.999999'", "'4713-01-01 00:00:00 BC'"],
    tz: ["'infinity'", "'-infinity'", "'294276-12-31 23:59:59.999999+00'"],
    y: ["'\\xff00'"],
  };
  for (const insert of inserts(values)) await client.query(insert);
  return { source: "postgres", run: (sql) => client.query(sql), close: () => database.stop() };
}

async function openDuckDb(): Promise<Engine> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  // The type `timestamp` of the manifest may be any of DuckDB's four: nanoseconds have the narrowest range.
  const types = { ...TYPES, y: "BLOB", x: "VARCHAR", ts: "TIMESTAMP_NS", n: "DECIMAL(38,37)" };
  await connection.run(`CREATE TABLE extremes (${Object.entries(types).map(([name, type]) => `${name} ${type}`)})`);
  const values = {
    ...COMMON,
    n: ["9.9"],
    d: ["'infinity'", "'-infinity'", "'5000000-01-01'", "'290000-01-01 (BC)'"],
    ts: ["'infinity'", "'-infinity'", "'2262-04-11 23:47:16.854775806'", "'1678-01-01'"],
    tz: ["'infinity'", "'-infinity'", "'294247-01-10 04:00:54.775806+00'"],
    y: ["'\\xFF\\x00'::BLOB"],
  };
  for (const insert of inserts(values)) await connection.run(insert);
  return {
    source: "duckdb",
    run: (sql) => connection.runAndReadAll(sql),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

describe.each([
  { name: "postgres", open: openPostgres },
  { name: "duckdb", open: openDuckDb },
])("$name", ({ name, open }) => {
  let engine: Engine;

  beforeAll(async () => {
    engine = await open();
  });

  afterAll(() => engine?.close());

  const other = name === "duckdb" ? "postgres" : "duckdb";
  const harmless = EXPRESSIONS.filter(([, raises]) => raises === "never" || raises === other);

  test.each(harmless)("%s", async (expression) => {
    const { sql } = planned(`SELECT ${expression} AS v FROM m AS a CROSS JOIN m AS b`, manifest, {
      source: engine.source,
    });
    await expect(engine.run(sql)).resolves.toBeDefined();
  });

  test("the values are extreme enough to make others fail", async () => {
    const failing = ["a.i + 1", "abs(a.i)", "a.l * b.l", "CAST(a.t AS integer)", "CAST(a.q AS bigint)", "a.d + b.i"];
    for (const expression of failing) {
      const { sql } = planned(`SELECT ${expression} AS v FROM m AS a CROSS JOIN m AS b`, manifest, {
        source: engine.source,
      });
      await expect(engine.run(sql), expression).rejects.toThrow();
    }
  });
});
