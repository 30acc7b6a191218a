/** Plans for Snowflake on fakesnow (`emulation.ts`): one in four; all with `EMULATED=all`. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasFakesnow } from "../../support/fakesnow/fakesnow.ts";
import { EMULATED_OTHERWISE } from "./emulated.ts";
import { EMULATED_SUITES, openEmulation } from "./emulation.ts";

const IS_WHOLE = process.env["EMULATED"] === "all";

describe.skipIf(!hasFakesnow())(hasFakesnow() ? "fakesnow" : "not run: npm run engines installs fakesnow", () => {
  let engines: Awaited<ReturnType<typeof openEmulation>>;
  beforeAll(async () => {
    engines = await openEmulation();
  });
  afterAll(() => engines?.close());

  test("what is answered otherwise is asked", () => {
    const names = new Set(EMULATED_SUITES.flatMap(({ questions }) => questions.map(({ name }) => name)));
    expect(Object.keys(EMULATED_OTHERWISE).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(EMULATED_SUITES)("$name", { timeout: 180_000 }, async ({ questions }) => {
    const unexpected: string[] = [];
    let right = 0;
    for (const [index, { name, verdict }] of questions.entries()) {
      const isOther = Object.hasOwn(EMULATED_OTHERWISE, name);
      if (!IS_WHOLE && index % 4 !== 0 && !isOther) continue;
      const judged = await verdict(engines);
      if (judged?.outcome === "right") right++;
      if (judged !== undefined && (judged.outcome === "right") === isOther)
        unexpected.push(`${name}: ${JSON.stringify(judged)}`);
    }
    expect(unexpected.join("\n")).toBe("");
    expect(right).toBeGreaterThan(questions.length / 5);
  });
});
