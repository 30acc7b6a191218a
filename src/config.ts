/**
 * The one table of settings of the Workers, the sidecar and their supervisor. Unknown or contradictory settings stop the start (see
 * docs/reference/configuration.md).
 */
import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import { cacheProblems, cacheSettings } from "./config/cache.ts";
import { callerProblems, callerSettings } from "./config/callers.ts";
import { projectProblems, projectSettings } from "./config/projects.ts";
import { rowRules } from "./config/row-rules.ts";
import {
  bytes,
  flag,
  hosts,
  integer,
  list,
  optional,
  required,
  type Setting,
  secret,
  standard,
} from "./config/setting.ts";
import { notASetting, strangersIn } from "./config/strangers.ts";
import { isSecure } from "./secure-url.ts";

export type { Setting };

/** Settings of the API Worker. Sizes in bytes, times in milliseconds unless the name says otherwise. */
export const workerSettings = {
  ...callerSettings,
  ...cacheSettings,
  ...projectSettings,
  V2_PROFILE: standard(
    () => z.enum(["classic", "modern"]),
    "classic",
    "Shape of `/v2` answers. `modern` is the shape of `/v3`, and what clients of other servers expect.",
  ),
  ACCESS_CONTROL: standard(
    () => z.enum(["standard", "strict"]),
    "standard",
    "strict: a missing optional session property is an error.",
  ),
  ROW_RULES: standard(
    rowRules,
    [],
    "Sources on which statements that can fail are planned over row rules with a barrier that is not proven: `besteffort`, or `proven,snowflake:besteffort`. See [access rules](access-rules.md).",
  ),
  UNKNOWN_FUNCTIONS: standard(
    () => z.enum(["allow", "warn", "refuse"]),
    "warn",
    "What happens to functions the catalogue does not know.",
  ),
  FUNCTION_SCHEMAS: standard(
    list,
    [],
    "Schemas whose functions callers may name, besides those that their manifest names: `geo, finance`.",
  ),
  SIDECAR_URL: optional(() => z.url(), "Base address of the sidecar."),
  SIDECAR_SECRET: optional(secret, "Key that signs requests to the sidecar."),
  CONNECTIONS: optional(
    () => z.string(),
    'Connections that callers refer to by name: JSON of name → `{"dataSource", "connectionInfo"}` or `{"dataSource", "hyperdrive"}`. A secret. See [connections](connections.md).',
  ),
  ALLOW_PRIVATE_HOSTS: standard(
    flag,
    false,
    "Let the Worker itself dial private and loopback hosts, and the files Worker ask such stores over HTTP: local development only.",
  ),
  MAX_BODY_BYTES: standard(integer(1024, 64 * 1024 * 1024), 8 * 1024 * 1024, "Largest request body."),
  MAX_SQL_LENGTH: standard(integer(64, 1024 * 1024), 1024 * 1024, "Longest SQL text, in UTF-16 units."),
  MAX_PLAN_NODES: standard(
    integer(1000, 1_000_000),
    200_000,
    "Nodes of the tree that a statement is planned to: what the caller wrote, what the manifest adds, and what the dialect makes of both.",
  ),
  MAX_PLAN_STEPS: standard(
    integer(10_000, 10_000_000),
    2_000_000,
    "Steps of planning a statement: visits and copies of nodes, over all passes.",
  ),
  MAX_MANIFEST_BYTES: optional(
    integer(1024, 48 * 1024 * 1024),
    "Largest manifest, decoded. Without it, what fits into `MAX_BODY_BYTES`: three quarters of it (6 MiB), because base64 takes four bytes for three.",
  ),
  MAX_JSON_DEPTH: standard(integer(8, 512), 64, "Deepest nesting of a request body."),
  BODY_TIMEOUT_MS: standard(integer(1, 600_000), 30_000, "Time a request body may take to arrive."),
  BODY_BYTES_PER_SECOND: standard(
    integer(0, 1024 * 1024 * 1024),
    2048,
    "What a request body must arrive with, on the average after its first 5 seconds; 0 is any.",
  ),
  MAX_ARRIVING: standard(
    integer(1, 100_000),
    256,
    "Request bodies per isolate that arrive or wait for a place at once; beyond, the slowest make way, then answers are 503.",
  ),
  MAX_IN_FLIGHT: standard(integer(1, 10_000), 64, "Requests that run at once per isolate; as many more wait."),
  PLACE_WAIT_MS: standard(
    integer(0, 600_000),
    5000,
    "Time a request waits, its body there, while `MAX_IN_FLIGHT` others run; then the answer is 503.",
  ),
  PLACE_HOLD_MS: standard(
    integer(1, 3_600_000),
    30_000,
    "While others wait: time without rows from the source or a reader of them after which a request answers 503.",
  ),
  MANIFEST_CACHE_BYTES: standard(
    integer(0, 64 * 1024 * 1024),
    16 * 1024 * 1024,
    "Sum of the base64 texts whose decoded manifests an isolate keeps.",
  ),
  MANIFEST_CACHE_ENTRIES: standard(integer(0, 10_000), 64, "How many decoded manifests an isolate keeps."),
  STATEMENT_TIMEOUT_MS: standard(
    integer(1, 3_600_000),
    180_000,
    "Time of one statement at the source, unless the request says another.",
  ),
  APP_TIMEOUT_MS: standard(integer(1, 3_600_000), 240_000, "Time of a whole request; over it the answer is 504."),
  CONNECT_TIMEOUT_MS: standard(integer(1, 600_000), 10_000, "Time to reach a source and to be let in."),
  MAX_BYTES_BILLED: optional(
    integer(1, Number.MAX_SAFE_INTEGER),
    "Most bytes that a statement on BigQuery may be billed for; a connection's own `maximum_bytes_billed` may be less.",
  ),
  ANSWER_HOLD_MS: standard(
    integer(0, 60_000),
    1000,
    "Time from the first row for which an answer is held back, so that a failure in it gets a status of its own.",
  ),
  ANSWER_HOLD_BYTES: standard(
    integer(0, 8 * 1024 * 1024),
    65_536,
    "Bytes of an answer that are held back for that time; all held answers of an isolate come to 8 MiB at most. 0 holds none.",
  ),
  MAX_ROWS: standard(integer(0, Number.MAX_SAFE_INTEGER), 0, "Operator's cap on rows of an answer; 0 is none."),
} as const satisfies Readonly<Record<string, Setting>>;

/** Settings of the sidecar. */
export const sidecarSettings = {
  HOST: standard(() => z.string(), "127.0.0.1", "Address to listen on."),
  PORT: standard(integer(0, 65_535), 8788, "Port to listen on; 0 takes a free one."),
  SIDECAR_SECRET: required(secret, "Key that requests must be signed with."),
  SIDECAR_SECRET_PREVIOUS: optional(secret, "Also accepted, during a rotation."),
  METRICS_PORT: optional(
    integer(0, 65_535),
    "Port for Prometheus' `GET /metrics`, which asks for no secret; without it there is none.",
  ),
  METRICS_HOST: standard(
    () => z.string(),
    "127.0.0.1",
    "Address that `METRICS_PORT` is on: one that only Prometheus reaches.",
  ),
  FILE_ROOT: optional(() => z.string(), "Directory that local_file and duckdb sources are confined to."),
  ALLOWED_HOSTS: standard(
    hosts,
    [],
    "Host names, suffixes (.internal) and CIDR ranges connectors may dial; * for any but metadata addresses.",
  ),
  LEND_AWS_CREDENTIALS: standard(
    flag,
    false,
    "Whether connections of Athena that bring no keys are made with those of the sidecar's machine (environment, profile, role).",
  ),
  MAX_IN_FLIGHT: standard(integer(1, 10_000), 64, "Requests at once; more are refused as overload."),
  CONNECT_TIMEOUT_MS: standard(integer(1, 600_000), 10_000, "Time to reach a source and to be let in."),
  POOL_PER_CONNECTION: standard(
    integer(0, 10_000),
    10,
    "Open connections that are kept per connection (host, database, user, password and options alike), the last of which no caller gets beside another of its own; 0 keeps none and opens one for each request.",
  ),
  POOL_TOTAL: standard(
    integer(1, 100_000),
    100,
    "Open connections in all; beyond, idle ones of others are closed first.",
  ),
  POOL_WAITING: standard(
    integer(0, 10_000),
    48,
    "Requests that may wait per connection while all of `POOL_PER_CONNECTION` are in use; beyond, the answer is 503.",
  ),
  POOL_WAIT_MS: standard(
    integer(1, 600_000),
    5000,
    "Time a request waits for an open connection; then the answer is 503.",
  ),
  POOL_IDLE_MS: standard(integer(1, 86_400_000), 60_000, "Time after which a connection that nobody uses is closed."),
  POOL_CHECK_MS: standard(
    integer(0, 86_400_000),
    10_000,
    "Time without use after which a connection is asked whether it still lives before the next request gets it.",
  ),
  POOL_LIFETIME_MS: standard(integer(1, 86_400_000), 1_800_000, "Time after which a connection is not used again."),
  DRAIN_DELAY_MS: standard(
    integer(0, 600_000),
    0,
    "Time after SIGTERM in which requests are still taken while `/ready` is 503: longer than a balancer needs to see that.",
  ),
  DRAIN_TIMEOUT_MS: standard(
    integer(0, 3_600_000),
    25_000,
    "Time that running requests get to end in after that, while new ones are refused.",
  ),
  CACHE_URL: optional(
    () => z.string().check(z.regex(/^rediss?:\/\//)),
    "Valkey or Redis that holds the query cache of `CACHE_STORE=sidecar`: `redis://…`, or `rediss://…` with TLS.",
  ),
  DUCKDB_STATEMENTS: standard(
    integer(1, 256),
    8,
    "Statements DuckDB runs at once; more wait for a place, up to `CONNECT_TIMEOUT_MS`.",
  ),
  PLACE_HOLD_MS: standard(
    integer(1, 3_600_000),
    30_000,
    "While others wait for a place in DuckDB or for a pooled connection: time without rows or a reader of them after which a statement is ended.",
  ),
  DUCKDB_SPARES: standard(
    integer(0, 256),
    2,
    "Processes of DuckDB that wait for a statement: so many new ones, and so many for the caller, connection and session values they have served; 0 starts one for each.",
  ),
  DUCKDB_MEMORY: standard(
    bytes,
    "1GB",
    "Memory one statement in DuckDB may use, like `512MB`; on Linux its process gets 1.5 GB more and is ended beyond it.",
  ),
  DUCKDB_SPILL: standard(bytes, "10GB", "Disk that one statement may use when its memory is full."),
  DUCKDB_THREADS: standard(integer(1, 256), 2, "Threads one statement in DuckDB may use."),
  STORE_STATEMENT_BYTES: standard(
    integer(1, Number.MAX_SAFE_INTEGER),
    4 * 1024 ** 3,
    "Bytes of a bucket's objects that one statement may read, which are on disk while it runs; beyond, it is refused before it reads.",
  ),
  STORE_BYTES: standard(
    integer(1, Number.MAX_SAFE_INTEGER),
    16 * 1024 ** 3,
    "The same of all statements that run; beyond, the answer is 503.",
  ),
} as const satisfies Readonly<Record<string, Setting>>;

/** Settings of the supervisor: process 1 of both images, and `npm start` and `npm run serve`. */
/** Default of `WORKER_HEAP_MIB`. */
export const DEFAULT_HEAP_MIB = 512;

export const supervisorSettings = {
  FILES_WORKER: standard(
    () => z.enum(["on", "off"]),
    "off",
    "Whether the API has the files Worker, in a process of its own: not for the sidecar's image.",
  ),
  PROBE_INTERVAL_MS: standard(
    integer(0, 600_000),
    5000,
    "Time between two probes of a process, at least 100. One that leaves three of them unanswered is ended and started again; 0 sends none.",
  ),
  WORKER_HEAP_MIB: standard(
    integer(64, 4096),
    DEFAULT_HEAP_MIB,
    "Most MiB of JavaScript's heap in each Worker: `npm start`, `npm run serve` and the API's image. A process that needs more ends and is started again. The memory of DuckDB's WASM is not part of it.",
  ),
  STOP_GRACE_MS: standard(
    integer(0, 600_000),
    2500,
    "`npm start` and `npm run serve`: time that running requests get to end in after SIGTERM or Ctrl-C, in the API and then in the sidecar. For an image, who sends the signal sets the limit.",
  ),
  API_METRICS_PORT: optional(
    integer(1, 65_535),
    "Port for Prometheus' `GET /metrics` of the API, which asks for no secret; without it there is none.",
  ),
  API_METRICS_HOST: standard(
    () => z.string().check(z.regex(/^[0-9A-Za-z.:[\]-]+$/)),
    "127.0.0.1",
    "Address that `API_METRICS_PORT` is on: one that only Prometheus reaches.",
  ),
  PROJECTS_DIRECTORY: optional(
    () => z.string().check(z.minLength(1)),
    "With `PROJECTS=files`: the directory that `siskin push` writes, which the API only reads.",
  ),
  RESTART_MAX_PAUSE_MS: standard(
    integer(0, 3_600_000),
    10_000,
    "Longest pause before a process that has ended is started again. The first is 100 ms and each is twice the one before, until a process has run for a minute.",
  ),
} as const satisfies Readonly<Record<string, Setting>>;

export type WorkerSettings = Values<typeof workerSettings>;
export type SidecarSettings = Values<typeof sidecarSettings>;
export type SupervisorSettings = Values<typeof supervisorSettings>;

type Table = Readonly<Record<string, Setting>>;
type Values<T extends Table> = { readonly [name in keyof T]: T[name] extends Setting<infer V> ? V : never };

export type SettingsOutcome<T> =
  | { readonly ok: true; readonly settings: T }
  /** One sentence per invalid setting; values are not repeated, because some are secrets. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the Worker's variables. Unknown text variables are rejected, because a mistyped name would be silently ignored. */
export function readWorkerSettings(environment: Readonly<Record<string, unknown>>): SettingsOutcome<WorkerSettings> {
  const unknown = Object.entries(environment)
    .filter(([name, value]) => typeof value === "string" && !Object.hasOwn(workerSettings, name))
    .map(([name]) => notASetting(name, Object.keys(workerSettings)));
  const outcome = readSettings(workerSettings, environment);
  const problems = [
    ...unknown,
    ...(outcome.ok
      ? [
          ...contradictions(outcome.settings),
          ...cacheProblems(outcome.settings, environment),
          ...projectProblems(outcome.settings, environment),
        ]
      : outcome.problems),
  ];
  return outcome.ok && problems.length === 0 ? outcome : { ok: false, problems };
}

/**
 * Reads the sidecar's settings from the variables of its process, most of which belong to other programs: only those that look
 * like a setting but are none are rejected. Empty text counts as unset.
 */
export function readSidecarSettings(environment: Readonly<Record<string, unknown>>): SettingsOutcome<SidecarSettings> {
  const outcome = withoutStrangers(readSettings(sidecarSettings, environment), environment);
  if (!outcome.ok || outcome.settings.POOL_PER_CONNECTION <= outcome.settings.POOL_TOTAL) return outcome;
  return { ok: false, problems: ["POOL_PER_CONNECTION must not be above POOL_TOTAL"] };
}

/** Processes of one machine often share their variables, so a name may be a setting of any process. */
function withoutStrangers<T>(
  outcome: SettingsOutcome<T>,
  environment: Readonly<Record<string, unknown>>,
): SettingsOutcome<T> {
  const known = [workerSettings, sidecarSettings, supervisorSettings].flatMap((table) => Object.keys(table));
  const strangers = strangersIn(environment, [...new Set(known)]);
  if (strangers.length === 0) return outcome;
  return { ok: false, problems: [...strangers, ...(outcome.ok ? [] : outcome.problems)] };
}

/** Reads the supervisor's settings from the variables of its process, as `readSidecarSettings` does. */
export function readSupervisorSettings(
  environment: Readonly<Record<string, unknown>>,
): SettingsOutcome<SupervisorSettings> {
  const outcome = withoutStrangers(readSettings(supervisorSettings, environment), environment);
  const interval = outcome.ok ? outcome.settings.PROBE_INTERVAL_MS : 0;
  // A healthy process may take this long to answer.
  if (interval === 0 || interval >= 100) return outcome;
  return { ok: false, problems: ["PROBE_INTERVAL_MS must be 0 or at least 100"] };
}

function readSettings<T extends Table>(
  table: T,
  environment: Readonly<Record<string, unknown>>,
): SettingsOutcome<Values<T>> {
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [name, { schema, standard }] of Object.entries<Setting>(table)) {
    const given = environment[name];
    // Variables that are passed on from another environment may be empty.
    if (given === undefined || given === null || given === "") {
      if (standard === undefined) problems.push(`${name} is not set`);
      settings[name] = standard?.value;
      continue;
    }
    const parsed = schema().safeParse(given, { error: en().localeError });
    settings[name] = parsed.data;
    problems.push(...(parsed.error?.issues ?? []).map(({ message }) => `${name}: ${message}`));
  }
  return problems.length === 0 ? { ok: true, settings: settings as Values<T> } : { ok: false, problems };
}

function contradictions(settings: WorkerSettings): string[] {
  const { SIDECAR_URL: url, SIDECAR_SECRET: secret } = settings;
  const problems: string[] = [];
  if ((url === undefined) !== (secret === undefined)) problems.push("SIDECAR_URL and SIDECAR_SECRET go together");
  // Bodies contain passwords (docs/decisions/0028-signed-requests.md).
  if (url !== undefined && !isSecure(url)) {
    problems.push("SIDECAR_URL must be https unless it is a loopback address");
  }
  const { MAX_MANIFEST_BYTES: manifest, MAX_BODY_BYTES: body } = settings;
  if (manifest !== undefined && manifest > manifestWithin(body)) {
    const needed = Math.ceil(manifest / 3) * 4;
    problems.push(`MAX_MANIFEST_BYTES does not fit into MAX_BODY_BYTES, which must be at least ${needed} for it`);
  }
  return [...problems, ...callerProblems(settings)];
}

/** The largest manifest, decoded, that fits into a body of `bodyBytes`: a body holds its base64. */
const manifestWithin = (bodyBytes: number): number => Math.floor(bodyBytes / 4) * 3;

/** Setting `MAX_MANIFEST_BYTES`, or its default. */
export function largestManifest({
  MAX_MANIFEST_BYTES,
  MAX_BODY_BYTES,
}: Pick<WorkerSettings, "MAX_MANIFEST_BYTES" | "MAX_BODY_BYTES">): number {
  return MAX_MANIFEST_BYTES ?? manifestWithin(MAX_BODY_BYTES);
}
