import type { Queries } from "./queries.ts";

/** LATERAL, which becomes joins where a source has none: over NULLs, equal rows, equal values of the order, and no rows. */

/** Two rows are equal in all columns, and one has no key. */
const OWNERS =
  "(VALUES (1, 1, 'x', 10), (2, 2, 'y', NULL), (2, 2, 'y', NULL), (3, NULL, 'n', 40), (4, 4, NULL, 5), (5, 2, 'z', 20), (6, 9, 'X', 0)) AS a(id, k, s, v)";
/** Some have equal values, one has no key, and one has no value. */
const PARTS =
  "(VALUES (1, 1, 10, 'x'), (2, 1, 20, 'q'), (3, 2, NULL, 'y'), (4, 2, 5, NULL), (5, NULL, 7, 'n'), (6, 1, 20, 'X'), (7, 4, 50, 'z'), (8, 2, 15, 'y')) AS b(id, k, v, s)";
const CODES = "(VALUES (1, 100), (2, 200), (NULL, 300)) AS c(k, w)";

export const LATERAL_VALUES: Queries = {
  "name-cross-join": `SELECT a.id, n.name, n.x FROM ${OWNERS} CROSS JOIN LATERAL (VALUES ('k', a.k), ('v', a.v)) AS n(name, x) ORDER BY 1, 2, 3`,
  "not-null-less": `SELECT a.id, n.x FROM ${OWNERS}, LATERAL (VALUES (a.k), (a.v), (a.k + a.v)) AS n(x) WHERE n.x IS NOT NULL AND a.id < 6 ORDER BY 1, 2`,
  "left-true-unequal": `SELECT a.id, n.x FROM ${OWNERS} LEFT JOIN LATERAL (VALUES (a.k), (a.v)) AS n(x) ON TRUE WHERE a.s <> 'z' ORDER BY 1, 2`,
  "name-on-greater": `SELECT a.id, n.name, n.x FROM ${OWNERS} JOIN LATERAL (VALUES ('k', a.k), ('v', a.v)) AS n(name, x) ON n.x > a.id ORDER BY 1, 2, 3`,
  "union-all-none": `SELECT a.id, n.name, n.x FROM ${OWNERS} CROSS JOIN LATERAL (SELECT 'k' AS name, a.k AS x UNION ALL SELECT 'v', a.v UNION ALL SELECT 'none', NULL) AS n ORDER BY 1, 2, 3`,
  "plus-coalesce-minus": `SELECT a.id, n.d, n.e, n.d + n.e AS t FROM ${OWNERS} CROSS JOIN LATERAL (SELECT a.v * 2 AS d, coalesce(a.k, -1) AS e) AS n ORDER BY 1, 2, 3`,
  "count-sum-distinct": `SELECT n.name, count(*) AS c, sum(n.x) AS t, count(DISTINCT n.x) AS d FROM ${OWNERS} CROSS JOIN LATERAL (VALUES ('k', a.k), ('v', a.v)) AS n(name, x) GROUP BY n.name HAVING count(n.x) > 2 ORDER BY 1`,
  "cross-join-lateral": `SELECT a.id, n.x FROM ${OWNERS} CROSS JOIN LATERAL (VALUES (a.k), (a.v * 1.5), (NULL)) AS n(x) ORDER BY 1, 2`,
  "plus-where-greater": `SELECT a.id, m.y FROM ${OWNERS} CROSS JOIN LATERAL (SELECT a.v + 1 AS x) AS n CROSS JOIN LATERAL (VALUES (n.x * 2), (n.x + a.id)) AS m(y) WHERE m.y > 12 ORDER BY 1, 2`,
  "count-cross-join": `SELECT count(*) AS c FROM ${OWNERS} CROSS JOIN LATERAL (VALUES (a.k), (a.v)) AS n(x)`,
  "row-number-window-partition": `SELECT a.id, n.x, row_number() OVER (PARTITION BY a.id ORDER BY n.x) AS r FROM ${OWNERS} CROSS JOIN LATERAL (VALUES (a.k), (a.v)) AS n(x) WHERE a.id IN (1, 3, 5) ORDER BY 1, 3`,
  "distinct-lateral": `SELECT DISTINCT n.x FROM ${OWNERS}, LATERAL (VALUES (a.k), (a.id)) AS n(x) ORDER BY 1`,
  "count-where-equal": `SELECT a.id, n.x, (SELECT count(*) FROM ${CODES} WHERE c.k = n.x) AS c FROM ${OWNERS}, LATERAL (VALUES (a.k), (a.id)) AS n(x) ORDER BY 1, 2`,
};

export const LATERAL_ROWS: Queries = {
  "lateral-equal-true": `SELECT a.id, n.id AS part, n.v FROM ${OWNERS} JOIN LATERAL (SELECT b.id, b.v FROM ${PARTS} WHERE b.k = a.k) AS n ON TRUE ORDER BY 1, 2`,
  "left-join-on": `SELECT a.id, n.id AS part, n.v FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.id, b.v FROM ${PARTS} WHERE b.k = a.k) AS n ON n.v > 10 ORDER BY 1, 2`,
  "cross-greater-and": `SELECT a.id, n.id AS part FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id FROM ${PARTS} WHERE b.v > a.v AND b.id > 2) AS n ORDER BY 1, 2`,
  "left-at-least-true": `SELECT a.id, n.id AS part FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.id FROM ${PARTS} WHERE b.k = a.k AND b.v >= a.v) AS n ON TRUE ORDER BY 1, 2`,
  "cross-lateral-minus": `SELECT a.id, n.id AS part, n.d FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id, b.v - a.v AS d FROM ${PARTS} WHERE b.k = a.k) AS n ORDER BY 1, 2`,
  "one-left-coalesce": `SELECT a.id, n.id AS part, n.d, n.one, n.s FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.id, coalesce(b.v, a.v, 0) AS d, 1 AS one, a.s FROM ${PARTS} WHERE b.k = a.k AND b.v > 5) AS n ON TRUE ORDER BY 1, 2`,
  "cross-last-limit": `SELECT a.id, n.id AS part, n.v FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id, b.v FROM ${PARTS} WHERE b.k = a.k ORDER BY b.v DESC NULLS LAST, b.id LIMIT 1) AS n ORDER BY 1, 2`,
  "left-limit-true": `SELECT a.id, n.id AS part, n.v FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.id, b.v FROM ${PARTS} WHERE b.k = a.k ORDER BY b.v, b.id LIMIT 2) AS n ON TRUE ORDER BY 1, 2`,
  "left-limit-offset": `SELECT a.id, n.id AS part FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.id FROM ${PARTS} WHERE b.k = a.k ORDER BY b.v DESC, b.id LIMIT 2 OFFSET 1) AS n ON TRUE ORDER BY 1, 2`,
  "first-with-ties": `SELECT a.id, n.id AS part FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id FROM ${PARTS} WHERE b.k = a.k ORDER BY b.v DESC NULLS LAST FETCH FIRST 1 ROW WITH TIES) AS n ORDER BY 1, 2`,
  "left-at-most-limit": `SELECT a.id, n.id AS part, n.v FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.id, b.v FROM ${PARTS} WHERE b.k = a.k AND b.v <= a.v ORDER BY b.v DESC, b.id LIMIT 1) AS n ON TRUE ORDER BY 1, 2`,
  "cross-at-most-limit": `SELECT a.id, n.id AS part, n.v FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id, b.v FROM ${PARTS} WHERE b.v <= a.v ORDER BY b.v DESC, b.id LIMIT 2) AS n ORDER BY 1, 2`,
  "abs-minus-unequal": `SELECT a.id, n.id AS part, n.d FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id, abs(b.v - a.v) AS d FROM ${PARTS} WHERE b.v <> a.v ORDER BY d, b.id LIMIT 2) AS n ORDER BY 1, 2`,
  "cross-less-offset": `SELECT a.id, n.id AS part FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id FROM ${PARTS} WHERE b.v < a.v ORDER BY b.v DESC, b.id OFFSET 1) AS n ORDER BY 1, 2`,
  "limit-times-plus": `SELECT a.id, n.id AS part FROM ${OWNERS} JOIN LATERAL (SELECT b.id, b.v FROM ${PARTS} WHERE b.v > a.v ORDER BY b.v, b.id LIMIT 1) AS n ON n.v < 2 * a.v + 10 WHERE a.id > 1 ORDER BY 1, 2`,
  "left-abs-last": `SELECT a.id, n.id AS part FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.id FROM ${PARTS} ORDER BY abs(b.v - a.v) NULLS LAST, b.id LIMIT 1) AS n ON TRUE ORDER BY 1, 2`,
  "cross-distinct-greater": `SELECT a.id, n.k, n.v FROM ${OWNERS} CROSS JOIN LATERAL (SELECT DISTINCT ON (b.k) b.k, b.v FROM ${PARTS} WHERE b.v > a.v ORDER BY b.k, b.v DESC, b.id) AS n ORDER BY 1, 2`,
  "left-distinct-true": `SELECT a.id, n.s, n.v FROM ${OWNERS} LEFT JOIN LATERAL (SELECT DISTINCT ON (b.s) b.s, b.v FROM ${PARTS} WHERE b.k = a.k ORDER BY b.s, b.v, b.id) AS n ON TRUE ORDER BY 1, 2, 3`,
  "left-lateral-distinct-true": `SELECT a.id, n.v FROM ${OWNERS} LEFT JOIN LATERAL (SELECT DISTINCT b.v FROM ${PARTS} WHERE b.k = a.k) AS n ON TRUE ORDER BY 1, 2`,
  "count-group-having": `SELECT a.id, n.v, n.c FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.v, count(*) AS c FROM ${PARTS} WHERE b.k = a.k GROUP BY b.v HAVING count(*) > 1 OR b.v < 10) AS n ORDER BY 1, 2`,
  "left-count-group": `SELECT a.id, n.v, n.c FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.v, count(*) AS c FROM ${PARTS} WHERE b.k = a.k GROUP BY b.v ORDER BY count(*) DESC, b.v LIMIT 1) AS n ON TRUE ORDER BY 1, 2`,
  "distinct-last-offset": `SELECT a.id, n.v FROM ${OWNERS} LEFT JOIN LATERAL (SELECT DISTINCT b.v FROM ${PARTS} WHERE b.k = a.k ORDER BY b.v DESC NULLS LAST LIMIT 1 OFFSET 1) AS n ON TRUE ORDER BY 1, 2`,
  "cross-desc-limit": `SELECT a.id, n.id AS part FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id FROM ${PARTS} WHERE b.s = a.s ORDER BY b.id DESC LIMIT 1) AS n ORDER BY 1, 2`,
  "distinct-cross-limit": `SELECT DISTINCT a.id, n.v FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.v FROM ${PARTS} WHERE b.v > a.v ORDER BY b.v LIMIT 2) AS n ORDER BY 1, 2`,
  "part-left-at-least": `SELECT a.id, n.part, n.w FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.id AS part, c.w FROM ${PARTS} LEFT JOIN ${CODES} ON c.k = b.k WHERE b.k = a.k AND b.v >= a.v ORDER BY b.id DESC LIMIT 1) AS n ON TRUE ORDER BY 1, 2`,
};

export const LATERAL_AGGREGATES: Queries = {
  "sum-min-max": `SELECT a.id, n.c, n.t, n.lo, n.hi FROM ${OWNERS} CROSS JOIN LATERAL (SELECT count(*) AS c, sum(b.v) AS t, min(b.v) AS lo, max(b.id) AS hi FROM ${PARTS} WHERE b.k = a.k) AS n ORDER BY 1, 2`,
  "coalesce-sum-less": `SELECT a.id, n.c, n.t FROM ${OWNERS} CROSS JOIN LATERAL (SELECT count(b.v) AS c, coalesce(sum(b.v), 0) AS t FROM ${PARTS} WHERE b.v < a.v) AS n WHERE n.c < 4 ORDER BY 1, 2`,
  "left-at-least-true": `SELECT a.id, n.c FROM ${OWNERS} LEFT JOIN LATERAL (SELECT count(*) AS c FROM ${PARTS} WHERE b.k = a.k AND b.v >= a.v) AS n ON TRUE ORDER BY 1, 2`,
  "max-not-null": `SELECT a.id, n.c, n.m FROM ${OWNERS} JOIN LATERAL (SELECT count(*) AS c, max(b.v) AS m FROM ${PARTS} WHERE b.k = a.k) AS n ON n.m IS NOT NULL ORDER BY 1, 2`,
  "filter-distinct-bool-or": `SELECT a.id, n.c, n.d, n.o FROM ${OWNERS} CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE b.v > 5) AS c, count(DISTINCT b.v) AS d, bool_or(b.v > 10) AS o FROM ${PARTS} WHERE b.k = a.k) AS n ORDER BY 1, 2`,
  "cross-string-agg-desc": `SELECT a.id, n.s FROM ${OWNERS} CROSS JOIN LATERAL (SELECT string_agg(b.s, ',' ORDER BY b.id DESC) AS s FROM ${PARTS} WHERE b.k = a.k) AS n ORDER BY 1, 2`,
  "sum-times-coalesce": `SELECT a.id, n.t, n.u, n.o, n.c FROM ${OWNERS} CROSS JOIN LATERAL (SELECT sum(b.v * a.v) AS t, sum(coalesce(b.v, 1)) AS u, sum(1) AS o, count(1) AS c FROM ${PARTS} WHERE b.k = a.k) AS n ORDER BY 1, 2`,
  "cross-max-minus": `SELECT a.id, n.d FROM ${OWNERS} CROSS JOIN LATERAL (SELECT max(b.v) - a.v AS d FROM ${PARTS} WHERE b.k = a.k) AS n ORDER BY 1, 2`,
  "cross-lateral-count": `SELECT a.id FROM ${OWNERS} CROSS JOIN LATERAL (SELECT count(*) AS c FROM ${PARTS} WHERE b.k = a.k) AS n WHERE n.c = 0 ORDER BY 1`,
  "sum-count-group": `SELECT a.s, sum(n.c) AS c, count(*) AS r FROM ${OWNERS} CROSS JOIN LATERAL (SELECT count(*) AS c FROM ${PARTS} WHERE b.k = a.k) AS n GROUP BY a.s ORDER BY 1`,
  "count-less-minus": `SELECT a.id, n.c FROM ${OWNERS} CROSS JOIN LATERAL (SELECT count(*) AS c FROM ${PARTS} WHERE b.k = a.k AND b.v < -1) AS n ORDER BY 1, 2`,
  "count-max-greater": `SELECT count(*) AS c FROM ${OWNERS} CROSS JOIN LATERAL (SELECT max(b.v) AS m FROM ${PARTS} WHERE b.k = a.k) AS n WHERE a.id > 100`,
};

export const LATERAL_CHAINS: Queries = {
  "part-limit-left": `SELECT a.id, n.part, m.w FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id AS part, b.k FROM ${PARTS} WHERE b.k = a.k ORDER BY b.id DESC LIMIT 1) AS n LEFT JOIN LATERAL (SELECT c.w FROM ${CODES} WHERE c.k = n.k ORDER BY c.w LIMIT 1) AS m ON TRUE ORDER BY 1, 2`,
  "left-at-most-count": `SELECT a.id, n.v, m.c FROM ${OWNERS} LEFT JOIN LATERAL (SELECT b.v FROM ${PARTS} WHERE b.v <= a.v ORDER BY b.v DESC, b.id LIMIT 1) AS n ON TRUE CROSS JOIN LATERAL (SELECT count(*) AS c FROM ${CODES} WHERE c.w > n.v + a.id) AS m ORDER BY 1, 2`,
  "part-true-left": `SELECT a.id, n.part, c.w FROM ${OWNERS} JOIN LATERAL (SELECT b.id AS part FROM ${PARTS} WHERE b.k = a.k AND b.v > a.v) AS n ON TRUE LEFT JOIN ${CODES} ON c.k = n.part ORDER BY 1, 2`,
  "part-and-greater": `SELECT a.id, c.w, n.part FROM ${OWNERS}, ${CODES}, LATERAL (SELECT b.id AS part FROM ${PARTS} WHERE b.k = c.k AND b.v > a.v) AS n WHERE c.k = a.k ORDER BY 1, 2, 3`,
  "part-limit-exists": `SELECT a.id, n.part FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id AS part FROM ${PARTS} WHERE b.v > a.v ORDER BY b.v, b.id LIMIT 1) AS n WHERE EXISTS (SELECT 1 FROM ${CODES} WHERE c.k = a.k AND c.w > n.part) ORDER BY 1, 2`,
  "cross-join-count": `SELECT a.id, n.c FROM ${OWNERS} CROSS JOIN LATERAL (SELECT count(*) AS c FROM ${PARTS}) AS n ORDER BY 1, 2`,
  "with-left-limit": `WITH a AS (SELECT * FROM ${OWNERS}), b AS (SELECT * FROM ${PARTS}) SELECT a.id, n.v FROM a LEFT JOIN LATERAL (SELECT b.v FROM b WHERE b.v > a.v ORDER BY b.v, b.id LIMIT 1) AS n ON TRUE ORDER BY 1, 2`,
  "max-union-all": `SELECT t.id, t.m FROM (SELECT a.id, max(n.v) AS m FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.v FROM ${PARTS} WHERE b.v < a.v ORDER BY b.v DESC LIMIT 3) AS n GROUP BY a.id) AS t UNION ALL SELECT a.id, n.c FROM ${OWNERS} CROSS JOIN LATERAL (SELECT count(*) AS c FROM ${PARTS} WHERE b.k = a.k) AS n ORDER BY 1, 2`,
  "part-plus-last": `SELECT a.id, n.part, n.w FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.id AS part, m.w FROM ${PARTS} CROSS JOIN LATERAL (SELECT b.v + 1 AS w) AS m WHERE b.k = a.k ORDER BY m.w DESC NULLS LAST, b.id LIMIT 1) AS n ORDER BY 1, 2`,
  "sum-last-limit": `SELECT (SELECT sum(n.v) FROM ${OWNERS} CROSS JOIN LATERAL (SELECT b.v FROM ${PARTS} WHERE b.k = a.k ORDER BY b.v DESC NULLS LAST, b.id LIMIT 1) AS n) AS t`,
};

/** Subqueries of each row, which become joins where a source has none of their form. */
export const JOINED_SUBQUERIES: Queries = {
  "at-most-desc-limit": `SELECT a.id, (SELECT b.v FROM ${PARTS} WHERE b.k = a.k AND b.v <= a.v ORDER BY b.v DESC, b.id LIMIT 1) AS v FROM ${OWNERS} ORDER BY 1, 2`,
  "limit-offset": `SELECT a.id, (SELECT b.id FROM ${PARTS} WHERE b.k = a.k ORDER BY b.id LIMIT 1 OFFSET 1) AS second FROM ${OWNERS} ORDER BY 1, 2`,
  "distinct-not-offset": `SELECT a.id, (SELECT DISTINCT b.v FROM ${PARTS} WHERE b.k = a.k AND b.v IS NOT NULL ORDER BY b.v DESC LIMIT 1 OFFSET 1) AS second FROM ${OWNERS} ORDER BY 1, 2`,
  "count-distinct-between": `SELECT a.id, (SELECT count(*) FROM ${PARTS} WHERE b.v < a.v) AS c, (SELECT count(DISTINCT b.s) FROM ${PARTS} WHERE b.v BETWEEN a.v - 10 AND a.v) AS d FROM ${OWNERS} ORDER BY 1, 2`,
  "coalesce-sum-plus": `SELECT a.id, (SELECT coalesce(sum(b.v), 0) FROM ${PARTS} WHERE b.k = a.k AND b.v < a.v + 5) * 2 AS t FROM ${OWNERS} ORDER BY 1, 2`,
  "min-at-least-minus": `SELECT a.id, (SELECT min(b.v) FROM ${PARTS} WHERE b.v >= a.v) - a.v AS d FROM ${OWNERS} ORDER BY 1, 2`,
  "not-exists-or": `SELECT a.id FROM ${OWNERS} WHERE NOT EXISTS (SELECT 1 FROM ${PARTS} WHERE b.k = a.k OR b.v = a.v) ORDER BY 1`,
  "exists-greater-or": `SELECT a.id FROM ${OWNERS} WHERE EXISTS (SELECT 1 FROM ${PARTS} WHERE b.k = a.k AND (b.v > a.v OR b.v = a.v AND b.id > a.id)) ORDER BY 1`,
  "exists-greater": `SELECT a.id, EXISTS (SELECT 1 FROM ${PARTS} WHERE b.k = a.k AND b.v > a.v) AS e FROM ${OWNERS} ORDER BY 1, 2`,
  "count-filter-sum": `SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM ${PARTS} WHERE b.k = a.k)) AS c, sum((SELECT count(*) FROM ${PARTS} WHERE b.k = a.k)) AS t, count(*) AS n FROM ${OWNERS}`,
  "exists-count-group": `SELECT EXISTS (SELECT 1 FROM ${PARTS} WHERE b.k = a.k) AS e, count(*) AS c FROM ${OWNERS} GROUP BY 1 ORDER BY 1`,
  "count-desc": `SELECT a.id FROM ${OWNERS} ORDER BY (SELECT count(*) FROM ${PARTS} WHERE b.k = a.k) DESC, a.id`,
  "case-greater-max": `SELECT a.id, CASE WHEN a.v > 5 THEN (SELECT max(b.v) FROM ${PARTS} WHERE b.v < a.v) END AS m FROM ${OWNERS} ORDER BY 1, 2`,
  "sum-max-group": `SELECT t.s, sum(t.m) AS m FROM (SELECT a.s, (SELECT max(b.v) FROM ${PARTS} WHERE b.k = a.k AND b.v <> a.v) AS m FROM ${OWNERS}) AS t GROUP BY t.s ORDER BY 1`,
};
