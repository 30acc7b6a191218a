/** Spark in the experiment, with what its optimizer may be told to do, and rows stored otherwise. */
import { randomUUID } from "node:crypto";
import { nodeDial } from "../../../sidecar/dial.ts";
import { openChannel } from "../../../sidecar/spark/channel.ts";
import { closed } from "../../../sidecar/spark/failures.ts";
import { SparkSession } from "../../../sidecar/spark/session.ts";
import { parseSparkConnection } from "../../../src/connectors/connection/spark.ts";
import { sparkTarget } from "../../../src/planner/dialects/spark/spark.ts";
import { patient } from "../../connectors/contract.ts";
import { startSpark } from "../../support/spark-server.ts";
import { type Engine, unordered } from "./engines.ts";
import { SPARK_SHAPES, SPARK_TABLES, sparkSetup } from "./spark-shapes.ts";

/** Settings (https://spark.apache.org/docs/latest/configuration.html#runtime-sql-configuration) under which it plans otherwise. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "not adaptive": { "spark.sql.adaptive.enabled": "false" },
  "nothing compiled": { "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN" },
  "sorted joins": { "spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.join.preferSortMergeJoin": "true" },
  "hashed joins, runtime filters": {
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.join.preferSortMergeJoin": "false",
    "spark.sql.optimizer.runtime.bloomFilter.enabled": "true",
    "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold": "0",
  },
  "by costs": {
    "spark.sql.cbo.enabled": "true",
    "spark.sql.cbo.joinReorder.enabled": "true",
    "spark.sql.cbo.planStats.enabled": "true",
    "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly": "false",
  },
};

const MODES = [
  "defaults",
  ...Object.keys(SETTINGS),
  ...Object.keys(SPARK_TABLES).filter((name) => name !== "defaults"),
];

/** Error classes about a statement itself: of its syntax, its names and types, or what the analyzer refuses. */
const STATIC =
  /^\[(PARSE_SYNTAX_ERROR|UNRESOLVED_|UNSUPPORTED_|DATATYPE_MISMATCH|INVALID_|TABLE_OR_VIEW|MISSING_|WINDOW_)/;

export async function openSparkEngine(rows: number): Promise<Engine> {
  const { host, port, stop } = await startSpark();
  const { info } = parseSparkConnection({ host, port });
  const signal = new AbortController().signal;
  const channel = await openChannel(info, { dial: nodeDial([host]), connectTimeoutMs: 10_000 }, signal);
  const database = `fences_${randomUUID().slice(0, 8)}`;
  let settings: Readonly<Record<string, string>> = {};
  const open = async (): Promise<SparkSession> => {
    const session = new SparkSession(channel, "test", { signal, timeoutMs: 600_000 }, () => {});
    const changed = Object.entries(settings).map(([name, value]) => ({ name, value }));
    await session.set([...sparkTarget().session, ...changed]);
    await session.list({ sql: { query: `USE ${database}` } });
    return session;
  };
  const first = new SparkSession(channel, "test", patient(), () => {});
  await first.list({ sql: { query: `CREATE DATABASE ${database}` } });
  await first.end(closed());
  let session = await open();
  const execute = async (sql: string): Promise<void> => void (await session.list({ sql: { query: sql } }));
  for (const statement of sparkSetup(rows)) await execute(statement);
  const [version] = await session.list({ sql: { query: "SELECT version() AS v" } });
  return {
    shapes: SPARK_SHAPES,
    version: `Spark ${String(version?.["v"]).split(" ")[0]}`,
    atOnce: 6,
    reported: ["cast to integer", "raise_error()"],
    rows: async (sql) => unordered((await session.list({ sql: { query: sql } })).map((row) => Object.values(row))),
    execute,
    isStatic: (error) => STATIC.test((error as Error).message),
    lacking: [],
    modes: MODES,
    thorough: ["defaults"],
    serious: ["none", "count(*) OVER () > 0", "monotonically_increasing_id() >= 0"],
    use: async (mode) => {
      settings = SETTINGS[mode] ?? {};
      const before = session;
      session = await open();
      await before.end(closed());
      for (const statement of SPARK_TABLES[mode] ?? []) await execute(statement);
    },
    close: async () => {
      await execute(`DROP DATABASE ${database} CASCADE`);
      await session.end(closed());
      channel.close();
      await stop();
    },
  };
}
