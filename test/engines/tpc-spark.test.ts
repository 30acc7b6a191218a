/**
 * TPC-H and TPC-DS through plain models on Spark, which reads the Parquet files itself: the rows that PostgreSQL gives to its own
 * plan. A sixth of the statements is asked, and all with `TPC_EVERY=1`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeAgainst, type Verdict } from "../parity/judge.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { SHARE } from "../support/share.ts";
import { type OpenedSource, openPostgresDatabase } from "../support/sources.ts";
import { openSparkTables } from "../support/spark.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { type Benchmark, tryLoadTpc } from "./tpc.ts";
import { createTables, fillTables, plainModels } from "./tpc-tables.ts";

const outcome = tryLoadTpc();
const benchmarks =
  "notRun" in outcome
    ? []
    : ([
        ["TPC-H", "tpch", outcome.corpus.tpch],
        ["TPC-DS", "tpcds", outcome.corpus.tpcds],
      ] as const);
const IN_ORDER = { textOrder: "code points" } as const;
const EVERY = Number(process.env["TPC_EVERY"] ?? 6 * SHARE);
const AT_ONCE = 3;

if (!hasSpark()) test.skip(WITHOUT_SPARK, () => {});

describe.skipIf(!hasSpark()).each(benchmarks)("%s", (_, schema, benchmark: Benchmark) => {
  let database: TestDatabase;
  let postgres: OpenedSource;
  let spark: OpenedSource;
  const { tables, queries, data } = benchmark;
  const onPostgres = manifestOf(plainModels(tables, (table) => ({ schema: "public", table })));
  const onSpark = manifestOf(plainModels(tables, (table) => ({ schema, table })));
  const asked = queries.map((_, index) => index).filter((index) => index % EVERY === 0);
  const verdicts: Verdict[] = [];

  beforeAll(async () => {
    const files = tables.map(({ name }) => ({ name, file: `${data}/${name}.parquet` }));
    [database, spark] = await Promise.all([startPostgres(), openSparkTables(schema, files)]);
    const client = await database.connect();
    await createTables(client, tables);
    await fillTables(client, benchmark);
    postgres = await openPostgresDatabase(database);
    let next = 0;
    /** PostgreSQL's connection takes one statement after another. */
    let last: Promise<unknown> = Promise.resolve();
    const worker = async (): Promise<void> => {
      for (let at = asked[next++]; at !== undefined; at = asked[next++]) {
        const sql = queries[at] ?? "";
        const reference = last.then(() => ask(sql, onPostgres, "postgres", postgres, IN_ORDER));
        last = reference;
        const [answer, expected] = await Promise.all([ask(sql, onSpark, "spark", spark), reference]);
        if ("outcome" in answer) verdicts[at] = answer;
        else verdicts[at] = "outcome" in expected ? expected : judgeAgainst(expected, answer);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }, 900_000);
  afterAll(async () => {
    await Promise.all([postgres.close(), spark.close()]);
    await database.stop();
  });

  test.each(asked.map((index) => [index + 1] as const))("query %i", (number) => {
    expect(verdicts[number - 1]).toEqual({ outcome: "right" });
  });
});
