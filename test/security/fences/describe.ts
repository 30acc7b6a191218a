/** A share of the experiment as tests: the fence that is relied on holds, and others do not. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "./engines.ts";
import { Controls, measure } from "./measure.ts";
import { RULES, type RuleName } from "./shapes.ts";

export interface FenceCase {
  readonly open: () => Promise<Engine>;
  readonly fence: string;
  readonly predicates: readonly string[];
  /** All of them when absent. */
  readonly rules?: readonly RuleName[];
  /** DuckDB's last one cannot be undone, nor MySQL's. */
  readonly modes: readonly string[];
  /** Forms that let hidden rows through, in the last mode. */
  readonly leaks: readonly { readonly fence: string; readonly rule: RuleName }[];
}

export const RULE_NAMES = Object.keys(RULES) as RuleName[];
const WHERE: readonly string[] = ["WHERE", "WHERE with a range", "WHERE with OR", "derived table"];
const FAILED =
  /poison|hidden|division by zero|invalid regular expression|out of range|CAST_INVALID_INPUT|Invalid JSON text|Invalid base64Decode value/;

export function describeFence({ open, fence, predicates, modes, rules = RULE_NAMES, leaks }: FenceCase): void {
  let engine: Engine;
  let controls: Controls;

  beforeAll(async () => {
    engine = await open();
    controls = new Controls(engine);
  });

  afterAll(() => engine?.close());

  describe.each(modes)("%s", (mode) => {
    beforeAll(() => engine.use(mode));

    test.each(rules)("the fence keeps expressions off hidden rows: %s", async (rule) => {
      const measured = await measure(engine, fence, rule, controls, { predicates });
      expect(measured).toMatchObject({ leaks: [], wrong: [] });
      const positions = Object.keys(engine.shapes.positions).length - engine.lacking.length;
      expect(measured.statements).toBe(predicates.length * positions);
    });
  });

  if (leaks.length === 0) return;
  test.each(leaks)("hidden rows show in errors with the fence $fence: $rule", async ({ fence: other, rule }) => {
    const measured = await measure(engine, other, rule, controls, { predicates, positions: WHERE });
    expect(measured.leaks.join("\n")).toMatch(FAILED);
  });
}
