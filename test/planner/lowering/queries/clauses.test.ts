/** Facts of the clauses of a SELECT, which the steps of a query are asked by: none comes from FROM, from WHERE or from a subquery. */
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../../../src/planner/limits.ts";
import { clauseFacts } from "../../../../src/planner/lowering/queries/clauses.ts";
import { parseQuery } from "../../../../src/planner/syntax/parser.ts";
import type { Query } from "../../../../src/planner/syntax/tree.ts";

const parsed = (sql: string): Query => parseQuery(sql, { limits: DEFAULT_LIMITS });

test.each<readonly [sql: string, facts: readonly string[]]>([
  ["SELECT a, sum(b) AS s FROM t GROUP BY a HAVING sum(b) > 1 ORDER BY s", []],
  ["SELECT a FROM (SELECT DISTINCT sum(b) OVER () AS a FROM t) AS d WHERE a IN (SELECT b FROM u)", []],
  ["SELECT sum(a) OVER (ORDER BY b) AS s FROM t", ["hasWindows"]],
  ["SELECT a FROM t QUALIFY row_number() OVER (ORDER BY b) = 1", ["hasWindows"]],
  ["SELECT a FROM t ORDER BY rank() OVER (ORDER BY b)", ["hasWindows"]],
  ["SELECT unnest(a) AS x FROM t", ["makesRows"]],
  ["SELECT count(*) AS n FROM t GROUP BY ROLLUP (unnest(a))", ["makesRows"]],
  ["SELECT EXISTS (SELECT unnest(b) FROM u) AS e FROM t", ["hasSubqueries"]],
  ["SELECT a FROM t GROUP BY a HAVING sum(b) > (SELECT 1)", ["hasSubqueries"]],
  ["SELECT count(DISTINCT a) AS n FROM t", ["comparesArguments"]],
  ["SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) AS m FROM t", ["comparesArguments"]],
  ["SELECT a FROM t UNION SELECT sum(b) OVER () FROM u", []],
])("%s", (sql, facts) => {
  const set = Object.entries(clauseFacts()(parsed(sql))).flatMap(([name, is]) => (is ? [name] : []));
  expect(set).toEqual(facts);
});

test("the facts of a changed query are its own", () => {
  const clauses = clauseFacts();
  const [first, second] = [parsed("SELECT a FROM t"), parsed("SELECT unnest(a) AS x FROM t")];
  expect([clauses(first), clauses(second), clauses(first)].map(({ makesRows }) => makesRows)).toEqual([
    false,
    true,
    false,
  ]);
});

test("a query that is known to be plain is not walked, and others are", () => {
  const [plain, other] = [parsed("SELECT unnest(a) AS x FROM t"), parsed("SELECT unnest(b) AS x FROM t")];
  const clauses = clauseFacts(plain);
  expect([clauses(plain).makesRows, clauses(other).makesRows]).toEqual([false, true]);
});
