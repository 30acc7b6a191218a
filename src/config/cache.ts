/** Settings of the query cache (docs/reference/cache.md). */
import * as z from "zod/mini";
import { integer, optional, type Setting, secret, standard } from "./setting.ts";

export const cacheSettings = {
  CACHE_STORE: standard(
    () => z.enum(["off", "kv", "sidecar", "memory"]),
    "off",
    "Where the query cache keeps answers: the binding `QUERY_CACHE`, the sidecar's `CACHE_URL`, or each isolate's memory.",
  ),
  CACHE_SECRET: optional(
    secret,
    "What names and values of the query cache are made with. `memory` does without, every other store needs it.",
  ),
  CACHE_SECRET_PREVIOUS: optional(secret, "Entries made with it are still found, during a rotation."),
  CACHE_NAMESPACE: standard(
    () => z.string(),
    "",
    "Tells deployments apart that share store and secret; another text begins with an empty cache.",
  ),
  CACHE_TTL_SECONDS: standard(integer(60, 2_592_000), 300, "How old an answer from the query cache may be."),
  CACHE_STALE_SECONDS: standard(
    integer(0, 2_592_000),
    0,
    "For so long beyond that, an answer is still given while a new one is made behind it.",
  ),
  CACHE_WAIT_MS: standard(integer(1, 60_000), 250, "Time the cache's store gets to answer; then the query runs."),
  CACHE_MAX_BYTES: standard(
    integer(1024, 24 * 1024 * 1024),
    20 * 1024 * 1024,
    "Largest answer that is kept, as frames before they are compressed.",
  ),
  CACHE_WORK_BYTES: standard(
    integer(3 * 1024, 1024 * 1024 * 1024),
    64 * 1024 * 1024,
    "Memory of all answers that an isolate collects at once; at least three times `CACHE_MAX_BYTES`.",
  ),
  CACHE_MEMORY_BYTES: standard(
    integer(1024, 1024 * 1024 * 1024),
    32 * 1024 * 1024,
    "Answers that each isolate keeps with `CACHE_STORE=memory`.",
  ),
} as const satisfies Readonly<Record<string, Setting>>;

interface Values {
  readonly CACHE_STORE: "off" | "kv" | "sidecar" | "memory";
  readonly CACHE_SECRET: string | undefined;
  readonly CACHE_SECRET_PREVIOUS: string | undefined;
  readonly CACHE_MAX_BYTES: number;
  readonly CACHE_WORK_BYTES: number;
  readonly SIDECAR_URL: string | undefined;
}

/** One sentence per contradiction. */
export function cacheProblems(settings: Values, environment: Readonly<Record<string, unknown>>): string[] {
  const { CACHE_STORE: kind, CACHE_SECRET: secret, CACHE_SECRET_PREVIOUS: previous } = settings;
  const problems: string[] = [];
  if (kind === "kv" && typeof environment["QUERY_CACHE"] !== "object") {
    problems.push("CACHE_STORE is kv, and there is no KV binding QUERY_CACHE");
  }
  if (kind === "sidecar" && settings.SIDECAR_URL === undefined) {
    problems.push("CACHE_STORE is sidecar, and SIDECAR_URL is not set");
  }
  if ((kind === "kv" || kind === "sidecar") && secret === undefined) {
    problems.push(`CACHE_STORE is ${kind}, and CACHE_SECRET is not set`);
  }
  if (previous !== undefined && secret === undefined) {
    problems.push("CACHE_SECRET_PREVIOUS is set, and CACHE_SECRET is not");
  }
  if (kind !== "off" && settings.CACHE_WORK_BYTES < 3 * settings.CACHE_MAX_BYTES) {
    problems.push("CACHE_WORK_BYTES must be at least three times CACHE_MAX_BYTES");
  }
  return problems;
}
