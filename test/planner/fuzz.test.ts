/** Random and damaged queries: a plan or a PlannerError with a span inside the text, at once; its SQL reads again. */
import { expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { INPUT_LANGUAGE } from "../../src/planner/dialects/input.ts";
import { POSTGRES } from "../../src/planner/dialects/postgres/postgres.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { parseQuery } from "../../src/planner/syntax/parser.ts";
import { print } from "../../src/planner/syntax/printer.ts";
import { Random, randomQuery } from "../support/random-query.ts";
import { type PlainTarget, plainPlan } from "./binding/plain.ts";

const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? 600);
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);
const TARGETS: readonly PlainTarget[] = ["input", "postgres", "duckdb"];
/** Far above what a query of 2 KB takes, and far below what anything but linear work would. */
const MAX_MILLISECONDS = 250;

const WORDS = (
  "SELECT FROM WHERE GROUP BY ORDER HAVING JOIN LEFT USING ON AS ( ) , . * ' \" 1 2.5 NULL TRUE nation n_name r_regionkey " +
  "region orders count sum OVER PARTITION DISTINCT UNION ALL EXCEPT IN EXISTS NOT AND OR BETWEEN LIKE CASE WHEN THEN END " +
  "CAST ::int [ ] ARRAY ROW INTERVAL DATE LIMIT OFFSET WITH RECURSIVE LATERAL VALUES QUALIFY WINDOW -- /* ; = < || / %"
).split(" ");

/** The query with a few words taken out, doubled, exchanged or put in. */
function damaged(sql: string, random: Random): string {
  const words = sql.split(/(\s+|[(),])/);
  for (let i = 0; i < 1 + random.below(3); i++) {
    const at = random.below(words.length);
    const replacement = random.pick([
      [],
      [words[at] ?? "", words[at] ?? ""],
      [random.pick(WORDS)],
      [random.pick(words)],
    ]);
    words.splice(at, 1, ...replacement);
  }
  return words.join("");
}

/** A busy machine stops one run for a while, a hang stops every run. */
function quickest(sql: string, target: (typeof TARGETS)[number]): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5 && best >= MAX_MILLISECONDS; run++) {
    const start = performance.now();
    try {
      plainPlan(sql, target);
    } catch (error) {
      if (!(error instanceof PlannerError)) throw error;
    }
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function check(sql: string, seed: number): boolean {
  let planned = false;
  for (const target of TARGETS) {
    const where = `seed ${seed}, ${target}: ${sql}`;
    try {
      const plan = plainPlan(sql, target);
      planned = true;
      if (target === "duckdb") continue;
      const dialect = target === "input" ? INPUT_LANGUAGE : POSTGRES.print;
      const again = print(parseQuery(plan.sql, { limits: DEFAULT_LIMITS }), dialect);
      expect(again, where).toBe(plan.sql);
    } catch (error) {
      if (!(error instanceof PlannerError)) throw new Error(where, { cause: error });
      const { span } = error;
      expect(span, `${where}\n${error.message}`).toBeDefined();
      expect(span!.start >= 0 && span!.start <= span!.end && span!.end <= sql.length, where).toBe(true);
      expect(error.message.length, where).toBeGreaterThan(0);
    }
    if (sql.length <= 2048) expect(quickest(sql, target), where).toBeLessThan(MAX_MILLISECONDS);
  }
  return planned;
}

test(`${QUERIES} random queries, whole and damaged`, { timeout: 60_000 + QUERIES * 50 }, () => {
  let planned = 0;
  for (let seed = FIRST; seed < FIRST + QUERIES; seed++) {
    const random = new Random(seed ^ 0x5eed);
    const sql = randomQuery(seed);
    if (check(sql, seed)) planned++;
    for (let i = 0; i < 3; i++) check(damaged(sql, random), seed);
    check(Array.from({ length: random.below(30) }, () => random.pick(WORDS)).join(" "), seed);
  }
  expect(planned).toBeGreaterThan(QUERIES * 0.9);
});
