/** The service in this process: the planner, and connectors with the rights of the person at the terminal. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { nodeDial } from "../../sidecar/dial.ts";
import type { ConnectionInfo } from "../../src/connectors/connection/connection-info.ts";
import type { Connector, OpenOptions } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { hasOwnEngine, identityOf, listsProjects, parseConnection, variantAt } from "../../src/connectors/sources.ts";
import { Phases } from "../../src/guard/phases.ts";
import {
  analyseStatement,
  checkOfManifest,
  checkOfRelationship,
  checkOfRowCondition,
  describeManifest,
  manifestRemarks,
  originOf,
  plan,
  planCube,
  readManifestText,
  substituteTables,
} from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { KnownVariants } from "../../src/service/known-variants.ts";
import { createManifestCache } from "../../src/service/manifest-cache.ts";
import type { CallContext, Services } from "../../src/service/services.ts";

const LARGEST_MANIFEST = 48 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 15_000;
const HOUR_MS = 3_600_000;
/** The largest that DuckDB takes. */
const MEMORY = "4GB";

export interface LocalServices extends Services {
  /** Ends what the connectors left. */
  close(): Promise<void>;
}

/** `fileRoot`: the directory that `local_file` and `duckdb` read below. */
export function localServices(fileRoot: string | undefined): LocalServices {
  let spill: string | undefined;
  const temporaryDirectory = (): string => {
    spill ??= mkdtempSync(join(tmpdir(), "siskin-cli-"));
    return spill;
  };
  const prepared = ({ info, warnings }: ReturnType<typeof parseConnection>) => ({
    warnings,
    identity: () => identityOf(info),
    variantAt: (version: string) => variantAt(info.source, version),
    listsProjects: listsProjects(info.source),
    hasOwnEngine: hasOwnEngine(info.source),
    open: (options: OpenOptions) => openLocally(info, fileRoot, temporaryDirectory, options),
  });
  return {
    planner: {
      plan,
      planCube,
      originOf,
      manifestRemarks,
      substituteTables,
      analyseStatement,
      checkOfRelationship,
      checkOfRowCondition,
      checkOfManifest,
      describeManifest,
    },
    // Commands hand over the manifest's text: base64 is for requests.
    manifests: createManifestCache({
      maxLength: 4 * LARGEST_MANIFEST,
      maxEntries: 4,
      load: (text) => readManifestText(text, LARGEST_MANIFEST),
    }),
    sources: { prepare: (source, connectionInfo) => prepared(parseConnection(source, connectionInfo)) },
    connections: new Map(),
    variants: new KnownVariants({ maxEntries: 10, milliseconds: HOUR_MS }),
    limits: { applicationTimeoutMs: HOUR_MS, statementTimeoutMs: HOUR_MS, maxRows: undefined },
    planOptions: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
    close: async () => {
      if (spill !== undefined) rmSync(spill, { recursive: true, force: true });
    },
  };
}

/** `*` stands for every host: only metadata services of clouds are refused. */
const ALL_HOSTS = ["*"];

async function openLocally(
  info: ConnectionInfo,
  fileRoot: string | undefined,
  temporaryDirectory: () => string,
  { signal }: OpenOptions,
): Promise<Connector> {
  switch (info.source) {
    case "local_file":
    case "duckdb": {
      if (fileRoot === undefined)
        throw new ConnectorFailure("NEEDS_SIDECAR", "The connection has no directory of files.");
      const { openDuckDb } = await duckDb();
      const { openFileRoot } = await import("../../sidecar/duckdb/file-root.ts");
      return openDuckDb(info, {
        root: await openFileRoot(fileRoot),
        memory: MEMORY,
        threads: availableParallelism(),
        temporaryDirectory: temporaryDirectory(),
      });
    }
    case "s3_file":
    case "minio_file":
    case "gcs_file": {
      await duckDb();
      const { BucketConnector } = await import("./bucket.ts");
      return new BucketConnector(info, {
        allowedHosts: ALL_HOSTS,
        memory: MEMORY,
        temporaryDirectory: temporaryDirectory(),
      });
    }
    default: {
      const { openByDriver } = await import("../../sidecar/sources.ts");
      const way = { dial: nodeDial(ALL_HOSTS), allowedHosts: ALL_HOSTS, connectTimeoutMs: CONNECT_TIMEOUT_MS };
      return openByDriver(info, { ...way, awsCredentials: undefined }, { signal });
    }
  }
}

async function duckDb(): Promise<typeof import("../../sidecar/duckdb/connector.ts")> {
  try {
    return await import("../../sidecar/duckdb/connector.ts");
  } catch (error) {
    const hint = "Run npm install @duckdb/node-api@1.4.4-r.3 beside the command.";
    throw new ConnectorFailure("NEEDS_SIDECAR", "The package @duckdb/node-api is not installed.", {
      hint,
      cause: error,
    });
  }
}

export interface CallSettings {
  /** Names in lower case, values as SQL literals. */
  readonly session?: ReadonlyMap<string, string>;
  readonly signal?: AbortSignal;
  readonly timeZone?: string | undefined;
  readonly strict?: boolean;
  /** Receives what outlives the answer, such as closing a connection. */
  readonly defer?: (work: Promise<unknown>) => void;
}

export function callContext({ session, signal, timeZone, strict, defer }: CallSettings = {}): CallContext {
  return {
    signal: signal ?? new AbortController().signal,
    defer: defer ?? ((work) => void work.catch(() => undefined)),
    correlationId: randomUUID(),
    caller: "anonymous",
    session: session ?? new Map(),
    connections: "all",
    ownConnections: true,
    timeZone,
    statementTimeoutMs: undefined,
    traceHeaders: {},
    phases: new Phases(),
    most: {},
    strict: strict ?? false,
    stars: "every column",
  };
}
