/** Spark gives the rows that PostgreSQL gives, or refuses with a reason: analyst queries against their committed rows. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { ask, judgeRows, type Verdict } from "../parity/judge.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf } from "../support/plan.ts";
import type { OpenedSource } from "../support/sources.ts";
import { openSparkTpch } from "../support/spark.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";

const tpch = manifestOf(plainManifest("spark"));
const AT_ONCE = 4;

async function inTurns<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let each = all[next++]; each !== undefined; each = all[next++]) await work(each);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

describe.skipIf(!hasSpark())(hasSpark() ? "Spark" : WITHOUT_SPARK, () => {
  let spark: OpenedSource;
  const verdicts = new Map<string, Verdict>();

  beforeAll(async () => {
    spark = await openSparkTpch();
    await inTurns(ANALYST_QUERIES, async ({ id, sql, ordered, expected }) => {
      const answer = await ask(sql, tpch, "spark", spark);
      verdicts.set(id, "outcome" in answer ? answer : judgeRows(answer, expected, ordered));
    });
  }, 300_000);
  afterAll(() => spark.close());

  const refused: Readonly<Record<string, string>> = {
    Q25: "a common table that names itself",
    Q27: "this question about json",
  };
  test.each(ANALYST_QUERIES)("$id $title", ({ id }) => {
    const what = refused[id];
    const detail = `UNSUPPORTED_ON_SOURCE: this source cannot say ${what}`;
    expect(verdicts.get(id)).toEqual(what === undefined ? { outcome: "right" } : { outcome: "refused", detail });
  });
});
