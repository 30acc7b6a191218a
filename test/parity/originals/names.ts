import type { Subject } from "./subject.ts";

const TEXTS = "(VALUES ('5'), ('10'), ('7')) AS t(x)";
/** The name of an expression without alias, used by an outer query. */
const named = (name: string, expression: string, from = ""): string =>
  `SELECT q."${name}" FROM (SELECT ${expression} ${from}) q`;

/**
 * PostgreSQL's names of expressions without alias (docs/decisions/0003-names-of-columns.md#decision). Searched: every kind of
 * expression, nested casts and subscripts, every type's name; ORDER BY, DISTINCT, DISTINCT ON, GROUP BY, set operations, WITH TIES,
 * windows; common and derived tables, column lists shorter than the columns, USING, NATURAL; names that stand twice, which are
 * ambiguous.
 */
export const IMPLICIT_NAMES: Subject = {
  name: "names of expressions",
  queries: [
    `SELECT x::int FROM ${TEXTS} ORDER BY x DESC LIMIT 1`,
    `SELECT t.x::int FROM ${TEXTS} ORDER BY x`,
    `SELECT x::int FROM ${TEXTS} ORDER BY t.x`,
    `SELECT x::int FROM ${TEXTS} GROUP BY x ORDER BY x`,
    `SELECT DISTINCT x::int FROM ${TEXTS} ORDER BY x`,
    `SELECT DISTINCT ON (x) x::int FROM ${TEXTS} ORDER BY x DESC`,
    `SELECT x::int FROM ${TEXTS} UNION SELECT 6 ORDER BY x`,
    `SELECT x::int FROM ${TEXTS} ORDER BY x FETCH FIRST 2 ROWS WITH TIES`,
    `SELECT x::int, rank() OVER (ORDER BY x) FROM ${TEXTS} ORDER BY x DESC`,
    `SELECT (SELECT x::int) FROM ${TEXTS} ORDER BY x`,
    `SELECT CASE WHEN x <> '5' THEN '0' ELSE x END FROM ${TEXTS} ORDER BY x`,
    `SELECT lower(x)::int FROM ${TEXTS} ORDER BY lower`,
    "SELECT a[2] FROM (VALUES (ARRAY[1, 5]), (ARRAY[2, 3])) t(a) ORDER BY a",
    "SELECT (SELECT u.x FROM (VALUES (1, 9), (2, 1)) u(id, x) WHERE u.id = t.id) FROM (VALUES (1, 1), (2, 2)) t(id, x) ORDER BY x",
    "SELECT id, ts::date FROM (VALUES (1, timestamp '2024-01-02 10:00'), (2, timestamp '2024-01-02 09:00')) t(id, ts) ORDER BY ts, id",
    "SELECT EXISTS (SELECT 1 FROM (VALUES (1)) t(x) WHERE x = y) FROM (VALUES (1), (2)) u(y) ORDER BY exists",
    "SELECT max(n)::text FROM (VALUES (1, 3), (2, 9)) t(k, n) GROUP BY k ORDER BY max DESC",
    "WITH s AS (SELECT d::date FROM (VALUES (timestamp '2024-01-01')) t(d)) SELECT d FROM s",
    `SELECT x + 1 FROM (SELECT x::int FROM ${TEXTS}) q WHERE x > 5 ORDER BY 1`,
    `SELECT a, b FROM (SELECT x::int, 'l' AS a FROM ${TEXTS}) l JOIN (SELECT x::int, 'r' AS b FROM (VALUES ('05'), ('8')) t(x)) r USING (x)`,
    `SELECT a, b FROM (SELECT x::int, 'l' AS a FROM ${TEXTS}) l NATURAL JOIN (SELECT x::int, 'r' AS b FROM (VALUES ('05'), ('8')) t(x)) r`,
    "SELECT u, y FROM (SELECT x::int, y::int FROM (VALUES ('5', '6')) t(x, y)) l(u)",
    "WITH l(u) AS (SELECT x::int, y::int FROM (VALUES ('5', '6')) t(x, y)) SELECT u, y FROM l",
    named("x", "(x::int)::bigint", `FROM ${TEXTS} LIMIT 1`),
    named("a", "a[1]::text", "FROM (VALUES (ARRAY[1])) t(a)"),
    named("a", "a[1:2]", "FROM (VALUES (ARRAY[1])) t(a)"),
    named("b", "CASE WHEN true THEN 1 ELSE b END", "FROM (VALUES (2)) t(b)"),
    named("case", "CASE WHEN true THEN 1 ELSE 2 END"),
    named("upper", "(SELECT upper('a'))"),
    named("n", "(SELECT max(x) AS n FROM (VALUES (5)) t(x))"),
    named("abs", "abs(-1)::text"),
    named("coalesce", "coalesce(1, 2)"),
    named("greatest", "greatest(1, 2)"),
    named("nullif", "nullif(1, 2)"),
    named("extract", "extract(year FROM date '2024-01-01')"),
    named("timezone", "timestamp '2024-01-01' AT TIME ZONE 'UTC'"),
    named("substring", "substring('abc' FROM 2 FOR 1)"),
    named("btrim", "trim('  a ')"),
    named("array", "ARRAY[1, 2]"),
    named("array", "ARRAY(SELECT 1)"),
    named("exists", "EXISTS (SELECT 1)"),
    named("int4", "1::int"),
    named("int4", "(1 + 1)::integer"),
    named("int8", "1::bigint"),
    named("int2", "1::smallint"),
    named("numeric", "1::decimal(10, 2)"),
    named("float8", "1::double precision"),
    named("float4", "1::real"),
    named("bool", "1::boolean"),
    named("text", "1::text"),
    named("varchar", "'a'::varchar(3)"),
    named("bpchar", "'a'::char(1)"),
    named("date", "date '2024-01-01'"),
    named("timestamp", "timestamp '2024-01-01'"),
    named("timestamptz", "'2024-01-01'::timestamptz"),
    `SELECT x::int, x FROM ${TEXTS} ORDER BY x`,
    "SELECT x AS y, y::int FROM (VALUES (3, '1'), (2, '2')) t(x, y) ORDER BY y",
    "SELECT count(*), count(x) FROM (VALUES (1), (1), (2)) t(x) GROUP BY x ORDER BY count DESC",
    "SELECT bool FROM (SELECT true) q",
  ],
};
