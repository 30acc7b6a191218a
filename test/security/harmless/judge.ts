/** The committed outcome against an engine of this machine, and what the planner takes from it. */
import { describe, expect, test } from "vitest";
import { cannotRaise } from "../../../src/planner/access/raising.ts";
import { bindWholeQuery } from "../../../src/planner/binding/query.ts";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { planningContext } from "../../../src/planner/expand/context.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { parseQuery } from "../../../src/planner/syntax/parser.ts";
import { type AskedEngine, ask, choicesOf, sqlOf } from "./engines.ts";
import { kindsOf, letterOf, readOutcome } from "./outcome.ts";
import { PROBES, type Probe } from "./probes.ts";

const TARGETS = { postgres: targetOf("postgres"), duckdb: targetOf("duckdb") };

/** Asks every `share`-th probe. */
export function describeHarmless(name: string, engine: () => AskedEngine, share: number): void {
  const outcome = readOutcome();
  const index = outcome.engines.indexOf(name);

  describe(`${name} answers as committed`, () => {
    const groups = Map.groupBy(PROBES, ({ what }) => what);
    test.each([...groups])("%s", async (what, probes) => {
      expect(index).toBeGreaterThanOrEqual(0);
      for (const [place, probe] of probes.entries()) {
        // Untested functions are taken to raise: a new function waits for the next `npm run harmless`.
        const known = outcome.answers[what]?.[kindsOf(probe)]?.[index];
        if (known === undefined || place % share !== what.length % share) continue;
        expect(letterOf(await ask(engine(), probe)), `${what} of ${probe.kinds.join(", ")}`).toBe(known);
      }
    });
  });

  test(`what never raises on ${name} by the planner's word is computed there`, () => {
    const wrong: string[] = [];
    for (const probe of PROBES) {
      const known = outcome.answers[probe.what]?.[kindsOf(probe)]?.[index] ?? "-";
      if (
        known === "r" &&
        choicesOf(engine(), probe).every((columns) => isTakenForHarmless(engine(), probe, columns))
      ) {
        wrong.push(`${probe.what} of ${probe.kinds.join(", ")}`);
      }
    }
    expect(wrong).toEqual([]);
  });
}

function isTakenForHarmless(engine: AskedEngine, probe: Probe, columns: readonly string[]): boolean {
  const { fence, unlisted } = TARGETS[engine.source];
  const options = {
    limits: DEFAULT_LIMITS,
    unknownFunctions: "warn",
    unlisted,
    timeZone: "UTC",
    stars: "every column",
  } as const;
  const context = planningContext(engine.manifest, options, { session: new Map(), accessControl: "standard" });
  try {
    const { query } = bindWholeQuery(parseQuery(sqlOf(probe, columns), options), context);
    return cannotRaise(query, { engine: fence.harmless, column: () => true });
  } catch (error) {
    if (error instanceof PlannerError) return false;
    throw error;
  }
}
