import type { Subject } from "./subject.ts";

const GROUPS = "(VALUES (1, 6), (1, 9), (2, 5)) o(g, y)";
const VALUES = "(VALUES (1, 5), (1, 7)) v(g, x)";

/** Every hundredth of so many rows. */
const ofHundredths = (rows: number): string =>
  `SELECT ${Array.from({ length: 101 }, (_, p) => `percentile_disc(${p / 100}) WITHIN GROUP (ORDER BY x)`).join(", ")} FROM generate_series(1, ${rows}) t(x)`;

/**
 * Percentiles: several at once, which row counts as the one at a percentile (PostgreSQL multiplies doubles, and 0.07 of 100
 * rows is the eighth), fractions of grouped columns. Searched: arrays of constants, with NULLs, empty and computed; every
 * hundredth over 1 to 100 rows; FILTER, DESC, NULLs, no rows; texts and decimals.
 */
export const PERCENTILES: Subject = {
  name: "percentiles",
  queries: {
    "percentile-cont-array-group": `SELECT g, percentile_cont(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY x) FROM (VALUES (1, 1.5::float8), (1, 2), (2, 4), (2, NULL), (3, NULL)) t(g, x) GROUP BY g ORDER BY g`,
    "percentile-disc-desc-group": `SELECT g, percentile_disc(ARRAY[0.1, 0.5, 1]) WITHIN GROUP (ORDER BY x DESC) FROM (VALUES (1, 1.5::float8), (1, 2), (2, 4), (2, NULL), (3, NULL)) t(g, x) GROUP BY g ORDER BY g`,
    "filter-percentile-cont-length": `SELECT percentile_disc(ARRAY[0, 0.5]) WITHIN GROUP (ORDER BY x) FILTER (WHERE x > 'a'), percentile_cont(ARRAY[0.5]) WITHIN GROUP (ORDER BY length(x)) FILTER (WHERE x > 'b') FROM (VALUES ('a'), ('bb'), ('cc')) t(x)`,
    "cont-of-array-element": `SELECT (percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY x))[2] AS q FROM (VALUES (1), (2), (4)) t(x)`,
    "float8-desc-generate-series": `SELECT percentile_disc(0.07) WITHIN GROUP (ORDER BY x), percentile_disc(0.55) WITHIN GROUP (ORDER BY x), percentile_disc(0.28::float8) WITHIN GROUP (ORDER BY x DESC), percentile_disc(0) WITHIN GROUP (ORDER BY x) FROM generate_series(1, 100) t(x)`,
    "disc-20-values": ofHundredths(20),
    "disc-25-values": ofHundredths(25),
    "disc-50-values": ofHundredths(50),
    "disc-75-values": ofHundredths(75),
    "disc-99-values": ofHundredths(99),
    "percentile-disc-0-5": `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES (1.0 / 3), (1.0), (2 / 3.0)) t(x)`,
    "percentile-disc-where-greater": `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x), percentile_disc(ARRAY[0.5]) WITHIN GROUP (ORDER BY x) FROM (VALUES (1)) t(x) WHERE x > 1`,
    "percentile-cont-divided-group": `SELECT g, percentile_cont(g / 10.0) WITHIN GROUP (ORDER BY x), percentile_disc(ARRAY[g / 10.0]) WITHIN GROUP (ORDER BY x) FROM (VALUES (1, 1), (1, 2), (2, 2)) t(g, x) GROUP BY g ORDER BY g`,
    "percentile-cont-null": "SELECT percentile_cont(NULL) WITHIN GROUP (ORDER BY x) FROM (VALUES (1)) t(x)",
    "percentile-disc-array-null": `SELECT percentile_disc(ARRAY[0.5, NULL]) WITHIN GROUP (ORDER BY x) FROM (VALUES (1)) t(x)`,
    "percentile-cont-array-float8": `SELECT percentile_cont(ARRAY[]::float8[]) WITHIN GROUP (ORDER BY x) FROM (VALUES (1)) t(x)`,
  },
};

/**
 * An aggregate of nothing but columns around the subquery is one of the query around. Searched: every clause of the
 * subquery, its FROM's derived tables and joins, set operations, WITH, subqueries of subqueries, FILTER, ordered-set
 * aggregates and GROUPING in the subquery; the subquery in the select list, HAVING, ORDER BY and windows; GROUPING SETS.
 */
export const AGGREGATES_OF_THE_QUERY_AROUND: Subject = {
  name: "aggregates of the query around",
  queries: {
    "count-equal-min": `SELECT o.g, (SELECT count(*) FROM ${VALUES} WHERE v.g = o.g AND v.x < min(o.y)) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "count-having-min": `SELECT o.g, (SELECT count(*) FROM ${VALUES} WHERE v.g = o.g HAVING min(o.y) > 5) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "max-plus-group": `SELECT o.g, (SELECT max(o.y) + 1) AS n, (SELECT max(o.y) + x FROM (VALUES (1)) v(x)) AS m FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    max: `SELECT (SELECT max(o.y)) AS n FROM ${GROUPS}`,
    "max-equal-count": `SELECT (SELECT max(o.y) FROM (VALUES (1), (2)) v(x) WHERE x = 2) AS n, count(*) FROM ${GROUPS}`,
    "having-exists-sum": `SELECT o.g FROM ${GROUPS} GROUP BY o.g HAVING EXISTS (SELECT 1 FROM (VALUES (5)) v(x) WHERE v.x = sum(o.y))`,
    "having-in-sum": `SELECT o.g FROM ${GROUPS} GROUP BY o.g HAVING 15 IN (SELECT sum(o.y) FROM (VALUES (5)) v(x))`,
    "group-sum-times": `SELECT o.g FROM ${GROUPS} GROUP BY o.g ORDER BY (SELECT sum(o.y) * v.x FROM (VALUES (-1)) v(x))`,
    "sum-less-filter": `SELECT o.g, (SELECT sum(v.x) FROM ${VALUES} WHERE v.x < sum(o.y) FILTER (WHERE o.y > 6)) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "sum-plus-group": `SELECT o.g, (SELECT sum(v.x + o.g) FROM ${VALUES}) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "sum-plus-max": `SELECT o.g, (SELECT sum(v.x + max(o.y)) FROM ${VALUES}) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "count-times-max": `SELECT o.g, (SELECT count(*) FROM ${VALUES} WHERE x < (SELECT count(*) * max(o.y) FROM (VALUES (1)) w(z) WHERE z = v.g)) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "with-count-max": `SELECT o.g, (WITH c AS (SELECT 5 AS x) SELECT count(*) FROM c WHERE x < max(o.y)) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "array-at-most-max": `SELECT o.g, ARRAY(SELECT x FROM ${VALUES} WHERE x <= max(o.y) ORDER BY x) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "string-agg-text-min": `SELECT o.g, (SELECT string_agg(x::text, ',' ORDER BY x) FROM (VALUES (5), (7)) v(x) WHERE x > min(o.y) GROUP BY max(o.y)) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "count-greater-min": `SELECT o.g, (SELECT count(*) FROM (SELECT x FROM (VALUES (5), (7)) v(x) WHERE x > min(o.y)) q) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "rank-window-max": `SELECT o.g, rank() OVER (ORDER BY (SELECT max(o.y))) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "max-union-group": `SELECT o.g, (SELECT max(o.y) UNION SELECT max(o.y)) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "abs-minus-limit": `SELECT o.g, (SELECT x FROM (VALUES (5), (7)) v(x) ORDER BY abs(x - max(o.y)) LIMIT 1) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "percentile-plus-inner": `SELECT o.g, (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY o.y) + v.x FROM (VALUES (1)) v(x)) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "join-max-limit": `SELECT o.g, (SELECT j.x FROM (VALUES (5), (7)) v(x) JOIN (VALUES (5), (7)) j(x) ON v.x = j.x AND j.x < max(o.y) LIMIT 1) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
    "count-min-rollup": `SELECT o.g, (SELECT count(*) FROM (VALUES (5), (7)) v(x) WHERE x > min(o.y)) AS n FROM ${GROUPS} GROUP BY ROLLUP (o.g) ORDER BY 1`,
    "grouping-plus-rollup": `SELECT o.g, (SELECT grouping(o.g) + v.x FROM (VALUES (5)) v(x)) AS n FROM ${GROUPS} GROUP BY ROLLUP (o.g) ORDER BY 1`,
    "string-agg-text-joined": `SELECT (SELECT string_agg(o.y::text, ',' ORDER BY o.y DESC) || v.x FROM (VALUES ('!')) v(x)) AS n FROM ${GROUPS}`,
    "count-distinct-limit": `SELECT o.g, (SELECT count(DISTINCT o.y) FROM ${VALUES} LIMIT 1) AS n FROM ${GROUPS} GROUP BY o.g ORDER BY 1`,
  },
};

/** PostgreSQL rejects these. */
export const MISPLACED_AGGREGATES: readonly string[] = [
  `SELECT o.g FROM ${GROUPS} WHERE (SELECT max(o.y)) > 1`,
  `SELECT o.g, sum((SELECT max(o.y))) FROM ${GROUPS} GROUP BY o.g`,
  `SELECT o.g, (SELECT sum(max(o.y))) FROM ${GROUPS} GROUP BY o.g`,
  `SELECT o.g, (SELECT o.y + max(o.y)) FROM ${GROUPS} GROUP BY o.g`,
  `SELECT o.g, (SELECT v.x + max(o.y) FROM ${VALUES} LIMIT 1), o.y FROM ${GROUPS} GROUP BY o.g`,
  `SELECT o.g FROM ${GROUPS} JOIN ${VALUES} ON v.x = (SELECT max(o.y)) GROUP BY o.g`,
  `SELECT o.g, l.m FROM ${GROUPS}, LATERAL (SELECT max(o.y) AS m) l GROUP BY o.g`,
  `SELECT percentile_disc(o.y / 10.0) WITHIN GROUP (ORDER BY o.y) FROM ${GROUPS} GROUP BY o.g`,
];
