import type { Subject } from "./subject.ts";

/**
 * A recursive table's decimals keep their digits in every row; DuckDB gives them the digits of the first. Searched: rounded
 * and cast terms, sums, products and quotients of the row before, columns that trade places, VALUES and CASE.
 */
export const GROWING_DECIMALS: Subject = {
  name: "decimals of recursive tables",
  queries: {
    "numeric-round-minus": `WITH RECURSIVE r(n, x) AS (SELECT 0, 100::numeric UNION ALL SELECT n + 1, round(x * 1.005 - 25, 2) FROM r WHERE n < 5) SELECT n, x FROM r ORDER BY n`,
    "recursive-r-minus": `WITH RECURSIVE r(n, x) AS (SELECT 0, 100.125 UNION ALL SELECT n + 1, x - 0.5 FROM r WHERE n < 5) SELECT n, x FROM r ORDER BY n`,
    "recursive-r-union": `WITH RECURSIVE r(n, x) AS (SELECT 0, 100.125 UNION ALL SELECT n + 1, x * 0.5 FROM r WHERE n < 5) SELECT n, x FROM r ORDER BY n`,
    "round-divided": `WITH RECURSIVE r(n, x) AS (SELECT 0, 1.5 UNION ALL SELECT n + 1, round(x / 3, 4) FROM r WHERE n < 5) SELECT n, x FROM r ORDER BY n`,
    "recursive-r-divided": `WITH RECURSIVE r(n, x) AS (SELECT 0, 1.5 UNION ALL SELECT n + 1, x / 3 FROM r WHERE n < 5) SELECT n, x FROM r ORDER BY n`,
    "recursive-r-round": `WITH RECURSIVE r(n, x, y) AS (SELECT 0, 1.5, 1.0 UNION ALL SELECT n + 1, y, round(x * y, 3) FROM r WHERE n < 5) SELECT n, x, y FROM r ORDER BY n`,
    "recursive-r-union-all": `WITH RECURSIVE r(n, x, y) AS (SELECT 0, 1.5, 1.0 UNION ALL SELECT n + 1, y, x FROM r WHERE n < 5) SELECT n, x, y FROM r ORDER BY n`,
    "recursive-r-numeric": `WITH RECURSIVE r(n, x) AS (SELECT 0, 1.5 UNION ALL SELECT n + 1, (x + 0.125)::numeric(10,3) FROM r WHERE n < 5) SELECT n, x FROM r ORDER BY n`,
    "with-recursive": `WITH RECURSIVE r(n, x) AS (VALUES (0, 1.5) UNION ALL SELECT n + 1, round(x + 0.125, 3) FROM r WHERE n < 5) SELECT n, x FROM r ORDER BY n`,
    "case-equal": `WITH RECURSIVE r(n, x) AS (SELECT 0, 1.5 UNION ALL SELECT n + 1, CASE WHEN n = 1 THEN 0.125 ELSE x END FROM r WHERE n < 5) SELECT n, x FROM r ORDER BY n`,
    "recursive-r-union-round": `WITH RECURSIVE r(n, x, y) AS (SELECT 0, 1, 1.0 UNION ALL SELECT n + 1, x, round(x * y + 0.1255, 3) FROM r WHERE n < 5) SELECT n, x, y FROM r ORDER BY n`,
  },
};

/**
 * Buckets of quotients, sums and products; texts as literals; other elements in arrays; `|/`, `||/`, `@`. Searched: bounds in either order,
 * equal to a value, values outside; quotes, backslashes and lines in texts of every type; NULL as array, element and value.
 */
export const SMALL_FUNCTIONS: Subject = {
  name: "buckets, literals, elements, signs",
  queries: {
    "roots-and-abs": `SELECT |/ 2 AS a, |/ 2.25 AS b, ||/ 27 AS c, ||/ -8.0 AS d, @ -5 AS e, @ -1.50 AS f, |/ x AS g, @ x AS h FROM (VALUES (4), (NULL)) t(x) ORDER BY x`,
    "plus-power-text": `SELECT |/ 4 + 5 AS a, @ -5 + 3 AS b, 2 * |/ 9 AS d, |/ 2 ^ 2 AS e, (@ -2)::text AS f, @ - 3 AS g`,
    "where-equal-greater": "SELECT |/4 AS a WHERE @ -1 = 1 AND ||/ 8 > |/ 1",
    "quote-literal-quote-nullable": `SELECT x, quote_literal(x) AS a, quote_nullable(x) AS b FROM (VALUES ('a'),(''),(NULL),('o''k'),('a\\b'),('\\'),('''\\'''),(E'a\\n\\\\b')) t(x) ORDER BY x`,
    "quote-literal-quote-nullable-float8": `SELECT quote_literal(1.50) AS a, quote_literal(true) AS b, quote_nullable(NULL) AS c, quote_literal(date '2024-01-02') AS d, quote_nullable(2.5::float8) AS e, quote_literal(NULL) AS f`,
    "array-replace-9-null": `SELECT array_replace(a, 1, 9) AS a, array_replace(a, NULL, 0) AS b, array_replace(a, 2, NULL) AS c FROM (VALUES (ARRAY[1,2,1]), (ARRAY[]::int[]), (NULL), (ARRAY[NULL,1])) t(a) ORDER BY 1`,
    "array-replace-array": `SELECT array_replace(ARRAY['a','b'], 'a', 'x') AS a, array_replace('{a,b}', 'b', 'c') AS b`,
    "width-bucket-divided-sum": `SELECT a, b, width_bucket(a / b, 0, 1, 10) AS w, width_bucket(a / b, 0.5, 0, 4) AS v, width_bucket(a + b, 0, 10, 5) AS u, width_bucket(sum(a) OVER (), 0, 100, 10) AS s, width_bucket(a * 0.1, 0, 1, 10) AS m, width_bucket(avg(a) OVER (), 0, 10, 10) AS z FROM (VALUES (0.3::numeric(10,2), 3::numeric(10,2)), (0.7, 7), (0.1, 1), (1, 3), (2, 3), (9.99, 10), (5, 5), (-1, 7), (7, 5), (NULL, 1), (3,5), (6,5)) t(a, b) ORDER BY 1, 2`,
    "width-bucket-of-quotient": "SELECT width_bucket(a / b, 0, 1, 7) AS w FROM (VALUES (1.0, 7.0)) t(a, b)",
  },
};

/**
 * Groups that take no part in a match are NULL in PostgreSQL and empty in RE2. Searched: optional groups and groups of
 * alternatives, inside each other, of texts that may be empty, in repetitions.
 */
export const MISSING_GROUPS: Subject = {
  name: "groups that take no part",
  queries: {
    "distinct-lower-substring": `SELECT DISTINCT drug, (REGEXP_MATCH(drug, '([0-9]+) ?(mg|MG|g)'))[1]::int AS strength, LOWER(SUBSTRING(drug FROM '[0-9]+ ?([a-zA-Z]+)')) AS unit FROM (VALUES ('x 5 mg'), ('7g'), ('n'), (NULL)) t(drug) ORDER BY drug`,
    "regexp-match": "SELECT regexp_match(x, '(a)(b)?c') AS a FROM (VALUES ('abc'), ('ac'), ('')) t(x)",
    "regexp-match-a-b-c": "SELECT regexp_match(x, '(a)(b*)?c') AS a FROM (VALUES ('abc'), ('ac'), ('')) t(x)",
    "regexp-match-a-b": "SELECT regexp_match(x, '(a)|(b)') AS a FROM (VALUES ('abc'), ('bc'), ('')) t(x)",
    "regexp-match-d-d": `SELECT regexp_match(x, '^(\\d+)(?:\\.(\\d+))?$') AS a FROM (VALUES ('12.5'), ('12'), ('')) t(x)`,
    "empty-alternative": "SELECT regexp_match(x, '(a)(b|)c') AS a FROM (VALUES ('abc'), ('ac'), ('')) t(x)",
    "regexp-match-x-d-d": "SELECT regexp_match(x, '(\\d+)(?:-(\\d+))?') AS a FROM (VALUES ('5-7'), ('5'), ('-')) t(x)",
    "nested-alternative": "SELECT regexp_match(x, '((a)|b)(c)?') AS a FROM (VALUES ('ac'), ('b'), ('bc')) t(x)",
    "regexp-match-x-a-b": "SELECT regexp_match(x, '(?:(a)|b)+') AS a FROM (VALUES ('ab'), ('ba'), ('bc')) t(x)",
    "regexp-match-a-z-d": "SELECT regexp_match(x, '([a-z]+)(\\d)?') AS a FROM (VALUES ('ab1'), ('ba'), ('')) t(x)",
    "second-of-match": `SELECT (regexp_match(x, '([a-z]+) *(\\d+)?'))[2] AS a FROM (VALUES ('ab1'), ('ba'), ('')) t(x)`,
  },
};

/**
 * Ranges made where they are compared. Searched: bounds that touch, are equal, the wrong way round or none, every mark of a
 * bound, empty ranges, days, timestamps, zones, whole numbers and decimals; joins over them; types that have no range.
 */
export const RANGES: Subject = {
  name: "ranges",
  queries: {
    "daterange-date-within": `SELECT a, b, daterange(a, b) && daterange('2024-01-05', '2024-01-10') AS o, daterange(a, b, '[]') && daterange('2024-01-05', '2024-01-10') AS p, daterange(a, b, '[]') @> date '2024-01-05' AS c, '2024-01-05'::date <@ daterange(a, b) AS d FROM (VALUES (date '2024-01-01', date '2024-01-05'), ('2024-01-05', '2024-01-05'), ('2024-01-09', NULL), (NULL, '2024-01-06'), (NULL, NULL), ('2024-01-10', '2024-02-01')) t(a, b) ORDER BY 1, 2`,
    "daterange-overlap": `SELECT a, b, daterange(a, b) && daterange(c, d) AS o FROM (VALUES (date '2024-01-01', date '2024-01-05'), ('2024-01-05', '2024-01-05'), ('2024-01-09', NULL), (NULL, '2024-01-06'), (NULL, NULL), ('2024-01-10', '2024-02-01')) t(a, b), (VALUES (date '2024-01-01', date '2024-01-05'), ('2024-01-05', '2024-01-05'), ('2024-01-09', NULL), (NULL, '2024-01-06'), (NULL, NULL), ('2024-01-10', '2024-02-01')) u(c, d) ORDER BY 1, 2, 3`,
    "tsrange-overlap-timestamp": `SELECT a, b, tsrange(a, b, '(]') && tsrange('2024-01-05 12:00', '2024-01-10') AS o, tsrange(a, b, '()') @> timestamp '2024-01-05 12:00' AS p, tsrange(a, b, '()') && tsrange(a, b, '[]') AS q FROM (VALUES (timestamp '2024-01-05 12:00', timestamp '2024-01-05 12:00'), ('2024-01-01', '2024-01-05 12:00'), ('2024-01-05 12:00', '2024-01-06'), (NULL, NULL)) t(a, b) ORDER BY 1, 2`,
    "int4range-numrange-numeric": `SELECT x, int4range(2, 5) @> x AS a, int4range(2, NULL) @> x AS b, int4range(2, 5, '[]') @> x AS c, numrange(1, 2.5, '(]') @> x::numeric AS d, x <@ int4range(NULL, 3) AS e FROM (VALUES (1), (2), (5), (NULL), (3)) t(x) ORDER BY x`,
    "tstzrange-overlap-null": `SELECT tstzrange('2024-01-01 00:00+00', '2024-01-02 00:00+00') && tstzrange('2024-01-01 23:59+00', NULL) AS a`,
    "count-join-int4range": `SELECT count(*) AS n FROM (VALUES (1, 3), (2, 5), (6, 7)) x(a, b) JOIN (VALUES (1, 3), (2, 5), (6, 7)) y(a, b) ON int4range(x.a, x.b) && int4range(y.a, y.b)`,
    "daterange-contains": `SELECT daterange(a, b, '()') @> a AS o FROM (VALUES (date '2024-01-01', date '2024-01-02')) t(a, b)`,
    "daterange-b-contains": `SELECT daterange(a, b) @> daterange(a, a) AS o FROM (VALUES (date '2024-01-01', date '2024-01-02')) t(a, b)`,
    daterange: "SELECT daterange(a, b) AS o FROM (VALUES (date '2024-01-01', date '2024-01-02')) t(a, b)",
  },
};

/** PostgreSQL finds no range, or no operator. */
export const NO_RANGES: readonly string[] = [
  "SELECT daterange(a, b) && daterange(a, b) AS o FROM (VALUES (date '2024-01-05', date '2024-01-01')) t(a, b)",
  "SELECT daterange(a, b) @> a AS o FROM (VALUES (date '2024-01-05', date '2024-01-01')) t(a, b)",
  "SELECT daterange(a, a) && tsrange(b, b) AS o FROM (VALUES (date '2024-01-01', timestamp '2024-01-02')) t(a, b)",
  "SELECT daterange(b, b) && daterange(b, b) AS o FROM (VALUES (date '2024-01-01', timestamp '2024-01-02')) t(a, b)",
  "SELECT daterange(a, a) @> timestamp '2024-01-01' FROM (VALUES (date '2024-01-01')) t(a)",
  "SELECT int4range(1, 5) @> 2.5",
];
