import { describe } from "vitest";
import { judgeCachedClaims } from "../security/cached-claims.ts";

describe("callers with different claims and the same SQL, the cache being on", () => {
  judgeCachedClaims(10_000);
});
