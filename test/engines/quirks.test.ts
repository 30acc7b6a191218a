/** Wrong answers of MySQL, MariaDB, ClickHouse, Trino and Spark that are planned around (`test/parity/quirks.ts`, which has DuckDB's too). */
import { afterAll, beforeAll, describe, test } from "vitest";
import { expectDefect } from "../parity/quirk-answers.ts";
import { type QuirkyEngine, quirksOf } from "../parity/quirks.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { hasMySql, type MySqlFlavor, withoutMySql } from "../support/mysql-server.ts";
import { type OpenedSource, openClickHouseWith, openMySqlWith } from "../support/sources.ts";
import { openSparkTables } from "../support/spark.ts";
import { hasSpark, isSpark35, WITHOUT_SPARK } from "../support/spark-server.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

interface Place {
  readonly engine: QuirkyEngine;
  readonly runs: boolean;
  readonly otherwise: string;
  open(): Promise<OpenedSource>;
}

const mySql = (engine: MySqlFlavor): Place => ({
  engine,
  runs: hasMySql(engine),
  otherwise: withoutMySql(engine),
  open: () =>
    openMySqlWith(engine, async (run) => {
      for (const statement of quirksOf(engine).flatMap(({ tables = [] }) => tables)) await run(statement);
    }),
});

const PLACES: readonly Place[] = [
  mySql("mysql"),
  mySql("mariadb"),
  {
    engine: "clickhouse",
    runs: hasClickHouse(),
    otherwise: WITHOUT_CLICKHOUSE,
    open: () => openClickHouseWith(async () => {}),
  },
  { engine: "trino", runs: hasTrino(), otherwise: WITHOUT_TRINO, open: openTrinoSchema },
  {
    engine: "spark",
    // The rows are what 4.0 answers.
    runs: hasSpark() && !isSpark35,
    otherwise: WITHOUT_SPARK,
    open: () => openSparkTables("default", []),
  },
];

for (const { engine, runs, otherwise, open } of PLACES) {
  describe.skipIf(!runs)(runs ? engine : otherwise, () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    test.each(quirksOf(engine))("$file: $sql", async (quirk) => {
      await expectDefect(opened.connector, quirk);
    });
  });
}
