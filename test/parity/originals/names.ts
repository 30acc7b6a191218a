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
  queries: {
    "int-desc-limit": `SELECT x::int FROM ${TEXTS} ORDER BY x DESC LIMIT 1`,
    "int-order": `SELECT t.x::int FROM ${TEXTS} ORDER BY x`,
    "int-order-t": `SELECT x::int FROM ${TEXTS} ORDER BY t.x`,
    "int-group": `SELECT x::int FROM ${TEXTS} GROUP BY x ORDER BY x`,
    "distinct-int": `SELECT DISTINCT x::int FROM ${TEXTS} ORDER BY x`,
    "distinct-int-desc": `SELECT DISTINCT ON (x) x::int FROM ${TEXTS} ORDER BY x DESC`,
    "int-union": `SELECT x::int FROM ${TEXTS} UNION SELECT 6 ORDER BY x`,
    "first-rows-ties": `SELECT x::int FROM ${TEXTS} ORDER BY x FETCH FIRST 2 ROWS WITH TIES`,
    "rank-window-desc": `SELECT x::int, rank() OVER (ORDER BY x) FROM ${TEXTS} ORDER BY x DESC`,
    "x-int-order": `SELECT (SELECT x::int) FROM ${TEXTS} ORDER BY x`,
    "case-order": `SELECT CASE WHEN x <> '5' THEN '0' ELSE x END FROM ${TEXTS} ORDER BY x`,
    "lower-int": `SELECT lower(x)::int FROM ${TEXTS} ORDER BY lower`,
    "element-order": "SELECT a[2] FROM (VALUES (ARRAY[1, 5]), (ARRAY[2, 3])) t(a) ORDER BY a",
    "where-id-equal": `SELECT (SELECT u.x FROM (VALUES (1, 9), (2, 1)) u(id, x) WHERE u.id = t.id) FROM (VALUES (1, 1), (2, 2)) t(id, x) ORDER BY x`,
    "id-ts-date": `SELECT id, ts::date FROM (VALUES (1, timestamp '2024-01-02 10:00'), (2, timestamp '2024-01-02 09:00')) t(id, ts) ORDER BY ts, id`,
    "exists-where-equal": `SELECT EXISTS (SELECT 1 FROM (VALUES (1)) t(x) WHERE x = y) FROM (VALUES (1), (2)) u(y) ORDER BY exists`,
    "max-text-group": "SELECT max(n)::text FROM (VALUES (1, 3), (2, 9)) t(k, n) GROUP BY k ORDER BY max DESC",
    "with-date": "WITH s AS (SELECT d::date FROM (VALUES (timestamp '2024-01-01')) t(d)) SELECT d FROM s",
    "plus-where-greater": `SELECT x + 1 FROM (SELECT x::int FROM ${TEXTS}) q WHERE x > 5 ORDER BY 1`,
    "int-join-using": `SELECT a, b FROM (SELECT x::int, 'l' AS a FROM ${TEXTS}) l JOIN (SELECT x::int, 'r' AS b FROM (VALUES ('05'), ('8')) t(x)) r USING (x)`,
    "int-natural-join": `SELECT a, b FROM (SELECT x::int, 'l' AS a FROM ${TEXTS}) l NATURAL JOIN (SELECT x::int, 'r' AS b FROM (VALUES ('05'), ('8')) t(x)) r`,
    int: "SELECT u, y FROM (SELECT x::int, y::int FROM (VALUES ('5', '6')) t(x, y)) l(u)",
    "with-l-int": "WITH l(u) AS (SELECT x::int, y::int FROM (VALUES ('5', '6')) t(x, y)) SELECT u, y FROM l",
    "int-bigint-limit": named("x", "(x::int)::bigint", `FROM ${TEXTS} LIMIT 1`),
    "element-text": named("a", "a[1]::text", "FROM (VALUES (ARRAY[1])) t(a)"),
    slice: named("a", "a[1:2]", "FROM (VALUES (ARRAY[1])) t(a)"),
    "case-true": named("b", "CASE WHEN true THEN 1 ELSE b END", "FROM (VALUES (2)) t(b)"),
    case: named("case", "CASE WHEN true THEN 1 ELSE 2 END"),
    upper: named("upper", "(SELECT upper('a'))"),
    max: named("n", "(SELECT max(x) AS n FROM (VALUES (5)) t(x))"),
    "abs-minus-text": named("abs", "abs(-1)::text"),
    coalesce: named("coalesce", "coalesce(1, 2)"),
    greatest: named("greatest", "greatest(1, 2)"),
    nullif: named("nullif", "nullif(1, 2)"),
    "extract-year-date": named("extract", "extract(year FROM date '2024-01-01')"),
    "timezone-time-zone": named("timezone", "timestamp '2024-01-01' AT TIME ZONE 'UTC'"),
    "substring-abc-for": named("substring", "substring('abc' FROM 2 FOR 1)"),
    "btrim-trim": named("btrim", "trim('  a ')"),
    array: named("array", "ARRAY[1, 2]"),
    "array-of-query": named("array", "ARRAY(SELECT 1)"),
    exists: named("exists", "EXISTS (SELECT 1)"),
    "int4-int": named("int4", "1::int"),
    "int4-plus-integer": named("int4", "(1 + 1)::integer"),
    "int8-bigint": named("int8", "1::bigint"),
    "int2-smallint": named("int2", "1::smallint"),
    numeric: named("numeric", "1::decimal(10, 2)"),
    "float8-double": named("float8", "1::double precision"),
    "float4-real": named("float4", "1::real"),
    "bool-boolean": named("bool", "1::boolean"),
    text: named("text", "1::text"),
    varchar: named("varchar", "'a'::varchar(3)"),
    "bpchar-char": named("bpchar", "'a'::char(1)"),
    date: named("date", "date '2024-01-01'"),
    timestamp: named("timestamp", "timestamp '2024-01-01'"),
    timestamptz: named("timestamptz", "'2024-01-01'::timestamptz"),
    "int-and-text": `SELECT x::int, x FROM ${TEXTS} ORDER BY x`,
    "y-int-order": "SELECT x AS y, y::int FROM (VALUES (3, '1'), (2, '2')) t(x, y) ORDER BY y",
    "count-group-desc": "SELECT count(*), count(x) FROM (VALUES (1), (1), (2)) t(x) GROUP BY x ORDER BY count DESC",
    "bool-true": "SELECT bool FROM (SELECT true) q",
  },
};
