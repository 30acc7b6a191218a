import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  calling,
  connectTo,
  failureOf,
  makeWith,
  type Playground,
  playground,
  rowsOf,
  statement,
} from "./fixtures.ts";

let ground: Playground;

beforeAll(async () => {
  ground = playground();
  for (const directory of [
    "one",
    "two",
    "odd",
    "empty",
    "damaged",
    "newer",
    "linked",
    "log",
    "case",
    "locked",
    "collated",
    "several",
  ]) {
    mkdirSync(join(ground.root, directory));
  }
  const make = (path: string, value: string): Promise<void> =>
    makeWith(["CREATE TABLE t (v varchar)", `INSERT INTO t VALUES ('${value}')`], join(ground.root, path));
  await make("one/shop.duckdb", "shop");
  await make("two/first.duckdb", "first");
  await make("two/second.duckdb", "second");
  await make("odd/we\"ird 'name; --.duckdb", "odd");
  await make("case/A.duckdb", "A");
  await make("case/a.duckdb", "a");
  await makeWith(
    ["CREATE TABLE t (v varchar)", "INSERT INTO t VALUES ('hunter2')"],
    join(ground.outside, "secret.duckdb"),
  );
  symlinkSync(join(ground.outside, "secret.duckdb"), join(ground.root, "linked/secret.duckdb"));
  await make("log/plain.duckdb", "log");
  symlinkSync(join(ground.outside, "secret.csv"), join(ground.root, "log/plain.duckdb.wal"));
  writeFileSync(join(ground.root, "damaged/bad.duckdb"), "this is no database");
  writeFileSync(join(ground.root, "empty/notes.txt"), "nothing");
  // Bytes 12 to 20 of a database file are the version of its format.
  const newer = readFileSync(join(ground.root, "one/shop.duckdb"));
  newer.writeBigUInt64LE(9999n, 12);
  writeFileSync(join(ground.root, "newer/new.duckdb"), newer);
  await make("locked/busy.duckdb", "busy");
  await makeWith(
    [
      "CREATE TABLE folded (v varchar COLLATE NOCASE)",
      "INSERT INTO folded VALUES ('a'), ('A')",
      `CREATE TABLE exact ("collate" integer, v varchar DEFAULT 'COLLATE NOCASE')`,
      "INSERT INTO exact VALUES (1, 'a'), (2, 'A')",
      "CREATE VIEW of_folded AS SELECT * FROM folded",
      "CREATE VIEW of_exact AS SELECT * FROM exact",
    ],
    join(ground.root, "collated/shop.duckdb"),
  );
  await makeWith(
    ["CREATE TABLE folded (v varchar COLLATE NOCASE)", "CREATE VIEW same AS SELECT * FROM folded"],
    join(ground.root, "several/first.duckdb"),
  );
  await makeWith(["CREATE TABLE same (v varchar)"], join(ground.root, "several/second.duckdb"));
});
afterAll(() => ground.remove());

async function rows(url: string, sql: string, source: { format?: string } = { format: "duckdb" }): Promise<unknown> {
  const connector = await connectTo(ground, { url, ...source });
  try {
    return (await ask(connector, sql)).rows;
  } finally {
    await connector.close();
  }
}

describe("database files are attached by their names", () => {
  it.each<[url: string, sql: string, value: string]>([
    ["one", "SELECT v FROM t", "shop"],
    ["/one/", "SELECT v FROM main.t", "shop"],
    ["one", 'SELECT v FROM "shop"."main"."t"', "shop"],
    ["two", "SELECT v FROM first.main.t", "first"],
    ["two", "SELECT v FROM second.t", "second"],
    ["odd", 'SELECT v FROM "we""ird \'name; --".main.t', "odd"],
    ["odd", "SELECT v FROM t", "odd"],
  ])("%s: %s", async (url, sql, value) => {
    expect(await rows(url, sql)).toEqual([[value]]);
  });

  it("joins across them, and asks for a name when there are several", async () => {
    expect(await rows("two", "SELECT a.v, b.v FROM first.t a, second.t b")).toEqual([["first", "second"]]);
    expect(await failureOf(rows("two", "SELECT v FROM t"))).toMatchObject({ reason: "SOURCE_INVALID_SQL" });
  });

  it.each([
    "INSERT INTO t VALUES ('x')",
    "DELETE FROM t",
    "CREATE TABLE u (i integer)",
    "DROP TABLE t",
    "CHECKPOINT",
    "VACUUM",
  ])("read-only: %s", async (sql) => {
    const before = readFileSync(join(ground.root, "one/shop.duckdb"));
    const failure = await failureOf(rows("one", sql));
    expect(["SOURCE_INVALID_SQL", "SOURCE_ERROR"]).toContain(failure.reason);
    expect(readFileSync(join(ground.root, "one/shop.duckdb")).equals(before)).toBe(true);
  });
});

describe("columns with a collation, by which texts that differ are equal", () => {
  const asked = async (table: string) => {
    const connector = await connectTo(ground, { url: "collated", format: "duckdb" });
    try {
      return (await ask(connector, `SELECT v FROM ${table} WHERE v = 'A'`, table)).rows;
    } finally {
      await connector.close();
    }
  };

  it.each(["folded", "FOLDED", "of_folded", "of_exact"])("are not read, nor what may read them: %s", async (table) => {
    const failure = await failureOf(asked(table));
    expect(failure).toMatchObject({ reason: "FILE_INVALID" });
    expect(failure.message).toBe(`"${table}" may have columns with a collation.`);
    expect(failure.hint).toContain("in folded.");
  });

  it("nor a view that has the name of another database's table", async () => {
    const connector = await connectTo(ground, { url: "several", format: "duckdb" });
    const failure = await failureOf(ask(connector, "SELECT v FROM first.main.same", "same"));
    await connector.close();
    expect(failure).toMatchObject({ reason: "FILE_INVALID" });
  });

  it("and others beside them are", async () => {
    expect(await asked("exact")).toEqual([["A"]]);
  });
});

describe("database files that cannot be had", () => {
  it.each<[url: string, reason: string, message: RegExp]>([
    ["empty", "DUCKDB_FILE_NOT_FOUND", /^There is no DuckDB file in "empty"\.$/],
    ["missing", "DUCKDB_FILE_NOT_FOUND", /^There is no DuckDB file in "missing"\.$/],
    ["one/shop.duckdb", "DUCKDB_FILE_NOT_FOUND", /^There is no DuckDB file/],
    ["../outside", "DUCKDB_FILE_NOT_FOUND", /^There is no DuckDB file/],
    ["linked", "DUCKDB_FILE_NOT_FOUND", /^There is no DuckDB file/],
    [
      "damaged",
      "ATTACH_DUCKDB_ERROR",
      /^Failed to attach "damaged\/bad\.duckdb": IO Error: .*not a valid DuckDB database/,
    ],
    ["newer", "ATTACH_DUCKDB_ERROR", /^Failed to attach "newer\/new\.duckdb": /],
    [
      "log",
      "ATTACH_DUCKDB_ERROR",
      /^Failed to attach "log\/plain\.duckdb": its write-ahead log is not a regular file$/,
    ],
    ["case", "ATTACH_DUCKDB_ERROR", /^Failed to attach "case\/a\.duckdb": /],
  ])("%s", async (url, reason, message) => {
    const failure = await failureOf(rows(url, "SELECT v FROM t"));
    expect(failure.reason).toBe(reason);
    expect(failure.message).toMatch(message);
    expect(failure.message + failure.hint).not.toContain(ground.base);
  });

  describe("because another process writes them", () => {
    let writer: ChildProcess;
    beforeAll(async () => {
      const script = `
        const { DuckDBInstance } = require("@duckdb/node-api");
        DuckDBInstance.create(process.argv[1]).then((instance) => { globalThis.held = instance; console.log("open"); });
        process.stdin.resume();`;
      writer = spawn(process.execPath, ["-e", script, join(ground.root, "locked/busy.duckdb")], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      if (writer.stdout !== null) await once(writer.stdout, "data");
    });
    afterAll(async () => {
      const ended = once(writer, "exit");
      writer.kill();
      await ended;
    });

    it("which is told without saying who", async () => {
      const failure = await failureOf(rows("locked", "SELECT v FROM t"));
      expect(failure).toMatchObject({
        reason: "ATTACH_DUCKDB_ERROR",
        message: 'Failed to attach "locked/busy.duckdb": another process has it open for writing',
      });
      expect(failure.message).not.toContain(String(writer.pid));
    });
  });

  it("because they were replaced while they were read", async () => {
    const connector = await connectTo(ground, { url: "two", format: "duckdb" });
    const stream = await connector.query(statement("SELECT v FROM first.t"), calling());
    const path = join(ground.root, "two/first.duckdb");
    writeFileSync(`${path}.new`, readFileSync(path));
    renameSync(`${path}.new`, path);
    expect(await failureOf(rowsOf(stream))).toMatchObject({
      message: '"two/first.duckdb" changed while it was being read.',
    });
    await connector.close();
  });
});
