/** Windows without PARTITION BY and ORDER BY on native DuckDB, over so many rows that several threads read them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles } from "../support/sources.ts";
import { rowsOf } from "./quirk-answers.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const DESCENDING = "(SELECT i FROM generate_series(1, 200000) AS g(i) ORDER BY i DESC) AS s";

let directory: string;
let duckdb: OpenedSource;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "siskin-windows-"));
  duckdb = await openDuckDbFiles(directory);
});
afterAll(async () => {
  await duckdb?.close();
  await rm(directory, { recursive: true, force: true });
});

test.each([
  [
    "the order of a subquery is kept",
    `SELECT count(*) AS n FROM (SELECT i, row_number() OVER () AS k, lag(i) OVER () AS l, count(*) OVER (ROWS UNBOUNDED PRECEDING) AS c, first_value(i) OVER () AS f FROM ${DESCENDING}) AS t WHERE i + k <> 200001 OR l <> i + 1 OR c <> k OR f <> 200000`,
    "0",
  ],
  [
    "each row of a UNION ALL has a number of its own below a join",
    "SELECT count(DISTINCT k) AS n FROM (SELECT i, row_number() OVER () AS k FROM (SELECT i FROM generate_series(1, 200000) AS a(i) UNION ALL SELECT i FROM generate_series(1, 200000) AS b(i)) AS u) AS o JOIN (VALUES (1), (2)) AS b(c) ON o.i % 2 + 1 = b.c",
    "400000",
  ],
])("%s", async (_, sql, answer) => {
  const statement = planned(sql, withoutTables, { source: "local_file" }).sql;
  for (let times = 0; times < 3; times++) expect(await rowsOf(duckdb.connector, statement)).toBe(answer);
});
