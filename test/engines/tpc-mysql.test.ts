/**
 * TPC-H and TPC-DS through plain models on MySQL and MariaDB: the rows that PostgreSQL gives to its own plan. Each is
 * asked one in six statements of TPC-DS, which are others than those of the other, and all with `TPC_EVERY=1`. With `SHARE` one benchmark is
 * loaded into each.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeAgainst } from "../parity/judge.ts";
import { copyByInserts } from "../support/inserts.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { SHARE } from "../support/share.ts";
import { type OpenedSource, openMySqlWith, openPostgresDatabase } from "../support/sources.ts";
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

const EVERY = Number(process.env["TPC_EVERY"] ?? 6 * SHARE);

for (const flavor of MYSQL_FLAVORS.filter((each) => !hasMySql(each))) test.skip(withoutMySql(flavor), () => {});

describe.each(benchmarks)("%s", (name, benchmark: Benchmark) => {
  const here = MYSQL_FLAVORS.filter(hasMySql);
  const flavors = SHARE === 1 ? here : here.filter((flavor) => (flavor === "mysql") === (name === "TPC-DS"));
  let database: TestDatabase;
  let postgres: OpenedSource;
  const family = new Map<string, OpenedSource>();
  const { tables, queries, data } = benchmark;
  const onPostgres = manifestOf(plainModels(tables, (table) => ({ schema: "public", table })));
  const onMySql = manifestOf(plainModels(tables, (table) => ({ table })));

  beforeAll(async () => {
    database = await startPostgres();
    const client = await database.connect();
    await createTables(client, tables);
    await fillTables(client, benchmark);
    postgres = await openPostgresDatabase(database);
    for (const flavor of flavors) {
      const fill = async (run: (sql: string) => Promise<unknown>): Promise<void> => {
        await copyByInserts(
          run,
          tables.map((table) => ({ name: table.name, file: `${data}/${table.name}.parquet` })),
        );
        for (const table of tables) {
          const keys = table.columns.flatMap(([column]) =>
            /(key|_sk)$/.test(column) ? [`ADD INDEX (${column})`] : [],
          );
          if (keys.length > 0) await run(`ALTER TABLE ${table.name} ${keys.join(", ")}`);
        }
      };
      family.set(flavor, await openMySqlWith(flavor, fill));
    }
  });
  afterAll(async () => {
    await Promise.all([postgres, ...family.values()].map((each) => each.close()));
    await database.stop();
  });

  const isAsked = (number: number, flavor: number): boolean => name === "TPC-H" || (number + flavor) % EVERY === 0;
  const asked = queries
    .map((sql, index) => [index + 1, sql] as const)
    .filter(([number]) => flavors.some((_, flavor) => isAsked(number, flavor)));

  test.each(asked)("query %i", async (number, sql) => {
    const reference = await ask(sql, onPostgres, "postgres", postgres, { textOrder: "code points" });
    if ("outcome" in reference) throw new Error(`PostgreSQL: ${reference.detail}`);
    for (const [index, [flavor, opened]] of [...family].entries()) {
      if (!isAsked(number, index)) continue;
      const answer = await ask(sql, onMySql, "mysql", opened, { textOrder: "code points" });
      const verdict = "outcome" in answer ? answer : judgeAgainst(reference, answer);
      expect(verdict, `${flavor}, ${name} ${number}`).toEqual({ outcome: "right" });
    }
  });
});
