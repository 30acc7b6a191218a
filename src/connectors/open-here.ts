/**
 * Opens connectors in this process: the Worker of the connectors, or the sidecar. A driver is imported when a connection needs
 * it.
 */
import { once } from "../once.ts";
import type { ConnectionInfo } from "./connection/connection-info.ts";
import { isServedByPlanetScale } from "./connection/mysql.ts";
import { isServedByNeon } from "./connection/postgres.ts";
import type { Connector, OpenOptions } from "./connector.ts";
import { ConnectorFailure } from "./failure.ts";
import type { ConnectorHost } from "./host.ts";

/** Cached, because every request needs one: Node takes longer to look up an imported module than to read its connection. */
const athena = once(() => import("./http/athena.ts"));
const bigquery = once(() => import("./http/bigquery.ts"));
const canner = once(() => import("./socket/canner.ts"));
const clickhouse = once(() => import("./http/clickhouse.ts"));
const databricks = once(() => import("./http/databricks.ts"));
const doris = once(() => import("./socket/doris.ts"));
const neon = once(() => import("./http/neon.ts"));
const mysql = once(() => import("./socket/mysql.ts"));
const planetscale = once(() => import("./http/planetscale.ts"));
const postgres = once(() => import("./socket/postgres.ts"));
const redshift = once(() => import("./socket/redshift.ts"));
const snowflake = once(() => import("./http/snowflake.ts"));
const trino = once(() => import("./http/trino.ts"));

/**
 * Opens a connector in this process, without checking the placement, which the sender has decided. Connects before it resolves.
 * Rejects with `ConnectorFailure`, or with the reason of the signal.
 */
export async function openHere(
  connection: ConnectionInfo,
  host: ConnectorHost,
  options: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  switch (connection.source) {
    case "athena": {
      const { openAthena } = await athena();
      return openAthena(connection, host, options);
    }
    case "bigquery": {
      const { openBigQuery } = await bigquery();
      return openBigQuery(connection, host, options);
    }
    case "canner": {
      const { openCanner } = await canner();
      return openCanner(connection, host, options);
    }
    case "clickhouse": {
      const { openClickHouse } = await clickhouse();
      return openClickHouse(connection, host, options);
    }
    case "databricks": {
      const { openDatabricks } = await databricks();
      return openDatabricks(connection, host, options);
    }
    case "doris": {
      const { openDoris } = await doris();
      return openDoris(connection, host, options);
    }
    case "mysql": {
      if (isServedByPlanetScale(connection)) {
        const { openPlanetScale } = await planetscale();
        return openPlanetScale(connection, host, options);
      }
      const { openMySql } = await mysql();
      return openMySql(connection, host, options);
    }
    case "postgres": {
      if (isServedByNeon(connection)) {
        const { openNeon } = await neon();
        return openNeon(connection, host, options);
      }
      const { openPostgres } = await postgres();
      return openPostgres(connection, host, options);
    }
    case "redshift": {
      const { openRedshift } = await redshift();
      return openRedshift(connection, host, options);
    }
    case "snowflake": {
      const { openSnowflake } = await snowflake();
      return openSnowflake(connection, host, options);
    }
    case "trino": {
      const { openTrino } = await trino();
      return openTrino(connection, host, options);
    }
    // These need features of Node: native code in child processes, HTTP/2 to servers, TLS over any stream.
    case "local_file":
    case "duckdb":
    case "s3_file":
    case "minio_file":
    case "gcs_file":
    case "mssql":
    case "oracle":
    case "spark":
      throw new ConnectorFailure("NEEDS_SIDECAR", `The data source ${connection.source} is served by the sidecar.`);
    default:
      return connection satisfies never;
  }
}
