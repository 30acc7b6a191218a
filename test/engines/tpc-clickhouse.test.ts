/** TPC-H and TPC-DS through plain models on ClickHouse's engine: the rows that PostgreSQL gives to its own plan, or a refusal that is listed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeAgainst } from "../parity/judge.ts";
import { REFUSED_BENCHMARKS as refused } from "../parity/refused/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { shareFor } from "../support/share.ts";
import { copyIntoClickHouse, type OpenedSource, openClickHouseWith, openPostgresDatabase } from "../support/sources.ts";
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

if (!hasClickHouse()) test.skip(WITHOUT_CLICKHOUSE, () => {});

describe.skipIf(!hasClickHouse()).each(benchmarks)("%s", (name, benchmark: Benchmark) => {
  let database: TestDatabase;
  let postgres: OpenedSource;
  let clickhouse: OpenedSource;
  const { tables, queries, data } = benchmark;
  const onPostgres = manifestOf(plainModels(tables, (table) => ({ schema: "public", table })));
  const onClickHouse = manifestOf(plainModels(tables, (table) => ({ table })));

  beforeAll(async () => {
    database = await startPostgres();
    const client = await database.connect();
    await createTables(client, tables);
    await fillTables(client, benchmark);
    postgres = await openPostgresDatabase(database);
    const files = tables.map((table) => ({ name: table.name, file: `${data}/${table.name}.parquet` }));
    clickhouse = await openClickHouseWith((own) => copyIntoClickHouse(own, files));
  }, 300_000);
  afterAll(async () => {
    await Promise.all([postgres?.close(), clickhouse?.close()]);
    await database?.stop();
  });

  test.each(
    shareFor(
      "clickhouse",
      queries.map((sql, index) => [index + 1, sql] as const),
    ),
  )("query %i", async (number, sql) => {
    const answer = await ask(sql, onClickHouse, "clickhouse", clickhouse);
    if (refused[name].includes(number)) {
      expect(answer).toMatchObject({ outcome: "refused" });
      return;
    }
    const reference = await ask(sql, onPostgres, "postgres", postgres, { textOrder: "code points" });
    if ("outcome" in reference) throw new Error(`PostgreSQL: ${reference.detail}`);
    expect("outcome" in answer ? answer : judgeAgainst(reference, answer)).toEqual({ outcome: "right" });
  });
});
