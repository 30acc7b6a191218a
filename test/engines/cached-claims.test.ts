import { describe } from "vitest";
import { judgeCachedClaims } from "../security/cached-claims.ts";
import { SHARE } from "../support/share.ts";

/**
 * DuckDB takes its statements one at a time here: `CACHE_INTERLEAVINGS=10000` asks it as often as PostgreSQL. `SHARE`
 * is PostgreSQL's alone: in fewer than these, the cache's rarest way may not come about.
 */
const onDuckDb = Number(process.env["CACHE_INTERLEAVINGS"] ?? 500);

describe("callers with different claims and the same SQL, the cache being on", () => {
  judgeCachedClaims({ postgres: Math.ceil(10_000 / SHARE), duckdb: onDuckDb });
});
