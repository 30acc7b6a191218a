/**
 * Row rules need a fence (docs/decisions/0020-row-rules.md): without one, engines compute the caller's expressions over rows that
 * the rule hides, and the error tells what they hold. The whole experiment is `npm run fences`, its results docs/reference/access-rules.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeFence, type FenceCase } from "./fences/describe.ts";
import { type Engine, openDuckDbEngine, openPostgresEngine } from "./fences/engines.ts";
import { FENCES, RULES, type RuleName } from "./fences/shapes.ts";

const RULE_NAMES = Object.keys(RULES) as RuleName[];
const ROWS = 400;
const directory = mkdtempSync(join(tmpdir(), "siskin-fences-"));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

const CASES: readonly (FenceCase & { readonly name: string })[] = [
  {
    name: "postgres",
    open: () => openPostgresEngine(ROWS),
    fence: "OFFSET 0",
    // Each reaches hidden rows by another road when nothing stops it.
    predicates: ["cast to integer", "division", "regular expression"],
    modes: ["defaults", "index scans", "nested loops", "merge joins"],
    leaks: RULE_NAMES.filter((rule) => rule !== "always false").map((rule) => ({ fence: "none", rule })),
  },
  {
    name: "duckdb",
    open: () => openDuckDbEngine(ROWS, directory),
    fence: "MATERIALIZED, OFFSET 0",
    predicates: ["cast to integer", "json access", "text = number"],
    modes: ["defaults", "Parquet"],
    leaks: [
      { fence: "none", rule: "OR" },
      { fence: "MATERIALIZED", rule: "OR" },
      // Functions that DuckDB takes for safe are computed over the dictionary of a column, whatever comes in between.
      ...(["none", "OFFSET 0", "row_number", "CASE around columns"] as const).map((fence) => ({
        fence,
        rule: "literal" as const,
      })),
    ],
  },
];

describe.each(CASES)("$name", (each) => describeFence(each));

describe("PostgreSQL", () => {
  let engine: Engine;
  const behind = (rule: RuleName): string => `${FENCES["OFFSET 0"](RULES[rule], undefined)} AS m`;

  beforeAll(async () => {
    engine = await openPostgresEngine(ROWS);
    await engine.use("defaults");
  });

  afterAll(() => engine?.close());

  test("its planner tries patterns on statistics of hidden rows, in spite of the fence", async () => {
    // `poison` is only in hidden rows. A pattern that ends in its escape fails on what matches so far, and only on that.
    const asked = (operand: string, pattern: string) =>
      engine.rows(`SELECT m.id FROM ${behind("literal")} WHERE ${operand} ILIKE ${pattern}`);
    await expect(asked("m.v", String.raw`'%oiso\'`)).rejects.toThrow("LIKE pattern must not end with escape character");
    await expect(asked("m.v", String.raw`concat('%oiso', '\')`)).rejects.toThrow("LIKE pattern must not end");
    expect(await asked("m.v", String.raw`'%other\'`)).toBe("");
  });

  test.each([
    "m.v",
    "CASE WHEN true THEN m.v END",
    "CASE 1 WHEN 1 THEN m.v END",
    "coalesce(NULL, m.v)",
    "nullif(m.v, NULL)",
  ])("a pattern that is never a constant is not tried, where one that is folded would be: %s", async (operand) => {
    const asked = (pattern: string, operator: string) =>
      engine.rows(`SELECT m.id FROM ${behind("literal")} WHERE ${operand} ${operator} ${pattern}`);
    const folded = String.raw`concat('%oiso', '\')`;
    for (const operator of ["LIKE", "NOT ILIKE"]) {
      if (operator === "LIKE" && operand !== "coalesce(NULL, m.v)") {
        await expect(asked(folded, operator)).rejects.toThrow("LIKE pattern must not end");
      }
      expect(await asked(`(${folded} || (SELECT ''))`, operator)).not.toMatch("poison");
    }
  });

  // Further expressions that PostgreSQL tries on statistics: none fails by value.
  test.each([
    "m.v = concat('pois', 'on')",
    "m.v < concat('pois', 'on')",
    "m.v IN (concat('p', 'oison'), 'x')",
    "m.v = ANY (ARRAY[concat('p', 'oison'), 'x'])",
    "m.v BETWEEN concat('p', '') AND concat('q', '')",
    "m.v ~ concat('^po(is)+', 'on$')",
    String.raw`m.v ~* concat('(.)\1|(o).*\2', '')`,
    "m.v SIMILAR TO concat('p%', '')",
    "starts_with(m.v, concat('po', ''))",
    "m.big = 2147483647 + 0",
    "m.f > -4 - 1e308",
  ])("other operators that are tried on statistics do not fail by value: %s", async (condition) => {
    await expect(engine.rows(`SELECT m.id FROM ${behind("literal")} WHERE ${condition}`)).resolves.toBeDefined();
  });

  // The rule that excludes all rows is left out: PostgreSQL plans no scan for it.
  test.each(RULE_NAMES.filter((rule) => rule !== "always false"))(
    "what cannot raise reaches the primary key beside the rule: %s",
    async (rule) => {
      const inside = { ...RULES[rule], where: `(${RULES[rule].where}) AND b.id = 44` };
      const plan = (relation: string) => engine.rows(`EXPLAIN SELECT m.v FROM ${relation} AS m WHERE m.id = 44`);
      expect(await plan(FENCES["OFFSET 0"](inside, undefined))).toMatch("Index Scan using secrets_pkey on secrets b");
      expect(await plan(FENCES["OFFSET 0"](RULES[rule], undefined))).not.toMatch("secrets_pkey");
    },
  );
});
