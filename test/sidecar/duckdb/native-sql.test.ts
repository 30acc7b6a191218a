/** SQL of a modeller that opens files by itself (`refSql`): the engine's own fence. */
import { readdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ask, connectTo, failureOf, makeWith, type Playground, playground } from "./fixtures.ts";

let ground: Playground;
let connector: Connector;
let server: Server;
let requests = 0;

beforeAll(async () => {
  ground = playground();
  ground.write("a.csv", "x\n1\n");
  ground.write("clean/b.csv", "x\n2\n");
  ground.write("clean/deep/c.csv", "x\n3\n");
  ground.link(join(ground.root, "a.csv"), "clean/inside.csv");
  ground.write("dirty/good.csv", "x\n4\n");
  ground.write("dirty/clean/d.csv", "x\n5\n");
  ground.link(join(ground.outside, "secret.csv"), "dirty/secret.csv");
  ground.link(ground.outside, "dirty/outside");
  ground.pipe("pipes/pipe.csv");
  await makeWith([`COPY (SELECT 6 AS x) TO '${join(ground.root, "clean/e.parquet")}'`]);
  connector = await connectTo(ground);
  server = createServer((_, response) => {
    requests++;
    response.end("x\n1\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await connector.close();
  server.close();
  ground.remove();
});

/** `$ROOT`, `$OUT` and `$PORT` stand for what is known at run time. */
function fill(sql: string): string {
  return sql
    .replaceAll("$ROOT", ground.root)
    .replaceAll("$OUT", ground.outside)
    .replaceAll("$PORT", String((server.address() as AddressInfo).port));
}

describe("SQL that opens files itself finds what lies safely below the root", () => {
  it.each<[sql: string, rows: unknown[]]>([
    ["SELECT * FROM read_csv('$ROOT/a.csv')", [[1n]]],
    ["SELECT * FROM read_csv('$ROOT/clean/b.csv')", [[2n]]],
    ["SELECT * FROM read_csv('$ROOT/clean/*.csv') ORDER BY x", [[1n], [2n]]],
    ["SELECT * FROM read_csv('$ROOT/clean/**/c.csv')", [[3n]]],
    ["SELECT * FROM '$ROOT/clean/e.parquet'", [[6]]],
    ["SELECT * FROM read_csv(['$ROOT/a.csv', '$ROOT/dirty/good.csv']) ORDER BY x", [[1n], [4n]]],
    ["SELECT * FROM read_csv('$ROOT/dirty/clean/*.csv')", [[5n]]],
    ["SELECT * FROM query('SELECT * FROM read_csv(''$ROOT/' || 'a.csv'')')", [[1n]]],
    ["SELECT content FROM read_text('$ROOT/a.csv')", [["x\n1\n"]]],
  ])("%s", async (sql, rows) => {
    expect((await ask(connector, fill(sql))).rows).toEqual(rows);
  });

  it("together with files of models", async () => {
    const sql = fill(`SELECT f.x, n.x FROM "clean/b.csv" f, read_csv('$ROOT/a.csv') n`);
    expect((await ask(connector, sql, "clean/b.csv")).rows).toEqual([[2n, 1n]]);
  });
});

describe("and nothing else", () => {
  it.each([
    "SELECT * FROM read_csv('$OUT/secret.csv')",
    "SELECT * FROM read_csv('$OUT/not-there.csv')",
    "SELECT * FROM '$OUT/secret.csv'",
    "SELECT * FROM read_csv('$ROOT/../outside/secret.csv')",
    "SELECT * FROM read_csv('$ROOT/clean/../../outside/secret.csv')",
    "SELECT * FROM read_csv('$ROOT/dirty/secret.csv')",
    "SELECT * FROM read_csv('$ROOT/dirty/*.csv')",
    "SELECT * FROM read_csv('$ROOT/dirty/outside/secret.csv')",
    "SELECT * FROM read_csv('$ROOT/dirty/clean/../secret.csv')",
    "SELECT * FROM read_csv('$ROOT/clean/../dirty/secret.csv')",
    "SELECT * FROM read_csv('$ROOT/**/secret.csv')",
    "SELECT * FROM read_csv('$ROOT/*/secret.csv')",
    "SELECT * FROM read_blob('$ROOT/dirty/secret.csv')",
    "SELECT * FROM read_text('$ROOT/dirty/secret.csv')",
    "SELECT * FROM read_json('$ROOT/dirty/secret.csv')",
    "SELECT * FROM read_parquet('$ROOT/dirty/secret.csv')",
    "SELECT * FROM parquet_metadata('$OUT/secret.csv')",
    "SELECT * FROM sniff_csv('$ROOT/dirty/secret.csv')",
    "SELECT * FROM glob('$OUT/*')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM read_csv('secret.csv')",
    "SELECT * FROM read_csv('file://$OUT/secret.csv')",
    // Blocks a thread forever.
    "SELECT * FROM read_csv('$ROOT/pipes/pipe.csv')",
    "SELECT * FROM read_csv('/dev/zero')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM read_csv('http://127.0.0.1:$PORT/a.csv')",
    "SELECT * FROM read_parquet('s3://127.0.0.1:$PORT/a.parquet')",
    "SELECT * FROM query('SELECT * FROM read_csv(''' || '$OUT/secret.csv' || ''')')",
    "WITH t AS (SELECT 1) SELECT (SELECT secret FROM read_csv('$OUT/secret.csv')) FROM t",
  ])("%s", async (sql) => {
    const failure = await failureOf(ask(connector, fill(sql)));
    expect(failure.reason).toBe("FILE_NOT_FOUND");
    expect(failure.message).not.toContain("hunter2");
    expect(failure.message).not.toContain(ground.root);
  });

  it("asks no server", () => {
    expect(requests).toBe(0);
  });
});

describe("statements that are no SELECT, or write", () => {
  it.each<[sql: string, reason: string]>([
    ["COPY (SELECT 1) TO '$ROOT/written.csv'", "FILE_NOT_FOUND"],
    ["ATTACH '$ROOT/written.duckdb'", "SOURCE_INVALID_SQL"],
    ["EXPORT DATABASE '$ROOT/written'", "FILE_NOT_FOUND"],
    ["CREATE TABLE t (i integer)", "SOURCE_INVALID_SQL"],
    ["INSTALL httpfs", "SOURCE_INVALID_SQL"],
    ["LOAD httpfs", "SOURCE_INVALID_SQL"],
    ["SET enable_external_access = true", "SOURCE_INVALID_SQL"],
    ["RESET lock_configuration", "SOURCE_INVALID_SQL"],
    ["PRAGMA enable_profiling", "SOURCE_INVALID_SQL"],
    ["CALL pragma_version()", "SOURCE_INVALID_SQL"],
    ["EXPLAIN ANALYZE SELECT 1", "SOURCE_INVALID_SQL"],
    ["SELECT 1; SELECT 2", "SOURCE_INVALID_SQL"],
    ["SELECT 1; COPY (SELECT 1) TO '$ROOT/written.csv'", "SOURCE_INVALID_SQL"],
    ["", "SOURCE_INVALID_SQL"],
    ["-- nothing", "SOURCE_INVALID_SQL"],
    ["SELECT ?", "SOURCE_INVALID_SQL"],
    ["SELECT $name", "SOURCE_INVALID_SQL"],
    // Without a file of its own the engine has no directory open that it could write to.
    ["SELECT * FROM enable_logging('FileSystem', storage = 'file', storage_path = '$ROOT/clean')", "FILE_NOT_FOUND"],
    [
      "SELECT * FROM query('FROM enable' || '_logging(''FileSystem'', storage = ''file'', storage_path = ''$ROOT/clean'')'), read_csv('$ROOT/a.csv')",
      "SOURCE_INVALID_SQL",
    ],
  ])("%s", async (sql, reason) => {
    const before = readdirSync(ground.root, { recursive: true });
    expect(await failureOf(ask(connector, fill(sql)))).toMatchObject({ reason });
    expect(readdirSync(ground.root, { recursive: true })).toEqual(before);
  });
});

describe("one statement leaves nothing to the next", () => {
  it("neither the names of its files nor anything else", async () => {
    expect((await ask(connector, 'SELECT x FROM "a.csv"', "a.csv")).rows).toEqual([[1n]]);
    expect(await failureOf(ask(connector, 'SELECT x FROM "a.csv"'))).toMatchObject({ reason: "FILE_NOT_FOUND" });
    const left = "SELECT count(*) FROM duckdb_views() WHERE NOT internal";
    expect((await ask(connector, left)).rows).toEqual([[0n]]);
  });

  it("the session is the plan's, and only meaning can be set", async () => {
    const setting = (name: string, value: string) => ({
      sql: "SELECT current_setting('default_null_order')",
      columns: [],
      reads: [],
      session: [{ name, value }],
    });
    const options = { signal: new AbortController().signal, timeoutMs: 5000 };
    const stream = await connector.query(setting("default_null_order", "nulls_first"), options);
    expect((await stream.batches.next()).value).toEqual([["NULLS_FIRST"]]);
    await stream.close();
    expect(
      (await ask(connector, "SELECT current_setting('default_null_order'), current_setting('TimeZone')")).rows,
    ).toEqual([["NULLS_LAST", "UTC"]]);
    for (const name of ["enable_external_access", "allowed_directories", "threads", "TimeZone'; SET x = '"]) {
      const failure = await failureOf(connector.query(setting(name, "x"), options));
      expect(failure).toMatchObject({
        reason: "SOURCE_ERROR",
        message: `The session setting "${name}" cannot be set on DuckDB.`,
      });
    }
    const wrong = await failureOf(connector.query(setting("TimeZone", "Nowhere'; SELECT 1; --"), options));
    expect(wrong.message).toContain("Nowhere'; SELECT 1; --");
  });
});
