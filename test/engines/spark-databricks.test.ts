/**
 * Databricks, read back on Spark: what it is sent gives PostgreSQL's rows there, in sessions with no setting of ours but ANSI and
 * UTC; a few statements go through its whole connector, over a FAKE of its API (`test/connectors/databricks/over-spark.ts`), which
 * takes a second for each. The service is not here, so nothing is said of what it would answer.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHere } from "../../src/connectors/open-here.ts";
import { parseConnection } from "../../src/connectors/sources.ts";
import {
  type FakeDatabricks,
  startDatabricksOverSpark,
  TOKEN,
  WAREHOUSE,
} from "../connectors/databricks/over-spark.ts";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { ask, judgeAgainst, judgeRows, type Verdict } from "../parity/judge.ts";
import { CONSTRUCT_QUESTIONS } from "../parity/questions.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";
import { openSparkTpch } from "../support/spark.ts";
import { hasSpark, startSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { tryLoadTpc } from "./tpc.ts";
import { inTurns } from "./turns.ts";

const AT_ONCE = 4;
const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const tpch = manifestOf(plainManifest("spark"));
const onPostgres = manifestOf(plainManifest("postgres"));

const saidOn = (source: "spark" | "databricks", sql: string): string | undefined => {
  try {
    return planned(sql, withoutTables, { source }).sql;
  } catch {
    return undefined;
  }
};

/** Spark 4.0 has no common tables that name themselves: what Databricks is sent of them is by its manual alone. */
const isRecursive = (sql: string): boolean => saidOn("databricks", sql)?.includes("WITH RECURSIVE") === true;

/** Said otherwise than on Spark, whose own suite asks the rest. */
const OWN = [
  ...CONSTRUCT_QUESTIONS.map(({ sql }) => sql).filter((sql) => {
    const said = saidOn("databricks", sql);
    return said !== undefined && said !== saidOn("spark", sql) && !isRecursive(sql);
  }),
  // Longer than 38 digits by their types: the six behind the point are kept.
  "SELECT x * x * x AS a, x * (1 - x) * (1 + x) AS b, coalesce(x * x * x, 0) AS c FROM (VALUES (1, 123456.25::decimal(15, 2)), (2, -0.01), (3, 9999999999.99), (4, NULL)) AS t(i, x) ORDER BY i",
  "SELECT k, sum(x * (1 - x) * (1 + x)) AS a, sum(x * x * x) + 0.000001 AS b FROM (VALUES (1, 123456.25::decimal(15, 2)), (1, -0.01), (2, 1.11)) AS t(k, x) GROUP BY k HAVING sum(x * x * x) > 0.5 ORDER BY k",
  // Their types together have more than 38 digits, and their values do not.
  "SELECT x - avg(x) OVER () AS a, avg(x) OVER () / 3 - 1 AS b, x / lag(x) OVER (ORDER BY i) - 1 AS c, coalesce(x / 3, 0) AS d FROM (VALUES (1, 123456.25::decimal(15, 2)), (2, -0.01), (3, 99.99), (4, NULL)) AS t(i, x) ORDER BY i",
  "SELECT w - 1 AS a, w * 0.3127 AS b, w > 1.5 AS d, w IN (0.0000000001, 2) AS e FROM (VALUES (1, 123456.25::decimal(38, 10)), (2, -0.0000000001), (3, 0.0000000001), (4, NULL)) AS t(i, w) ORDER BY i",
  "SELECT avg(w) / nullif(avg(x), 0) AS a, stddev_samp(x) / avg(x) AS b, coalesce(sqrt(max(w)), 0) AS c FROM (VALUES (1, 123456.25::decimal(38, 10), 2.5::decimal(15, 2)), (2, -0.5, 1), (3, 7, 0.25)) AS t(i, w, x)",
  "SELECT x AS v FROM (VALUES (1.25::decimal(15, 2))) AS t(x) UNION ALL SELECT x / 3 FROM (VALUES (1.25::decimal(15, 2))) AS t(x) ORDER BY v",
];

/** TPC-H's queries over sums, subqueries and quotients of decimals, whose types together have more than 38 digits. */
const LONG_DECIMALS = [2, 8, 11, 14, 15, 17, 20, 22] as const;
const tpc = tryLoadTpc();
const tpchText = (number: number): string | undefined =>
  "notRun" in tpc ? undefined : tpc.corpus.tpch.queries[number - 1];

/** Without the one with a common table that names itself. */
const ASKED = ANALYST_QUERIES.filter(({ id }) => id !== "Q25");

/** Queries on quotients, averages, times, JSON and NULLs, which the API returns differently from Spark Connect. */
const BY_API = ["Q01", "Q03", "Q27", "Q33", "Q54", "Q57"];

describe.skipIf(!hasSpark())(hasSpark() ? "Databricks over Spark" : WITHOUT_SPARK, () => {
  let fake: FakeDatabricks;
  let databricks: OpenedSource;
  let postgres: OpenedSource;
  let spark: OpenedSource;
  const verdicts = new Map<string, Verdict>();

  beforeAll(async () => {
    [spark, postgres] = await Promise.all([openSparkTpch(), openPostgres()]);
    fake = await startDatabricksOverSpark(await startSpark());
    const fields = {
      serverHostname: "dbc-1.cloud.databricks.com",
      httpPath: `/sql/1.0/warehouses/${WAREHOUSE}`,
      accessToken: TOKEN,
    };
    const connector = await openHere(
      parseConnection("databricks", fields).info,
      { fetch: fake.fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 10_000 },
      { signal: new AbortController().signal },
    );
    databricks = { connector, close: () => connector.close() };
    // By the names of Databricks, which Spark keeps and does not know.
    await inTurns(AT_ONCE, ASKED, async ({ id, sql, ordered, expected }) => {
      const answer = await ask(sql, tpch, "databricks", spark);
      verdicts.set(id, "outcome" in answer ? answer : judgeRows(answer, expected, ordered));
    });
    const byApi = ANALYST_QUERIES.filter(({ id }) => BY_API.includes(id));
    await inTurns(AT_ONCE, byApi, async ({ id, sql, ordered, expected }) => {
      const answer = await ask(sql, tpch, "databricks", databricks);
      verdicts.set(`${id} by the API`, "outcome" in answer ? answer : judgeRows(answer, expected, ordered));
    });
    for (const number of LONG_DECIMALS) {
      const sql = tpchText(number);
      if (sql === undefined) continue;
      const reference = await ask(sql, onPostgres, "postgres", postgres);
      const answer = await ask(sql, tpch, "databricks", spark);
      if ("outcome" in reference) verdicts.set(`TPC-H ${number}`, reference);
      else verdicts.set(`TPC-H ${number}`, "outcome" in answer ? answer : judgeAgainst(reference, answer));
    }
    for (const sql of OWN) {
      const reference = await ask(sql, withoutTables, "postgres", postgres);
      const answer = await ask(sql, withoutTables, "databricks", spark);
      if ("outcome" in reference) verdicts.set(sql, reference);
      else verdicts.set(sql, "outcome" in answer ? answer : judgeAgainst(reference, answer));
    }
  }, 300_000);
  afterAll(async () => {
    await Promise.all([databricks?.close(), postgres?.close(), spark?.close()]);
    await fake?.close();
  });

  test.each(ASKED)("$id $title", ({ id }) => expect(verdicts.get(id)).toEqual({ outcome: "right" }));
  test.each(BY_API)("%s by the API", (id) => expect(verdicts.get(`${id} by the API`)).toEqual({ outcome: "right" }));
  test.skipIf("notRun" in tpc).each(LONG_DECIMALS)("TPC-H's query %i", (number) =>
    expect(verdicts.get(`TPC-H ${number}`)).toEqual({ outcome: "right" }),
  );
  test.each(OWN)("construct %s", (sql) => expect(verdicts.get(sql)).toEqual({ outcome: "right" }));
});
