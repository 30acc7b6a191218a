/** Large operands that MySQL's plans bind by a derived table: MySQL 8.0.14 and later give PostgreSQL's rows. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeBeside } from "../parity/judge.ts";
import { hasMySql, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { type OpenedSource, openMySqlWith, openPostgres } from "../support/sources.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

const deep = (open: string, operand: string, close: string, depth = 6): string =>
  `${open.repeat(depth)}${operand}${close.repeat(depth)}`;

const ROWS =
  "(VALUES (1, 'one Two', 7, TIMESTAMP '2024-02-29 23:59:59.5'), (2, '', -3, TIMESTAMP '1969-12-31 12:30:00'), " +
  "(3, NULL, NULL, NULL), (4, '12', 40, TIMESTAMP '2021-01-03 00:00:00')) AS t(id, s, n, at)";

describe.skipIf(!hasMySql("mysql"))(hasMySql("mysql") ? "MySQL" : withoutMySql("mysql"), () => {
  let postgres: OpenedSource;
  let mysql: OpenedSource;

  beforeAll(async () => {
    [postgres, mysql] = await Promise.all([openPostgres(), openMySqlWith("mysql", async () => {})]);
  });
  afterAll(() => Promise.all([postgres.close(), mysql.close()]));

  test.each([
    ["texts and timestamps", deep("CAST(CAST(", "at", " AS VARCHAR) AS TIMESTAMP)")],
    ["texts and integers", deep("CAST(CAST(", "n", " AS VARCHAR) AS INTEGER)")],
    ["integers", deep("CAST(ceil(", "n", ") AS INTEGER)", 30)],
    ["absolute values", deep("CAST(abs(", "n", ") AS INTEGER)", 30)],
    ["greatest", deep("greatest(", "n", ", 2)", 30)],
    [
      "months",
      deep("CASE WHEN date_diff('month', ", "at", ", TIMESTAMP '2020-01-01 00:00:00') > 2 THEN at ELSE at END", 12),
    ],
    ["decimals", deep("CAST(CAST(", "n", " AS VARCHAR) AS NUMERIC(12,2))", 10)],
    ["split_part", deep("split_part(", "s", " || 'b', 'a', 1)", 12)],
  ])("%s", async (_name, expression) => {
    for (const sql of [
      `SELECT id, ${expression} AS x FROM ${ROWS} ORDER BY id`,
      `SELECT id FROM ${ROWS} WHERE ${expression} IS NOT NULL ORDER BY id`,
      `SELECT id, CASE WHEN id = 1 THEN ${expression} END AS x FROM ${ROWS} ORDER BY id`,
    ]) {
      const reference = await ask(sql, manifest, "postgres", postgres);
      const answer = await ask(sql, manifest, "mysql", mysql);
      expect(judgeBeside(reference, answer, { ordered: true, json: "value" })).toEqual({ outcome: "right" });
    }
  });
});
