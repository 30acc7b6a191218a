/** The one settings schema of the Workers and the sidecar. Unknown or contradictory settings stop the start (see docs/configuration.md). */
import * as z from "zod";

const flag = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");
const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);
const bytes = z.string().regex(/^\d+(KB|MB|GB)$/);

/** Settings of the API Worker. Sizes in bytes, times in milliseconds unless the name says otherwise. */
export const workerSettings = z.object({
  AUTH: z
    .enum(["none", "keys", "jwt"])
    .describe("How callers prove who they are. A deployment must say; this version offers `none` only."),
  V2_PROFILE: z
    .enum(["classic", "modern"])
    .default("classic")
    .describe("Shape of `/v2` answers. `modern` is the shape of `/v3`, and what clients of other servers expect."),
  ACCESS_CONTROL: z
    .enum(["standard", "strict"])
    .default("standard")
    .describe("strict: a missing optional session property is an error."),
  UNKNOWN_FUNCTIONS: z
    .enum(["allow", "warn", "refuse"])
    .default("warn")
    .describe("What happens to functions the catalogue does not know."),
  SIDECAR_URL: z.url().optional().describe("Base address of the sidecar."),
  SIDECAR_SECRET: z.string().min(32).optional().describe("Key that signs requests to the sidecar."),
  ALLOW_PRIVATE_HOSTS: flag
    .default(false)
    .describe("Let the Worker itself dial private and loopback hosts: local development only."),
  MAX_BODY_BYTES: integer(1024, 64 * 1024 * 1024)
    .default(8 * 1024 * 1024)
    .describe("Largest request body."),
  MAX_SQL_LENGTH: integer(64, 1024 * 1024)
    .default(1024 * 1024)
    .describe("Longest SQL text, in UTF-16 units."),
  MAX_MANIFEST_BYTES: integer(1024, 64 * 1024 * 1024)
    .default(16 * 1024 * 1024)
    .describe("Largest manifest, decoded."),
  MAX_JSON_DEPTH: integer(8, 512).default(64).describe("Deepest nesting of a request body."),
  BODY_TIMEOUT_MS: integer(1, 600_000).default(30_000).describe("Time a request body may take to arrive."),
  MAX_IN_FLIGHT: integer(1, 10_000).default(64).describe("Requests at once per isolate; more answer 503."),
  MANIFEST_CACHE_BYTES: integer(0, 64 * 1024 * 1024)
    .default(16 * 1024 * 1024)
    .describe("Sum of the base64 texts whose decoded manifests an isolate keeps."),
  MANIFEST_CACHE_ENTRIES: integer(0, 10_000).default(64).describe("How many decoded manifests an isolate keeps."),
  STATEMENT_TIMEOUT_MS: integer(1, 3_600_000)
    .default(180_000)
    .describe("Time of one statement at the source, unless the request says another."),
  APP_TIMEOUT_MS: integer(1, 3_600_000)
    .default(240_000)
    .describe("Time of a whole request; over it the answer is 504."),
  CONNECT_TIMEOUT_MS: integer(1, 600_000).default(10_000).describe("Time to reach a source and to be let in."),
  MAX_ROWS: integer(0, Number.MAX_SAFE_INTEGER).default(0).describe("Operator's cap on rows of an answer; 0 is none."),
});

/** Settings of the sidecar. */
export const sidecarSettings = z.object({
  HOST: z.string().default("127.0.0.1").describe("Address to listen on."),
  PORT: integer(0, 65_535).default(8788).describe("Port to listen on; 0 takes a free one."),
  SIDECAR_SECRET: z.string().min(32).describe("Key that requests must be signed with."),
  SIDECAR_SECRET_PREVIOUS: z.string().min(32).optional().describe("Also accepted, during a rotation."),
  FILE_ROOT: z.string().optional().describe("Directory that local_file and duckdb sources are confined to."),
  ALLOWED_HOSTS: list
    .default([])
    .describe(
      "Host names, suffixes (.internal) and CIDR ranges connectors may dial; * for any but metadata addresses.",
    ),
  MAX_IN_FLIGHT: integer(1, 10_000).default(64).describe("Requests at once; more are refused as overload."),
  CONNECT_TIMEOUT_MS: integer(1, 600_000).default(10_000).describe("Time to reach a source and to be let in."),
  DRAIN_TIMEOUT_MS: integer(0, 3_600_000)
    .default(25_000)
    .describe("Time that running requests get to end in after SIGTERM."),
  DUCKDB_STATEMENTS: integer(1, 256)
    .default(8)
    .describe("Statements DuckDB runs at once; more wait for a place, up to `CONNECT_TIMEOUT_MS`."),
  DUCKDB_MEMORY: bytes.default("1GB").describe("Memory one statement in DuckDB may use, like `512MB`."),
  DUCKDB_SPILL: bytes.default("10GB").describe("Disk that one statement may use when its memory is full."),
  DUCKDB_THREADS: integer(1, 256).default(2).describe("Threads one statement in DuckDB may use."),
});

export type WorkerSettings = z.infer<typeof workerSettings>;
export type SidecarSettings = z.infer<typeof sidecarSettings>;

export type SettingsOutcome<T> =
  | { readonly ok: true; readonly settings: T }
  /** One sentence per setting that is wrong; values are not repeated, some are secrets. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the Worker's variables. Text that is no setting of ours is refused, since a mistyped name would be silently ignored. */
export function readWorkerSettings(environment: Readonly<Record<string, unknown>>): SettingsOutcome<WorkerSettings> {
  const unknown = Object.entries(environment)
    .filter(([name, value]) => typeof value === "string" && !Object.hasOwn(workerSettings.shape, name))
    .map(([name]) => `${name} is not a setting`);
  const parsed = workerSettings.safeParse(environment);
  const wrong = parsed.error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? [];
  const contradictory = parsed.success ? contradictions(parsed.data) : [];
  const problems = [...unknown, ...wrong, ...contradictory];
  return parsed.success && problems.length === 0 ? { ok: true, settings: parsed.data } : { ok: false, problems };
}

/** Reads the sidecar's settings from the variables of its process, most of which are none of ours. Empty text is not set. */
export function readSidecarSettings(environment: Readonly<Record<string, unknown>>): SettingsOutcome<SidecarSettings> {
  const given = Object.entries(environment).filter(
    ([name, value]) => Object.hasOwn(sidecarSettings.shape, name) && value,
  );
  const parsed = sidecarSettings.safeParse(Object.fromEntries(given));
  if (parsed.success) return { ok: true, settings: parsed.data };
  const present = new Set(given.map(([name]) => name));
  const problems = parsed.error.issues.map(({ path, message }) => {
    const name = path.join(".");
    return present.has(name) ? `${name}: ${message}` : `${name} is not set`;
  });
  return { ok: false, problems };
}

function contradictions(settings: WorkerSettings): string[] {
  const { SIDECAR_URL: url, SIDECAR_SECRET: secret } = settings;
  const problems: string[] = [];
  if ((url === undefined) !== (secret === undefined)) problems.push("SIDECAR_URL and SIDECAR_SECRET go together");
  // Bodies carry passwords (decisions C6).
  if (url !== undefined && !url.startsWith("https:") && !isLoopback(new URL(url).hostname)) {
    problems.push("SIDECAR_URL must be https unless it is a loopback address");
  }
  return problems;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
