/** Every construct of queries: what it is printed as, and that the printed text means the same. */
import { describe, expect, it } from "vitest";
import { printed, query } from "./parsing.ts";
import { shape } from "./same-tree.ts";

/** A text that is printed as it is, or a text and what it is printed as. */
type Row = string | readonly [text: string, printed: string];

const QUERIES: readonly Row[] = [
  [
    "WITH a AS (SELECT 1), b(x, y) AS MATERIALIZED (SELECT 1, 2), c AS NOT MATERIALIZED (TABLE a) SELECT * FROM a, b, c",
    "WITH a AS (SELECT 1), b(x, y) AS MATERIALIZED (SELECT 1, 2), c AS NOT MATERIALIZED (SELECT * FROM a) SELECT * FROM a, b, c",
  ],
  "WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT n FROM t",
  ["SELECT 1 UNION SELECT 2 INTERSECT SELECT 3", "SELECT 1 UNION (SELECT 2 INTERSECT SELECT 3)"],
  "(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3",
  "SELECT 1 UNION ALL SELECT 2 UNION SELECT 3 EXCEPT ALL SELECT 4",
  "SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)",
  ["SELECT 1 INTERSECT DISTINCT SELECT 2", "SELECT 1 INTERSECT SELECT 2"],
  ["SELECT a FROM t MINUS SELECT b FROM u", "SELECT a FROM t EXCEPT SELECT b FROM u"],
  ["SELECT a minus FROM t", "SELECT a AS minus FROM t"],
  ["SELECT a FROM t minus JOIN u ON TRUE", "SELECT a FROM t AS minus JOIN u ON TRUE"],
  "(SELECT a FROM t ORDER BY a LIMIT 1) UNION ALL (SELECT b FROM u ORDER BY b DESC LIMIT 2) ORDER BY 1 LIMIT 3",
  ["((SELECT 1))", "SELECT 1"],
  ["(SELECT 1 ORDER BY 1)", "SELECT 1 ORDER BY 1"],
  ["((SELECT 1) UNION SELECT 2)", "SELECT 1 UNION SELECT 2"],
  "SELECT 1 ORDER BY 1 ASC NULLS FIRST, 2 DESC NULLS LAST, 3",
  "SELECT a FROM t LIMIT 5 OFFSET 10",
  ["SELECT a FROM t OFFSET 10 LIMIT 5", "SELECT a FROM t LIMIT 5 OFFSET 10"],
  ["SELECT a FROM t LIMIT 10, 5", "SELECT a FROM t LIMIT 5 OFFSET 10"],
  ["SELECT a FROM t LIMIT ALL", "SELECT a FROM t"],
  ["SELECT a FROM t LIMIT ALL OFFSET 3", "SELECT a FROM t OFFSET 3"],
  ["SELECT a FROM t OFFSET 3 ROWS FETCH NEXT 5 ROWS ONLY", "SELECT a FROM t LIMIT 5 OFFSET 3"],
  ["SELECT a FROM t ORDER BY a FETCH FIRST ROW WITH TIES", "SELECT a FROM t ORDER BY a FETCH FIRST 1 ROWS WITH TIES"],
  ["SELECT a FROM t FETCH FIRST (1 + 2) ROWS ONLY", "SELECT a FROM t LIMIT 1 + 2"],
  "SELECT a FROM t ORDER BY a OFFSET 2 FETCH FIRST (1 + 2) ROWS WITH TIES",
  "VALUES (1, 'a'), (2, 'b') ORDER BY 1",
  ["TABLE t", "SELECT * FROM t"],
  ["TABLE s.t ORDER BY 1", "SELECT * FROM s.t ORDER BY 1"],
  "SELECT * FROM (VALUES (1, 2)) AS v(a, b)",
  ["SELECT * FROM (VALUES (1, 2)) v", "SELECT * FROM (VALUES (1, 2)) AS v"],
  "SELECT * FROM a NATURAL JOIN b",
  ["SELECT * FROM a NATURAL LEFT OUTER JOIN b", "SELECT * FROM a NATURAL LEFT JOIN b"],
  [
    "SELECT * FROM a JOIN b USING (x, y) LEFT JOIN c ON a.x = c.x RIGHT OUTER JOIN d USING (x) FULL OUTER JOIN e ON TRUE CROSS JOIN f",
    "SELECT * FROM a JOIN b USING (x, y) LEFT JOIN c ON a.x = c.x RIGHT JOIN d USING (x) FULL JOIN e ON TRUE CROSS JOIN f",
  ],
  "SELECT * FROM a, b CROSS JOIN c, d",
  "SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x",
  [
    "SELECT * FROM a JOIN b JOIN c ON b.x = c.x ON a.x = b.x",
    "SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x",
  ],
  "SELECT * FROM (a JOIN b ON a.x = b.x) AS j",
  ["SELECT * FROM (a JOIN b ON a.x = b.x) j(c, d), e", "SELECT * FROM (a JOIN b ON a.x = b.x) AS j(c, d), e"],
  ["SELECT * FROM ((a CROSS JOIN b))", "SELECT * FROM a CROSS JOIN b"],
  ["SELECT * FROM ((SELECT 1 AS x) AS p CROSS JOIN b)", "SELECT * FROM (SELECT 1 AS x) AS p CROSS JOIN b"],
  ["SELECT * FROM ((SELECT 1) UNION (SELECT 2)) AS u", "SELECT * FROM (SELECT 1 UNION SELECT 2) AS u"],
  ["SELECT * FROM ((SELECT 1 AS x)) u", "SELECT * FROM (SELECT 1 AS x) AS u"],
  "SELECT * FROM t AS x(a, b), LATERAL (SELECT x.a) AS y",
  "SELECT * FROM t CROSS JOIN LATERAL unnest(t.arr) WITH ORDINALITY AS u(e, i)",
  "SELECT * FROM generate_series(1, 3) AS g(n)",
  ["SELECT * FROM unnest(ARRAY[1, 2]) u", "SELECT * FROM unnest(ARRAY[1, 2]) AS u"],
  "SELECT * FROM s.f(1)",
  "SELECT rank() OVER (PARTITION BY a, b ORDER BY c DESC NULLS LAST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t",
  "SELECT sum(a) OVER w, sum(b) OVER (w RANGE UNBOUNDED PRECEDING) FROM t WINDOW w AS (PARTITION BY c ORDER BY d), v AS ()",
  "SELECT sum(a) OVER (ORDER BY d RANGE BETWEEN INTERVAL '1 day' PRECEDING AND INTERVAL '1 day' FOLLOWING EXCLUDE CURRENT ROW) FROM t",
  "SELECT sum(a) OVER (GROUPS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP) FROM t",
  ["SELECT sum(a) OVER (ROWS x + 1 PRECEDING) FROM t", "SELECT sum(a) OVER (ROWS (x + 1) PRECEDING) FROM t"],
  ["SELECT sum(a) OVER (ROWS CURRENT ROW EXCLUDE NO OTHERS) FROM t", "SELECT sum(a) OVER (ROWS CURRENT ROW) FROM t"],
  [
    "SELECT a, b, count(*) FROM t GROUP BY GROUPING SETS ((a, b), a, (), ROLLUP (a, (b, c)), CUBE (a))",
    "SELECT a, b, count(*) FROM t GROUP BY GROUPING SETS ((a, b), (a), (), ROLLUP (a, (b, c)), CUBE (a))",
  ],
  "SELECT a FROM t GROUP BY ROLLUP (a, b), CUBE (c), d",
  ["SELECT a FROM t GROUP BY (a, b), ()", "SELECT a FROM t GROUP BY a, b, ()"],
  "SELECT a FROM t GROUP BY ROW(a, b)",
  ["SELECT a FROM t GROUP BY a, b WITH ROLLUP", "SELECT a FROM t GROUP BY ROLLUP (a, b)"],
  "SELECT a FROM t GROUP BY (a + b) * 2",
  "SELECT DISTINCT a FROM t",
  "SELECT DISTINCT ON (a, lower(b)) a FROM t ORDER BY a",
  ["SELECT ALL a FROM t", "SELECT a FROM t"],
  "SELECT a FROM t QUALIFY row_number() OVER (PARTITION BY a ORDER BY b) = 1",
  "SELECT a FROM t WINDOW w AS (ORDER BY a) QUALIFY rank() OVER w = 1",
  [
    "SELECT a FROM t QUALIFY rank() OVER w = 1 WINDOW w AS (ORDER BY a)",
    "SELECT a FROM t WINDOW w AS (ORDER BY a) QUALIFY rank() OVER w = 1",
  ],
  ["SELECT a FROM t qualify WHERE a", "SELECT a FROM t AS qualify WHERE a"],
  ["SELECT a FROM t qualify LEFT JOIN u ON TRUE", "SELECT a FROM t AS qualify LEFT JOIN u ON TRUE"],
  "SELECT qualify FROM t",
  "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a DESC) FILTER (WHERE b) OVER (PARTITION BY c) FROM t",
  "SELECT string_agg(DISTINCT a, ',' ORDER BY b DESC, c) FROM t",
  [
    "SELECT first_value(a IGNORE NULLS) OVER (ORDER BY b), lag(a, 1) RESPECT NULLS OVER (ORDER BY b) FROM t",
    "SELECT first_value(a) IGNORE NULLS OVER (ORDER BY b), lag(a, 1) RESPECT NULLS OVER (ORDER BY b) FROM t",
  ],
  "SELECT lag(a) IGNORE NULLS OVER w FROM t WINDOW w AS (ORDER BY b)",
  ["SELECT array_agg(a ORDER BY b IGNORE NULLS) FROM t", "SELECT array_agg(a ORDER BY b) IGNORE NULLS FROM t"],
  ["SELECT group_concat(a ORDER BY b SEPARATOR '; ') FROM t", "SELECT group_concat(a, '; ' ORDER BY b) FROM t"],
  ["SELECT f(x => 1, y := 2, 3) FROM t", "SELECT f(x => 1, y => 2, 3) FROM t"],
  [
    "SELECT INTERVAL '1 day', INTERVAL '1' DAY, INTERVAL '1-2' YEAR TO MONTH, INTERVAL 3 DAY, INTERVAL -3 DAY, INTERVAL (a + 1) DAY, INTERVAL n WEEK, INTERVAL t.n HOURS, INTERVAL '3' WEEKS, INTERVAL '3 days' week, interval, interval + 1 FROM t",
    "SELECT INTERVAL '1 day', INTERVAL '1' DAY, INTERVAL '1-2' YEAR TO MONTH, INTERVAL 3 DAY, INTERVAL (-3) DAY, INTERVAL (a + 1) DAY, INTERVAL (n) WEEK, INTERVAL (t.n) HOUR, INTERVAL '3' WEEK, INTERVAL '3 days' AS week, interval, interval + 1 FROM t",
  ],
  [
    "SELECT *, t.*, s.t.*, * EXCEPT (a, b), t.* EXCLUDE (a) REPLACE (b + 1 AS b) RENAME (c AS d, e AS f), * EXCLUDE a, * RENAME a AS b FROM t",
    "SELECT *, t.*, s.t.*, * EXCEPT (a, b), t.* EXCEPT (a) REPLACE (b + 1 AS b) RENAME (c AS d, e AS f), * EXCEPT (a), * RENAME (a AS b) FROM t",
  ],
  [
    'SELECT a AS b, a b, a "B", a AS select, a name, a date, a count, a key, a value, a user FROM t',
    'SELECT a AS b, a AS b, a AS "B", a AS "select", a AS name, a AS date, a AS count, a AS key, a AS value, a AS "user" FROM t',
  ],
  "SELECT (a, b) OVERLAPS (c, d)",
  "SELECT a FROM t WHERE (a, b) = (SELECT 1, 2) AND (SELECT 1) = 1",
  ["SELECT 'a'\n 'b' AS x", "SELECT 'ab' AS x"],
  ["SELECT 1 -- comment\n, 2 /* block /* nested */ comment */ ;", "SELECT 1, 2"],
  ["SELECT 'a' -- c\n 'b'", "SELECT 'ab'"],
  [";; SELECT 1 ;; -- end", "SELECT 1"],
  "SELECT a FROM t GROUP BY a HAVING count(*) > 1",
  ["SELECT x -> y -> z, f(x -> x + 1)", "SELECT x -> y -> z, f(x -> (x + 1))"],
  'SELECT a FROM s.t AS x, c.s.t AS "Y", "T"',
];

describe("queries", () => {
  it.each(QUERIES.map((row) => (typeof row === "string" ? [row, row] : row)))("%s", (text, expected) => {
    const tree = query(text);
    expect(printed(tree)).toBe(expected);
    const again = query(expected);
    expect(shape(again)).toBe(shape(tree));
    expect(printed(again)).toBe(expected);
  });
});
