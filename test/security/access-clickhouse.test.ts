/**
 * Attempts to get around access rules on ClickHouse's engine, with what only it has. Every sixth of what is answered elsewhere is
 * asked, beside all that is its own and all that is refused; `ACCESS_RULES=all` asks everything, of every rule.
 */
import { describe } from "vitest";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { CLICKHOUSE_ATTACKS } from "./attacks/clickhouse.ts";
import { describeAttacks, rulesByTurns } from "./attacks/describe.ts";
import { sampled } from "./attacks/index.ts";
import { openClickHouseWorld } from "./clickhouse-shop.ts";

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  describeAttacks(openClickHouseWorld, rulesByTurns(), [...sampled(6), ...CLICKHOUSE_ATTACKS]);
});
