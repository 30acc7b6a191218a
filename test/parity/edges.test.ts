/** Edge cases outside all constructs, on DuckDB compared with PostgreSQL. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { manifestOf } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles, openPostgres } from "../support/sources.ts";
import { besideDoubles } from "./beside-doubles.ts";
import { CLOCKS } from "./clocks.ts";
import { ask, judgeBeside } from "./judge.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

let postgres: OpenedSource;
let duckdb: OpenedSource;
beforeAll(async () => {
  [postgres, duckdb] = await Promise.all([openPostgres(), openDuckDbFiles(EXAMPLES)]);
});
afterAll(() => Promise.all([postgres.close(), duckdb.close()]));

test.each(besideDoubles())("DuckDB: $sql", async ({ sql }) => {
  const reference = await ask(sql, manifest, "postgres", postgres);
  expect(judgeBeside(reference, await ask(sql, manifest, "local_file", duckdb))).toEqual({ outcome: "right" });
});

test.each(CLOCKS)("DuckDB: %s", async (sql) => {
  const reference = await ask(sql, manifest, "postgres", postgres);
  expect(judgeBeside(reference, await ask(sql, manifest, "local_file", duckdb))).toEqual({ outcome: "right" });
});
