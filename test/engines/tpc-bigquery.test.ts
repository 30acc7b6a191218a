/**
 * TPC-H and TPC-DS in BigQuery's dialect on GoogleSQL's evaluator: the rows that PostgreSQL gives to its own plan. It takes four
 * megabytes, so TPC-H's tables are those of `examples/tpch`, and TPC-DS' a sample. A subquery of each row and a join on more than equality
 * are loops to it: of what takes minutes the statement is planned. A sixth of TPC-DS is asked, and with `TPC_EVERY=1` all that takes less.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Manifest } from "../../src/planner/index.ts";
import { ask, judgeAgainst, type Verdict } from "../parity/judge.ts";
import { plainManifest } from "../support/analyst.ts";
import { openGoogleSql, openGoogleSqlTpch } from "../support/googlesql.ts";
import { hasGoogleSql, WITHOUT_GOOGLESQL } from "../support/googlesql-server.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openPostgres, openPostgresDatabase } from "../support/sources.ts";
import { tryLoadTpc } from "./tpc.ts";
import { columnsRead, sampledRows } from "./tpc-sample.ts";
import { createTables, fillTables, plainModels } from "./tpc-tables.ts";

const outcome = tryLoadTpc();
const corpus = "notRun" in outcome ? undefined : outcome.corpus;
const queries = corpus?.tpch.queries ?? [];
const onPostgres = manifestOf(plainManifest("postgres"));
const onBigQuery = manifestOf(plainManifest("bigquery"));
const IN_ORDER = { textOrder: "code points" } as const;
const ENDLESS: ReadonlySet<number> = new Set([18, 19]);
const EVERY = Number(process.env["TPC_EVERY"] ?? 6);
const SLOW: ReadonlySet<number> = EVERY === 1 ? ENDLESS : new Set([...ENDLESS, 20]);

type Models = readonly [models: Manifest, opened: OpenedSource];

async function verdictOf(
  sql: string,
  [onPostgres, postgres]: Models,
  [onBigQuery, evaluator]: Models,
): Promise<Verdict> {
  const expected = await ask(sql, onPostgres, "postgres", postgres, IN_ORDER);
  const answer = await ask(sql, onBigQuery, "bigquery", evaluator);
  if ("outcome" in expected) throw new Error(expected.detail);
  return "outcome" in answer ? answer : judgeAgainst(expected, answer);
}

describe.skipIf(!hasGoogleSql())(hasGoogleSql() ? "TPC-H" : WITHOUT_GOOGLESQL, () => {
  let postgres: OpenedSource;
  let evaluator: OpenedSource;

  beforeAll(async () => {
    [postgres, evaluator] = await Promise.all([openPostgres(), openGoogleSqlTpch()]);
  });
  afterAll(() => Promise.all([postgres.close(), evaluator.close()]));

  const numbered = queries.map((sql, index) => [index + 1, sql] as const);

  test.each(numbered.filter(([number]) => !SLOW.has(number)))("query %i", async (_, sql) => {
    expect(await verdictOf(sql, [onPostgres, postgres], [onBigQuery, evaluator])).toEqual({ outcome: "right" });
  });

  test.each(numbered.filter(([number]) => SLOW.has(number)))("query %i is planned", (_, sql) => {
    expect(planned(sql, onBigQuery, { source: "bigquery" }).sql).toMatch(/^(SELECT|WITH) /);
  });
});

/** TPC-DS queries that take the evaluator a minute and more, and those that take seconds. */
const ENDLESS_DS: ReadonlySet<number> = new Set([13, 18, 35, 48, 58, 64, 70, 83]);
const SLOW_DS: ReadonlySet<number> = EVERY === 1 ? ENDLESS_DS : new Set([...ENDLESS_DS, 6, 14, 69, 88]);

describe.skipIf(!hasGoogleSql() || corpus === undefined)(hasGoogleSql() ? "TPC-DS" : WITHOUT_GOOGLESQL, () => {
  if (corpus === undefined) return;
  const { tables, data, queries: texts } = corpus.tpcds;
  const onTables = manifestOf(plainModels(tables, (table) => ({ table })));
  const plans = texts.map((sql) => planned(sql, onTables, { source: "bigquery" }));
  let database: TestDatabase;
  let postgres: OpenedSource;
  let evaluator: OpenedSource;

  beforeAll(async () => {
    const where = sampledRows(data);
    const columns = columnsRead(plans);
    const sample = tables
      .filter(({ name }) => columns.has(name))
      .map(({ name }) => ({
        name,
        file: `${data}/${name}.parquet`,
        columns: columns.get(name) ?? [],
        where: where[name] ?? "true",
      }));
    [database, evaluator] = await Promise.all([startPostgres(), openGoogleSql(sample)]);
    const client = await database.connect();
    await createTables(client, tables);
    await fillTables(client, corpus.tpcds, where);
    postgres = await openPostgresDatabase(database);
  });
  afterAll(async () => {
    await Promise.all([postgres?.close(), evaluator?.close()]);
    await database?.stop();
  });

  const numbered = texts.map((sql, index) => [index + 1, sql] as const);
  const asked = numbered.filter(([number]) => !SLOW_DS.has(number) && (number - 1) % EVERY === 0);

  test.each(asked)("query %i", async (_, sql) => {
    expect(await verdictOf(sql, [onTables, postgres], [onTables, evaluator])).toEqual({ outcome: "right" });
  });

  test("all are planned", () => {
    expect(plans.map(({ sql }) => sql)).toEqual(plans.map(() => expect.stringMatching(/^(SELECT|WITH) /)));
  });
});
