/**
 * Noninterference on Spark, as `noninterference.test.ts` has it. A few statements, for each takes it seconds in all
 * worlds; `NONINTERFERENCE_STATEMENTS` and `NONINTERFERENCE_SEED` change what is asked, and then it is shown that it can fail.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasSpark, WITHOUT_SPARK } from "../../support/spark-server.ts";
import { openSparkWorlds, type SparkWorlds } from "../spark-shop.ts";
import type { Tampering } from "./judge.ts";
import { runSeeds, told } from "./run.ts";
import type { Targets } from "./worlds.ts";

const STATEMENTS = Number(process.env["NONINTERFERENCE_STATEMENTS"] ?? 6);
const FIRST = Number(process.env["NONINTERFERENCE_SEED"] ?? 5_000_001);

describe.skipIf(!hasSpark())(hasSpark() ? "Spark" : WITHOUT_SPARK, () => {
  let worlds: SparkWorlds;
  let targets: Targets;
  beforeAll(async () => {
    worlds = await openSparkWorlds();
    targets = { postgres: worlds.targets, files: worlds.targets, versions: [], close: () => worlds.close() };
  });
  afterAll(() => worlds?.close());

  test(`${STATEMENTS} statements from seed ${FIRST} on`, { timeout: 120_000 + STATEMENTS * 4_000 }, async () => {
    const run = await runSeeds(targets, { first: FIRST, statements: STATEMENTS });
    const { answered, refused, failed } = run.total;
    console.log(`Spark: ${answered} answered, ${refused} refused, ${failed} failed`);
    expect(run.findings.slice(0, 3).map(told)).toEqual([]);
    // Statements that are refused prove nothing; some are what the language has and Spark has not.
    if (STATEMENTS >= 20) expect(answered).toBeGreaterThan(STATEMENTS * 0.3);
  });

  test.skipIf(process.env["NONINTERFERENCE_STATEMENTS"] === undefined)(
    "a rule that lets everything through: it can fail",
    { timeout: 300_000 },
    async () => {
      const tampering: Tampering = (plan) => ({ ...plan, sql: plan.sql.replaceAll("= 'ann'", "<> ''") });
      const run = await runSeeds(targets, {
        first: 1,
        statements: 400,
        tampering,
        enough: ({ findings }) => findings.length > 0,
        atOnce: 6,
      });
      expect(run.findings.length).toBeGreaterThan(0);
    },
  );
});
