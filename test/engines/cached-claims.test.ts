import { describe } from "vitest";
import { judgeCachedClaims } from "../security/cached-claims.ts";

/** DuckDB takes its statements one at a time here: `CACHE_INTERLEAVINGS=10000` asks it as often as PostgreSQL. */
const onDuckDb = Number(process.env["CACHE_INTERLEAVINGS"] ?? 500);

describe("callers with different claims and the same SQL, the cache being on", () => {
  judgeCachedClaims({ postgres: 10_000, duckdb: onDuckDb });
});
