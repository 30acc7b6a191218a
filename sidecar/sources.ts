/** The sidecar's sources: the platform-neutral connectors over its own dialler, and DuckDB in separate processes. */
import type { ConnectionInfo } from "../src/connectors/connection/connection-info.ts";
import type { Connector } from "../src/connectors/connector.ts";
import { ConnectorFailure } from "../src/connectors/failure.ts";
import { openStore } from "../src/connectors/files/open-store.ts";
import type { ConnectorHost } from "../src/connectors/host.ts";
import { openHere } from "../src/connectors/open-here.ts";
import type { ConnectionPool } from "../src/connectors/pooling.ts";
import type { RemoteHostOptions } from "../src/connectors/remote/host.ts";
import type { ConnectorCall, RemoteOperation } from "../src/connectors/remote/protocol.ts";
import { isImplemented, parseConnection } from "../src/connectors/sources.ts";
import type { DataSource } from "../src/planner/plan.ts";
import { nodeDial } from "./dial.ts";
import type { EnginePool } from "./engine-process/engine-pool.ts";
import { EngineRelay } from "./engine-process/engine-relay.ts";
import { guardedFetch, KeptConnections } from "./guarded-fetch.ts";
import { openMsSql } from "./mssql/connector.ts";
import { type StoreFiles, StoreRelay } from "./object-files/store-relay.ts";
import { openOracle } from "./oracle/connector.ts";
import type { Pool } from "./pool.ts";
import { PooledCall } from "./pooled-call.ts";
import { openSpark } from "./spark/connector.ts";

export interface SourceSettings {
  /** The entries of `ALLOWED_HOSTS`. */
  readonly allowedHosts: readonly string[];
  readonly connectTimeoutMs: number;
  /** Undefined without `LEND_AWS_CREDENTIALS`. */
  readonly awsCredentials: ConnectorHost["awsCredentials"];
  /** Undefined if every request opens its own connection. */
  readonly pool: Pool | undefined;
  /** Undefined without `FILE_ROOT`. */
  readonly engines: EnginePool | undefined;
  /** Fetches and reads bucket files; the running sidecar always has it. */
  readonly stores?: StoreFiles;
}

/** Opens the connector for an operation; the same parser as in the Worker reads the connection. */
export function sidecarSources(settings: SourceSettings): RemoteHostOptions["open"] {
  const { allowedHosts, awsCredentials, connectTimeoutMs, engines, stores } = settings;
  const dial = nodeDial(allowedHosts);
  return async (operation, { signal }) => {
    const { source } = operation;
    if (!isImplemented(source))
      throw new ConnectorFailure("NOT_IMPLEMENTED", "The sidecar does not serve this data source.");
    const { info } = parseConnection(source, operation.connection);
    if (info.source === "duckdb" || info.source === "local_file") {
      if (engines !== undefined) return new EngineRelay(engines, { connection: info, call: callOf(operation) });
      const hint = "Start it with FILE_ROOT set to the directory of the files.";
      throw new ConnectorFailure("NEEDS_SIDECAR", "The sidecar serves no files.", { hint });
    }
    if (info.source === "s3_file" || info.source === "minio_file" || info.source === "gcs_file") {
      if (stores === undefined) throw new ConnectorFailure("NEEDS_SIDECAR", "The sidecar does not serve buckets.");
      const kept = new KeptConnections();
      const store = openStore(
        info,
        guardedFetch({
          allowedHosts,
          certificateAuthority: info.certificateAuthority,
          authorityMember: "sslrootcert",
          kept,
        }),
      );
      return new StoreRelay(stores, info, { store, release: () => kept.close() }, callOf(operation));
    }
    const way = { dial, allowedHosts, connectTimeoutMs, awsCredentials };
    if (settings.pool === undefined) return openByDriver(info, way, { signal });
    const pooled = new PooledCall(settings.pool, operation.caller, signal);
    return pooled.watched(await openByDriver(info, way, { signal: pooled.signal, pool: pooled.pool }));
  };
}

export type DriverSettings = Pick<SourceSettings, "allowedHosts" | "connectTimeoutMs" | "awsCredentials"> &
  Pick<ConnectorHost, "dial">;

/** Opens a server in this process. Without `pool` the connection belongs to the request. */
export function openByDriver(
  info: ConnectionInfo,
  { dial, allowedHosts, connectTimeoutMs, awsCredentials }: DriverSettings,
  { signal, pool }: { readonly signal: AbortSignal; readonly pool?: ConnectionPool },
): Promise<Connector> {
  const lent = pool !== undefined && { pool };
  if (info.source === "mssql") return openMsSql(info, { dial, connectTimeoutMs, ...lent }, { signal });
  if (info.source === "oracle") return openOracle(info, { dial, connectTimeoutMs, ...lent }, { signal });
  if (info.source === "spark") return openSpark(info, { dial, connectTimeoutMs }, { signal });
  const certificateAuthority = "certificateAuthority" in info ? info.certificateAuthority : undefined;
  const authorityMember = "certificateAuthority" in info ? memberOfAuthority(info.source) : undefined;
  const fetch = guardedFetch({ allowedHosts, certificateAuthority, authorityMember });
  const host: ConnectorHost = { dial, fetch, connectTimeoutMs, awsCredentials, ...lent };
  return openHere(info, host, { signal });
}

/** Servers of MySQL's protocol have a member of their own for it. */
function memberOfAuthority(source: DataSource): string {
  return source === "mysql" || source === "doris" ? "sslCA" : "sslrootcert";
}

/** Only the call: the engine does not use the other members of the operation. */
function callOf(operation: RemoteOperation): ConnectorCall {
  return operation.name === "catalog"
    ? { name: operation.name, request: operation.request }
    : { name: operation.name, statement: operation.statement };
}
