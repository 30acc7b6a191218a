import type { Subject } from "./subject.ts";

/** Four quotients that are 0.1, of which doubles make two values. */
const QUOTIENTS =
  "(VALUES (1, 0.3::numeric(10, 2), 3::numeric(10, 2)), (2, 0.7, 7), (3, 0.1, 1), (4, 2.1, 21)) AS t(id, a, b)";
const SUMS =
  "(SELECT k, sum(x) AS s, avg(sum(x)) OVER (PARTITION BY k % 2) AS a FROM (VALUES (1, 0.10::numeric(10, 2)), (2, 0.20), (3, 0.30), (4, 0.40)) v(k, x) GROUP BY k) AS q";

/**
 * Quotients and averages of decimals are doubles on DuckDB, and equal ones fall apart (docs/decisions/0043-quotients.md#decision).
 * Searched: every clause that compares rows (ORDER BY of queries, aggregates, windows and ordered-set aggregates, GROUP BY with
 * grouping sets and what the query names of its keys, DISTINCT, DISTINCT ON, PARTITION BY, set operations with and without ALL,
 * WITH TIES, positions after a set operation), every comparison (joins, IN, ANY, ALL, CASE x, NULLIF, BETWEEN, rows), sums and
 * differences in which the error of a double is all that is left, columns of derived tables.
 */
export const EQUAL_QUOTIENTS: Subject = {
  name: "quotients that are equal",
  queries: {
    "divided-desc": `SELECT id FROM ${QUOTIENTS} ORDER BY a / b, id DESC`,
    "divided-desc-limit": `SELECT id FROM (SELECT id, a / b AS q FROM ${QUOTIENTS}) s ORDER BY q, id DESC LIMIT 1`,
    "divided-count-group": `SELECT a / b AS q, count(*) FROM ${QUOTIENTS} GROUP BY a / b ORDER BY 1`,
    "count-divided-group": `SELECT q, count(*) FROM (SELECT id, a / b AS q FROM ${QUOTIENTS}) s GROUP BY q`,
    "sum-rollup-having": `SELECT a / b AS q, sum(a) FROM ${QUOTIENTS} GROUP BY ROLLUP (a / b) HAVING a / b > 0 OR a / b IS NULL ORDER BY 1`,
    "sum-grouping-rank": `SELECT a / b + 1 AS q, sum(a), grouping(a / b), rank() OVER (ORDER BY a / b) FROM ${QUOTIENTS} GROUP BY a / b ORDER BY a / b + 1`,
    "round-divided-group": `SELECT round(a / b, 2) AS q FROM (VALUES (1.005::numeric(10, 3), 1), (2.675, 1), (1.115, 1)) t(a, b) GROUP BY a / b ORDER BY 1`,
    "distinct-divided-desc": `SELECT DISTINCT a / b AS q FROM ${QUOTIENTS} ORDER BY q DESC`,
    "distinct-divided-id-desc": `SELECT DISTINCT ON (a / b) id FROM ${QUOTIENTS} ORDER BY a / b, id DESC`,
    "count-distinct-divided": `SELECT count(DISTINCT a / b) FROM ${QUOTIENTS}`,
    "row-number-window-partition": `SELECT id, row_number() OVER (PARTITION BY a / b ORDER BY id) FROM ${QUOTIENTS} ORDER BY id`,
    "rank-dense-rank-lag": `SELECT id, rank() OVER w, dense_rank() OVER (ORDER BY a / b DESC), lag(id) OVER (ORDER BY a / b, id DESC) FROM ${QUOTIENTS} WINDOW w AS (ORDER BY a / b) ORDER BY id`,
    "string-agg-text-desc": `SELECT string_agg(id::text, ',' ORDER BY a / b, id DESC) FROM ${QUOTIENTS}`,
    "mode-divided": `SELECT mode() WITHIN GROUP (ORDER BY a / b) FROM ${QUOTIENTS}`,
    "fetch-first-ties": `SELECT id FROM ${QUOTIENTS} ORDER BY a / b FETCH FIRST 1 ROW WITH TIES`,
    "count-where-union": `SELECT count(*) FROM (SELECT a / b FROM ${QUOTIENTS} WHERE id = 1 UNION SELECT a / b FROM ${QUOTIENTS} WHERE id > 2) s`,
    "count-divided-intersect": `SELECT count(*) FROM (SELECT a / b FROM ${QUOTIENTS} INTERSECT SELECT 0.1) s`,
    "count-except-union": `SELECT count(*) FROM (SELECT a / b FROM ${QUOTIENTS} EXCEPT ALL (SELECT 0.1 UNION ALL SELECT b / a - 9.9 FROM ${QUOTIENTS})) s`,
    "where-union-all": `(SELECT a / b AS q, 1 AS n FROM ${QUOTIENTS} WHERE id = 1) UNION ALL SELECT a / b, 0 FROM ${QUOTIENTS} ORDER BY 1, 2 DESC`,
    "where-divided-in": `SELECT id FROM ${QUOTIENTS} WHERE a / b IN (SELECT 0.1) ORDER BY id`,
    "where-in-equal": `SELECT id FROM ${QUOTIENTS} WHERE 0.1 IN (SELECT u.a / u.b FROM ${QUOTIENTS.replace("AS t", "AS u")} WHERE u.id = t.id) ORDER BY id`,
    "where-row-in": `SELECT id FROM ${QUOTIENTS} WHERE (1, a / b) IN (SELECT 1, 0.1) ORDER BY id`,
    "any-array-all": `SELECT id FROM ${QUOTIENTS} WHERE a / b = ANY (ARRAY[0.1, 0.2]) AND a / b >= ALL (SELECT 0.1) ORDER BY id`,
    "join-on-less": `SELECT t.id, u.id FROM ${QUOTIENTS} JOIN ${QUOTIENTS.replace("AS t", "AS u")} ON t.a / t.b = u.a / u.b AND t.id < u.id ORDER BY 1, 2`,
    "case-divided-nullif": `SELECT id, CASE a / b WHEN 0.1 THEN 'x' ELSE 'y' END, nullif(a / b, 0.1) FROM ${QUOTIENTS} ORDER BY id`,
    "max-minus-min": `SELECT max(a / b) - min(a / b) FROM ${QUOTIENTS}`,
    "sign-minus-times": `SELECT id, sign(a / b - 0.1), a / b - 0.1 = 0, (a / b - 0.1) * a, -(a / b + a / b - 0.2) FROM ${QUOTIENTS} ORDER BY id`,
    "times-minus-plus": `SELECT 100.0 * (1 - a / b) * (1 + a / b) AS q FROM ${QUOTIENTS} ORDER BY 1`,
    "sum-avg-mod": `SELECT k, s - a AS d FROM ${SUMS} ORDER BY s - a, k DESC`,
    "count-sum-avg": `SELECT s - a AS d, count(*) FROM ${SUMS} GROUP BY s - a ORDER BY 1`,
    "sum-avg-abs": `SELECT k FROM ${SUMS} WHERE abs(s - a) = 0.1 ORDER BY k`,
    "avg-filter-first": `SELECT avg(x) FILTER (WHERE x > 0.1) AS q FROM (VALUES (1, 0.10::numeric(10, 2)), (2, 0.20)) t(k, x) GROUP BY k ORDER BY q NULLS FIRST`,
    "recursive-r-numeric": `WITH RECURSIVE r(n, q) AS (SELECT 1, 0.3::numeric(10, 2) / 3 UNION SELECT n + 1, q FROM r WHERE n < 3) SELECT n FROM r ORDER BY q, n DESC`,
  },
};

/**
 * Numbers in an exponent's spelling are exact (docs/decisions/0002-exact-values.md), and reals stay reals
 * (docs/decisions/0046-duckdb-numbers.md#decision): in sums, beside other numbers in one column, among several numbers of IN.
 * Searched: every aggregate and operator over reals, their windows, DISTINCT and FILTER; alternatives (CASE, COALESCE, VALUES,
 * UNION, ARRAY, LAG); comparisons of a real with exact numbers. A sum's last digits may differ, for PostgreSQL rounds after every
 * addend: the sums here have none.
 */
export const EXACT_AND_REAL: Subject = {
  name: "exact numbers and reals",
  queries: {
    "divided-text-mod": `SELECT 1e3 AS a, 1e3 / 3 AS b, 1e3::text AS c, 1.5e2 AS d, 1E0 AS e, -1e2 AS f, 2e-1 AS g, 1e3 % 7 AS h, 15e-1 AS i`,
    "divided-int-sum": "SELECT 7 / 2e0, 1e1 / 4, (1e2)::int / 3, sum(1e1) FROM (VALUES (1), (2)) t(x)",
    "values-divided": "SELECT x / 3, x FROM (VALUES (1e2), (1)) t(x) ORDER BY x",
    exponents: "SELECT 1e25 AS a, 123e-30 AS b",
    "coalesce-case-float8": `SELECT x = 0.015095650969126519, x * 0.015095650969126519, coalesce(x, 0.015095650969126519), CASE WHEN x > 0 THEN 0.015095650969126519 ELSE x END, x IN (0.015095650969126519, 2), x BETWEEN 0.015095650969126519 AND 1, 0.015095650969126519::float8, ARRAY[x, 0.015095650969126519] FROM (VALUES (1::float8), (-0.015095650969126519), (0.015095650969126519), (NULL)) t(x) ORDER BY t.x`,
    "limit-1e0": "SELECT x FROM (VALUES (1), (2), (3)) t(x) ORDER BY x LIMIT 1e0",
    "sum-count-avg": `SELECT sum(r), sum(r) / count(*), sum(r) > 1.25, avg(r), sum(r)::text FROM (VALUES (1.1::real), (0.15)) t(r)`,
    "sum-distinct-filter": `SELECT sum(r), sum(DISTINCT r), sum(r) FILTER (WHERE r > 0.5), sum(r) + 1, sum(r) * 2 FROM (VALUES (0.75::real), (0.25::real), (0.25::real)) t(r)`,
    "sum-window-avg": `SELECT r, sum(r) OVER (ORDER BY r), avg(r) OVER (ORDER BY r) FROM (VALUES (0.75::real), (0.5::real), (0.125::real)) t(r) ORDER BY r`,
    "min-max-stddev": `SELECT min(r), max(r), stddev(r), var_pop(r), count(r), percentile_cont(0.5) WITHIN GROUP (ORDER BY r) FROM (VALUES (1.1::real), (0.15::real)) t(r)`,
    "abs-double-sqrt": `SELECT r * 3, r + 1, r / 3, r * 0.5, -r, abs(r), r::numeric, r::double precision, sqrt(r), r ^ 2, r * r, r + r FROM (VALUES (1.1::real)) t(r)`,
    "round-real-numeric": `SELECT round(x), round(x::real), round(x::numeric) FROM (VALUES (0.5::float8), (1.5), (2.5), (-2.5), (3.5), (-0.4), (2.4999), (NULL)) t(x) ORDER BY x`,
    "round-avg-partition": `SELECT id, round(x - avg(x) OVER (PARTITION BY k), 2) FROM (VALUES (1, 1, 96.00::numeric(10, 2)), (2, 1, 111.73), (3, 2, 0.01), (4, 2, 0.02)) t(id, k, x) ORDER BY id`,
    "coalesce-greatest-case": `SELECT coalesce(r, 0.1), greatest(r, 1), CASE WHEN r > 5 THEN r ELSE 0.1 END, coalesce(r, n), coalesce(r, d) FROM (VALUES (NULL::real, 3, 0.1::float8)) t(r, n, d)`,
    "real-union-all": "SELECT r FROM (SELECT 1.1::real AS r) a UNION ALL SELECT 16777217 ORDER BY 1",
    "lag-window-array": "SELECT lag(r, 1, 0) OVER (ORDER BY r), ARRAY[r, 0.1] FROM (VALUES (0.1::real), (0.2)) t(r)",
    "in-any-nullif": `SELECT r = 0.1, r IN (0.1), r IN (0.1, 0.2), r NOT IN (0.1, 1), r BETWEEN 0.1 AND 0.2, r = ANY (ARRAY[0.1]), r > 0.1, nullif(r, 0.1), r IN (SELECT 0.1), CASE r WHEN 0.1 THEN 1 ELSE 2 END FROM (VALUES (0.1::real)) t(r)`,
  },
};
