/** The report of an account's verdicts, and which of them are faults. */
import { expect, test } from "vitest";
import type { Verdict } from "../judge.ts";
import { counted, lines } from "./verdicts.ts";

const TOO_DEEP: Verdict = { outcome: "engine error", detail: "Recursion depth limit exceeded (10)." };
const FAILED: Verdict = { outcome: "engine error", detail: "Division by zero" };

const named = (...verdicts: readonly Verdict[]) => verdicts.map((verdict, index) => ({ name: `q${index}`, verdict }));

test.each([
  ["trino", TOO_DEEP, 0, 1],
  ["postgres", TOO_DEEP, 1, 0],
  ["trino", FAILED, 1, 0],
  ["trino", { outcome: "wrong", detail: TOO_DEEP.detail }, 1, 0],
  ["trino", { outcome: "refused", detail: "not supported on Trino: arrays" }, 0, 0],
  ["mysql", { outcome: "engine error", detail: "Incorrect DATE value: '10000-01-01'" }, 0, 1],
  ["mysql", { outcome: "engine error", detail: "Incorrect DATE value: '2023-02-29'" }, 1, 0],
] as const)("on %s of %j are faults %i and limits %i", (source, verdict, faults, limits) => {
  const suite = counted(source, "constructs", named({ outcome: "right" }, verdict));
  expect([suite.faults.length, suite.limits.size]).toEqual([faults, limits]);
  expect(suite.counts[verdict.outcome]).toBe(1);
});

test("a report counts outcomes, and tells faults, limits and refusals apart", () => {
  const refused: Verdict = { outcome: "refused", detail: "not supported on Trino: arrays" };
  const suites = [
    counted("trino", "analyst queries", named({ outcome: "right" }, TOO_DEEP)),
    counted("trino", "constructs", named(refused, FAILED, refused)),
  ];
  expect(lines("trino", "476", suites, "own").join("\n")).toBe(`# Parity of trino, 476

| suite | right | refused | engine error | wrong |
|---|---|---|---|---|
| analyst queries | 1 | 0 | 1 | 0 |
| constructs | 0 | 2 | 1 | 0 |

## Faults

- constructs, engine error: Division by zero
  \`q1\`

## Limits of the server

- 1 × a recursion of more steps than the server allows (\`max_recursion_depth\`, 10 by itself)

## Refused

- 2 × not supported on Trino: arrays`);
});
