/**
 * What is planned for Snowflake, asked of Databend, an engine of its own with much of Snowflake's language, which is *not* Snowflake: what
 * it can read gives the committed rows, or those of DuckDB's own plan. What it cannot read is none of what they have in common. `SHARE` as
 * `test/support/share.ts` has it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasDatabend, openDatabend } from "../../support/databend/databend.ts";
import { SHARE } from "../../support/share.ts";
import { DATABEND_OTHERWISE } from "./databend.ts";
import { EMULATED_SUITES, type Engines, openEmulation } from "./emulation.ts";

/** Of the questions of each suite, at least so many have the right rows. */
const RIGHT: Readonly<Record<string, number>> = { "analyst queries": 30, constructs: 125, functions: 22 };

describe.skipIf(!hasDatabend())(hasDatabend() ? "Databend" : "not run: npm run engines installs Databend", () => {
  let engines: Engines & { close(): Promise<unknown> };
  beforeAll(async () => {
    engines = await openEmulation(openDatabend);
  });
  afterAll(() => engines?.close());

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
