/**
 * Random queries give the rows that PostgreSQL gives for their text as it is written, planned for PostgreSQL and for
 * DuckDB. `FUZZ_QUERIES` sets how many, `FUZZ_SEED` the first seed; a failure names its seed, which makes the query again.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { manifestOf } from "../support/plan.ts";
import { randomQuery } from "../support/random-query.ts";
import { type EnginesWithoutTables, openEnginesWithoutTables } from "./engines-without-tables.ts";
import { ask, askAsWritten, judgeAgainst } from "./judge.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? 150);
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);

let engines: EnginesWithoutTables;
beforeAll(async () => {
  engines = await openEnginesWithoutTables();
});
afterAll(() => engines.close());

test(`${QUERIES} random queries`, { timeout: 60_000 + QUERIES * 1_000 }, async () => {
  let compared = 0;
  const faults: string[] = [];
  for (let seed = FIRST; seed < FIRST + QUERIES; seed++) {
    const sql = randomQuery(seed);
    const original = await askAsWritten(sql, engines.postgres);
    if ("outcome" in original) continue;
    // The server's texts are in that order anyway: every second query says so itself.
    const settings = seed % 2 === 0 ? { textOrder: "code points" as const } : {};
    for (const [source, opened] of [
      ["postgres", engines.postgres],
      ["local_file", engines.duckdb],
    ] as const) {
      const answer = await ask(sql, manifest, source, opened, source === "postgres" ? settings : {});
      const verdict = "outcome" in answer ? answer : judgeAgainst(original, answer);
      if (verdict.outcome === "right") compared++;
      else if (verdict.outcome !== "refused")
        faults.push(`seed ${seed} ${source}: ${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
    }
  }
  expect(faults.join("\n")).toBe("");
  expect(compared).toBeGreaterThan(QUERIES * 2 * 0.85);
});
