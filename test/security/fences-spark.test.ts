/**
 * The cases of `fences.test.ts`, on Spark: one rule, none with `SHARE` as the gate has it, all of them with `FENCES=all`. `npm run fences spark` asks it of other tables,
 * and planned otherwise.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SHARE } from "../support/share.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { describeFence } from "./fences/describe.ts";
import type { Engine } from "./fences/engines.ts";
import { openSparkEngine } from "./fences/spark-engine.ts";
import { SPARK_SHAPES } from "./fences/spark-shapes.ts";

const FENCE = "monotonically_increasing_id() >= 0";
const IS_WHOLE = process.env["FENCES"] === "all";

describe.skipIf(!hasSpark())(hasSpark() ? "Spark" : WITHOUT_SPARK, () => {
  describeFence({
    open: () => openSparkEngine(40),
    fence: FENCE,
    predicates: ["cast to integer"],
    modes: IS_WHOLE || SHARE === 1 ? ["defaults"] : [],
    ...(!IS_WHOLE && { rules: ["to-many column"] }),
    leaks: [
      { fence: "none", rule: "OR" },
      { fence: "OFFSET 0", rule: "OR" },
      { fence: "common table", rule: "OR" },
    ],
  });

  describe("conditions of no column, where a rule leaves no rows", () => {
    const rule = {
      where: "b.owner IN (SELECT g.owner FROM grants AS g WHERE g.member = 'z')",
      control: "nothing",
    } as const;
    let engine: Engine;
    beforeAll(async () => {
      engine = await openSparkEngine(4);
    });
    afterAll(() => engine?.close());

    const ask = (fence: string): Promise<string> =>
      engine.rows(
        `SELECT m.id FROM ${SPARK_SHAPES.fences[fence]?.(rule, undefined)} AS m WHERE 10 / (SELECT count(*) FROM nothing) > -1`,
      );

    test("are met below windows, over hidden rows", async () => {
      await expect(ask("count(*) OVER () > 0")).rejects.toThrow("DIVIDE_BY_ZERO");
      await expect(ask("row_number > 0")).rejects.toThrow("DIVIDE_BY_ZERO");
    });

    test("and not below a column that is never the same twice", async () => expect(await ask(FENCE)).toBe(""));
  });
});
