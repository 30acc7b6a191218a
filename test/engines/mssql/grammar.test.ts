/** Every statement that is planned for SQL Server is one to a grammar that shares nothing with the planner. */
import { beforeAll, describe, expect, test } from "vitest";
import {
  analystQuestions,
  constructQuestions,
  corpusQuestions,
  functionQuestions,
  plannedQuestions,
  tpcQuestions,
} from "../unexecuted/questions.ts";
import { hasGrammar, type Judge, openGrammar } from "./grammar.ts";
import { MSSQL } from "./own.ts";

/** What the grammar takes for no query though it is one. */
const WRONGLY_REJECTED: Readonly<Record<string, string>> = {
  "realty/tags/intersect-tags": "a set operation in parentheses within the table of a query",
};

if (!hasGrammar()) test.skip("not run: npm run engines installs the grammar", () => {});

describe.skipIf(!hasGrammar())("the grammar", () => {
  let judge: Judge;
  beforeAll(() => {
    judge = openGrammar();
  });

  test.each([
    "SELECT TOP (3) [a] FROM [t] ORDER BY [a]",
    "SELECT a FROM t ORDER BY (SELECT NULL) OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY",
    "SELECT STRING_AGG(CAST(s AS NVARCHAR(MAX)), ',') WITHIN GROUP (ORDER BY s) AS x FROM t",
    "SELECT CAST(CASE WHEN a > 1 THEN 1 WHEN NOT (a > 1) THEN 0 END AS BIT) AS x FROM t",
    "SELECT a FROM t WHERE (s + '.') COLLATE Latin1_General_100_BIN2_UTF8 = N'a.'",
    "SELECT q.n FROM t OUTER APPLY (SELECT t.a AS n) AS q",
    "SELECT a FROM t WHERE EXISTS (SELECT s INTERSECT SELECT 'a')",
    "SELECT DATEADD(MONTH, 1, CAST(d AS DATETIME2(6))) AS x FROM t",
    "SELECT sum(n) OVER (PARTITION BY b ORDER BY a ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS x FROM t",
    "SELECT a, count_big(*) AS n FROM t GROUP BY GROUPING SETS ((a, b), (a), ())",
    "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY n) OVER (PARTITION BY s) AS x FROM t",
    "SELECT [a ]] b] AS [it''s LIMIT] FROM t WHERE s = 'LIMIT || ::'",
  ])("takes %s", (sql) => expect(judge(sql)).toBeUndefined());

  test.each([
    "SELEC 1",
    "SELECT a FROM t LIMIT 3",
    "SELECT a FROM t FETCH FIRST 3 ROWS ONLY",
    "SELECT a FROM t WHERE TRUE",
    "SELECT a FROM t WHERE b",
    "SELECT a > 1 AS x FROM t",
    "SELECT a IS NULL AS x FROM t",
    "SELECT NOT b AS x FROM t",
    "SELECT max(a > 1) AS x FROM t",
    "SELECT CASE WHEN b THEN 1 END AS x FROM t",
    "SELECT a::int AS x FROM t",
    "SELECT s || 'x' AS x FROM t",
    "SELECT a FROM t ORDER BY a NULLS LAST",
    "SELECT count(*) FILTER (WHERE a > 1) AS x FROM t",
    "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
    "SELECT DISTINCT ON (a) a FROM t",
    "SELECT a FROM t JOIN u USING (a)",
    "SELECT a FROM t, LATERAL (SELECT 1 AS x) AS q",
    "SELECT d + INTERVAL '1 day' AS x FROM t",
    "SELECT DATE '2024-01-31' AS x",
    "SELECT EXTRACT(YEAR FROM d) AS x FROM t",
    "SELECT a FROM t INTERSECT ALL SELECT a FROM u",
    "SELECT a FROM t WHERE (a, b) IN (SELECT 1, 2)",
    "WITH RECURSIVE x AS (SELECT 1 AS n) SELECT n FROM x",
    "SELECT q.n FROM (WITH x AS (SELECT 1 AS n) SELECT n FROM x) AS q",
    "SELECT q.n FROM (SELECT 1 AS n)",
    "SELECT q.n FROM (SELECT a AS n FROM t ORDER BY a) AS q",
    "SELECT sum(n) OVER (ORDER BY a GROUPS 1 PRECEDING) AS x FROM t",
    "SELECT a FROM t WHERE a IS TRUE",
    "SELECT string_agg(s, ',' ORDER BY s) AS x FROM t",
    "SELECT SUBSTRING(s FROM 2 FOR 3) AS x FROM t",
    "SELECT ARRAY[1, 2] AS x",
    "VALUES (1), (2)",
    "SELECT a FROM t; SELECT",
  ])("does not take %s", (sql) => expect(judge(sql)).toEqual(expect.any(String)));

  const { tpch, tpcds } = tpcQuestions(MSSQL);
  const planned = [
    analystQuestions(MSSQL),
    constructQuestions(MSSQL),
    functionQuestions(MSSQL),
    tpch,
    tpcds,
    corpusQuestions(MSSQL),
  ].map(plannedQuestions);
  test.each([
    ["analyst queries", planned[0]],
    ["constructs", planned[1]],
    ["functions", planned[2]],
    ["TPC-H", planned[3]],
    ["TPC-DS", planned[4]],
    ["corpus", planned[5]],
  ])("%s", { timeout: 600_000 }, (_suite, questions = []) => {
    const rejected = questions.flatMap(({ name, statement }) => {
      const fault = judge(statement);
      return (fault !== undefined) === Object.hasOwn(WRONGLY_REJECTED, name)
        ? []
        : [`${name}: ${fault}\n  ${statement}`];
    });
    expect(rejected.join("\n")).toBe("");
  });
});
