/** Tables on a real Spark, and the connector over them. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { nodeDial } from "../../sidecar/dial.ts";
import { openSpark } from "../../sidecar/spark/connector.ts";
import { parseSparkConnection } from "../../src/connectors/connection/spark.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { OpenedSource } from "./sources.ts";
import { runOnSpark } from "./spark-jobs.ts";
import { startSpark } from "./spark-server.ts";

/** The server's own tables, of every caller in a run. */
async function openSparkSource(): Promise<OpenedSource> {
  const { host, port } = await startSpark();
  const { info } = parseSparkConnection({ host, port });
  const { signal } = new AbortController();
  const connector = await openSpark(info, { dial: nodeDial([host]), connectTimeoutMs: 10_000 }, { signal });
  return { connector, close: () => connector.close() };
}

/** Tables over Parquet files, which Spark reads itself, in a schema. */
export async function openSparkTables(
  schema: string,
  files: readonly { readonly name: string; readonly file: string }[],
): Promise<OpenedSource> {
  await createOnSpark(
    `CREATE DATABASE IF NOT EXISTS ${schema}`,
    ...files.map(
      ({ name, file }) => `CREATE TABLE IF NOT EXISTS ${schema}.\`${name}\` USING parquet OPTIONS (path '${file}')`,
    ),
  );
  return openSparkSource();
}

/**
 * Creates what does not exist yet. IF NOT EXISTS is not atomic on Spark: it fails when another process creates the table at the same time.
 * Each such failure means that one more table exists, so there are no more of them than statements.
 */
async function createOnSpark(...statements: readonly string[]): Promise<void> {
  for (const _ of statements) {
    try {
      return await runOnSpark(...statements);
    } catch (error) {
      if (!(error instanceof ConnectorFailure) || error.engineCode !== "TABLE_OR_VIEW_ALREADY_EXISTS") throw error;
    }
  }
  await runOnSpark(...statements);
}

const TPCH = fileURLToPath(new URL("../../examples/tpch/", import.meta.url));

/** With the TPC-H tables of `examples/tpch` in the usual schema. */
export function openSparkTpch(): Promise<OpenedSource> {
  const files = readdirSync(TPCH).filter((file) => file.endsWith(".parquet"));
  return openSparkTables(
    "default",
    files.map((file) => ({ name: file.replace(".parquet", ""), file: TPCH + file })),
  );
}
