/**
 * As `fences.test.ts`, on Trino: over rows that are stored as they are, as dictionaries, and where the planner knows how many there
 * are. `npm run fences trino` asks all of it.
 */
import { describe } from "vitest";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import { describeFence } from "./fences/describe.ts";
import { openTrinoEngine } from "./fences/trino-engine.ts";

describe.skipIf(!hasTrino())(hasTrino() ? "Trino" : WITHOUT_TRINO, () => {
  describeFence({
    open: () => openTrinoEngine(40),
    fence: "row_number > 0",
    predicates: ["fail()"],
    modes: ["defaults"],
    leaks: [
      { fence: "none", rule: "OR" },
      { fence: "OFFSET 0", rule: "OR" },
      { fence: "row_number", rule: "OR" },
      { fence: "common table", rule: "OR" },
    ],
  });
});
