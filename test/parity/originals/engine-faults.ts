import type { Subject } from "./subject.ts";

/**
 * Searched for each: the operator beside it (IS NOT DISTINCT FROM), other positions (EXISTS, IN, ON, LATERAL, scalar subqueries), both
 * directions and units of frames, other escapes, other arguments of NULL.
 */
export const ENGINE_FAULTS: Subject = {
  name: "single faults of DuckDB",
  queries: {
    "string-agg-null": "SELECT string_agg(x, NULL) FROM (VALUES ('a'),('b')) t(x)",
    "encode-xa7-bytea": `SELECT encode('\\xa7', 'hex'), encode('a\\\\b', 'hex'), encode('abc', 'hex'), encode('abc'::bytea, 'base64')`,
    exists: `WITH n(id,x) AS (VALUES (1,10),(2,20),(3,NULL)), o(id,x) AS (VALUES (1,10),(2,21),(3,30)) SELECT id FROM n WHERE EXISTS (SELECT 1 FROM o WHERE o.id = n.id AND o.x IS DISTINCT FROM n.x) ORDER BY 1`,
    "n-o-exists": `WITH n(id,x) AS (VALUES (1,10),(2,20),(3,NULL)), o(id,x) AS (VALUES (1,10),(2,21),(3,30)) SELECT id FROM n WHERE NOT EXISTS (SELECT 1 FROM o WHERE o.id = n.id AND o.x IS DISTINCT FROM n.x) ORDER BY 1`,
    "exists-distinct": `WITH n(id,x) AS (VALUES (1,10),(2,20),(3,NULL)), o(id,x) AS (VALUES (1,10),(2,21),(3,30)) SELECT id FROM n WHERE EXISTS (SELECT 1 FROM o WHERE o.id = n.id AND (o.x, o.id) IS DISTINCT FROM (n.x, n.id)) ORDER BY 1`,
    "substr-null": "SELECT substr(x, NULL), substr(x, n) FROM (VALUES ('abc', NULL::int)) t(x, n)",
    "rollup-of-grouped-constant": "SELECT count(*) FROM (SELECT 1 AS a1) t GROUP BY a1, ROLLUP(a1)",
    "rollup-of-grouped-column": `SELECT x AS a1, x AS a2, count(*) FROM (VALUES (1),(2)) t(x) GROUP BY x, ROLLUP(x) ORDER BY 1`,
    "rollup-of-equal-columns": `SELECT a1, a2, count(*) FROM (SELECT x AS a1, x AS a2 FROM (VALUES (1),(2)) t(x)) s GROUP BY a1, ROLLUP(a2) ORDER BY 1, 2`,
    "count-rows-between": `SELECT count(*) OVER (ORDER BY id ROWS BETWEEN 3 FOLLOWING AND 1 FOLLOWING) FROM (VALUES (1),(2),(3)) t(id)`,
    "sum-rows-between": `SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 3 PRECEDING) FROM (VALUES (1),(2),(3)) t(id)`,
    "jsonb-cast-to-int": "SELECT '2.5'::jsonb::int AS a",
    "jsonb-bigint-numeric": `SELECT '-2.5'::jsonb::int, '1e2'::jsonb::int, '3.5'::jsonb::bigint, '2.5'::jsonb::numeric, '2.5'::jsonb::float8`,
    "abc-similar-to": `SELECT 'abc' SIMILAR TO 'a#"b#"c' AS a`,
    "abc-similar-escape": `SELECT 'abc' SIMILAR TO 'a#"b#"c' ESCAPE '#' AS a`,
    "abc-similar-aabc": "SELECT 'abc' SIMILAR TO '\\Aabc' AS a",
    "aabc-similar-to": "SELECT 'Aabc' SIMILAR TO '\\Aabc' AS a",
    "div-of-large-numbers": "SELECT div(123456789012345678.5, 0.7), div(12345678901234567890, 7), div(-7.5, 2)",
    "count-sets-limit": `SELECT a, (SELECT count(*) FROM (VALUES (1,2),(3,4)) u(x,y) GROUP BY GROUPING SETS ((x, a), ()) LIMIT 1) FROM (VALUES (1)) t(a)`,
    "max-sum-sets": `SELECT a, (SELECT max(s) FROM (SELECT sum(y) AS s FROM (VALUES (1,2),(3,4)) u(x,y) GROUP BY GROUPING SETS ((x, t.a), ())) q) FROM (VALUES (1)) t(a)`,
    "count-range-between": `SELECT x, count(*) OVER (ORDER BY x RANGE BETWEEN 0 PRECEDING AND 0 PRECEDING) FROM (VALUES (1),(1),(2)) t(x)`,
    "count-window-range-between": `SELECT x, count(*) OVER (ORDER BY x RANGE BETWEEN 0 FOLLOWING AND 0 FOLLOWING) FROM (VALUES (1),(1),(2)) t(x)`,
    "count-window-range-between-preceding": `SELECT x, count(*) OVER (ORDER BY x RANGE BETWEEN 1 PRECEDING AND 0 PRECEDING) FROM (VALUES (1),(1),(2)) t(x)`,
    "count-groups-between": `SELECT x, count(*) OVER (ORDER BY x GROUPS BETWEEN 0 PRECEDING AND 0 PRECEDING) FROM (VALUES (1),(1),(2)) t(x)`,
    "json-to-record-texts": `SELECT x.* FROM json_to_record('{"a":"[1,2]","b":"{\\"c\\":1}"}') AS x(a text, b text)`,
    "json-to-record-numbers": `SELECT x.* FROM json_to_record('{"a":"[1,2]","b":"5","c":{"d": 1}}') AS x(a text, b int, c text)`,
    "json-to-record-x-json": `SELECT x.* FROM json_to_record('{"a":"{\\"k\\":1}"}') AS x(a json)`,
    "left-join-in": `SELECT a.id, b.id FROM (VALUES (1),(2)) a(id) LEFT JOIN (VALUES (1),(2)) b(id) ON a.id = b.id AND a.id IN (SELECT 1) ORDER BY 1`,
    "left-join-exists": `SELECT a.id, b.id FROM (VALUES (1),(2)) a(id) LEFT JOIN (VALUES (1),(2)) b(id) ON a.id = b.id AND EXISTS (SELECT 1 FROM (VALUES (1)) c(x) WHERE c.x = b.id) ORDER BY 1`,
    "join-equal-in": `SELECT a.id, b.id FROM (VALUES (1),(2)) a(id) JOIN (VALUES (1),(2)) b(id) ON a.id = b.id AND a.id IN (SELECT 1) ORDER BY 1`,
    "lateral-left-join": `SELECT a.id, l.x FROM (VALUES (1),(2)) a(id), LATERAL (SELECT b.x FROM (VALUES (1)) c(y) LEFT JOIN (VALUES (1),(2)) b(x) ON b.x = a.id) l ORDER BY 1`,
    "max-left-join": `SELECT a.id, (SELECT max(b.x) FROM (VALUES (1)) c(y) LEFT JOIN (VALUES (1),(2)) b(x) ON b.x = a.id) FROM (VALUES (1),(2)) a(id) ORDER BY 1`,
    "shift-left": "SELECT 1 << 40 AS a",
    "with-recursive": "WITH RECURSIVE a AS (SELECT x FROM b), b AS (SELECT 1 AS x) SELECT x FROM a",
    "recursive-union-all": `WITH RECURSIVE a AS (SELECT x FROM b WHERE x > 1), b(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM b WHERE x < 3) SELECT x FROM a ORDER BY 1`,
  },
};
