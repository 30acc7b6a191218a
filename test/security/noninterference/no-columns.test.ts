/** A failing expression without columns reveals nothing of hidden rows, where a rule leaves none. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { Judge } from "./judge.ts";
import { openMySqlWorlds } from "./mysql-worlds.ts";
import { WITHOUT_COLUMNS } from "./no-columns.ts";
import { openTargets, type Target } from "./worlds.ts";

const RULES = ["always false", "nothing found"];

/** `share`: one in so many. */
async function differences(target: Target, share = 1): Promise<readonly string[]> {
  const judge = new Judge(target);
  const found: string[] = [];
  for (const rule of RULES) {
    for (const statement of WITHOUT_COLUMNS.filter((_, index) => index % share === 0)) {
      const { difference } = await judge.judge(statement, rule);
      if (difference !== undefined) found.push(`${target.engine}, ${rule}: ${statement.question.sql}\n${difference}`);
    }
  }
  return found;
}

describe("PostgreSQL and DuckDB", () => {
  let targets: Awaited<ReturnType<typeof openTargets>>;
  beforeAll(async () => {
    targets = await openTargets();
  });
  afterAll(() => targets?.close());

  test("PostgreSQL, however it plans", async () => {
    for (const target of targets.postgres) expect(await differences(target)).toEqual([]);
  });

  test("Parquet, and with NO_COLUMNS=all files of each format", { timeout: 240_000 }, async () => {
    const all = process.env["NO_COLUMNS"] === "all";
    const files = targets.files.filter(({ engine }) => all || engine === "Parquet");
    expect(files.length).toBeGreaterThan(0);
    for (const target of files) expect(await differences(target, all ? 1 : 4)).toEqual([]);
  });
});

describe.each(MYSQL_FLAVORS)("%s", (flavor) => {
  test.skipIf(!hasMySql(flavor))(
    hasMySql(flavor) ? "a server" : withoutMySql(flavor),
    { timeout: 120_000 },
    async () => {
      const worlds = await openMySqlWorlds(flavor);
      try {
        expect(await differences(worlds.target)).toEqual([]);
      } finally {
        await worlds.close();
      }
    },
  );
});
