/**
 * Noninterference on Trino, as `noninterference.test.ts` has it. `NONINTERFERENCE_STATEMENTS` and `NONINTERFERENCE_SEED` change
 * what is asked.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SHARE } from "../../support/share.ts";
import { hasTrino, WITHOUT_TRINO } from "../../support/trino-server.ts";
import { openTrinoWorlds, type TrinoWorlds } from "../trino-shop.ts";
import type { Tampering } from "./judge.ts";
import { runSeeds, told } from "./run.ts";
import type { Targets } from "./worlds.ts";

const STATEMENTS = Number(process.env["NONINTERFERENCE_STATEMENTS"] ?? Math.ceil(40 / SHARE));
const FIRST = Number(process.env["NONINTERFERENCE_SEED"] ?? 3_000_001);

describe.skipIf(!hasTrino())(hasTrino() ? "Trino" : WITHOUT_TRINO, () => {
  let worlds: TrinoWorlds;
  let targets: Targets;
  beforeAll(async () => {
    worlds = await openTrinoWorlds();
    targets = { postgres: worlds.targets, files: worlds.targets, versions: [], close: () => worlds.close() };
  });
  afterAll(() => worlds?.close());

  test(`${STATEMENTS} statements from seed ${FIRST} on`, { timeout: 120_000 + STATEMENTS * 2_000 }, async () => {
    const run = await runSeeds(targets, { first: FIRST, statements: STATEMENTS });
    const { answered, refused, failed } = run.total;
    console.log(`Trino: ${answered} answered, ${refused} refused, ${failed} failed`);
    expect(run.findings.slice(0, 3).map(told)).toEqual([]);
    // Statements that are refused prove nothing; some are what the language has and Trino has not.
    if (STATEMENTS >= 40) expect(answered).toBeGreaterThan(STATEMENTS * 0.3);
  });

  test("a rule that lets everything through: it can fail", { timeout: 300_000 }, async () => {
    const tampering: Tampering = (plan) => ({ ...plan, sql: plan.sql.replaceAll("= 'ann'", "<> ''") });
    const run = await runSeeds(targets, {
      first: 1,
      statements: 400,
      tampering,
      enough: ({ findings }) => findings.length > 0,
      atOnce: 8,
    });
    expect(run.findings.length).toBeGreaterThan(0);
  });
});
