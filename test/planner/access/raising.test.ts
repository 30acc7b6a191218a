import { describe, expect, test } from "vitest";
import { isReadable, isWellFormedPattern } from "../../../src/planner/access/literals.ts";

import { cannotRaise } from "../../../src/planner/access/raising.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import type { Query } from "../../../src/planner/syntax/tree.ts";
import { boundStatement } from "../../support/bound.ts";
import { manifestOf } from "../../support/plan.ts";
import { EXPRESSIONS, MANIFEST } from "./expressions.ts";

const manifest = manifestOf(MANIFEST);

const bound = (sql: string): Query => boundStatement(sql, manifest).query;

const over = (expression: string): Query => bound(`SELECT ${expression} AS v FROM m AS a CROSS JOIN m AS b`);
const column = () => true;

describe("what cannot raise", () => {
  test.each(EXPRESSIONS)("%s: raises %s", (sql, raises) => {
    expect({
      postgres: cannotRaise(over(sql), { engine: targetOf("postgres").fence.harmless, column }),
      duckdb: cannotRaise(over(sql), { engine: targetOf("duckdb").fence.harmless, column }),
    }).toEqual({
      postgres: raises === "never" || raises === "duckdb",
      duckdb: raises === "never" || raises === "postgres",
    });
  });

  test("a column is as good as what stands behind it", () => {
    const query = over("a.i = 1");
    const names: string[] = [];
    const seen = ({ printedName }: { readonly printedName: string }) => names.push(printedName) === 0;
    expect(cannotRaise(query, { engine: targetOf("postgres").fence.harmless, column: seen })).toBe(false);
    expect(names).toEqual(["i"]);
  });

  test.each([
    [
      "everywhere in a query",
      "SELECT a.i FROM m AS a JOIN m AS b ON a.i = b.i WHERE a.t = 'x' GROUP BY a.i HAVING count(*) > 1",
      true,
    ],
    ["ON", "SELECT a.i FROM m AS a JOIN m AS b ON a.i + 1 = b.i", false],
    ["ORDER BY", "SELECT a.i FROM m AS a ORDER BY a.i + 1", false],
    ["GROUP BY", "SELECT count(*) FROM m AS a GROUP BY a.i / 2", false],
    ["HAVING", "SELECT a.i FROM m AS a GROUP BY a.i HAVING 1 / count(*) > 0", false],
    ["a derived table", "SELECT 1 FROM (SELECT CAST(t AS int) AS v FROM m) AS d", false],
    ["a common table", "WITH c AS (SELECT CAST(t AS int) AS v FROM m) SELECT 1 FROM c", false],
    ["a named window", "SELECT sum(i) OVER w FROM m WINDOW w AS (ORDER BY i RANGE 1 PRECEDING)", false],
    ["a computed limit", "SELECT i FROM m LIMIT 1 + 1", false],
    ["DISTINCT ON", "SELECT DISTINCT ON (i / 2) i FROM m", false],
  ])("%s", (_where, sql, harmless) => {
    expect(cannotRaise(bound(sql), { engine: targetOf("postgres").fence.harmless, column })).toBe(harmless);
  });
});

test.each([
  ["a%", "\\", true],
  ["", "\\", true],
  ["a\\", "\\", false],
  ["a\\\\", "\\", true],
  ["a\\\\\\", "\\", false],
  ["a\\", "", true],
  ["a\\", "!", true],
  ["a!", "!", false],
  ["a💥", "💥", false],
  ["a", "!!", false],
])("LIKE '%s' ESCAPE '%s' is well formed: %s", (pattern, escape, expected) => {
  expect(isWellFormedPattern(pattern, escape)).toBe(expected);
});

test.each([
  ["date", "2024-02-29", true],
  ["date", "2023-02-29", false],
  ["date", "1900-02-29", false],
  ["date", "2024-04-31", false],
  ["date", "0000-01-01", false],
  ["date", "10000-01-01", false],
  ["date", "infinity", false],
  ["time", "23:59:59.999999", true],
  ["time", "24:00:00", false],
  ["timestamp", "2024-01-01 10:00", true],
  ["timestamp", "2024-01-01", false],
  ["timestamp", "2024-01-01 10:00:00+02", false],
  ["interval", "1 day", false],
])("%s '%s' is readable everywhere: %s", (type, text, expected) => {
  expect(isReadable(type, text)).toBe(expected);
});
