/**
 * One row per data source: how its connection is read and who connects to it. Drivers are imported when one is needed, so
 * that a request pays for the one source it uses.
 */
import type * as z from "zod/mini";
import type { DataSource } from "../planner/plan.ts";
import {
  type CanonicalConnection,
  type ConnectionInfo,
  connectionIdentity,
  type ParsedConnection,
} from "./connection/connection.ts";
import { parseDuckDbConnection } from "./connection/duckdb.ts";
import { canonicalFileConnection, fileConnectionShape, parseLocalFileConnection } from "./connection/local-file.ts";
import {
  canonicalPostgresConnection,
  isServedByNeon,
  parsePostgresConnection,
  postgresConnectionShape,
} from "./connection/postgres.ts";
import type { Connector, OpenOptions } from "./connector.ts";
import { ConnectorFailure } from "./failure.ts";
import { type PlacementRules, placement } from "./placement.ts";
import type { ConnectionPool } from "./pooling.ts";
import type { Dial } from "./socket/wire.ts";

export type OpenConnector<C extends ConnectionInfo = ConnectionInfo> = (
  connection: C,
  options: OpenOptions,
) => Promise<Connector>;

/** What the runtime lends to connectors. */
export interface ConnectorHost {
  readonly dial: Dial;
  readonly fetch: typeof fetch;
  /** For reaching, encrypting and authenticating, unless the connection brings its own. */
  readonly connectTimeoutMs: number;
  /** Connections that outlive a request, where the runtime can keep them. */
  readonly pool?: ConnectionPool;
}

/** The Worker's side: what it runs itself, and the way to the sidecar where one is configured. */
export interface ConnectorEnvironment extends ConnectorHost, Pick<PlacementRules, "allowPrivateHosts"> {
  readonly sidecar?: OpenConnector;
}

interface SourceRow<C extends ConnectionInfo> {
  readonly shape: () => z.ZodMiniType;
  readonly parse: (raw: unknown) => ParsedConnection<C>;
  readonly canonical: (connection: C) => CanonicalConnection;
  readonly open: (connection: C, host: ConnectorHost, options: OpenOptions) => Promise<Connector>;
}

type Rows = { readonly [S in DataSource]: SourceRow<Extract<ConnectionInfo, { source: S }>> | "not implemented" };

const SOURCES: Rows = {
  athena: "not implemented",
  bigquery: "not implemented",
  canner: "not implemented",
  clickhouse: "not implemented",
  mssql: "not implemented",
  mysql: "not implemented",
  oracle: "not implemented",
  postgres: {
    shape: postgresConnectionShape,
    parse: parsePostgresConnection,
    canonical: canonicalPostgresConnection,
    open: async (connection, host, options) => {
      if (isServedByNeon(connection)) {
        const { openNeon } = await import("./http/neon.ts");
        return openNeon(connection, host, options);
      }
      const { openPostgres } = await import("./socket/postgres.ts");
      return openPostgres(connection, host, options);
    },
  },
  redshift: "not implemented",
  snowflake: "not implemented",
  trino: "not implemented",
  local_file: {
    shape: fileConnectionShape,
    parse: parseLocalFileConnection,
    canonical: canonicalFileConnection,
    open: nativeOnly,
  },
  s3_file: "not implemented",
  minio_file: "not implemented",
  gcs_file: "not implemented",
  spark: "not implemented",
  databricks: "not implemented",
  doris: "not implemented",
  duckdb: {
    shape: fileConnectionShape,
    parse: parseDuckDbConnection,
    canonical: canonicalFileConnection,
    open: nativeOnly,
  },
};

/** What `connectionInfo` looks like, of the sources that are implemented: for the API's description. */
export function connectionShapes(): Readonly<Record<string, () => z.ZodMiniType>> {
  const rows = Object.entries(SOURCES).flatMap(([source, row]) =>
    row === "not implemented" ? [] : [[source, row.shape] as const],
  );
  return Object.fromEntries(rows);
}

export function isImplemented(source: string): source is DataSource {
  return Object.hasOwn(SOURCES, source) && SOURCES[source as DataSource] !== "not implemented";
}

/** Reads `connectionInfo`. Throws `ConnectorFailure`: `INVALID_CONNECTION` or `NOT_IMPLEMENTED`. */
export function parseConnection(source: DataSource, raw: unknown): ParsedConnection {
  return rowOf(source).parse(raw);
}

/** See `CanonicalConnection`. */
export function canonicalConnection(connection: ConnectionInfo): CanonicalConnection {
  return rowOf(connection.source).canonical(connection);
}

/** See `connectionIdentity`. */
export function identityOf(connection: ConnectionInfo): string {
  return connectionIdentity(connection.source, canonicalConnection(connection));
}

/**
 * A connector for one request, opened where the connection is to be served. Connects before it resolves. Throws
 * `ConnectorFailure`; a signal that fires rejects with its reason.
 */
export async function openConnector(
  connection: ConnectionInfo,
  environment: ConnectorEnvironment,
  options: OpenOptions,
): Promise<Connector> {
  const { sidecar } = environment;
  const where = placement(connection, {
    sidecar: sidecar !== undefined,
    allowPrivateHosts: environment.allowPrivateHosts,
  });
  if (where.place === "refused") throw new ConnectorFailure(where.reason, where.message, { hint: where.hint });
  if (where.place === "sidecar") {
    if (sidecar === undefined) throw new ConnectorFailure("NEEDS_SIDECAR", "No sidecar is configured.");
    return sidecar(connection, options);
  }
  try {
    return await openHere(connection, environment, options);
  } catch (error) {
    // A certificate the Worker does not trust may be trusted, or not asked about, in the sidecar (decisions C2).
    const untrusted = error instanceof ConnectorFailure && error.reason === "TLS_UNTRUSTED";
    if (untrusted && sidecar !== undefined && !options.signal.aborted) return sidecar(connection, options);
    throw error;
  }
}

/** A connector in this process, wherever the connection would have been placed: the sidecar, whose dialler has the last word. */
export function openHere(connection: ConnectionInfo, host: ConnectorHost, options: OpenOptions): Promise<Connector> {
  return rowOf(connection.source).open(connection, host, options);
}

/** Sources that only the sidecar serves, by native code. */
async function nativeOnly({ source }: ConnectionInfo): Promise<Connector> {
  throw new ConnectorFailure("NEEDS_SIDECAR", `The data source ${source} is served by the sidecar.`);
}

/** The row, typed as taking any connection: `parse` of the same source made it. */
function rowOf(source: DataSource): SourceRow<ConnectionInfo> {
  const row = SOURCES[source];
  if (row === "not implemented") {
    throw new ConnectorFailure("NOT_IMPLEMENTED", `The data source ${source} is not implemented yet.`);
  }
  return row as SourceRow<ConnectionInfo>;
}
