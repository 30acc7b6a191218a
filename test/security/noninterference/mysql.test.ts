/**
 * Noninterference on MySQL and MariaDB, as `noninterference.test.ts` has it. `NONINTERFERENCE_STATEMENTS` and
 * `NONINTERFERENCE_SEED` change what is asked.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { SHARE } from "../../support/share.ts";
import type { Tampering } from "./judge.ts";
import { type MySqlWorlds, openMySqlWorlds } from "./mysql-worlds.ts";
import { runSeeds, told } from "./run.ts";
import type { Targets } from "./worlds.ts";

const STATEMENTS = Number(process.env["NONINTERFERENCE_STATEMENTS"] ?? Math.ceil(1_500 / SHARE));
const FIRST = Number(process.env["NONINTERFERENCE_SEED"] ?? 2_000_001);

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let worlds: MySqlWorlds;
    let targets: Targets;
    beforeAll(async () => {
      worlds = await openMySqlWorlds(flavor);
      targets = { postgres: [worlds.target], files: [worlds.target], versions: [], close: () => worlds.close() };
    });
    afterAll(() => worlds?.close());

    test(`${STATEMENTS} statements from seed ${FIRST} on`, { timeout: 120_000 + STATEMENTS * 500 }, async () => {
      const run = await runSeeds(targets, { first: FIRST, statements: STATEMENTS });
      const { answered, refused, failed } = run.total;
      console.log(`${flavor}: ${answered} answered, ${refused} refused, ${failed} failed`);
      expect(run.findings.slice(0, 3).map(told)).toEqual([]);
      // Statements that are refused prove nothing; some are what the language has and these engines have not.
      if (STATEMENTS >= 1000) expect(answered).toBeGreaterThan(STATEMENTS * 0.4);
    });

    test.each<[string, Tampering]>([
      [
        "without a fence",
        (plan) => ({ ...plan, sql: plan.sql.replaceAll(" LIMIT 18446744073709551615 OFFSET 0)", ")") }),
      ],
      ["a rule that lets everything through", (plan) => ({ ...plan, sql: plan.sql.replaceAll("= 'ann'", "<> ''") })],
    ])("%s: it can fail", { timeout: 300_000 }, async (_hole, tampering) => {
      const run = await runSeeds(targets, {
        first: 1,
        statements: 2_000,
        tampering,
        enough: ({ findings }) => findings.length > 0,
        atOnce: 5,
      });
      expect(run.findings.length).toBeGreaterThan(0);
    });
  });
}
