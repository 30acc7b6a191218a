/**
 * Noninterference on ClickHouse's engine, as `noninterference.test.ts` has it. `NONINTERFERENCE_STATEMENTS` and
 * `NONINTERFERENCE_SEED` change what is asked.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../../support/clickhouse-server.ts";
import { SHARE } from "../../support/share.ts";
import { type ClickHouseWorlds, openClickHouseWorlds } from "../clickhouse-shop.ts";
import type { Tampering } from "./judge.ts";
import { runSeeds, told } from "./run.ts";
import type { Targets } from "./worlds.ts";

const STATEMENTS = Number(process.env["NONINTERFERENCE_STATEMENTS"] ?? Math.ceil(100 / SHARE));
const FIRST = Number(process.env["NONINTERFERENCE_SEED"] ?? 4_000_001);

const ITS_ROW = /any\(((?:"[^"]*"\.?)+)\) OVER \(ROWS BETWEEN CURRENT ROW AND CURRENT ROW\)/g;

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  let worlds: ClickHouseWorlds;
  let targets: Targets;
  beforeAll(async () => {
    worlds = await openClickHouseWorlds();
    targets = { postgres: worlds.targets, files: worlds.targets, versions: [], close: () => worlds.close() };
  });
  afterAll(() => worlds?.close());

  test(`${STATEMENTS} statements from seed ${FIRST} on`, { timeout: 120_000 + STATEMENTS * 1_000 }, async () => {
    const run = await runSeeds(targets, { first: FIRST, statements: STATEMENTS });
    const { answered, refused, failed } = run.total;
    console.log(`ClickHouse: ${answered} answered, ${refused} refused, ${failed} failed`);
    expect(run.findings.slice(0, 3).map(told)).toEqual([]);
    // Statements that are refused prove nothing; some are what the language has and ClickHouse has not.
    if (STATEMENTS >= 100) expect(answered).toBeGreaterThan(STATEMENTS * 0.3);
  });

  test.each<[string, Tampering]>([
    ["without a fence", (plan) => ({ ...plan, sql: plan.sql.replaceAll(ITS_ROW, "$1") })],
    ["a rule that lets everything through", (plan) => ({ ...plan, sql: plan.sql.replaceAll("= 'ann'", "<> ''") })],
  ])("%s: it can fail", { timeout: 300_000 }, async (_hole, tampering) => {
    const run = await runSeeds(targets, {
      first: 1,
      statements: 2_000,
      tampering,
      enough: ({ findings }) => findings.length > 0,
      atOnce: 8,
    });
    expect(run.findings.length).toBeGreaterThan(0);
  });
});
