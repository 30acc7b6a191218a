/**
 * Every file of `quirks/` says what it was seen on and where it is reported, and has a statement that the engine answers wrongly; here
 * DuckDB's are asked, and PostgreSQL for the right answers. The other engines: `test/engines/quirks.test.ts`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openDuckDbFiles, openPostgresDatabase } from "../support/sources.ts";
import { expectDefect, rowsOf } from "./quirk-answers.ts";
import { QUIRKS, quirksOf } from "./quirks.ts";

const DIALECTS = join(import.meta.dirname, "../../src/planner/dialects");

const FILES = readdirSync(DIALECTS, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /[/\\]quirks$/.test(entry.parentPath))
  .map((entry) => relative(DIALECTS, join(entry.parentPath, entry.name)));

test("there is a statement for each file, and a file for each statement", () => {
  expect(FILES.length).toBeGreaterThan(15);
  expect([...new Set(QUIRKS.map(({ file }) => file))].toSorted()).toEqual(FILES.toSorted());
});

test.each(FILES)("%s says what it was seen on, and where that is reported", (file) => {
  const [header = ""] = /^\/\*\*.*?\*\//s.exec(readFileSync(join(DIALECTS, file), "utf8")) ?? [];
  expect(header).toMatch(/\bSeen\b.*\d/s);
  expect(header).toMatch(/https:\/\/|\bnot\s+(?:\*\s+)?reported\b/i);
});

describe("answers", () => {
  let directory: string;
  let duckdb: OpenedSource;
  let database: TestDatabase;
  let postgres: OpenedSource;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "siskin-quirks-"));
    duckdb = await openDuckDbFiles(directory);
    database = await startPostgres();
    postgres = await openPostgresDatabase(database);
  });
  afterAll(async () => {
    await duckdb?.close();
    await postgres?.close();
    await database?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test.each(quirksOf("duckdb"))("DuckDB's are wrong: $file: $sql", async (quirk) => {
    await expectDefect(duckdb.connector, quirk);
  });

  test.each(QUIRKS)(
    "PostgreSQL has the right one: $engine: $file: $sql",
    async ({ sql, postgres: asked = sql, right }) => {
      expect(await rowsOf(postgres.connector, asked)).toBe(right);
    },
  );
});
