import { describe } from "vitest";
import { judgeCachedClaims } from "./cached-claims.ts";

describe("callers with different claims and the same SQL, the cache being on", () => {
  // `npm run test:engines` judges 10,000.
  judgeCachedClaims({ postgres: 300, duckdb: 300 });
});
