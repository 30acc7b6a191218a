/**
 * The cases of `fences.test.ts`, on ClickHouse's engine: over columns that are dictionaries. `npm run fences clickhouse` asks it of other
 * tables, and planned otherwise.
 */
import { describe } from "vitest";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { openClickHouseEngine } from "./fences/clickhouse-engine.ts";
import { describeFence } from "./fences/describe.ts";

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  describeFence({
    open: () => openClickHouseEngine(40),
    fence: "any() over its row",
    predicates: ["cast to integer", "decode"],
    modes: ["dictionaries"],
    leaks: [
      { fence: "none", rule: "EXISTS" },
      { fence: "LIMIT 2^63-1", rule: "literal" },
      { fence: "row_number > 0", rule: "literal" },
      { fence: "MATERIALIZED", rule: "literal" },
    ],
  });
});
