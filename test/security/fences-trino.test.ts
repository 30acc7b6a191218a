/**
 * The cases of `fences.test.ts`, on Trino: over rows that are stored as they are, as dictionaries, and where the planner knows how many there
 * are. `npm run fences trino` asks all of it; with `SHARE` some rules are asked.
 */
import { describe, expect, test } from "vitest";
import { shareFor } from "../support/share.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import { describeFence, RULE_NAMES } from "./fences/describe.ts";
import { openTrinoEngine } from "./fences/trino-engine.ts";

describe.skipIf(!hasTrino())(hasTrino() ? "Trino" : WITHOUT_TRINO, () => {
  describeFence({
    open: () => openTrinoEngine(40),
    fence: "row_number > 0, LIMIT",
    predicates: ["fail()"],
    modes: ["defaults"],
    rules: shareFor("trino", RULE_NAMES),
    leaks: [
      { fence: "none", rule: "OR" },
      { fence: "OFFSET 0", rule: "OR" },
      { fence: "row_number", rule: "OR" },
      { fence: "common table", rule: "OR" },
    ],
  });

  test("conditions of no column are met below windows, over hidden rows, and not below LIMIT", async () => {
    const engine = await openTrinoEngine(4);
    const where = "b.owner IN (SELECT g.owner FROM grants AS g WHERE g.member = 'z')";
    const ask = (fence: string): Promise<string> =>
      engine.rows(
        `SELECT m.id FROM ${engine.shapes.fences[fence]?.({ where, control: "nothing" }, undefined)} AS m WHERE 1 / 0 > 0`,
      );
    await expect(ask("row_number > 0")).rejects.toThrow("Division by zero");
    expect(await ask("row_number > 0, LIMIT")).toBe("");
    await engine.close();
  });
});
