/** TPC-H and TPC-DS through plain models on Trino: the rows that PostgreSQL gives to its own plan. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeAgainst, type Verdict } from "../parity/judge.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { SHARE } from "../support/share.ts";
import { type OpenedSource, openPostgresDatabase } from "../support/sources.ts";
import { copyIntoTrino, openTrinoSchema, type TrinoTestSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import { type Benchmark, tryLoadTpc } from "./tpc.ts";
import { createTables, fillTables, plainModels } from "./tpc-tables.ts";

const outcome = tryLoadTpc();
const benchmarks =
  "notRun" in outcome
    ? []
    : ([
        ["TPC-H", outcome.corpus.tpch],
        ["TPC-DS", outcome.corpus.tpcds],
      ] as const);
const IN_ORDER = { textOrder: "code points" } as const;
/** One in so many statements of TPC-DS; `TPC_EVERY=1` asks them all. */
const EVERY = Number(process.env["TPC_EVERY"] ?? 6 * SHARE);
/** Most of a statement's time is its planning. */
const AT_ONCE = 3;
/** Ways to plan that are settled sooner, over tables as small as these. */
const SESSION = "join_distribution_type=BROADCAST,enable_dynamic_filtering=false";

/** Two centuries of days and every second of one take longer to load than all else; facts are of few of them. */
const neededRows = (data: string): Readonly<Record<string, string>> => {
  const times = ["store_sales.ss_sold", "catalog_sales.cs_sold", "web_sales.ws_sold", "store_returns.sr_return"];
  const keys = [...times, "catalog_returns.cr_returned", "web_returns.wr_returned"].map((each) => {
    const [table, column] = each.split(".");
    return `SELECT ${column}_time_sk FROM '${data}/${table}.parquet'`;
  });
  return {
    date_dim: "d_year BETWEEN 1996 AND 2004",
    time_dim: `t_time_sk % 600 = 0 OR t_time_sk IN (${keys.join(" UNION ALL ")})`,
  };
};

if (!hasTrino()) test.skip(WITHOUT_TRINO, () => {});

describe.skipIf(!hasTrino()).each(benchmarks)("%s", (name, benchmark: Benchmark) => {
  let database: TestDatabase;
  let postgres: OpenedSource;
  let trino: TrinoTestSchema;
  const { tables, queries, data } = benchmark;
  const onPostgres = manifestOf(plainModels(tables, (table) => ({ schema: "public", table })));
  const onTrino = manifestOf(plainModels(tables, (table) => ({ table })));
  const every = name === "TPC-H" ? 1 : EVERY;
  const asked = queries.map((_, index) => index).filter((index) => index % every === 0);
  const verdicts: Verdict[] = [];

  beforeAll(async () => {
    [database, trino] = await Promise.all([startPostgres(), openTrinoSchema()]);
    const where = neededRows(data);
    const onReference = async (): Promise<OpenedSource> => {
      const client = await database.connect();
      await createTables(client, tables);
      await fillTables(client, benchmark, where);
      return openPostgresDatabase(database);
    };
    const files = tables.map(({ name }) => ({ name, file: `${data}/${name}.parquet`, where: where[name] ?? "true" }));
    [postgres] = await Promise.all([onReference(), copyIntoTrino(trino.run, files)]);
    const opened = { connector: await trino.connectWith({ session: SESSION }), variant: undefined, close: trino.close };
    let next = 0;
    /** PostgreSQL's connection takes one statement after another. */
    let last: Promise<unknown> = Promise.resolve();
    const worker = async (): Promise<void> => {
      for (let at = asked[next++]; at !== undefined; at = asked[next++]) {
        const sql = queries[at] ?? "";
        const reference = last.then(() => ask(sql, onPostgres, "postgres", postgres, IN_ORDER));
        last = reference;
        const [answer, expected] = await Promise.all([ask(sql, onTrino, "trino", opened), reference]);
        if ("outcome" in answer) verdicts[at] = answer;
        else verdicts[at] = "outcome" in expected ? expected : judgeAgainst(expected, answer);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await opened.connector.close();
  }, 900_000);
  afterAll(async () => {
    await Promise.all([postgres.close(), trino.close()]);
    await database.stop();
  });

  test.each(asked.map((index) => index + 1))("query %i", (number) => {
    expect(verdicts[number - 1]).toEqual({ outcome: "right" });
  });
});
