import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openDuckDbDatabases, openPostgresDatabase } from "../support/sources.ts";
import { ask, askAsWritten, judgeAgainst } from "./judge.ts";
import { manifestOfTables, OVER_TABLES, TABLES, TOO_MANY_DIGITS } from "./originals-over-tables.ts";

let root: string;
let database: TestDatabase;
let postgres: OpenedSource;
let duckdb: OpenedSource;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "siskin-originals-"));
  database = await startPostgres();
  await (await database.connect()).query(TABLES);
  const instance = await DuckDBInstance.create(join(root, "originals.duckdb"));
  const connection = await instance.connect();
  await connection.run(TABLES);
  connection.closeSync();
  instance.closeSync();
  [postgres, duckdb] = await Promise.all([openPostgresDatabase(database), openDuckDbDatabases(root)]);
});
afterAll(async () => {
  await Promise.all([postgres.close(), duckdb.close()]);
  await Promise.all([database.stop(), rm(root, { recursive: true })]);
});

const MANIFESTS = {
  postgres: manifestOfTables({ schema: "public" }),
  duckdb: manifestOfTables({ catalog: "originals", schema: "main" }),
};

describe.each(OVER_TABLES)("$name", ({ queries }) => {
  test.each(queries.map((query) => (typeof query === "string" ? { sql: query, refused: [] } : query)))(
    "$sql",
    async ({ sql, refused }) => {
      const reference = await askAsWritten(sql, postgres);
      if ("outcome" in reference) throw new Error(`as written: ${reference.detail}`);
      for (const [source, opened] of [
        ["postgres", postgres],
        ["duckdb", duckdb],
      ] as const) {
        const answer = await ask(sql, MANIFESTS[source], source, opened);
        const verdict = "outcome" in answer ? answer : judgeAgainst(reference, answer);
        expect.soft(verdict, source).toMatchObject({ outcome: refused.includes(source) ? "refused" : "right" });
      }
    },
  );
});

test.each(TOO_MANY_DIGITS)("raises on DuckDB: %s", async (sql) => {
  expect(await askAsWritten(sql, postgres)).toHaveProperty("rows");
  expect(await ask(sql, MANIFESTS.duckdb, "duckdb", duckdb)).toMatchObject({ outcome: "engine error" });
});
