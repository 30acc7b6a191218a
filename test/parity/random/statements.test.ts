/**
 * Random statements give what PostgreSQL answers to their text as it is written, or are refused, on PostgreSQL and on
 * DuckDB. `FUZZ_QUERIES` sets how many for each subject, `FUZZ_SEED` the first seed, `FUZZ_SUBJECT` the one subject to ask;
 * a failure names subject and seed, which make the statement again.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, askAsWritten, judgeAgainst } from "../judge.ts";
import { MANIFESTS, type OriginalsEngines, openOriginals } from "../originals-engines.ts";
import { randomStatement, SUBJECTS } from "./statements.ts";

const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? 30);
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);
const ONLY = process.env["FUZZ_SUBJECT"];

let engines: OriginalsEngines;

beforeAll(async () => {
  engines = await openOriginals();
});
afterAll(() => engines.close());

/** Subjects of which less is answered than of others, because their texts are made to be odd. */
const ODD: readonly string[] = ["dates", "intervals", "patterns", "jsonConstants"];

test.each(SUBJECTS.filter((subject) => ONLY === undefined || subject === ONLY))(
  "%s",
  { timeout: 60_000 + QUERIES * 1_000 },
  async (subject) => {
    const faults: string[] = [];
    const answered = { postgres: 0, duckdb: 0 };
    let asked = 0;
    for (let seed = FIRST; seed < FIRST + QUERIES; seed++) {
      const { sql, ordered } = randomStatement(subject, seed);
      const original = await askAsWritten(sql, engines.postgres);
      // Texts that are none: what has no answer as written is nobody's to answer.
      if ("outcome" in original) continue;
      asked++;
      for (const source of ["postgres", "duckdb"] as const) {
        const answer = await ask(sql, MANIFESTS[source], source, engines[source]);
        const verdict = "outcome" in answer ? answer : judgeAgainst(original, answer, { ordered, json: "value" });
        if (verdict.outcome === "right") answered[source]++;
        else if (verdict.outcome !== "refused")
          faults.push(`${subject} ${seed} ${source}: ${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
      }
    }
    expect(faults.join("\n")).toBe("");
    if (QUERIES < 50) return;
    expect(asked).toBeGreaterThan(QUERIES * (ODD.includes(subject) ? 0.4 : 0.9));
    expect(answered.postgres).toBeGreaterThan(asked * (ODD.includes(subject) ? 0.3 : 0.9));
  },
);
