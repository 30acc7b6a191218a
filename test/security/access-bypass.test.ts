/** Attempts to get around access rules, on real sources: what comes back holds nothing of what the rules withhold. */
import { describe } from "vitest";
import { openDuckDbWorld, openPostgresWorld } from "./access-world.ts";
import { describeAttacks, rulesByTurns } from "./attacks/describe.ts";

describe.each([
  ["PostgreSQL", () => openPostgresWorld()],
  ["DuckDB", () => openDuckDbWorld()],
] as const)("on %s", (_name, open) => {
  describeAttacks(open, rulesByTurns());
});
