/** Patterns of LIKE that are computed of literals become literals, which every source takes. */
import { describe, expect, test } from "vitest";
import { manifestOfTable, planned } from "../../support/plan.ts";
import { PLANNED_SOURCES } from "../../support/statements.ts";

const manifest = manifestOfTable({ s: "VARCHAR", u: "VARCHAR" });
const sqlOf = (pattern: string, source: (typeof PLANNED_SOURCES)[number]): string =>
  planned(`SELECT s FROM t WHERE s LIKE ${pattern}`, manifest, { source }).sql;

describe.each(PLANNED_SOURCES)("%s", (source) => {
  test.each([
    ["'%' || 'ab' || '%'", "'%ab%'"],
    ["'%' || lower('AB') || '%'", "'%ab%'"],
    ["upper('ab%')", "'AB%'"],
    ["concat('%', 'a_', '%')", "'%a_%'"],
    ["'%' || CAST('ab' AS VARCHAR)", "'%ab'"],
    ["'a' || '\\%' || '%'", "'a\\%%'"],
  ])("%s", (computed, literal) => {
    expect(sqlOf(computed, source)).toBe(sqlOf(literal, source));
  });
});

test.each(["'%' || u || '%'", "lower('Ä%')", "'%' || NULL", "left('ab%', 1)", "'%' || CAST('abc' AS VARCHAR(2))"])(
  "%s stays computed",
  (pattern) => {
    expect(sqlOf(pattern, "postgres")).not.toMatch(/LIKE '[^']*'(?! \|\|)/);
  },
);
