/**
 * DuckDB as the sidecar runs it, in processes of its own: DuckDB 1.4.4 sometimes waits for itself for ever when it opens or
 * closes, which holds a whole test process, and which the sidecar's pool of processes ends.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileRoot } from "../../sidecar/duckdb/file-root.ts";
import { EnginePool } from "../../sidecar/engine-process/engine-pool.ts";
import { Slots } from "../../sidecar/slots.ts";
import { sidecarSources } from "../../sidecar/sources.ts";
import { CAPABILITIES } from "../../src/connectors/capabilities.ts";
import type { FileFields } from "../../src/connectors/connection/local-file.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { SIDECAR } from "../../src/connectors/node-sidecar/node-sidecar.ts";
import { remoteConnector } from "../../src/connectors/remote/client.ts";
import { binding } from "../connectors/remote/fakes.ts";

/** Statements of one test run one after the other, or a few at once. */
const PLACES = 4;

export async function openDuckDbIn(
  directory: string,
  { source, url, format }: FileFields & { readonly source: string },
): Promise<{ readonly connector: Connector; close(): Promise<void> }> {
  const root = await openFileRoot(directory);
  const temporaryDirectory = await mkdtemp(join(tmpdir(), "siskin-duckdb-"));
  const engines = new EnginePool({
    processes: {
      root: { path: root.path, configured: directory },
      memory: "1GB",
      threads: 2,
      temporaryDirectory,
      temporaryLimit: "1GB",
    },
    spares: 1,
    slots: new Slots({ places: PLACES, waitMs: 60_000, holdMs: 60_000 }),
    // The waiting caller gets the error.
    onFailure: () => {},
  });
  const open = sidecarSources({
    allowedHosts: [],
    connectTimeoutMs: 5000,
    awsCredentials: undefined,
    pool: undefined,
    engines,
  });
  const connector = remoteConnector({
    transport: binding(open),
    peer: SIDECAR,
    source,
    connection: { url, format },
    correlationId: randomUUID(),
    capabilities: CAPABILITIES.duckdb,
    connectTimeoutMs: 5000,
  });
  return {
    connector,
    close: async () => {
      await connector.close();
      engines.close();
      await rm(temporaryDirectory, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
