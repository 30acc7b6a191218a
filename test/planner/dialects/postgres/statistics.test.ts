import { describe, expect, test } from "vitest";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../../support/plan.ts";

const model = (rules: readonly object[]): object => ({
  name: "notes",
  tableReference: { schema: "s", table: "notes" },
  rowLevelAccessControls: rules,
  columns: [
    { name: "id", type: "INTEGER" },
    { name: "text", type: "VARCHAR" },
    { name: "pattern", type: "VARCHAR" },
  ],
});
const ruled = manifestOf({
  catalog: "c",
  schema: "s",
  models: [model([{ name: "own", requiredProperties: [], condition: "id > 0" }])],
});
const free = manifestOf({ catalog: "c", schema: "s", models: [model([])] });

const planOf = (condition: string, manifest = ruled, source: DataSource = "postgres"): string =>
  planned(`SELECT id FROM notes WHERE ${condition}`, manifest, { source }).sql;

describe("patterns that end in a lone escape", () => {
  test.each([
    String.raw`text LIKE 'a\'`,
    String.raw`text NOT LIKE 'a\'`,
    String.raw`text ILIKE '%\\\'`,
    String.raw`text SIMILAR TO 'a\'`,
    "text LIKE 'a!' ESCAPE '!'",
    String.raw`text LIKE E'a\\'`,
    "text LIKE 'a' ESCAPE 'xy'",
  ])("%s is refused with and without rules", (condition) => {
    for (const manifest of [ruled, free]) {
      for (const source of ["postgres", "duckdb"] as const) {
        expect(() => planOf(condition, manifest, source)).toThrow(expect.objectContaining({ reason: "INVALID_QUERY" }));
      }
    }
  });

  test.each([
    String.raw`text LIKE 'a\\'`,
    String.raw`text LIKE 'a\%'`,
    String.raw`text LIKE 'a\' ESCAPE ''`,
    String.raw`text LIKE 'a\' ESCAPE '!'`,
    String.raw`text LIKE '\' ESCAPE '!'`,
    "text LIKE ''",
  ])("%s is answered", (condition) => {
    expect(planOf(condition)).toContain("LIKE");
  });
});

describe("computed patterns, which PostgreSQL would try on statistics", () => {
  const NEVER_FOLDED = /\|\| \(SELECT ''\)/;

  test.each([
    ["text LIKE '%a' || chr(92)", true],
    ["text ILIKE concat('a', chr(92))", true],
    ["text NOT LIKE pattern", true],
    ["CAST(text AS VARCHAR) LIKE pattern", true],
    ["text LIKE 'a!' ESCAPE '' || '!'", true],
    ["upper(text) LIKE pattern", true],
    ["CASE WHEN true THEN text END LIKE concat('a', chr(37))", true],
    ["(SELECT text) LIKE concat('a', chr(37))", true],
    ["text SIMILAR TO concat('a', chr(37))", true],
    ["text ~ concat('a', 'b')", true],
    ["text !~* pattern", true],
    ["regexp_like(text, pattern, 'i')", true],
    ["text LIKE 'a%'", false],
    ["text SIMILAR TO 'a%'", false],
    ["text ~ 'a'", false],
    ["regexp_like(text, 'a')", false],
  ])("%s is kept from them: %s", (condition, kept) => {
    expect(NEVER_FOLDED.test(planOf(condition))).toBe(kept);
    expect(planOf(condition, free)).not.toMatch(NEVER_FOLDED);
    if (!/SIMILAR TO concat/.test(condition)) expect(planOf(condition, ruled, "duckdb")).not.toMatch(NEVER_FOLDED);
  });
});
