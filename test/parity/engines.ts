/** Every engine that can be run here, over the tables of the analyst queries. */
import { fileURLToPath } from "node:url";
import type { DataSource } from "../../src/planner/plan.ts";
import { hasClickHouse } from "../support/clickhouse-server.ts";
import startServers from "../support/global-setup.ts";
import { openGoogleSqlTpch } from "../support/googlesql.ts";
import { hasGoogleSql } from "../support/googlesql-server.ts";
import { hasMySql, type MySqlFlavor } from "../support/mysql-server.ts";
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
  /** Its connection takes one statement after another. */
  readonly inOrder?: true;
}

export interface Engines {
  readonly postgres: Engine;
  readonly duckdb: Engine;
  readonly others: readonly Engine[];
  close(): Promise<void>;
}

/** An engine that may be missing here, and how it is started. */
interface Runnable {
  readonly runs: boolean;
  open(): Promise<Engine>;
}

async function opening(facts: Omit<Engine, "opened">, opened: Promise<OpenedSource>): Promise<Engine> {
  return { ...facts, opened: await opened };
}

const mySql = (flavor: MySqlFlavor, label: string): Runnable => ({
  runs: hasMySql(flavor),
  open: () =>
    opening({ source: "mysql", label, settings: { textOrder: "code points" }, inOrder: true }, openMySqlTpch(flavor)),
});

const OTHERS = {
  mysql: mySql("mysql", "MySQL"),
  mariadb: mySql("mariadb", "MariaDB"),
  trino: { runs: hasTrino(), open: () => opening({ source: "trino", label: "Trino" }, openTrinoTpch()) },
  clickhouse: {
    runs: hasClickHouse(),
    open: () => opening({ source: "clickhouse", label: "ClickHouse" }, openClickHouseTpch()),
  },
  spark: { runs: hasSpark(), open: () => opening({ source: "spark", label: "Spark" }, openSparkTpch()) },
  bigquery: {
    runs: hasGoogleSql(),
    open: () =>
      opening({ source: "bigquery", label: "GoogleSQL reference evaluator, not BigQuery" }, openGoogleSqlTpch()),
  },
} as const satisfies Readonly<Record<string, Runnable>>;

export type OtherEngine = keyof typeof OTHERS;
export const OTHER_ENGINES: readonly OtherEngine[] = (Object.keys(OTHERS) as OtherEngine[]).filter(
  (name) => OTHERS[name].runs,
);

/** One server of each for all of it, as in a run of the tests; of those that are not `named` none is started. */
export async function openEngines(named: readonly OtherEngine[] = OTHER_ENGINES): Promise<Engines> {
  const stopServers = await startServers();
  const postgres = await opening({ source: "postgres", label: "PostgreSQL", inOrder: true }, openPostgres());
  const duckdb = await opening({ source: "local_file", label: "DuckDB" }, openDuckDbFiles(EXAMPLES));
  const others = await Promise.all(named.map((name) => OTHERS[name].open()));
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
  const options = { signal: new AbortController().signal, timeoutMs: 10_000, isolation: "tests" };
  const version = await opened.connector.catalog({ kind: "version" }, options);
  // Behind it PostgreSQL tells the platform, Spark a revision.
  return version.replace(/ (?:on .*|[0-9a-f]{40})$/s, "");
}
