/** TPC-H and TPC-DS through plain models on Trino: the rows that PostgreSQL gives to its own plan. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeAgainst, type Verdict } from "../parity/judge.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
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
/** Most of a statement's time is its planning. */
const AT_ONCE = 3;

if (!hasTrino()) test.skip(WITHOUT_TRINO, () => {});

describe.skipIf(!hasTrino()).each(benchmarks)("%s", (_, benchmark: Benchmark) => {
  let database: TestDatabase;
  let postgres: OpenedSource;
  let trino: TrinoTestSchema;
  const { tables, queries, data } = benchmark;
  const onPostgres = manifestOf(plainModels(tables, (table) => ({ schema: "public", table })));
  const onTrino = manifestOf(plainModels(tables, (table) => ({ table })));
  const verdicts: Verdict[] = [];

  beforeAll(async () => {
    [database, trino] = await Promise.all([startPostgres(), openTrinoSchema()]);
    const client = await database.connect();
    await createTables(client, tables);
    await fillTables(client, benchmark);
    postgres = await openPostgresDatabase(database);
    await copyIntoTrino(
      trino.run,
      tables.map(({ name }) => ({ name, file: `${data}/${name}.parquet` })),
    );
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < queries.length; at = next++) {
        const answer = await ask(queries[at] ?? "", onTrino, "trino", trino);
        if ("outcome" in answer) verdicts[at] = answer;
        else answers.set(at, answer);
      }
    };
    const answers = new Map<number, Exclude<Awaited<ReturnType<typeof ask>>, { outcome: string }>>();
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    for (const [at, answer] of answers) {
      const reference = await ask(queries[at] ?? "", onPostgres, "postgres", postgres, IN_ORDER);
      verdicts[at] = "outcome" in reference ? reference : judgeAgainst(reference, answer);
    }
  }, 900_000);
  afterAll(async () => {
    await Promise.all([postgres.close(), trino.close()]);
    await database.stop();
  });

  test.each(queries.map((sql, index) => [index + 1, sql] as const))("query %i", (number) => {
    expect(verdicts[number - 1]).toEqual({ outcome: "right" });
  });
});
