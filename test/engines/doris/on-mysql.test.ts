/** Plans for Doris in syntax that MySQL shares, run on MySQL, which is *not* Doris (`on-mysql.ts`). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasMySql, withoutMySql } from "../../support/mysql-server.ts";
import { BEYOND, DORIS_ON_MYSQL, type Engines, MYSQL_OTHERWISE, openDorisOnMySql } from "./on-mysql.ts";

/** The minimum number of correct answers in each suite. */
const RIGHT: Readonly<Record<string, number>> = { "analyst queries": 20, constructs: 90, functions: 10 };

describe.skipIf(!hasMySql("mysql"))(hasMySql("mysql") ? "MySQL" : withoutMySql("mysql"), () => {
  let engines: Engines & { close(): Promise<unknown> };
  beforeAll(async () => {
    engines = await openDorisOnMySql();
  });
  afterAll(() => engines?.close());

  test("what is answered otherwise is asked", () => {
    const names = new Set(DORIS_ON_MYSQL.flatMap(({ questions }) => questions.map(({ name }) => name)));
    expect(Object.keys(MYSQL_OTHERWISE).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(DORIS_ON_MYSQL)("$name", async ({ name: suite, questions }) => {
    const unexpected: unknown[] = [];
    let right = 0;
    for (const { name, verdict } of questions) {
      const judged = await verdict(engines);
      if (judged === undefined || judged.outcome === "refused") continue;
      if (judged.outcome === "engine error" && BEYOND.test(judged.detail)) continue;
      if (judged.outcome === "right") right++;
      else if (judged.outcome !== "wrong" || !Object.hasOwn(MYSQL_OTHERWISE, name)) unexpected.push([name, judged]);
    }
    expect(unexpected).toEqual([]);
    expect(right).toBeGreaterThanOrEqual(RIGHT[suite] ?? Number.POSITIVE_INFINITY);
  });
});
