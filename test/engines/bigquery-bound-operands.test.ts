/** Operands that BigQuery's plans bind by a subquery over UNNEST: GoogleSQL's evaluator gives PostgreSQL's rows. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeBeside } from "../parity/judge.ts";
import { openGoogleSqlTpch } from "../support/googlesql.ts";
import { hasGoogleSql, WITHOUT_GOOGLESQL } from "../support/googlesql-server.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

const deep = (open: string, operand: string, close: string, depth = 6): string =>
  `${open.repeat(depth)}${operand}${close.repeat(depth)}`;

const ROWS =
  "(VALUES (1, 'one Two', 7, TIMESTAMP '2024-02-29 23:59:59.5'), (2, '', -3, TIMESTAMP '1969-12-31 12:30:00'), " +
  "(3, NULL, NULL, NULL), (4, '12', 40, TIMESTAMP '2021-01-03 00:00:00')) AS t(id, s, n, at)";

describe.skipIf(!hasGoogleSql())(hasGoogleSql() ? "GoogleSQL's evaluator" : WITHOUT_GOOGLESQL, () => {
  let postgres: OpenedSource;
  let evaluator: OpenedSource;

  beforeAll(async () => {
    [postgres, evaluator] = await Promise.all([openPostgres(), openGoogleSqlTpch()]);
  });
  afterAll(() => Promise.all([postgres.close(), evaluator.close()]));

  test.each([
    ["initcap", deep("initcap(", "s", " || 'x')", 12)],
    ["texts and timestamps", deep("CAST(CAST(", "at", " AS VARCHAR) AS TIMESTAMP)")],
    ["texts and integers", deep("CAST(CAST(", "n", " AS VARCHAR) AS INTEGER)")],
    ["doubles and integers", deep("CAST(ceil(", "n", ") AS INTEGER)")],
    ["greatest", deep("greatest(", "n", ", 2)", 12)],
    ["split_part", deep("split_part(", "s", " || 'b', 'a', 1)", 12)],
  ])("%s", async (_name, expression) => {
    for (const sql of [
      `SELECT id, ${expression} AS x FROM ${ROWS} ORDER BY id`,
      `SELECT id FROM ${ROWS} WHERE ${expression} IS NOT NULL ORDER BY id`,
      `SELECT id, CASE WHEN id = 1 THEN ${expression} END AS x FROM ${ROWS} ORDER BY id`,
    ]) {
      expect(planned(sql, manifest, { source: "bigquery" }).sql).toContain("FROM UNNEST([");
      const reference = await ask(sql, manifest, "postgres", postgres);
      const answer = await ask(sql, manifest, "bigquery", evaluator);
      expect(judgeBeside(reference, answer, { ordered: true, json: "value" })).toEqual({ outcome: "right" });
    }
  });
});
