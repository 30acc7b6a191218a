/** Attempts to get around access rules, on real sources: what comes back holds nothing of what the rules withhold. */
import { describe } from "vitest";
import { openDuckDbWorld, openPostgresWorld, RULES } from "./access-world.ts";
import { describeAttacks } from "./attacks/describe.ts";

/** Two rules of different plans, and one of the others by turns: every attack against every rule takes minutes. */
function byTurns(sql: string): ReadonlySet<string> {
  const names = Object.keys(RULES);
  return new Set(["literal", "exists", names[sql.length % names.length] ?? ""]);
}

const chosen = process.env["ACCESS_RULES"] === "all" ? undefined : byTurns;

describe.each([
  ["PostgreSQL", () => openPostgresWorld()],
  ["DuckDB", () => openDuckDbWorld()],
] as const)("on %s", (_name, open) => {
  describeAttacks(open, chosen);
});
