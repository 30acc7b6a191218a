/** Constructs deep inside of themselves, whose operands DuckDB's plans bind once: the rows are PostgreSQL's. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles, openPostgres } from "../support/sources.ts";
import { ask, judgeAgainst } from "./judge.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

let postgres: OpenedSource;
let duckdb: OpenedSource;

beforeAll(async () => {
  [postgres, duckdb] = await Promise.all([openPostgres(), openDuckDbFiles(EXAMPLES)]);
});
afterAll(async () => {
  await Promise.all([postgres.close(), duckdb.close()]);
});

const deep = (open: string, operand: string, close: string, depth = 8): string =>
  `${open.repeat(depth)}${operand}${close.repeat(depth)}`;

const ROWS =
  "(VALUES (1, 'añb€c', 7, 2.5::float8, TIMESTAMP '2024-02-29 23:59:59.5'), (2, '', -3, -0.5, TIMESTAMP '1969-12-31 12:30:00'), " +
  "(3, NULL, NULL, NULL, NULL), (4, '12', 40, 1e20, TIMESTAMP '2021-01-03 00:00:00')) AS t(id, s, n, f, at)";

test.each([
  ["reverse", deep("reverse(", "s", " || 'x')")],
  ["overlay", deep("overlay(", "s", " PLACING 'ab' FROM 2)")],
  ["substring", deep("substring('abcdefghijkl', length(", "s", ") + 1, 9)")],
  ["doubles and texts", deep("CAST(CAST(", "f", " AS VARCHAR) AS DOUBLE PRECISION)")],
  ["width_bucket", deep("width_bucket(", "n", ", 0, 50, 7)")],
  ["formats of times", deep("CAST(to_char(", "at", ", 'YYYY-MM-DD HH24:MI:SS') AS TIMESTAMP)")],
  ["formats of numbers", deep("length(to_char(", "n", ", 'FM999,990.00'))")],
])("%s", async (_name, expression) => {
  for (const sql of [
    `SELECT id, ${expression} AS x FROM ${ROWS} ORDER BY id`,
    `SELECT id FROM ${ROWS} WHERE ${expression} IS NOT NULL ORDER BY id`,
    `SELECT id, CASE WHEN id = 1 THEN ${expression} END AS x FROM ${ROWS} ORDER BY x, id`,
  ]) {
    expect(planned(sql, manifest, { source: "local_file" }).sql).toContain("list_transform([");
    const reference = await ask(sql, manifest, "postgres", postgres);
    if ("outcome" in reference) throw new Error(`PostgreSQL: ${reference.outcome}: ${reference.detail}`);
    const answer = await ask(sql, manifest, "local_file", duckdb);
    expect("outcome" in answer ? answer : judgeAgainst(reference, answer)).toEqual({ outcome: "right" });
  }
});
