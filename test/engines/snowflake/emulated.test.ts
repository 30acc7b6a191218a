/**
 * What is planned for Snowflake, run on fakesnow: an emulation on DuckDB, and *not* Snowflake. Analyst queries against their committed
 * rows, the others against DuckDB's own plan, which other suites compare with PostgreSQL's. One in four; all with `EMULATED=all`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { CONSTRUCTS } from "../../parity/constructs.ts";
import { FUNCTION_QUERIES } from "../../parity/functions.ts";
import { ask, judgeAgainst, judgeRows, type Verdict } from "../../parity/judge.ts";
import { REFUSED_BY_SNOWFLAKE } from "../../parity/refused/snowflake.ts";
import { plainManifest } from "../../support/analyst.ts";
import { hasFakesnow, openFakesnow } from "../../support/fakesnow/fakesnow.ts";
import { manifestOf } from "../../support/plan.ts";
import { type OpenedSource, openDuckDbFiles } from "../../support/sources.ts";
import { TPCH_TABLES } from "../../support/tpch.ts";
import { EXAMPLES } from "../unexecuted/questions.ts";
import { EMULATED_OTHERWISE } from "./emulated.ts";

const IS_WHOLE = process.env["EMULATED"] === "all";
const isAsked = (name: string, index: number): boolean =>
  IS_WHOLE || index % 4 === 0 || Object.hasOwn(EMULATED_OTHERWISE, name);

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const tpch = manifestOf(plainManifest("snowflake"));
const constructs = CONSTRUCTS.flatMap(({ queries }) => queries);

describe.skipIf(!hasFakesnow())(hasFakesnow() ? "fakesnow" : "not run: npm run engines installs fakesnow", () => {
  let files: OpenedSource;
  let emulator: OpenedSource;

  beforeAll(async () => {
    files = await openDuckDbFiles(EXAMPLES);
    emulator = openFakesnow(Object.fromEntries(TPCH_TABLES.map((name) => [name, `${EXAMPLES}/tpch/${name}.parquet`])));
  });
  afterAll(() => Promise.all([files?.close(), emulator?.close()]));

  const expectVerdict = (name: string, verdict: Verdict): void => {
    if (Object.hasOwn(EMULATED_OTHERWISE, name)) expect(verdict.outcome).not.toBe("right");
    else expect(verdict).toEqual({ outcome: "right" });
  };

  const analyst = ANALYST_QUERIES.filter(
    ({ id }, index) => isAsked(id, index) && !REFUSED_BY_SNOWFLAKE.analyst.includes(id),
  );
  test.each(analyst)("$id $title", async ({ id, sql, ordered, expected }) => {
    const answer = await ask(sql, tpch, "snowflake", emulator);
    expectVerdict(id, "outcome" in answer ? answer : judgeRows(answer, expected, ordered));
  });

  test.each([
    ["construct", constructs, REFUSED_BY_SNOWFLAKE.constructs],
    ["function", FUNCTION_QUERIES, REFUSED_BY_SNOWFLAKE.functions],
  ] as const)("each %s", { timeout: 120_000 }, async (_, queries, refused) => {
    const unexpected: string[] = [];
    for (const [index, sql] of queries.entries()) {
      if (!isAsked(sql, index) || refused.includes(sql)) continue;
      const expected = await ask(sql, withoutTables, "local_file", files);
      if ("outcome" in expected) continue;
      const answer = await ask(sql, withoutTables, "snowflake", emulator);
      const verdict = "outcome" in answer ? answer : judgeAgainst(expected, answer, { ordered: false, json: "value" });
      const isRight = verdict.outcome === "right";
      if (isRight === Object.hasOwn(EMULATED_OTHERWISE, sql)) unexpected.push(`${sql}: ${JSON.stringify(verdict)}`);
    }
    expect(unexpected.join("\n")).toBe("");
  });
});
