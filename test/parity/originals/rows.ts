import type { Queries } from "../queries.ts";
import type { Subject } from "./subject.ts";

/** Periods whose second is empty, and rows after it. */
const PERIODS = (type: string): string =>
  `(VALUES (1, ${type} '2024-01-01', ${type} '2024-01-03'), (2, ${type} '2024-02-05', ${type} '2024-02-03'), (3, ${type} '2024-03-01', ${type} '2024-03-03'), (4, NULL, ${type} '2024-03-03')) AS u(id, a, b)`;
const RANGES =
  "(VALUES (1, 1, 3, 1), (2, 5, 3, -1), (3, 5, 3, 1), (4, NULL, 3, 1), (5, 1, 3, NULL), (6, 1, 4, 2)) AS u(id, a, b, s)";
const ARRAYS = "(VALUES (1, ARRAY[1, 2]), (2, ARRAY[]::int[]), (3, NULL), (4, ARRAY[3, NULL])) AS u(id, a)";

const seriesOf = (type: string): Queries => ({
  [`${type}-in-from`]: `SELECT u.id, x FROM ${PERIODS(type)}, generate_series(u.a, u.b, interval '1 day') t(x) ORDER BY 1, 2`,
  [`${type}-cross-join`]: `SELECT u.id, x FROM ${PERIODS(type)} CROSS JOIN LATERAL generate_series(u.a, u.b, interval '1 day') t(x) ORDER BY 1, 2`,
  [`${type}-left-join`]: `SELECT u.id, x FROM ${PERIODS(type)} LEFT JOIN LATERAL generate_series(u.a, u.b, interval '1 day') t(x) ON true ORDER BY 1, 2`,
  [`${type}-lateral-max`]: `SELECT u.id, m FROM ${PERIODS(type)}, LATERAL (SELECT max(x) FROM generate_series(u.a, u.b, interval '1 day') t(x)) l(m) ORDER BY 1`,
  [`${type}-scalar-count`]: `SELECT u.id, (SELECT count(*) FROM generate_series(u.a, u.b, interval '1 day') t(x)) AS n FROM ${PERIODS(type)} ORDER BY 1`,
  [`${type}-where-exists`]: `SELECT u.id FROM ${PERIODS(type)} WHERE EXISTS (SELECT 1 FROM generate_series(u.a, u.b, interval '1 day') t(x) WHERE x > u.a) ORDER BY 1`,
  [`${type}-where-in`]: `SELECT u.id FROM ${PERIODS(type)} WHERE u.b IN (SELECT x FROM generate_series(u.a, u.b, interval '1 day') t(x)) ORDER BY 1`,
  [`${type}-ordinality`]: `SELECT u.id, x, o FROM ${PERIODS(type)}, generate_series(u.a, u.b, interval '1 day') WITH ORDINALITY t(x, o) ORDER BY 1, 2`,
  [`${type}-in-select`]: `SELECT u.id, generate_series(u.a, u.b, interval '1 day') AS x FROM ${PERIODS(type)} ORDER BY 1, 2`,
});

/**
 * DuckDB 1.4 loses the rows after an empty range of a correlated series of times (duckdb#23811). Searched: comma, LATERAL
 * with inner and left join, LATERAL around a query, correlated scalar subquery, EXISTS, IN, WITH ORDINALITY; over dates,
 * timestamps with and without zone, integers, arrays; empty, NULL and backward ranges; steps that are columns, texts, zero.
 * Only the table function over times was wrong; a step of zero gave no rows where PostgreSQL raises.
 */
export const SERIES: Subject = {
  name: "correlated series and arrays",
  queries: {
    "dates-counted": `SELECT u.id, count(*) FROM ${PERIODS("date")}, generate_series(u.a, u.b, interval '1 day') t(x) GROUP BY 1 ORDER BY 1`,
    ...seriesOf("timestamp"),
    ...seriesOf("timestamptz"),
    "from-column-to-literal": `SELECT u.id, x FROM (VALUES (1, timestamp '2024-01-01', interval '1 day'), (2, timestamp '2024-02-05', interval '-1 day'), (3, timestamp '2023-12-01', NULL), (4, timestamp '2023-12-31', interval '1 month')) AS u(id, a, s), generate_series(u.a, timestamp '2024-02-02', u.s) t(x) ORDER BY 1, 2`,
    "texts-as-timestamps": `SELECT x FROM generate_series(timestamp '2024-01-01', '2024-01-02', '6 hours') t(x) ORDER BY 1`,
    "months-from-the-end": `SELECT x FROM generate_series(timestamp '2024-01-31', timestamp '2024-05-31', interval '1 month') t(x) ORDER BY 1`,
    "integers-in-from": `SELECT u.id, x FROM ${RANGES}, generate_series(u.a, u.b, u.s) t(x) ORDER BY 1, 2`,
    "integers-summed": `SELECT u.id, (SELECT sum(x) FROM generate_series(u.a, u.b) t(x)) AS n FROM ${RANGES} ORDER BY 1`,
    "integers-left-join": `SELECT u.id, x FROM ${RANGES} LEFT JOIN LATERAL generate_series(u.a, u.b, u.s) t(x) ON true ORDER BY 1, 2`,
    "integers-in-select": `SELECT u.id, generate_series(u.a, u.b, u.s) AS x FROM ${RANGES} ORDER BY 1, 2`,
    "arrays-ordinality": `SELECT u.id, x, o FROM ${ARRAYS}, unnest(u.a) WITH ORDINALITY t(x, o) ORDER BY 1, 3`,
    "arrays-left-join": `SELECT u.id, x FROM ${ARRAYS} LEFT JOIN LATERAL unnest(u.a) t(x) ON true ORDER BY 1, 2`,
    "arrays-summed": `SELECT u.id, (SELECT sum(x) FROM unnest(u.a) t(x)) AS n FROM ${ARRAYS} ORDER BY 1`,
    "series-of-decimals": "SELECT x FROM generate_series(1.5, 3.5, 0.5) t(x) ORDER BY 1",
  },
};

/**
 * Engines that hash give distinct values in any order, PostgreSQL by sorting them
 * (docs/decisions/0047-collected-values-have-an-order.md#decision). Searched: texts (code points: the test's server has them),
 * numbers, dates, booleans, decimals; groups, FILTER, computed values, the separator as an expression; `mode()` with ties in both
 * directions. `array_agg` leaves NULLs out.
 */
export const DISTINCT_VALUES: Subject = {
  name: "distinct values in one",
  queries: {
    "string-agg-distinct": `SELECT string_agg(DISTINCT s, ',') FROM (VALUES ('c'), ('a'), ('B'), (NULL), ('a'), ('é'), ('Z')) t(s)`,
    "joined-generate-series": `SELECT string_agg(DISTINCT s, ',') FROM (SELECT 'x' || g AS s FROM generate_series(1, 50) t(g)) q`,
    "string-agg-distinct-upper": `SELECT string_agg(DISTINCT upper(s), '; ') FROM (VALUES ('c'), ('a'), ('B'), ('b')) t(s)`,
    "string-agg-text-group": `SELECT k, string_agg(DISTINCT n::text, ',') FROM (VALUES (1, 3), (1, 10), (1, 2), (2, 1)) t(k, n) GROUP BY k ORDER BY k`,
    "string-agg-distinct-desc": `SELECT string_agg(DISTINCT s, ',' ORDER BY s DESC) FROM (VALUES ('c'), ('a'), ('B')) t(s)`,
    "array-agg-distinct": "SELECT array_agg(DISTINCT n) FROM (VALUES (3), (1), (2), (1)) t(n)",
    "joined-generate-series-t": `SELECT array_agg(DISTINCT s) FROM (SELECT 'x' || g AS s FROM generate_series(1, 50) t(g)) q`,
    "array-agg-distinct-d": `SELECT array_agg(DISTINCT b), array_agg(DISTINCT d), array_agg(DISTINCT x) FROM (VALUES (true, date '2024-01-02', 1.50), (false, date '2024-01-01', 0.25), (true, date '2024-01-02', 1.50)) t(b, d, x)`,
    "array-agg-filter-where": `SELECT array_agg(DISTINCT n) FILTER (WHERE n > 1) FROM (VALUES (3), (1), (2), (1)) t(n)`,
    "array-to-string-mod-generate-series": `SELECT array_to_string(array_agg(DISTINCT n * 7 % 11), ',') FROM generate_series(1, 40) t(n)`,
    "mode-mod-generate-series": `SELECT mode() WITHIN GROUP (ORDER BY n), mode() WITHIN GROUP (ORDER BY n DESC) FROM (SELECT (g * 7919) % 101 AS n FROM generate_series(1, 202) t(g)) q`,
    "string-agg-distinct-array-agg": `SELECT string_agg(DISTINCT 'b', ','), array_agg(DISTINCT 1.5) FROM (VALUES (1), (2)) t(n)`,
    "string-agg-array-agg-null": `SELECT string_agg(s, ',' ORDER BY 'x', s DESC), array_agg(n ORDER BY NULL, n DESC), array_agg(n ORDER BY 2, n) FROM (VALUES ('c', 1), ('a', 2)) t(s, n)`,
    "string-agg-distinct-s": "SELECT string_agg(DISTINCT s, s) FROM (VALUES ('c'), ('a')) t(s)",
    "array-agg-max-at-most": `SELECT array_agg(DISTINCT (SELECT max(v) FROM (VALUES (1), (5)) u(v) WHERE v <= n)) FROM (VALUES (3), (1), (6)) t(n)`,
  },
};

/**
 * DuckDB sums integers in 128 bits, and few of its functions take such a number. Searched: every function of integers that
 * refuses them, over sums and windows of sums.
 */
export const SUMS: Subject = {
  name: "sums of whole numbers as arguments",
  queries: {
    "repeat-left-lpad": `SELECT repeat('a', sum(n)::int), left('abcdef', sum(n)::int), lpad('a', sum(n)::int, 'x') FROM (VALUES (1), (2)) t(n)`,
    "sum-generate-series": `SELECT x FROM (SELECT sum(n) AS s FROM (VALUES (1), (2)) t(n)) q, generate_series(1, q.s) g(x) ORDER BY 1`,
    "count-generate-series-window": `SELECT s, (SELECT count(*) FROM generate_series(1, s + s)) FROM (SELECT sum(n) OVER (ORDER BY n) AS s FROM (VALUES (1), (-2), (3)) t(n)) q ORDER BY 1`,
    "round-array-date": `SELECT round(1256, sum(n)::int), (ARRAY[5, 6, 7])[sum(n)::int], date '2024-01-01' + sum(n)::int FROM (VALUES (1), (1)) t(n)`,
    "round-sum-int": "SELECT round(1.256, sum(n)::int) FROM (VALUES (1), (1)) t(n)",
    "trunc-avg-count": "SELECT trunc(avg(n), count(*)::int) FROM (VALUES (1), (2)) t(n)",
    "round-avg-trunc": "SELECT round(avg(n), -1), round(12.5, NULL), trunc(avg(n), 1) FROM (VALUES (16), (17)) t(n)",
    "divided-mod-to-hex": `SELECT sum(n), sum(n) + 1, sum(n) / 2, sum(n) % 2, to_hex(sum(n)) FROM (VALUES (1), (NULL), (4)) t(n)`,
  },
};

const TWO = "WITH a AS (SELECT 2 AS n)";
const THREE_ROWS = "(VALUES (1), (2), (3)) AS t(x)";

/** LIMIT and OFFSET see no columns, but common tables. Searched: every clause of limits, in common and derived tables. */
export const LIMITS: Subject = {
  name: "common tables in LIMIT",
  queries: {
    "with-limit": `${TWO} SELECT x FROM ${THREE_ROWS} ORDER BY 1 LIMIT (SELECT n FROM a)`,
    "with-offset": `${TWO} SELECT x FROM ${THREE_ROWS} ORDER BY 1 OFFSET (SELECT n FROM a)`,
    "fetch-first-rows": `${TWO} SELECT x FROM ${THREE_ROWS} ORDER BY 1 FETCH FIRST (SELECT n FROM a) ROWS ONLY`,
    "with-2-limit": `${TWO}, b AS (SELECT x FROM ${THREE_ROWS} ORDER BY 1 LIMIT (SELECT n FROM a)) SELECT x FROM b ORDER BY 1`,
    "with-limit-max": `${TWO} SELECT x FROM (SELECT x FROM ${THREE_ROWS} ORDER BY 1 LIMIT (SELECT max(n) FROM a)) q ORDER BY 1`,
    "with-2-limit-b": `${TWO} SELECT x FROM ${THREE_ROWS} ORDER BY 1 LIMIT (WITH b AS (SELECT n FROM a) SELECT n FROM b)`,
    "union-all-limit": `${TWO} SELECT x FROM ${THREE_ROWS} UNION ALL SELECT 9 ORDER BY 1 LIMIT (SELECT n FROM a)`,
  },
};

/** Where PostgreSQL raises an error, other engines must not return an answer. */
export const RAISING_SERIES: readonly string[] = [
  "SELECT x FROM (VALUES (0), (1)) s(n), generate_series(1, 3, s.n) t(x)",
  "SELECT generate_series(1, 3, 0)",
  "SELECT x FROM generate_series(timestamp '2024-01-01', timestamp '2024-01-02', interval '0 days') t(x)",
  "SELECT x FROM (VALUES (interval '0 days')) s(n), generate_series(timestamp '2024-01-01', timestamp '2024-01-02', s.n) t(x)",
];
