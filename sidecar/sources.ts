/** The connectors that this process runs: the platform-neutral ones over its own dialler, and those that need native code. */
import type { FileFields } from "../src/connectors/connection/local-file.ts";
import type { Connector } from "../src/connectors/connector.ts";
import { ConnectorFailure } from "../src/connectors/failure.ts";
import type { RemoteHostOptions } from "../src/connectors/remote/host.ts";
import { type ConnectorHost, openHere, parseConnection } from "../src/connectors/sources.ts";
import { nodeDial } from "./dial.ts";
import { type DuckDbSettings, openDuckDb } from "./duckdb/connector.ts";

export interface SourceSettings {
  /** The entries of `ALLOWED_HOSTS`. */
  readonly allowedHosts: readonly string[];
  readonly connectTimeoutMs: number;
  /** Undefined without `FILE_ROOT`. */
  readonly duckDb: DuckDbSettings | undefined;
}

const SERVED = ["duckdb", "local_file", "postgres"] as const;
type Served = (typeof SERVED)[number];

/** Opens the connector that an operation asks for; the connection is read by the same parser as in the Worker. */
export function sidecarSources(settings: SourceSettings): RemoteHostOptions["open"] {
  const openFiles = (connection: FileFields): Promise<Connector> => {
    if (settings.duckDb !== undefined) return openDuckDb(connection, settings.duckDb);
    const hint = "Start it with FILE_ROOT set to the directory of the files.";
    throw new ConnectorFailure("NEEDS_SIDECAR", "The sidecar serves no files.", { hint });
  };
  const host: ConnectorHost = {
    dial: nodeDial(settings.allowedHosts),
    fetch,
    connectTimeoutMs: settings.connectTimeoutMs,
    native: { local_file: openFiles, duckdb: openFiles },
  };
  return async ({ source, connection, correlationId }, { signal }) => {
    if (!isServed(source))
      throw new ConnectorFailure("NOT_IMPLEMENTED", "The sidecar does not serve this data source.");
    return openHere(parseConnection(source, connection).info, host, { signal, correlationId });
  };
}

function isServed(source: string): source is Served {
  return (SERVED as readonly string[]).includes(source);
}
