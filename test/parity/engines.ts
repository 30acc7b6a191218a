/** Every engine that can be run here, over the tables of the analyst queries. */
import { fileURLToPath } from "node:url";
import type { DataSource } from "../../src/planner/plan.ts";
import { hasClickHouse } from "../support/clickhouse-server.ts";
import startServers from "../support/global-setup.ts";
import { openGoogleSqlTpch } from "../support/googlesql.ts";
import { hasGoogleSql } from "../support/googlesql-server.ts";
import { hasMySql, MYSQL_FLAVORS } from "../support/mysql-server.ts";
import type { PlanSettings } from "../support/plan.ts";
import {
  type OpenedSource,
  openClickHouseTpch,
  openDuckDbFiles,
  openMySqlTpch,
  openPostgres,
} from "../support/sources.ts";
import { openSparkTpch } from "../support/spark.ts";
import { hasSpark } from "../support/spark-server.ts";
import { openTrinoTpch } from "../support/trino.ts";
import { hasTrino } from "../support/trino-server.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

export interface Engine {
  readonly source: DataSource;
  readonly label: string;
  readonly opened: OpenedSource;
  /** The order of texts where the engine's own is another than that of the rows that are expected. */
  readonly settings?: PlanSettings;
}

export interface Engines {
  readonly postgres: Engine;
  readonly duckdb: Engine;
  readonly others: readonly Engine[];
  close(): Promise<void>;
}

/** One server of each for all of it, as in a run of the tests. */
export async function openEngines(): Promise<Engines> {
  const stopServers = await startServers();
  const open = async (source: DataSource, label: string, opened: Promise<OpenedSource>, settings?: PlanSettings) => ({
    source,
    label,
    opened: await opened,
    ...(settings && { settings }),
  });
  const postgres = await open("postgres", "PostgreSQL", openPostgres());
  const duckdb = await open("local_file", "DuckDB", openDuckDbFiles(EXAMPLES));
  const others: readonly Engine[] = await Promise.all([
    ...MYSQL_FLAVORS.filter(hasMySql).map((flavor) =>
      open("mysql", flavor === "mysql" ? "MySQL" : "MariaDB", openMySqlTpch(flavor), { textOrder: "code points" }),
    ),
    ...(hasTrino() ? [open("trino", "Trino", openTrinoTpch())] : []),
    ...(hasClickHouse() ? [open("clickhouse", "ClickHouse", openClickHouseTpch())] : []),
    ...(hasSpark() ? [open("spark", "Spark", openSparkTpch())] : []),
    ...(hasGoogleSql() ? [open("bigquery", "GoogleSQL reference evaluator, not BigQuery", openGoogleSqlTpch())] : []),
  ]);
  return {
    postgres,
    duckdb,
    others,
    close: async () => {
      await Promise.all([postgres, duckdb, ...others].map(({ opened }) => opened.close()));
      await stopServers();
    },
  };
}

export async function versionOf({ opened }: Engine): Promise<string> {
  const options = { signal: new AbortController().signal, timeoutMs: 10_000 };
  const version = await opened.connector.catalog({ kind: "version" }, options);
  // Behind it PostgreSQL tells the platform, Spark a revision.
  return version.replace(/ (?:on .*|[0-9a-f]{40})$/s, "");
}
