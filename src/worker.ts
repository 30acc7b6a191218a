/** The API Worker: environment → settings → services → application. Wiring only. */
import { AnswerHolds } from "./api/answer-hold.ts";
import { type App, createApp } from "./api/app.ts";
import type { ApiOptions } from "./api/exchange.ts";
import { createUnavailableApp } from "./api/unavailable.ts";
import type { QueryCache } from "./cache/query-cache.ts";
import { largestManifest, readWorkerSettings, type WorkerSettings } from "./config.ts";
import { BOUND_ADDRESS, boundWorker, CONNECTORS, FILES } from "./connectors/bound-worker/near-end.ts";
import type { ConnectionInfo } from "./connectors/connection/connection-info.ts";
import { billedAtMost, limitsBilling } from "./connectors/connection/connection-info.ts";
import type { OpenOptions } from "./connectors/connector.ts";
import { readNamedConnections } from "./connectors/named.ts";
import { nodeSidecar } from "./connectors/node-sidecar/node-sidecar.ts";
import { remoteState } from "./connectors/remote/readiness.ts";
import { signedFetch } from "./connectors/remote/signed-fetch.ts";
import {
  type PassedProperty,
  passedProperties,
  SESSION_SETTINGS,
  sessionSettingShapes,
} from "./connectors/session-properties.ts";
import {
  type ConnectorEnvironment,
  connectionShapes,
  hasOwnEngine,
  identityOf,
  listsProjects,
  openConnector,
  parseConnection,
  variantAt,
} from "./connectors/sources.ts";
import { Arrivals } from "./guard/arrivals.ts";
import { createAuthenticator } from "./guard/authentication.ts";
import { meterIn } from "./guard/data-points.ts";
import { METRICS_TYPE } from "./guard/metrics.ts";
import { operatorProperties } from "./guard/property-literal.ts";
import type { Log } from "./guard/request-log.ts";
import { type ApiMetrics, apiMetrics } from "./guard/request-metrics.ts";
import { createRequestRate, rateLimiterIn } from "./guard/request-rate.ts";
import { logLine } from "./log-line.ts";
import type { McpDoor } from "./mcp/use-cases.ts";
import {
  analyseStatement,
  checkOfManifest,
  checkOfRelationship,
  checkOfRowCondition,
  describeManifest,
  loadManifest,
  manifestRemarks,
  originOf,
  plan,
  planCube,
  readManifestText,
  substituteTables,
} from "./planner/index.ts";
import { DEFAULT_LIMITS } from "./planner/limits.ts";
import { ProjectLibrary } from "./projects/library.ts";
import {
  directoryProjects,
  type KvReader,
  kvProjects,
  type ProjectStore,
  type R2Reader,
  r2Projects,
} from "./projects/store.ts";
import { resultFramer } from "./result/encode/frames/framer.ts";
import { batchFrameReader, readFrameBytes } from "./result/encode/frames/reader.ts";
import { createInFlightGate } from "./service/in-flight.ts";
import { KnownVariants } from "./service/known-variants.ts";
import { createManifestCache } from "./service/manifest-cache.ts";
import { connectionOf } from "./service/projects/open.ts";
import { createReadiness, OK, type ReadinessCheck, stateOfProjects } from "./service/readiness.ts";
import type { PlannerWarning, Services } from "./service/services.ts";
import { VERSION } from "./version.ts";

type Environment = Readonly<Record<string, unknown>>;

interface Running {
  readonly app: App;
  readonly metrics: ApiMetrics;
}

/** Created by an isolate's first request: nothing may happen while the module loads. */
let running: Running | undefined;
const runningIn = (environment: Environment): Running => {
  running ??= start(environment, (line) => console.log(line));
  return running;
};

export default {
  fetch(request, environment, context) {
    return runningIn(environment).app(request, { defer: (work) => context.waitUntil(work) });
  },
} satisfies ExportedHandler<Environment>;

/** An entrypoint that routes do not lead to: workerd's configuration binds it to a socket of its own (`API_METRICS_PORT`). */
export const metrics = {
  fetch(request, environment) {
    if (new URL(request.url).pathname !== "/metrics") return new Response(null, { status: 404 });
    if (request.method !== "GET" && request.method !== "HEAD") return new Response(null, { status: 405 });
    const headers = { "content-type": METRICS_TYPE };
    return new Response(runningIn(environment).metrics.text(), { headers });
  },
} satisfies ExportedHandler<Environment>;

function start(environment: Environment, log: Log): Running {
  const outcome = readWorkerSettings(environment);
  if (!outcome.ok) return unavailable(outcome.problems, log);
  try {
    const sources = createSources(outcome.settings, environment);
    if ("problems" in sources) return unavailable(sources.problems, log);
    return assemble(outcome.settings, sources, environment, log);
  } catch (error) {
    return unavailable([error instanceof Error ? error.message : "unknown"], log);
  }
}

function unavailable(problems: readonly string[], log: Log): Running {
  const app = createUnavailableApp(problems, log);
  return { app, metrics: apiMetrics(VERSION, () => ({ inFlight: 0, waiting: 0, arriving: 0 })) };
}

/** Maximum-size bodies buffered at once (isolates have 128 MB). */
const BODIES_HELD = 4;

function assemble(settings: WorkerSettings, sources: OfSources, environment: Environment, log: Log): Running {
  const queryCache = queryCacheOf(settings, environment);
  const projects = projectsOf(settings, sources, environment, log);
  const gate = createInFlightGate({
    places: settings.MAX_IN_FLIGHT,
    waitMs: settings.PLACE_WAIT_MS,
    holdMs: settings.PLACE_HOLD_MS,
  });
  const arrivals = new Arrivals({
    bodies: settings.MAX_ARRIVING,
    bytes: BODIES_HELD * settings.MAX_BODY_BYTES,
    bytesPerSecond: settings.BODY_BYTES_PER_SECOND,
  });
  const numbers = apiMetrics(VERSION, () => ({
    inFlight: gate.inFlight,
    waiting: gate.waiting,
    arriving: arrivals.bodies,
  }));
  const meter = meterIn(environment);
  const app = createApp({
    services: { ...createServices(settings), ...sources, queryCache, projects },
    gate,
    arrivals,
    authenticator: createAuthenticator(settings, { fetch: fetchBy(environment["IDENTITY_PROVIDER"]) }),
    readiness: createReadiness(readinessChecks(settings, { queryCache, projects }, environment)),
    meter: (record) => {
      numbers.ended(record);
      meter(record);
    },
    audited: settings.AUDIT === "on",
    requestRate: createRequestRate(rateLimiterIn(environment)),
    sessionProperties: operatorProperties(settings.SESSION_PROPERTIES ?? {}),
    log,
    answerHolds: new AnswerHolds({ milliseconds: settings.ANSWER_HOLD_MS, bytes: settings.ANSWER_HOLD_BYTES }),
    bodyLimits: {
      maxBytes: settings.MAX_BODY_BYTES,
      timeoutMs: settings.BODY_TIMEOUT_MS,
      maxDepth: settings.MAX_JSON_DEPTH,
    },
    headersAre: "text",
    v2Profile: settings.V2_PROFILE,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    projectsOpen: settings.PROJECTS_OPEN,
    mcp: mcpIn(environment),
    agents: { resource: settings.MCP_RESOURCE, issuer: settings.JWT_ISSUER, scopes: settings.MCP_SCOPES },
    explorer: explorerOf(settings, environment),
    connectionShapes: connectionShapes(),
    sessionSettingShapes: sessionSettingShapes(),
  });
  return { app, metrics: numbers };
}

/** The MCP Worker, where one is bound. A function that is sent over a binding is called back at this end. */
function mcpIn({ MCP: binding }: Environment): McpDoor | undefined {
  const bound = binding as { readonly serve: McpDoor } | null | undefined;
  return bound ? (request, project, ask) => bound.serve(request, project, ask) : undefined;
}

/** Further dependencies to check; invalid settings have already stopped the start. */
function readinessChecks(
  { SIDECAR_URL: url }: WorkerSettings,
  { queryCache, projects }: Pick<Services, "queryCache" | "projects">,
  environment: Environment,
): Readonly<Record<string, ReadinessCheck>> {
  const sidecarFetch = fetchBy(environment["SIDECAR"]);
  const connectorsFetch = boundFetch(environment["CONNECTORS"]);
  const filesFetch = boundFetch(environment["FILES"]);
  return {
    settings: async () => OK,
    connectors: () => reachable(BOUND_ADDRESS, connectorsFetch),
    ...(filesFetch && { files: () => reachable(BOUND_ADDRESS, filesFetch) }),
    ...(url !== undefined && { sidecar: () => reachable(url, sidecarFetch) }),
    ...(queryCache !== undefined && {
      cache: async () => {
        const isReachable = await (await queryCache()).isReachable();
        return isReachable ? OK : { says: "unreachable; queries run without it", isMissing: false };
      },
    }),
    ...(projects !== undefined && { projects: async () => stateOfProjects(projects.health()) }),
  };
}

const READY_WITHIN_MS = 2000;

async function reachable(url: string, by: typeof fetch | undefined): ReturnType<ReadinessCheck> {
  const says = by === undefined ? "unreachable" : await remoteState(url, by, READY_WITHIN_MS);
  return { says, isMissing: says === "unreachable" || says === "of another release" };
}

/**
 * The `fetch` of a service binding if it is bound (workerd's own configuration, a VPC service), otherwise the platform's. It is
 * called as a plain function, because the platform's `fetch` does not work as a method of another object.
 */
function fetchBy(binding: unknown): typeof fetch {
  return boundFetch(binding) ?? ((input, init) => fetch(input, init));
}

function boundFetch(binding: unknown): typeof fetch | undefined {
  const service = binding as Partial<Pick<Fetcher, "fetch">> | null | undefined;
  const bound = service?.fetch?.bind(service);
  return bound && ((input, init) => bound(input, init));
}

type OfSources = Pick<Services, "sources" | "connections">;

function createServices(settings: WorkerSettings): Omit<Services, keyof OfSources> {
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
    manifests: createManifestCache({
      maxLength: settings.MANIFEST_CACHE_BYTES,
      maxEntries: settings.MANIFEST_CACHE_ENTRIES,
      load: (base64) => loadManifest(base64, largestManifest(settings)),
    }),
    variants: new KnownVariants({ maxEntries: 1000, milliseconds: 600_000 }),
    limits: {
      applicationTimeoutMs: settings.APP_TIMEOUT_MS,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
      maxRows: settings.MAX_ROWS === 0 ? undefined : settings.MAX_ROWS,
    },
    planOptions: {
      limits: {
        ...DEFAULT_LIMITS,
        sqlLength: settings.MAX_SQL_LENGTH,
        nodes: settings.MAX_PLAN_NODES,
        steps: settings.MAX_PLAN_STEPS,
      },
      unknownFunctions: settings.UNKNOWN_FUNCTIONS,
      functionSchemas: settings.FUNCTION_SCHEMAS,
      accessControl: settings.ACCESS_CONTROL,
      bestEffort: new Set(settings.ROW_RULES),
    },
  };
}

/** Where projects are read from; undefined without the setting. */
function projectsOf(
  settings: WorkerSettings,
  sources: OfSources,
  environment: Environment,
  log: Log,
): Services["projects"] {
  const store = projectStoreOf(settings.PROJECTS, environment);
  if (store === undefined) return undefined;
  const maxManifestBytes = largestManifest(settings);
  return new ProjectLibrary({
    store,
    load: (text) => {
      const loaded = readManifestText(text, maxManifestBytes);
      return loaded.ok ? loaded : { ok: false, problem: loaded.error.message };
    },
    lacks: (pointer) => {
      const usable = connectionOf(pointer, sources);
      return "problem" in usable ? usable.problem : undefined;
    },
    maxManifestBytes,
    kept: { bytes: settings.MANIFEST_CACHE_BYTES, entries: settings.MANIFEST_CACHE_ENTRIES },
    remark: (project, sentences) =>
      log(logLine({ level: "info", event: "project", project, code: "UNKNOWN_MEMBER", sentences })),
  });
}

function projectStoreOf(kind: WorkerSettings["PROJECTS"], environment: Environment): ProjectStore | undefined {
  switch (kind) {
    case "off":
      return undefined;
    case "files":
      return directoryProjects(fetchBy(environment["PROJECT_FILES"]));
    case "kv":
      return kvProjects(environment["PROJECT_STORE"] as KvReader);
    case "r2":
      return r2Projects(environment["PROJECT_STORE"] as R2Reader);
    default:
      return kind satisfies never;
  }
}

function explorerOf(settings: WorkerSettings, environment: Environment): ApiOptions["explorer"] {
  const { EXPLORER: setting, EXPLORER_HISTORY: history, EXPLORER_CLIENT_ID: clientId } = settings;
  const { EXPLORER_SCOPES: scopes, JWT_ISSUER: issuer } = settings;
  const read = boundFetch(environment["EXPLORER_FILES"]);
  const signIn = clientId === undefined || issuer === undefined ? undefined : { clientId, issuer, scopes };
  return read && { files: (name) => read(`http://explorer/${name}`), setting, history, signIn };
}

/** The cache's modules load only when a request uses the cache. */
function queryCacheOf(settings: WorkerSettings, environment: Environment): Services["queryCache"] {
  const { CACHE_STORE: kind, SIDECAR_URL: url, SIDECAR_SECRET: sidecarSecret } = settings;
  if (kind === "off") return undefined;
  const sidecar =
    url === undefined || sidecarSecret === undefined
      ? undefined
      : signedFetch({ url, secret: sidecarSecret, fetch: fetchBy(environment["SIDECAR"]) });
  let cache: QueryCache | undefined;
  return async () => {
    const { openQueryCache } = await import("./cache/open.ts");
    cache ??= openQueryCache({
      kind,
      frames: { framer: resultFramer, batchReader: batchFrameReader, read: readFrameBytes },
      secret: settings.CACHE_SECRET,
      previousSecret: settings.CACHE_SECRET_PREVIOUS,
      namespace: environment["QUERY_CACHE"],
      sidecar,
      // The sidecar's URL is part of the key, because with another sidecar the same connection leads to other files.
      deployment: [VERSION, settings.CACHE_NAMESPACE, url ?? ""],
      ttlSeconds: settings.CACHE_TTL_SECONDS,
      staleSeconds: settings.CACHE_STALE_SECONDS,
      waitMs: settings.CACHE_WAIT_MS,
      maxBytes: settings.CACHE_MAX_BYTES,
      workBytes: settings.CACHE_WORK_BYTES,
      memoryBytes: settings.CACHE_MEMORY_BYTES,
    });
    return cache;
  };
}

function createSources(
  settings: WorkerSettings,
  bindings: Environment,
): OfSources | { readonly problems: readonly string[] } {
  const { SIDECAR_URL: url, SIDECAR_SECRET: secret, CONNECT_TIMEOUT_MS: connectTimeoutMs } = settings;
  const connectors = boundWorker({ peer: CONNECTORS, fetch: boundFetch(bindings["CONNECTORS"]), connectTimeoutMs });
  const filesFetch = boundFetch(bindings["FILES"]);
  const environment: ConnectorEnvironment = {
    worker: connectors,
    allowPrivateHosts: settings.ALLOW_PRIVATE_HOSTS,
    ...(filesFetch && { files: boundWorker({ peer: FILES, fetch: filesFetch, connectTimeoutMs }) }),
    ...(url !== undefined &&
      secret !== undefined && {
        sidecar: nodeSidecar({
          fetch: fetchBy(bindings["SIDECAR"]),
          connectTimeoutMs,
          url,
          secret,
        }),
      }),
  };
  const named = readNamedConnections(settings.CONNECTIONS, bindings, {
    sidecar: url !== undefined,
    filesWorker: filesFetch !== undefined,
    allowPrivateHosts: settings.ALLOW_PRIVATE_HOSTS,
  });
  if (!named.ok) return named;
  const prepared = (
    given: ConnectionInfo,
    warnings: readonly PlannerWarning[],
    passes: readonly PassedProperty[],
    hyperdrive?: string,
  ) => {
    const info = billedAtMost(given, settings.MAX_BYTES_BILLED);
    return {
      warnings,
      passes,
      identity: () => identityOf(info),
      variantAt: (version: string) => variantAt(info.source, version),
      listsProjects: listsProjects(info.source),
      hasOwnEngine: hasOwnEngine(info.source),
      open: (options: OpenOptions) =>
        hyperdrive === undefined
          ? openConnector(info, environment, options)
          : connectors(info, options, { hyperdrive }),
    };
  };
  return {
    sources: {
      prepare(source, connectionInfo) {
        const { [SESSION_SETTINGS]: settings, ...fields } = connectionInfo;
        const passes = passedProperties(source, settings);
        const { info, warnings } = parseConnection(source, fields);
        return prepared(info, warnings, passes);
      },
    },
    connections: new Map(
      [...named.connections].map(([name, { source, info, hyperdrive, hidden, passes }]) => [
        name,
        {
          source,
          hidden,
          prepared: prepared(info, [], passes, hyperdrive),
          ...(limitsBilling(source) && {
            billedAtMost: (bytes: number) => prepared(billedAtMost(info, bytes), [], passes, hyperdrive),
          }),
        },
      ]),
    ),
  };
}
