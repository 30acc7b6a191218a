/**
 * Plans for Snowflake, run on Databend, an engine with much of Snowflake's language, which is *not* Snowflake:
 * statements that it can parse return the committed rows, or those of DuckDB's own plan. Statements that it cannot
 * parse are outside the common part. `SHARE` as in `test/support/share.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasDatabend, openDatabend } from "../../support/databend/databend.ts";
import { SHARE } from "../../support/share.ts";
import { DATABEND_OTHERWISE } from "./databend.ts";
import { EMULATED_SUITES, type Engines, openEmulation } from "./emulation.ts";

/** The minimum number of correct answers in each suite. */
const RIGHT: Readonly<Record<string, number>> = { "analyst queries": 30, constructs: 125, functions: 22 };

describe.skipIf(!hasDatabend())(hasDatabend() ? "Databend" : "not run: npm run engines installs Databend", () => {
  let engines: Engines & { close(): Promise<unknown> };
  beforeAll(async () => {
    engines = await openEmulation(openDatabend);
  });
  afterAll(() => engines?.close());

  test("what is answered otherwise is asked", () => {
    const names = new Set(EMULATED_SUITES.flatMap(({ questions }) => questions.map(({ name }) => name)));
    expect(Object.keys(DATABEND_OTHERWISE).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(EMULATED_SUITES)("$name", { timeout: 300_000 }, async ({ name: suite, questions }) => {
    const unexpected: string[] = [];
    let right = 0;
    const asked = questions.filter(({ name }, index) => index % SHARE === 0 || Object.hasOwn(DATABEND_OTHERWISE, name));
    for (const { name, verdict } of asked) {
      const judged = await verdict(engines);
      if (judged === undefined || judged.outcome === "engine error") continue;
      if (judged.outcome === "right") right++;
      if ((judged.outcome === "right") === Object.hasOwn(DATABEND_OTHERWISE, name))
        unexpected.push(`${name}: ${JSON.stringify(judged)}`);
    }
    expect(unexpected.join("\n")).toBe("");
    const least = RIGHT[suite] ?? Number.POSITIVE_INFINITY;
    expect(right).toBeGreaterThanOrEqual(SHARE === 1 ? least : 1);
  });
});
