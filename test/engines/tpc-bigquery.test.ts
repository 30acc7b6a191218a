/**
 * TPC-H in BigQuery's dialect on GoogleSQL's evaluator, over the tables of `examples/tpch`, since it takes four megabytes: the rows that
 * PostgreSQL gives to its own plan. A subquery of each row and a join on more than equality are loops to it: of what takes minutes the
 * statement is planned, and 20 is asked with `TPC_EVERY=1`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeAgainst } from "../parity/judge.ts";
import { plainManifest } from "../support/analyst.ts";
import { openGoogleSqlTpch } from "../support/googlesql.ts";
import { hasGoogleSql, WITHOUT_GOOGLESQL } from "../support/googlesql-server.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";
import { tryLoadTpc } from "./tpc.ts";

const outcome = tryLoadTpc();
const queries = "notRun" in outcome ? [] : outcome.corpus.tpch.queries;
const onPostgres = manifestOf(plainManifest("postgres"));
const onBigQuery = manifestOf(plainManifest("bigquery"));
const IN_ORDER = { textOrder: "code points" } as const;
const ENDLESS: ReadonlySet<number> = new Set([18, 19]);
const SLOW: ReadonlySet<number> = process.env["TPC_EVERY"] === "1" ? ENDLESS : new Set([...ENDLESS, 20]);

describe.skipIf(!hasGoogleSql())(hasGoogleSql() ? "TPC-H" : WITHOUT_GOOGLESQL, () => {
  let postgres: OpenedSource;
  let evaluator: OpenedSource;

  beforeAll(async () => {
    [postgres, evaluator] = await Promise.all([openPostgres(), openGoogleSqlTpch()]);
  });
  afterAll(() => Promise.all([postgres.close(), evaluator.close()]));

  const numbered = queries.map((sql, index) => [index + 1, sql] as const);

  test.each(numbered.filter(([number]) => !SLOW.has(number)))("query %i", async (_, sql) => {
    const expected = await ask(sql, onPostgres, "postgres", postgres, IN_ORDER);
    const answer = await ask(sql, onBigQuery, "bigquery", evaluator);
    if ("outcome" in expected) throw new Error(expected.detail);
    expect("outcome" in answer ? answer : judgeAgainst(expected, answer)).toEqual({ outcome: "right" });
  });

  test.each(numbered.filter(([number]) => SLOW.has(number)))("query %i is planned", (_, sql) => {
    expect(planned(sql, onBigQuery, { source: "bigquery" }).sql).toMatch(/^(SELECT|WITH) /);
  });
});
