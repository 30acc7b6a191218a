/** Facts of a whole statement, which the last steps are asked by: each construct sets its own, and none of the others. */
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { type StatementFacts, statementFacts } from "../../../src/planner/lowering/statement-facts.ts";
import { parseQuery } from "../../../src/planner/syntax/parser.ts";
import type { Query } from "../../../src/planner/syntax/tree.ts";

const parsed = (sql: string): Query => parseQuery(sql, { limits: DEFAULT_LIMITS });

function setBy({ calls, tables, ...facts }: StatementFacts): readonly string[] {
  const set = Object.entries(facts).flatMap(([name, is]) => (is ? [name] : []));
  return [...set, ...(tables.length > 0 ? [`${tables.length} tables`] : []), ...calls].sort();
}

test.each<readonly [sql: string, facts: readonly string[]]>([
  ["SELECT a FROM t WHERE b = 1", []],
  ["SELECT a FROM t UNION ALL SELECT b FROM u", []],
  ["WITH c AS (SELECT a FROM t) SELECT a FROM c", ["hasCommonTables"]],
  ["SELECT a FROM (WITH c AS (SELECT a FROM t) SELECT a FROM c) AS d", ["hasCommonTables"]],
  ["SELECT a FROM t JOIN u ON t.a = u.a LEFT JOIN v ON v.a = u.a", []],
  ["SELECT a FROM t, LATERAL (SELECT b FROM u) AS d", ["hasLateral", "hasSubqueries"]],
  ["SELECT x FROM t, unnest(t.a) AS u(x)", ["hasTableFunctions"]],
  ["SELECT sum(a) AS s FROM t", ["sum"]],
  ["SELECT sum(a) OVER (ORDER BY b) AS s FROM t", ["hasWindows", "sum"]],
  ["SELECT a FROM t ORDER BY sum(b) OVER ()", ["hasWindows", "sum"]],
  ['SELECT a FROM t ORDER BY b COLLATE "C"', ["hasCollations"]],
  ["SELECT a FROM t WHERE a IN (SELECT b FROM u)", ["hasMembership", "hasSubqueries"]],
  ["SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)", ["hasSubqueries"]],
  ["SELECT (SELECT max(b) FROM u) AS m FROM t", ["hasSubqueries", "max"]],
  ["SELECT a FROM t WHERE a > ALL (SELECT b FROM u)", ["hasSubqueries"]],
  ["SELECT ARRAY(SELECT b FROM u) AS a", ["hasSubqueries"]],
  ["SELECT DISTINCT a FROM t", ["comparesRows"]],
  ["SELECT a FROM t UNION SELECT b FROM u", ["comparesRows"]],
  ["SELECT a FROM t EXCEPT ALL SELECT b FROM u", ["comparesRows"]],
])("%s", (sql, facts) => {
  expect(setBy(statementFacts()(parsed(sql)))).toEqual(facts);
});

test("the facts of a changed statement are its own", () => {
  const holds = statementFacts();
  const [first, second] = [parsed("SELECT a FROM t"), parsed("SELECT DISTINCT a FROM t")];
  expect([holds(first), holds(second), holds(first)].map(({ comparesRows }) => comparesRows)).toEqual([
    false,
    true,
    false,
  ]);
  expect(holds(first)).toBe(holds(first));
});
