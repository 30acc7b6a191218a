import {
  JOINED_SUBQUERIES,
  LATERAL_AGGREGATES,
  LATERAL_CHAINS,
  LATERAL_ROWS,
  LATERAL_VALUES,
} from "./lateral-queries.ts";

/**
 * One meaning, construct by construct (docs/semantics in one table): each query over NULL, negative, empty and boundary
 * data. PostgreSQL is the reference; every other engine gives the same rows, or is listed (`refused/`).
 */
export interface Construct {
  readonly name: string;
  readonly queries: readonly string[];
}

/** A relation of numbers with NULLs: `n` integer, `d` decimal(10,3), `f` double. */
const NUMBERS =
  "(VALUES (1, 7, 1.005::decimal(10,3), 2.5::float8), (2, -7, -2.675, -2.5), (3, 0, 0.000, 0), (4, NULL, NULL, NULL), (5, 2147483647, 9999999.999, 1e300)) AS t(id, n, d, f)";
const TEXTS =
  "(VALUES (1, 'Hello World'), (2, ''), (3, NULL), (4, 'añb€c😀'), (5, 'a_b%c\\d'), (6, '  pad  ')) AS t(id, s)";
const DATES =
  "(VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts)";
/** Before and at each change of the clocks in Berlin, New York and on Lord Howe Island, whose clocks move by half an hour. */
const INSTANTS =
  "(VALUES (1, TIMESTAMPTZ '2024-03-31 00:59:59+00'), (2, '2024-03-31 01:00:00+00'), (3, '2024-10-27 00:30:00+00'), (4, '2024-10-27 01:30:00+00'), (5, '2024-03-10 06:59:59+00'), (6, '2024-03-10 07:00:00+00'), (7, '2024-11-03 05:30:00+00'), (8, '2024-11-03 06:30:00+00'), (9, '2024-04-06 14:59:59+00'), (10, '2024-04-06 15:00:00+00'), (11, '2024-10-05 15:29:59+00'), (12, '2024-10-05 15:30:00+00'), (13, NULL)) AS v(i, t)";
const ENDS = "(VALUES (DATE '2024-01-01'), (DATE '2024-01-02'), (DATE '2024-01-03'), (DATE '2024-01-04'), (NULL))";
const BOOLS = "(VALUES (1, TRUE), (2, FALSE), (3, NULL)) AS t(id, b)";

const CLOCKS =
  "(VALUES (1, TIME '00:00:00'), (2, TIME '10:05:06.5'), (3, TIME '23:59:59.999999'), (4, NULL), (NULL, TIME '12:00')) AS t(id, c)";

const from = (relation: string, expressions: string): string =>
  `SELECT id, ${expressions} FROM ${relation} ORDER BY id`;

export const CONSTRUCTS: readonly Construct[] = [
  {
    name: "ORDER BY without NULLS",
    queries: [
      `SELECT n FROM ${NUMBERS} ORDER BY n`,
      `SELECT n FROM ${NUMBERS} ORDER BY n DESC`,
      `SELECT id, row_number() OVER (ORDER BY d DESC) AS r FROM ${NUMBERS} ORDER BY id`,
      `SELECT string_agg(s, '|' ORDER BY id DESC) FROM ${TEXTS}`,
      "SELECT x FROM (VALUES (1), (NULL::int)) AS t(x) ORDER BY x DESC",
      "SELECT x FROM (VALUES (1), (NULL)) AS t(x) WHERE x NOT IN (SELECT 1 WHERE FALSE) ORDER BY x DESC",
    ],
  },
  {
    name: "ORDER BY … NULLS FIRST/LAST",
    queries: [
      `SELECT n FROM ${NUMBERS} ORDER BY n NULLS FIRST`,
      `SELECT n FROM ${NUMBERS} ORDER BY n DESC NULLS LAST`,
      `SELECT id, first_value(n) OVER (ORDER BY n DESC NULLS FIRST, id) AS v FROM ${NUMBERS} ORDER BY id`,
    ],
  },
  {
    name: "integer / integer",
    queries: [
      "SELECT 7 / 2 AS a, -7 / 2 AS b, 7 / -2 AS c, -7 / -2 AS d",
      from(NUMBERS, "n / 2 AS a, n / -3 AS b"),
      `SELECT count(*) / 2 AS a, sum(n) / count(n) AS b FROM ${NUMBERS}`,
      "SELECT 2147483647 / 1 AS a, 9223372036854775807 / 2 AS b",
    ],
  },
  {
    name: "%, mod",
    queries: [
      "SELECT 7 % 3 AS a, -7 % 3 AS b, 7 % -3 AS c, mod(-7, -3) AS d",
      from(NUMBERS, "n % 4 AS a, mod(n, 5) AS b"),
      "SELECT 7.5 % 2 AS a, -7.5 % 2 AS b, mod(10.25, 0.5) AS c",
    ],
  },
  {
    name: "decimal literals and arithmetic",
    queries: [
      "SELECT 0.06 - 0.01 AS a, 0.1 + 0.2 AS b, 1.10 * 1.10 AS c",
      from(NUMBERS, "d + 0.001 AS a, d * 2 AS b, d - n AS c"),
      "SELECT 1e-3 AS a, 1.5e2 AS b, 12345678901234567890.5 AS c",
      "SELECT 0.06 BETWEEN 0.06 - 0.01 AND 0.06 + 0.01 AS inside, 0.05 = 0.06 - 0.01 AS equal",
    ],
  },
  {
    name: "decimal /, avg(decimal)",
    queries: [
      "SELECT 901.00::decimal(12,2) / 6 AS a, 1.0 / 3 AS b, -1.00 / 7 AS c",
      from(NUMBERS, "d / 3 AS a, d / 0.7 AS b"),
      `SELECT avg(d) AS a, avg(n) AS b, avg(f) AS c FROM ${NUMBERS} WHERE id < 4`,
      "SELECT avg(x) FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)",
      "SELECT a / b = 0.1 AS e, a / b >= 0.1 AS g, a / b IN (0.1, 0.2) AS i, a / b BETWEEN 0.1 AND 0.7 AS w FROM (VALUES (0.7::decimal(10,2), 7::decimal(10,2)), (0.3, 3), (2.1, 3)) AS t(a, b)",
      "SELECT k, avg(x) > 0.1 AS above, avg(x) = 0.1 AS equal FROM (VALUES (1, 0.07::decimal(10,2)), (1, 0.13), (2, 0.1)) AS t(k, x) GROUP BY k ORDER BY k",
      "SELECT round((SELECT avg(x) FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)), 2) AS a, round((SELECT 123456789012345678.125::decimal(30,3)), 2) AS b",
    ],
  },
  {
    name: "integer overflow",
    queries: [
      `SELECT sum(n) AS a, sum(n::bigint) AS b FROM ${NUMBERS}`,
      "SELECT 2147483647::bigint + 1 AS a",
      "SELECT sum(x) FROM (VALUES (9223372036854775807), (9223372036854775807)) AS t(x)",
    ],
  },
  {
    name: "round(x, n)",
    queries: [
      "SELECT round(2.675, 2) AS a, round(-2.675, 2) AS b, round(1.005, 2) AS c, round(0.5) AS d, round(-0.5) AS e",
      from(NUMBERS, "round(d, 2) AS a, round(d, 0) AS b, round(d) AS c"),
      "SELECT round(avg(x), 2) AS a, round(sum(x) / count(*), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)",
      "SELECT round(2.345::float8, 2) AS a, round(1234.567, -2) AS b, round(12, 1) AS c",
      "SELECT trunc(2.679, 2) AS a, trunc(-2.679, 1) AS b, trunc(-2.9) AS c, ceil(-1.5) AS d, floor(-1.5) AS e",
      'SELECT "ROUND"(avg(x), 2) AS a, pg_catalog.round(avg(x), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)',
    ],
  },
  {
    name: "CAST to text",
    queries: [
      from(BOOLS, "b::text AS a, CAST(b AS varchar) AS c"),
      "SELECT 1.5::float8::text AS a, 1::float8::text AS b, 1e20::float8::text AS c, 0.1::float8::text AS d, 1e-5::float8::text AS e",
      "SELECT 300.00::text AS a, (-0.5)::text AS b, 12::text AS c",
      from(DATES, "d::text AS a, ts::text AS b"),
      "SELECT 'NaN'::float8::text AS a, 'Infinity'::float8::text AS b",
      "SELECT (10.0 / 3)::text AS a",
      "SELECT (INTERVAL '3 days')::text AS a",
      "SELECT 'abc'::varchar(2) AS a, CAST('abcdef' AS char(3)) AS b, CAST(12345 AS varchar(3)) AS c",
    ],
  },
  {
    name: "literals beside typed columns",
    queries: [
      from(NUMBERS, "n = '7' AS a, d > '0.5' AS b"),
      from(DATES, "d >= '2023-12-31' AS a, ts < '2024-01-01 00:00:00' AS b"),
      from(DATES, "d BETWEEN '2021-01-01' AND '2024-12-31' AS a, d IN ('2024-02-29', '2021-01-03') AS b"),
      from(BOOLS, "b = 'true' AS a"),
      "SELECT '7' / 2 AS a, 2.5 + '1.5' AS b, '1e3'::float8 AS c, 1.5 < '2' AS d",
      "SELECT x FROM (VALUES (1.5::float8), ('NaN'), ('-Infinity'), ('inf'), (NULL)) AS t(x) ORDER BY x DESC",
    ],
  },
  {
    name: "CAST to integer",
    queries: [
      "SELECT 2.5::decimal(5,2)::int AS a, -2.5::decimal(5,2)::int AS b, 3.5::int AS c, 0.4999::int AS d",
      "SELECT 2.5::float8::int AS a, 3.5::float8::int AS b, (-2.5)::float8::int AS c",
      "SELECT '42'::int AS a, ' 42 '::int AS b, TRUE::int AS c",
      "SELECT (5.0 / 2)::int AS a, avg(x)::int AS b FROM (VALUES (2), (3)) AS t(x)",
    ],
  },
  {
    name: "::numeric keeps digits",
    queries: [
      "SELECT '1.23456789'::numeric AS a, 1.23456::numeric AS b, 5::numeric AS c",
      from(NUMBERS, "n::numeric AS a, d::numeric AS b"),
      "SELECT 1.005::numeric(10,2) AS a, 2.675::float8::numeric(10,2) AS b, 12.5::numeric(4,0) AS c",
      "SELECT CAST(0.1::real AS numeric(20,15)) AS a, 0.1::real::numeric AS b, CAST(0.1::float8 AS numeric(20,15)) AS c",
    ],
  },
  {
    name: "||",
    queries: [
      from(TEXTS, "s || '!' AS a, '<' || s || '>' AS b"),
      from(NUMBERS, "'n=' || n AS a, d || '' AS b"),
      from(BOOLS, "'is ' || b AS a"),
    ],
  },
  {
    name: "concat, concat_ws",
    queries: [
      from(TEXTS, "concat('<', s, '>') AS a, concat_ws('-', 'a', s, 'b') AS b"),
      from(NUMBERS, "concat(n, '/', d) AS a"),
      from(BOOLS, "concat(b, 1) AS a"),
      "SELECT concat(NULL, NULL) AS a, concat_ws(',', NULL, NULL) AS b",
    ],
  },
  {
    name: "greatest, least",
    queries: [
      from(NUMBERS, "greatest(n, 0) AS a, least(n, 0) AS b, greatest(d, 1.5, NULL) AS c"),
      "SELECT greatest(NULL, NULL) IS NULL AS a, least(1, 2.5) AS b, greatest('a', 'B') AS c",
      from(DATES, "greatest(d, DATE '2022-01-01') AS a"),
    ],
  },
  {
    name: "text comparison",
    queries: [
      "SELECT 'a' = 'A' AS a, 'a' = 'a ' AS b, 'a' < 'b' AS c, '' = '' AS d",
      "SELECT count(DISTINCT x) AS a FROM (VALUES ('a'), ('A'), ('a '), (NULL)) AS t(x)",
      "SELECT x, count(*) AS n FROM (VALUES ('a'), ('A'), ('a'), (NULL)) AS t(x) GROUP BY x ORDER BY 2 DESC, 1",
    ],
  },
  {
    name: "length, substring, left, right, position, reverse",
    queries: [
      from(TEXTS, "length(s) AS a, left(s, 3) AS b, right(s, 3) AS c"),
      from(TEXTS, "substring(s FROM 2 FOR 3) AS a, substring(s FROM 0 FOR 3) AS b, substring(s, 3) AS c"),
      "SELECT substring('hello' FROM -1 FOR 4) AS a, left('hello', -2) AS b, right('hello', -2) AS c, left('hello', 0) AS d",
      from(TEXTS, "position('b' IN s) AS a, strpos(s, 'l') AS b"),
      "SELECT reverse('abc') AS a, repeat('ab', 3) AS b, repeat('x', -1) AS c, position('' IN 'abc') AS d",
      "SELECT substring(s FROM n FOR 2) AS a FROM (VALUES ('hello', 1), ('hello', 0), ('hello', -1), ('hello', NULL)) AS t(s, n) ORDER BY n",
    ],
  },
  {
    name: "LIKE, ILIKE",
    queries: [
      from(TEXTS, "s LIKE 'h%' AS a, s LIKE 'H%' AS b, s ILIKE 'h%' AS c"),
      from(TEXTS, "s LIKE 'a\\_b%' AS a, s LIKE '%\\\\%' AS b, s LIKE 'a!_%' ESCAPE '!' AS c"),
      from(TEXTS, "s NOT LIKE '%o%' AS a, s NOT ILIKE '%WORLD' AS b, s LIKE '' AS c"),
      from(TEXTS, "s LIKE '_ñb%' AS a"),
      from(TEXTS, "s SIMILAR TO '(Hello|a)%' AS a"),
    ],
  },
  {
    name: "regular expressions",
    queries: [
      from(TEXTS, "s ~ 'o' AS a, s ~* 'WORLD' AS b, s !~ '^H' AS c, s !~* 'h' AS d"),
      "SELECT 'a\nb' ~ 'a.b' AS a, 'abc' ~ '^b' AS b, '2024-01' ~ '^\\d{4}-\\d\\d$' AS c",
      from(TEXTS, "regexp_like(s, 'l+') AS a, regexp_like(s, 'hello', 'i') AS b"),
      "SELECT regexp_substr('abc123def', '[0-9]+') AS a, regexp_substr('abc', '[0-9]+') AS b, regexp_count('a1b2', '[0-9]') AS c",
      "SELECT 'abab' ~ '(ab)\\1' AS a",
      from(TEXTS, "s ~ '^[A-Z]' AS a, s ~ '\\s$' AS b, s ~* '(D|€C)' AS c, s ~ '[_%]' AS d, s ~ '^[^0-9]+$' AS e"),
      from(TEXTS, "substring(s FROM '[a-z]+') AS a, (regexp_match(s, '([A-Z])([a-z]+)'))[1] AS b"),
    ],
  },
  {
    name: "regexp_replace",
    queries: [
      "SELECT regexp_replace('a-b-c', '-', '') AS a, regexp_replace('a-b-c', '-', '', 'g') AS b, regexp_replace('aXbx', 'x', '_', 'gi') AS c",
      "SELECT regexp_replace('12-34', '^([0-9]+)-([0-9]+)$', '\\2-\\1') AS a, regexp_replace('abc', 'b', '[\\&]') AS b",
      from(TEXTS, "regexp_replace(s, '[aeiou]', '*', 'g') AS a"),
      from(
        TEXTS,
        "regexp_replace(s, '[^a-z]', '', 'g') AS a, regexp_replace(s, '\\s+', '-', 'g') AS b, regexp_replace(s, 'o.*$', '!') AS c",
      ),
    ],
  },
  {
    name: "date − date",
    queries: [
      from(DATES, "d - DATE '2020-01-01' AS a, DATE '2024-03-01' - d AS b"),
      "SELECT (DATE '2024-03-01' - DATE '2024-02-28') * 2 AS a",
      from(DATES, "d - '2023-12-31' AS a"),
      "SELECT TIME '10:00' - TIME '09:30' AS a",
    ],
  },
  {
    name: "times of day",
    queries: [
      from(
        CLOCKS,
        "c AS a, c = '10:05:06.5' AS b, c > TIME '10:00' AS e, c BETWEEN '00:00' AND '12:00' AS f, c IN (TIME '00:00', '10:05:06.500') AS g, c IS NULL AS h",
      ),
      from(
        CLOCKS,
        "coalesce(c, '12:00') AS a, CASE WHEN c < '12:00' THEN c ELSE TIME '12:00' END AS b, nullif(c, '00:00') AS e, greatest(c, '12:00') AS f, lag(c) OVER (ORDER BY id) AS g",
      ),
      `SELECT min(c) AS a, max(c) AS b, count(DISTINCT c) AS e, count(c) FILTER (WHERE c < '12:00') AS f FROM ${CLOCKS}`,
      "SELECT c AS a, count(*) AS b FROM (VALUES (TIME '10:00'), ('10:00:00'), ('09:59:59.9'), (NULL)) AS t(c) GROUP BY c ORDER BY c DESC NULLS LAST",
      `SELECT DISTINCT c AS a FROM ${CLOCKS} UNION SELECT ts::time FROM ${DATES} UNION ALL SELECT NULL ORDER BY 1`,
      from(DATES, "ts::time AS a, max(CAST(ts AS time)) OVER () AS b, ts::time < '12:00' AS e, NULL::time AS f"),
      "SELECT TIMESTAMPTZ '2024-03-10 23:30:00.000001+05' ::time AS a, TIMESTAMP '1965-03-10 23:30:00.000001'::time AS b, '10:30 PM'::time AS e",
      from(CLOCKS, "c::text AS a, CAST(c AS varchar(5)) AS b"),
      from(
        CLOCKS,
        "extract(hour FROM c) AS a, extract(minute FROM c) AS b, extract(second FROM c) AS e, extract(milliseconds FROM c) AS f, extract(microseconds FROM c) AS g",
      ),
      from(CLOCKS, "extract(epoch FROM c) AS a"),
      from(
        CLOCKS,
        "to_char(c, 'HH24:MI:SS.MS') AS a, to_char(c, 'FMHH12:MI AM, SSSS') AS b, to_char(c, '\"at\" US') AS e",
      ),
      from(
        CLOCKS,
        "c + INTERVAL '1 hour 30 minutes' AS a, c - INTERVAL '10:30:00.000001' AS b, INTERVAL '1 day 25 hours' + c AS e, c - INTERVAL '1 month 2 days' AS f",
      ),
      from(
        CLOCKS,
        "c + id * INTERVAL '7 hours' AS a, c - (id * 1000) * INTERVAL '1 minute' AS b, c + (id - 3) * INTERVAL '1 second' AS e, c + id * INTERVAL '1 day' AS f",
      ),
      from(DATES, "d + TIME '10:30:00.25' AS a, TIME '10:30' + d AS b"),
      from(DATES, "ts + TIME '10:30' AS a, ts - TIME '23:59:59.999999' AS b"),
      from(
        CLOCKS,
        "c - TIME '12:00' AS a, extract(epoch FROM c - TIME '12:00') AS b, extract(hour FROM TIME '12:00' - c) AS e, c - TIME '10:00' > INTERVAL '2 minutes' AS f",
      ),
      "SELECT TIME '24:00' AS a, TIME '24:00' > TIME '23:59:59.999999' AS b, extract(hour FROM TIME '24:00') AS e, to_char(TIME '24:00', 'HH24 AM') AS f",
      "SELECT TIME '24:00' + INTERVAL '1 second' AS a, TIME '24:00' - INTERVAL '0 hours' AS b, DATE '2024-02-28' + TIME '24:00' AS e",
    ],
  },
  {
    name: "date ± integer",
    queries: [
      from(DATES, "d + 1 AS a, d - 60 AS b"),
      "SELECT DATE '2024-02-28' + 2 AS a, 3 + DATE '2024-02-28' AS b",
      from(DATES, "d + (id * 10) AS a"),
    ],
  },
  {
    name: "date/timestamp ± interval",
    queries: [
      from(DATES, "d + INTERVAL '1 month' AS a, d - INTERVAL '1 month' AS b, ts + INTERVAL '1 day' AS c"),
      "SELECT DATE '2024-01-31' + INTERVAL '1 month' AS a, TIMESTAMP '2024-03-31 10:00:00' - INTERVAL '1 month' AS b",
      "SELECT TIMESTAMP '2024-01-01 00:00:00' + INTERVAL '1 year 2 months 3 days 04:05:06.7' AS a, DATE '2024-01-01' + INTERVAL 3 DAY AS b",
      "SELECT DATE '2024-01-01' + INTERVAL '1-2' YEAR TO MONTH AS a, TIMESTAMP '2024-01-01' - INTERVAL '90' MINUTE AS b, dateadd(quarter, 2, DATE '2024-01-31') AS c",
      from(DATES, "ts + id * INTERVAL '1 hour' AS a, dateadd('day', id, d) AS b"),
      from(
        DATES,
        "date_trunc('hour', ts) + INTERVAL '30 min' * floor(extract(minute FROM ts) / 30) AS a, ts - floor(extract(hour FROM ts) / 6) * INTERVAL '6 hours' AS b, d + ceil(id * 0.4) * INTERVAL '1 month' AS c",
      ),
      `SELECT id, TIMESTAMP '2024-01-31 12:00:00' + floor(d) * INTERVAL '1 second' AS a, TIMESTAMP '2024-01-31' - INTERVAL '1 day' * ceil(f) AS b FROM ${NUMBERS} WHERE id < 5 ORDER BY id`,
    ],
  },
  {
    name: "date_bin",
    queries: [
      from(
        DATES,
        "date_bin('15 minutes', ts, TIMESTAMP '2001-01-01') AS a, date_bin(INTERVAL '7 days', ts, TIMESTAMP '2024-03-01 12:00:00') AS b, date_bin('1 day 6 hours', d, DATE '2000-01-01') AS c, date_bin('90 seconds', ts, ts) AS e",
      ),
      from(DATES, "date_bin('1 hour', ts, TIMESTAMP '1970-01-01 00:10:00.5') AS a, date_bin('1 day', d, ts) AS b"),
      `SELECT i, date_bin('6 hours', t, TIMESTAMPTZ '2024-06-01 01:00:00+00') AS a, date_bin('2 days', t, TIMESTAMP '2024-01-01') AS b FROM ${INSTANTS} ORDER BY i`,
      `SELECT date_bin('1 day', ts, TIMESTAMP '2024-02-29 23:59:59.123456') AS bin, count(*) AS n FROM ${DATES} GROUP BY 1 ORDER BY 1`,
    ],
  },
  {
    name: "make_timestamp",
    queries: [
      from(
        DATES,
        "make_timestamp(2024, extract(month FROM d)::int, 1, extract(hour FROM ts)::int, 30, 0) AS a, make_timestamp(extract(year FROM d)::int, 2, 28, 23, extract(minute FROM ts)::int, 59.5) AS b",
      ),
      `SELECT n, make_timestamp(2024, 2, 29, n, 0, 0) AS a, make_timestamp(2024, 2, 29, 23, 59, n + 36) AS b FROM (VALUES (0), (24), (NULL)) AS t(n) ORDER BY n`,
      "SELECT make_timestamp(2023, 12, 31, 24, 0, 0) AS a, make_timestamp(2024, 2, 29, 23, 59, 59.123456) AS b, make_timestamp(1999, 12, 31, 23, 59, 60) AS c",
    ],
  },
  {
    name: "averages and sums of differences of times in subqueries",
    queries: [
      `SELECT round(extract(epoch FROM mean) / 3600, 1) AS a, mean > INTERVAL '1 day' AS b FROM (SELECT avg(TIMESTAMP '2024-03-01 12:00:00' - ts) AS mean FROM ${DATES}) AS t`,
      `WITH d AS (SELECT id % 2 AS k, sum(TIMESTAMP '2024-01-01' - ts) AS total, count(*) AS n FROM ${DATES} GROUP BY 1) SELECT k, extract(epoch FROM total) AS a, total IS NULL AS b, n FROM d WHERE total > INTERVAL '-100 days' ORDER BY total DESC`,
      `SELECT id, extract(epoch FROM (SELECT avg(t.ts - TIMESTAMP '2024-01-01') FROM ${DATES} WHERE id < 3)) AS a FROM ${BOOLS} ORDER BY id`,
    ],
  },
  {
    name: "OVERLAPS",
    queries: [
      // Every order of four ends, any of them equal or missing.
      `SELECT a.x AS a, b.x AS b, c.x AS c, d.x AS d, (a.x, b.x) OVERLAPS (c.x, d.x) AS o FROM ${ENDS} AS a(x) CROSS JOIN ${ENDS} AS b(x) CROSS JOIN ${ENDS} AS c(x) CROSS JOIN ${ENDS} AS d(x) ORDER BY 1, 2, 3, 4`,
      from(
        DATES,
        "(d, ts) OVERLAPS (DATE '2023-12-31', TIMESTAMP '2024-02-29 12:00:00') AS a, (ts, d) OVERLAPS (d, d) AS b",
      ),
      from(
        DATES,
        "(ts, INTERVAL '2 hours') OVERLAPS (TIMESTAMP '1969-12-31 14:30:00', INTERVAL '-1 hour') AS a, (d, INTERVAL '1 month') OVERLAPS (TIMESTAMP '2024-01-31', INTERVAL '29 days') AS b, (d, INTERVAL '0 days') OVERLAPS (ts, NULL::timestamp) AS c",
      ),
      "SELECT (DATE '2024-01-05', DATE '2024-01-01') OVERLAPS (DATE '2024-01-05', DATE '2024-01-07') AS a, (TIMESTAMPTZ '2024-01-01 00:30:00+01', DATE '2024-01-01') OVERLAPS (TIMESTAMPTZ '2023-12-31 23:45:00+00', NULL::date) AS b",
      `SELECT id FROM ${DATES} WHERE (d, ts) OVERLAPS (DATE '2023-01-01', DATE '2023-12-31') OR NOT (ts, DATE '2024-01-01') OVERLAPS (d, INTERVAL '1 day') ORDER BY id`,
    ],
  },
  {
    name: "date_trunc",
    queries: [
      from(DATES, "date_trunc('month', d) AS a, date_trunc('week', d) AS b, date_trunc('year', ts) AS c"),
      from(
        DATES,
        "date_trunc('quarter', ts) AS a, date_trunc('day', ts) AS b, date_trunc('hour', ts) AS c, date_trunc('minute', ts) AS d2",
      ),
      "SELECT date_trunc('month', DATE '2024-05-17') = TIMESTAMP '2024-05-01 00:00:00' AS a, date_trunc('week', DATE '2024-01-01') AS b",
      "SELECT date_trunc('century', DATE '2024-01-07') AS a",
      from(DATES, "date_trunc('decade', ts) AS a, date_trunc('century', d) AS b, date_trunc('decade', d) AS c"),
      "SELECT date_trunc('century', TIMESTAMP '2000-12-31 23:59:59') AS a, date_trunc('decade', DATE '2010-01-01') AS b, date_trunc('millennium', TIMESTAMP '2001-01-01 00:00:01') AS c",
      `SELECT i, date_trunc('decade', t) AS a FROM ${INSTANTS} ORDER BY i`,
      "SELECT date_trunc('decade', DATE '2024-01-07') AS a, date_trunc('millisecond', TIMESTAMP '2024-01-07 10:00:00.123456') AS b",
    ],
  },
  {
    name: "extract",
    queries: [
      from(
        DATES,
        "extract(dow FROM d) / 2 AS a, extract(doy FROM d) / 4 AS b, extract(week FROM d) / 2 AS c, extract(isoyear FROM d) / 4 AS e",
      ),
      from(
        DATES,
        "extract(dow FROM d) AS a, extract(isodow FROM d) AS b, extract(week FROM d) AS c, extract(isoyear FROM d) AS e",
      ),
      from(
        DATES,
        "extract(doy FROM d) AS a, extract(quarter FROM d) AS b, extract(year FROM ts) AS c, extract(month FROM ts) AS e",
      ),
      from(
        DATES,
        "extract(epoch FROM ts) AS a, extract(second FROM ts) AS b, extract(milliseconds FROM ts) AS c, extract(microseconds FROM ts) AS e",
      ),
      "SELECT extract(year FROM DATE '2024-05-01') / 10 AS a, date_part('month', DATE '2024-05-01') AS b, extract(epoch FROM TIMESTAMP '2024-01-03' - TIMESTAMP '2024-01-01 12:00:00') AS c",
      "SELECT extract(century FROM DATE '2024-05-01') AS a, extract(decade FROM DATE '2024-05-01') AS b, extract(day FROM INTERVAL '3 days 04:00:00') AS c",
    ],
  },
  {
    name: "date_diff, datediff",
    queries: [
      "SELECT date_diff('month', DATE '2024-01-31', DATE '2024-02-01') AS a, date_diff('year', DATE '2023-12-31', DATE '2024-01-01') AS b, date_diff('day', TIMESTAMP '2024-01-01 23:00:00', TIMESTAMP '2024-01-02 01:00:00') AS c",
      "SELECT date_diff('week', DATE '2024-01-07', DATE '2024-01-08') AS a, date_diff('quarter', DATE '2024-03-31', DATE '2024-04-01') AS b, date_diff('hour', TIMESTAMP '2024-01-01 00:59:00', TIMESTAMP '2024-01-01 01:00:00') AS c",
      from(
        DATES,
        "datediff(d, DATE '2023-01-01') AS a, datediff(month, DATE '2023-01-15', d) AS b, date_diff('second', ts, TIMESTAMP '2024-03-01') AS c",
      ),
    ],
  },
  {
    name: "age",
    queries: [
      "SELECT extract(year FROM age(DATE '2024-06-15', DATE '1990-07-20')) AS a, extract(month FROM age(DATE '2024-06-15', DATE '1990-07-20')) AS b, extract(day FROM age(DATE '2024-06-15', DATE '1990-07-20')) AS c",
      from(DATES, "extract(year FROM age(DATE '2030-01-01', d)) AS a"),
      "SELECT extract(month FROM age(DATE '2024-03-31', DATE '2024-02-29')) AS a, extract(day FROM age(DATE '2024-03-31', DATE '2024-02-29')) AS b",
    ],
  },
  {
    name: "to_char, to_date, to_timestamp",
    queries: [
      from(DATES, "to_char(d, 'YYYY-MM-DD') AS a, to_char(ts, 'HH24:MI:SS') AS b, to_char(d, 'YYYY\"Q\"Q') AS c"),
      from(DATES, "to_char(ts, 'ß DD ŉ') AS a"),
      from(
        DATES,
        "to_char(d, 'Mon DD, YYYY') AS a, to_char(d, 'MON') AS b, to_char(d, 'FMMonth FMDD') AS c, to_char(d, 'Dy') AS e",
      ),
      from(
        DATES,
        "to_char(d, 'Month') AS a, to_char(d, 'FMDay') AS b, to_char(d, 'IYYY-IW') AS c, to_char(ts, 'HH12:MI AM') AS e",
      ),
      "SELECT to_date('15-03-1995', 'DD-MM-YYYY') AS a, to_date('1997/12/31', 'YYYY/MM/DD') AS b, to_timestamp(1700000000) AS c",
      "SELECT to_timestamp('2024-05-06 07:08:09', 'YYYY-MM-DD HH24:MI:SS') AS a, to_char(DATE '2024-05-06', 'DDD') AS b",
      "SELECT to_char(1234.5, '9999.99') AS a",
    ],
  },
  {
    name: "clocks of named zones around their changes",
    queries: [
      `SELECT i, t AT TIME ZONE 'Europe/Berlin' AS a, t AT TIME ZONE 'America/New_York' AS b, t AT TIME ZONE 'Australia/Lord_Howe' AS c, t AT TIME ZONE 'Asia/Kolkata' AS e FROM ${INSTANTS} ORDER BY i`,
      `SELECT date_trunc('day', t AT TIME ZONE 'Europe/Berlin') AS d, count(*) AS n FROM ${INSTANTS} GROUP BY 1 ORDER BY 1`,
      `SELECT date_trunc('week', t AT TIME ZONE 'Australia/Lord_Howe') AS w, date_trunc('month', t AT TIME ZONE 'America/New_York') AS m, count(*) AS n FROM ${INSTANTS} GROUP BY 1, 2 ORDER BY 1, 2`,
      `SELECT i, extract(hour FROM t AT TIME ZONE 'America/New_York') AS h, to_char(t AT TIME ZONE 'Europe/Berlin', 'Day HH24:MI') AS s, (t AT TIME ZONE 'Australia/Lord_Howe')::date AS d FROM ${INSTANTS} ORDER BY i`,
    ],
  },
  {
    name: "to_char by parts, to_date of computed texts",
    queries: [
      from(
        DATES,
        "to_char(d, 'Day') AS a, to_char(d, 'DAY') AS b, to_char(ts, 'FMday, DD.MM.') AS c, to_char(d, 'dy') AS e",
      ),
      from(
        DATES,
        "to_char(d, 'Month|') AS a, to_char(ts, 'MONTH MON') AS b, to_char(d, 'FMMON YYYY') AS c, to_char(d, 'RM') AS e",
      ),
      from(
        DATES,
        "to_char(d, 'WW') AS a, to_char(ts, 'W DDD D ID') AS b, to_char(d, 'IYYY-\"W\"IW-ID') AS c, to_char(d, 'FMIW FMDDD') AS e",
      ),
      from(
        DATES,
        "to_char(ts, 'HH12:MI:SS am') AS a, to_char(ts, 'FMHH12 P.M.') AS b, to_char(ts, 'SSSS MS US') AS c, to_char(d, 'HH24:MI AM') AS e",
      ),
      from(
        DATES,
        "to_char(d, 'FMDDth \"of\" FMMonth') AS a, to_char(ts, 'Q \"it''s\" YY, CC') AS b, to_char(ts, '\"only text\"') AS c",
      ),
      "SELECT t, to_char(t, 'HH24:MI') AS a, to_char(t, 'HH12:MI:SS AM') AS b FROM (VALUES (TIME '00:05:00'), ('12:00:01'), ('23:59:59'), (NULL)) AS v(t) ORDER BY t",
      from(
        DATES,
        "to_date(to_char(d, 'DD.MM.YYYY'), 'DD.MM.YYYY') AS a, to_date(to_char(d, 'YYYYMMDD'), 'YYYYMMDD') AS b, to_date(to_char(d, 'MM/DD/YYYY'), 'MM/DD/YYYY') AS c",
      ),
      from(
        DATES,
        "to_timestamp(to_char(ts, 'YYYY-MM-DD HH24:MI:SS'), 'YYYY-MM-DD HH24:MI:SS') AS a, to_timestamp(to_char(ts, 'DD/MM/YYYY HH24:MI'), 'DD/MM/YYYY HH24:MI') AS b",
      ),
      from(
        DATES,
        "to_date(to_char(d, 'Mon YYYY'), 'Mon YYYY') AS a, to_date(to_char(d, 'YYYY-MM'), 'YYYY-MM') AS b, to_date(to_char(d, 'DD-MON-YY'), 'DD-MON-YY') AS c, to_date(to_char(d, 'YYYY-MM-DD'), 'YYYY-MM-DD') AS e",
      ),
    ],
  },
  {
    name: "AT TIME ZONE, timestamptz",
    queries: [
      "SELECT TIMESTAMP '2024-07-01 12:00:00' AT TIME ZONE 'America/New_York' AS a, TIMESTAMP WITH TIME ZONE '2024-07-01 12:00:00+02' AT TIME ZONE 'UTC' AS b",
      "SELECT TIMESTAMP WITH TIME ZONE '2024-01-15 23:00:00 America/New_York' AS a, CAST('2024-07-15 23:00:00 America/New_York' AS timestamp with time zone) AS b",
      "SELECT TIMESTAMPTZ '2024-01-01 00:00:00' = TIMESTAMP '2024-01-01 00:00:00' AS a, TIMESTAMPTZ '2024-01-01 00:00:00Z' AS b",
    ],
  },
  {
    name: "now, current_date",
    queries: [
      "SELECT now() >= TIMESTAMPTZ '2024-01-01 00:00:00+00' AS a, current_date > DATE '2024-01-01' AS b",
      "SELECT current_timestamp AT TIME ZONE 'UTC' >= TIMESTAMP '2024-01-01' AS a, CAST(now() AT TIME ZONE 'UTC' AS date) = current_date AS b",
      "SELECT localtimestamp > TIMESTAMP '2024-01-01' AS a",
    ],
  },
  {
    name: "booleans",
    queries: [
      from(BOOLS, "b AND TRUE AS a, b OR FALSE AS c, NOT b AS e, b = FALSE AS f"),
      from(BOOLS, "b IS TRUE AS a, b IS NOT TRUE AS c, b IS UNKNOWN AS e, b IS NOT FALSE AS f"),
      `SELECT count(*) AS n FROM ${BOOLS} WHERE b`,
      `SELECT id FROM ${BOOLS} WHERE NOT b OR b IS NULL ORDER BY b, id`,
    ],
  },
  {
    name: "FILTER",
    queries: [
      `SELECT count(*) FILTER (WHERE n > 0) AS a, sum(d) FILTER (WHERE n < 0) AS b, avg(f) FILTER (WHERE FALSE) AS c FROM ${NUMBERS}`,
      `SELECT count(n) FILTER (WHERE d IS NULL) AS a, countif(n = 7) AS b FROM ${NUMBERS}`,
      `SELECT id, sum(n::bigint) FILTER (WHERE id > 1) OVER (ORDER BY id) AS a FROM ${NUMBERS} ORDER BY id`,
    ],
  },
  {
    name: "string_agg, listagg, group_concat, array_agg",
    queries: [
      `SELECT string_agg(s, ',' ORDER BY id) AS a, listagg(s, ';') WITHIN GROUP (ORDER BY id DESC) AS b FROM ${TEXTS}`,
      `SELECT array_agg(n ORDER BY id) AS a, cardinality(array_agg(n)) AS b FROM ${NUMBERS}`,
      `SELECT string_agg(n, '+' ORDER BY id) AS a, group_concat(n, '-' ORDER BY id DESC) AS b FROM ${NUMBERS}`,
      `SELECT string_agg(s, ',') AS a, array_agg(s) AS b FROM ${TEXTS} WHERE FALSE`,
      `SELECT string_agg(DISTINCT x, ',' ORDER BY x) AS a FROM (VALUES ('b'), ('a'), ('b'), (NULL)) AS t(x)`,
      "SELECT k, string_agg(DISTINCT upper(x), '/' ORDER BY upper(x)) AS a, string_agg(DISTINCT x, '+' ORDER BY x DESC) AS b, count(DISTINCT x) AS n, count(*) AS c FROM (VALUES (1, 'b'), (1, 'B'), (1, 'a'), (2, NULL), (2, 'b'), (3, NULL), (1, 'b')) AS t(k, x) GROUP BY k ORDER BY k",
      "SELECT string_agg(DISTINCT lower(x), ', ') FILTER (WHERE k < 3) AS a FROM (VALUES (1, 'b'), (1, 'B'), (1, 'a'), (2, NULL), (2, 'b'), (3, NULL), (1, 'b')) AS t(k, x)",
      "SELECT array_to_string(array_agg(DISTINCT upper(x) ORDER BY upper(x) DESC), ',') AS a FROM (VALUES ('b'), ('B'), ('a')) AS t(x)",
    ],
  },
  {
    name: "stddev, variance",
    queries: [
      `SELECT stddev(n) AS a, variance(n) AS b, stddev_pop(d) AS c, var_pop(d) AS e FROM ${NUMBERS} WHERE id < 4`,
      `SELECT stddev(n) AS a, stddev_pop(n) AS b FROM ${NUMBERS} WHERE id = 1`,
      `SELECT corr(n, f) AS a, covar_pop(n, f) AS b, regr_slope(n, f) AS c FROM ${NUMBERS} WHERE id < 4`,
    ],
  },
  {
    name: "aggregates over no rows",
    queries: [
      `SELECT sum(n) AS a, min(s) AS b, max(n) AS c, avg(n) AS e, count(*) AS f, count(n) AS g FROM (SELECT 1 AS n, 'x' AS s) AS t WHERE FALSE`,
      `SELECT bool_and(b) AS a, bool_or(b) AS c FROM ${BOOLS} WHERE FALSE`,
      `SELECT sum(n) AS a FROM ${NUMBERS} WHERE n IS NULL`,
    ],
  },
  {
    name: "outer joins",
    queries: [
      "SELECT a.x, b.y FROM (VALUES (1), (2), (NULL)) AS a(x) LEFT JOIN (VALUES (2, 'two'), (3, 'three')) AS b(x, y) ON a.x = b.x ORDER BY a.x",
      "SELECT x, a.v, b.v FROM (VALUES (1, 'a'), (2, 'b')) AS a(x, v) FULL JOIN (VALUES (2, 'c'), (3, 'd')) AS b(x, v) USING (x) ORDER BY x",
      "SELECT x, y FROM (VALUES (1)) AS a(x) RIGHT JOIN (VALUES (1, 5), (2, 6)) AS b(x, y) USING (x) ORDER BY x",
      "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS a(x, v) JOIN (VALUES (1, 'c'), (2, 'z')) AS b(x, w) USING (x) JOIN (VALUES (1, 5), (3, 6)) AS c(x, z) USING (x)",
      "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS a(x, v) FULL JOIN (VALUES (2, 'c'), (4, 'z')) AS b(x, w) USING (x) FULL JOIN (VALUES (1, 5), (3, 6), (4, 8)) AS c(x, z) USING (x) ORDER BY x",
      "SELECT x FROM (VALUES (1), (2)) AS a(x) RIGHT JOIN (VALUES (2), (4)) AS b(x) USING (x) LEFT JOIN (VALUES (4)) AS c(x) USING (x) ORDER BY x",
    ],
  },
  {
    name: "percentile_cont/disc, median",
    queries: [
      `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) AS a, percentile_disc(0.5) WITHIN GROUP (ORDER BY n) AS b, median(d) AS c FROM ${NUMBERS}`,
      "SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY x) AS a, percentile_cont(0.9) WITHIN GROUP (ORDER BY x DESC) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01), (2.50), (NULL)) AS t(x)",
      "SELECT mode() WITHIN GROUP (ORDER BY x) AS a, percentile_cont(x, 0.5) AS b FROM (VALUES (1), (2), (2)) AS t(x)",
    ],
  },
  {
    name: "DISTINCT ON, QUALIFY",
    queries: [
      "SELECT DISTINCT ON (k) k, v FROM (VALUES (1, 5), (1, 7), (2, NULL), (2, 3)) AS t(k, v) ORDER BY k, v DESC",
      "SELECT k, v FROM (VALUES (1, 5), (1, 7), (2, NULL), (2, 3)) AS t(k, v) QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1 ORDER BY k",
      "SELECT k, count(*) AS n FROM (VALUES (1), (1), (2)) AS t(k) GROUP BY k QUALIFY rank() OVER (ORDER BY count(*) DESC) = 1",
      "SELECT k, row_number() OVER (ORDER BY k DESC) AS r FROM (VALUES (1), (2), (3)) AS t(k) QUALIFY r <= 2 ORDER BY r DESC",
      "SELECT DISTINCT k FROM (VALUES (1, 5), (1, 7), (2, 3)) AS t(k, v) QUALIFY sum(v) OVER (PARTITION BY k) > 2 ORDER BY k LIMIT 5",
      "SELECT d.k FROM (SELECT k, v FROM (VALUES (1, 5), (1, 7), (2, 3)) AS t(k, v) QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1) AS d ORDER BY d.k",
      "WITH c AS (SELECT k, v AS w FROM (VALUES (1, 5), (1, 7), (2, 3)) AS t(k, v) QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1) SELECT k, w FROM c ORDER BY 1",
      "SELECT DISTINCT ON (k % 2) k, v AS _w1 FROM (VALUES (1, 5), (1, 7), (2, 3)) AS t(k, v) QUALIFY row_number() OVER (ORDER BY v) < 3 ORDER BY k % 2, v",
      "SELECT k, v FROM (VALUES (1, 5), (1, 7), (2, 3)) AS t(k, v) QUALIFY row_number() OVER w < 3 WINDOW w AS (ORDER BY v) ORDER BY sum(v) OVER w DESC",
    ],
  },
  {
    name: "GROUP BY ordinal and alias, aliases in HAVING and ORDER BY",
    queries: [
      `SELECT n % 2 AS parity, count(*) AS c FROM ${NUMBERS} GROUP BY 1 ORDER BY c DESC, 1`,
      `SELECT n % 2 AS parity, count(*) AS c FROM ${NUMBERS} GROUP BY parity HAVING c >= 1 ORDER BY -c, parity`,
      `SELECT 5 AS five, count(*) AS c FROM ${NUMBERS} GROUP BY five ORDER BY five`,
      `SELECT upper(s) AS s, count(*) AS c FROM ${TEXTS} GROUP BY upper(s) ORDER BY s LIMIT 3`,
      "SELECT -5 AS x, count(*) AS n FROM (VALUES (1), (2)) AS t(a) GROUP BY x ORDER BY x",
      "SELECT s, count(*) AS n FROM (VALUES ('x'), ('X'), ('x'), (NULL)) AS t(s) GROUP BY s HAVING s <> 'X' ORDER BY s",
      "SELECT upper(s) AS u, count(*) AS n FROM (VALUES ('x'), ('X'), ('y')) AS t(s) GROUP BY upper(s) HAVING upper(s) = 'X'",
      "SELECT count(*) AS n FROM (VALUES (DATE '2024-01-05', 1), (DATE '2024-02-06', 2)) AS t(d, v) GROUP BY date_trunc('month', d) HAVING date_trunc('month', d) > DATE '2024-01-15' AND sum(v) > 0",
      "SELECT v + 1 AS w, sum(v) OVER (ORDER BY v + 1) AS x FROM (SELECT v FROM (VALUES (1), (2), (3)) AS t(v)) AS t GROUP BY v + 1, v HAVING (v + 1) * 2 > 4 ORDER BY 1",
    ],
  },
  {
    name: "bits",
    queries: [
      from(NUMBERS, "n & 12 AS a, n | 12 AS b, n # 12 AS c, ~n AS e"),
      from(NUMBERS, "n >> 1 AS a, n >> 30 AS b, n::bigint >> 40 AS c"),
      "SELECT x << 1 AS a, x << 4 AS b, x >> 1 AS c, x::smallint << 3 AS e, x::smallint >> 2 AS f, x::bigint << 40 AS g FROM (VALUES (1), (0), (NULL), (1000)) AS t(x)",
      "SELECT (x & 7) << 2 AS a, (x >> 4) & 15 AS b, ~(x >> 1) AS c FROM (VALUES (1), (-7), (NULL), (255)) AS t(x)",
    ],
  },
  {
    name: "gcd, lcm, factorial by literals",
    queries: [
      from(NUMBERS, "gcd(n, 18) AS a, gcd(18, n) AS b, gcd(n, 1) AS c, gcd(n::bigint, 120) AS e"),
      "SELECT lcm(n, 6) AS a, lcm(9, n) AS b, lcm(n::bigint, 120) AS c FROM (VALUES (7), (-7), (0), (NULL), (12), (-60)) AS t(n) ORDER BY 1",
      "SELECT factorial(0) AS a, factorial(3) AS b, factorial(20) AS c",
    ],
  },
  {
    name: "quote_literal",
    queries: [
      from(TEXTS, "quote_literal(s) AS a, quote_nullable(s) AS b"),
      "SELECT quote_literal('it''s') AS a, quote_literal('a\\''b') AS b, quote_nullable(NULL::text) AS c",
      "SELECT s FROM (VALUES ('a'), ('it''s'), (NULL)) AS t(s) WHERE quote_literal(s) = '''it''''s'''",
    ],
  },
  {
    name: "ANY and ALL of a query",
    queries: [
      "SELECT x, x > ALL (SELECT 2) AS a, x >= ANY (SELECT y FROM (VALUES (2), (3)) AS v(y)) AS b, x < ALL (SELECT 1 WHERE false) AS c, x < ANY (SELECT 1 WHERE false) AS e FROM (VALUES (1), (2), (3), (NULL)) AS t(x) ORDER BY 1",
      "SELECT x, x > ALL (SELECT y FROM (VALUES (2), (NULL)) AS v(y)) AS a, x > ANY (SELECT y FROM (VALUES (2), (NULL)) AS v(y)) AS b FROM (VALUES (1), (2), (3), (NULL)) AS t(x) ORDER BY 1",
      "SELECT d, d <= ALL (SELECT DATE '2024-01-02') AS a FROM (VALUES (DATE '2024-01-01'), ('2024-01-03')) AS t(d) WHERE d > ANY (SELECT DATE '2023-01-01') ORDER BY 1",
    ],
  },
  {
    name: "casts of members of json",
    queries: [
      "SELECT (j -> 'n')::integer AS a, (j -> 'f')::numeric(6,2) AS b, (j -> 'b')::boolean AS c, (j -> 'n')::float8 AS e, (j -> 'missing')::integer AS g FROM (SELECT '{\"n\":7,\"f\":1.25,\"b\":true}'::jsonb AS j) AS t",
      "SELECT (j -> 'z')::integer AS a FROM (SELECT '{\"z\":null}'::jsonb AS j) AS t",
      "SELECT (j -> 't' -> 1)::integer AS a FROM (SELECT '{\"t\":[1,2]}'::jsonb AS j) AS t",
    ],
  },
  {
    name: "array_position of what may be NULL",
    queries: [
      "SELECT x, array_position(ARRAY['G', 'PG', 'it''s'], x) AS a FROM (VALUES ('PG'), (NULL), ('z'), ('it''s')) AS t(x)",
      "SELECT array_position(ARRAY[3, 1], x) AS a FROM (VALUES (1), (NULL), (2)) AS t(x)",
      "SELECT array_position(ARRAY[3, 1], x) IS NULL AS a, count(*) AS n FROM (VALUES (1), (NULL), (2)) AS t(x) GROUP BY 1 ORDER BY 1",
    ],
  },
  {
    name: "real to numeric",
    queries: [
      "SELECT x::numeric + 0.5 AS a, x::numeric(8,3) = 0.1 AS b FROM (VALUES (0.1::real), (NULL), (2.5)) AS t(x)",
      "SELECT x, round(x::numeric, 6) AS a, x::numeric(20,8) AS b FROM (VALUES (0.1::real), (1.015625), (1.046875), (-1.015625), (1234565), (1234575), (16777216), (0), (NULL), (3.14159274), (0.000123456)) AS t(x) ORDER BY x",
      "SELECT round((x * y)::numeric, 2) AS a, round(sum(x)::numeric, 3) AS b FROM (VALUES (1.1::real, 2.2::real), (3.3, 1)) AS t(x, y) GROUP BY 1 ORDER BY 1",
    ],
  },
  {
    name: "GROUPING SETS, ROLLUP, CUBE, grouping()",
    queries: [
      "SELECT a, b, count(*) AS n, grouping(a) AS ga, grouping(a, b) AS gab FROM (VALUES (1, 'x'), (1, NULL), (2, 'x')) AS t(a, b) GROUP BY ROLLUP (a, b) ORDER BY 5, 1, 2",
      "SELECT a, b, count(*) AS n FROM (VALUES (1, 'x'), (2, 'x')) AS t(a, b) GROUP BY CUBE (a, b) ORDER BY 1, 2, 3",
      "SELECT a, b, sum(a) AS n FROM (VALUES (1, 'x'), (2, 'x')) AS t(a, b) GROUP BY GROUPING SETS ((a), (b), ()) ORDER BY 1, 2",
      "SELECT k, count(*) AS n FROM (SELECT 1 AS k UNION ALL SELECT 2) AS t WHERE k > 0 GROUP BY ROLLUP (k) ORDER BY k DESC",
      "SELECT coalesce(k, 0) AS c, count(*) AS n FROM (VALUES (1), (NULL)) AS t(k) GROUP BY ROLLUP (coalesce(k, 0)) ORDER BY coalesce(k, 0) DESC",
    ],
  },
  {
    name: "LIMIT, OFFSET, FETCH",
    queries: [
      `SELECT id FROM ${NUMBERS} ORDER BY id LIMIT 2 OFFSET 1`,
      `SELECT id FROM ${NUMBERS} ORDER BY id OFFSET 3`,
      "SELECT x FROM (VALUES (1), (2), (2), (3)) AS t(x) ORDER BY x FETCH FIRST 2 ROWS WITH TIES",
      "SELECT x FROM (VALUES (1), (2), (2), (3)) AS t(x) ORDER BY x OFFSET 1 ROW FETCH NEXT 1 ROW WITH TIES",
      `SELECT id FROM ${NUMBERS} ORDER BY id DESC FETCH FIRST ROW ONLY`,
      "SELECT k, v FROM (VALUES (1, 1), (1, 7), (2, 3), (2, 0)) AS t(k, v) QUALIFY row_number() OVER (PARTITION BY k ORDER BY v DESC) = 1 ORDER BY v FETCH FIRST 1 ROW WITH TIES",
    ],
  },
  {
    name: "VALUES, UNNEST, generate_series",
    queries: [
      "VALUES (1, 'a'), (2, NULL)",
      "SELECT x, y FROM (VALUES (1, 'a'), (2, 'b')) AS t(x, y) ORDER BY x",
      "SELECT * FROM unnest(ARRAY['a', 'b', NULL]) WITH ORDINALITY AS u(v, i) ORDER BY i",
      "SELECT g FROM generate_series(1, 5, 2) AS g ORDER BY g",
      "SELECT d FROM generate_series(DATE '2024-01-30', DATE '2024-02-02', INTERVAL '1 day') AS g(d) ORDER BY d",
      "SELECT t FROM generate_series(TIMESTAMPTZ '2024-01-30 12:00:00+00', TIMESTAMPTZ '2024-02-02 12:00:00+00', INTERVAL '1 day') AS g(t) ORDER BY t",
      "SELECT t, t + INTERVAL '1 month' AS next, extract(hour FROM t) AS h FROM generate_series(TIMESTAMPTZ '2024-01-01 00:00:00+00', TIMESTAMPTZ '2024-04-15 00:00:00+00', INTERVAL '1 month') AS g(t) WHERE t < TIMESTAMPTZ '2024-03-15 00:00:00+00' ORDER BY t",
      "SELECT t FROM generate_series(TIMESTAMPTZ '2024-03-31 06:00:00+05', TIMESTAMPTZ '2024-03-30 20:30:00+00', INTERVAL '-90 minutes') AS g(t) ORDER BY t",
      "SELECT count(*) AS n, min(t) AS first FROM generate_series(TIMESTAMPTZ '2024-01-02 00:00:00+00', TIMESTAMPTZ '2024-01-01 00:00:00+00', INTERVAL '1 day') AS g(t)",
      "SELECT unnest(ARRAY[3, 1, 2]) AS v ORDER BY v",
    ],
  },
  {
    name: "WITH RECURSIVE",
    queries: [
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT n FROM c ORDER BY n",
      "WITH RECURSIVE f(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM f WHERE b < 50) SELECT max(a) AS m FROM f",
      "WITH RECURSIVE t AS (SELECT 1 AS id, NULL::int AS parent UNION ALL SELECT id + 1, id FROM t WHERE id < 3) SELECT * FROM t ORDER BY id",
      "WITH RECURSIVE g(n, v) AS (SELECT 1, 100.0 UNION ALL SELECT n + 1, v * 1.05 FROM g WHERE n < 5) SELECT n, v FROM g ORDER BY n",
      "WITH RECURSIVE g(n, v) AS (SELECT 1, 100::numeric(20,6) UNION ALL SELECT n + 1, CAST(v * 1.05 AS numeric(20,6)) FROM g WHERE n < 5) SELECT n, v FROM g ORDER BY n",
    ],
  },
  {
    name: "IS [NOT] DISTINCT FROM, NULLIF, COALESCE, CASE",
    queries: [
      from(NUMBERS, "n IS DISTINCT FROM 7 AS a, n IS NOT DISTINCT FROM NULL AS b"),
      from(NUMBERS, "nullif(n, 7) AS a, coalesce(n, -1) AS b, coalesce(NULL, d, 0.5) AS c"),
      from(
        NUMBERS,
        "CASE WHEN n > 0 THEN 'pos' WHEN n < 0 THEN 'neg' END AS a, CASE n WHEN 7 THEN 1.5 WHEN 0 THEN 2 ELSE NULL END AS b",
      ),
      from(NUMBERS, "iff(n > 0, 1, 2) AS a, nvl(n, 0) AS b, decode(n, 7, 'seven', NULL, 'none', 'other') AS c"),
    ],
  },
  {
    name: "JSON",
    queries: [
      `SELECT j -> 'a' ->> 'b' AS a, j ->> 'n' AS b, j ->> 'missing' AS c, j #>> '{t,0}' AS e, j ->> 'nul' AS f FROM (SELECT '{"a":{"b":"x"},"n":1.5,"t":["p","q"],"nul":null}'::json AS j) AS t`,
      `SELECT (j ->> 'n')::numeric(5,2) + 1 AS a, j -> 't' ->> -1 AS b, j -> 't' -> 5 IS NULL AS c FROM (SELECT '{"n":1.5,"t":["p","q"]}'::json AS j) AS t`,
      `SELECT json_extract_path_text(j, 'a', 'b') AS a, json_array_length(j -> 't') AS b, json_typeof(j -> 'n') AS c FROM (SELECT '{"a":{"b":"x"},"n":1,"t":[1,2,3]}'::json AS j) AS t`,
      `SELECT j ->> 'a.b' AS a, j ->> '$x' AS b, j ->> '0' AS c FROM (SELECT '{"a.b":1,"$x":2,"0":3}'::json AS j) AS t`,
    ],
  },
  {
    name: "columns with the names of tables",
    queries: [
      "SELECT n % 2 AS odd, count(*) AS t FROM (VALUES (1), (2), (3), (0)) AS t(n) GROUP BY n % 2 ORDER BY min(t.n) DESC",
      "SELECT coalesce(t.k, '-') AS k, count(*) AS t FROM (VALUES ('a'), ('b'), ('a'), (NULL)) AS t(k) GROUP BY t.k HAVING min(t.k) IS NULL OR min(t.k) <> 'b' ORDER BY t.k DESC NULLS LAST, 2",
      "SELECT u.n AS t, t.n AS u, row_number() OVER (ORDER BY t.n, u.n) AS r FROM (VALUES (1), (2), (NULL)) AS t(n) JOIN (VALUES (2), (1), (3)) AS u(n) ON t.n <> u.n ORDER BY t.n - u.n DESC, t.n LIMIT 3",
    ],
  },
  {
    name: "arrays",
    queries: [
      "SELECT (ARRAY[10, 20, 30])[1] AS a, (ARRAY[10, 20, 30])[4] AS b, (ARRAY[10, 20, 30])[0] AS c",
      "SELECT 2 = ANY (ARRAY[1, 2]) AS a, 3 = ANY (ARRAY[1, 2]) AS b, 3 > ALL (ARRAY[1, 2]) AS c, array_contains(ARRAY[1, 2], 2) AS e",
      "SELECT cardinality(ARRAY[1, 2, 3]) AS a, array_length(ARRAY[1, 2], 1) AS b, array_position(ARRAY['a', 'b'], 'b') AS c, array_position(ARRAY['a'], 'z') AS e",
      "SELECT a[i] AS v FROM (VALUES (ARRAY[1, 2], 2), (ARRAY[1, 2], 0), (ARRAY[1, 2], 3), (ARRAY[1, 2], -1), (ARRAY[1, 2], NULL)) AS t(a, i) ORDER BY i",
      "SELECT array_to_string(ARRAY['a', NULL, 'b'], '-') AS a",
      "SELECT array_replace(a, 1, 9) AS a, array_replace(a, NULL, 0) AS b, array_replace(a, 2, NULL) AS c FROM (VALUES (ARRAY[1, 2, 1]), (NULL), (ARRAY[2, NULL])) AS t(a)",
      "SELECT array_contains(ARRAY[1, NULL], 2) AS a, array_contains(a, 1) AS b, NOT (1 = ANY (a)) AS c, 1 <> ALL (a) AS e FROM (VALUES (ARRAY[1]), (NULL), (ARRAY[2, NULL])) AS t(a)",
      "SELECT cardinality(string_to_array(s, ',')) AS a, array_to_string(ARRAY[]::int[], ',') AS b, ARRAY[1, 2] || 3 AS c, 0 || ARRAY[1] AS e, NULL::int[] || ARRAY[1] AS f FROM (VALUES ('a,b'), (''), (NULL)) AS t(s) ORDER BY s",
      "SELECT ARRAY[1, NULL] @> ARRAY[NULL]::int[] AS a, ARRAY[1, 2] <@ ARRAY[1, 2, 3] AS b, NULL::int[] @> ARRAY[1] AS c, ARRAY[NULL]::int[] && ARRAY[NULL]::int[] AS e",
      "SELECT a && b AS x, b && a AS y FROM (VALUES (1, ARRAY[1, 2], ARRAY[2, 3]), (2, ARRAY[1, NULL], ARRAY[NULL, 3]), (3, NULL, ARRAY[1]), (4, ARRAY[1], ARRAY[NULL]::int[]), (5, ARRAY[NULL, 2], ARRAY[NULL, 2]), (6, ARRAY[]::int[], ARRAY[1])) AS t(i, a, b) ORDER BY i",
      "SELECT a && ARRAY['vip', 'new'] AS x, NOT (ARRAY['b'] && a) AS y, ARRAY['a', NULL] && ARRAY['b'] AS z FROM (VALUES (1, ARRAY['a', 'vip']), (2, ARRAY['b', NULL]), (3, NULL), (4, ARRAY['new', NULL])) AS t(i, a) ORDER BY i",
      "SELECT (ARRAY[1, 2, 3])[2:3] AS a, (ARRAY[1, 2, 3])[:2] AS b, (ARRAY[1, 2, 3])[0:2] AS c, (ARRAY[1, 2, 3])[3:2] AS e",
      "SELECT (ARRAY[1, 2, 3])[-1:2] AS a",
    ],
  },
  {
    name: "operator precedence",
    queries: [
      "SELECT 2 + 3 * 4 AS a, (2 + 3) * 4 AS b, -2 ^ 2 AS c, 10 - 4 - 3 AS e, 2 ^ 3 ^ 2 AS f",
      "SELECT NOT TRUE OR TRUE AS a, NOT (TRUE OR TRUE) AS b, TRUE OR FALSE AND FALSE AS c",
      "SELECT 1 + 2 || 'x' AS a, 5 & 3 | 8 AS b",
    ],
  },
  {
    name: "set operations",
    queries: [
      "SELECT 1 AS x UNION SELECT 1 UNION ALL SELECT 2 ORDER BY x",
      "SELECT x FROM (VALUES (1), (1), (2), (NULL)) AS t(x) EXCEPT SELECT 2 ORDER BY x",
      "SELECT x FROM (VALUES (1), (NULL)) AS t(x) INTERSECT SELECT NULL ORDER BY x",
      "SELECT 1 AS x UNION ALL SELECT 2.5 ORDER BY 1 DESC LIMIT 1",
    ],
  },
  {
    name: "windows",
    queries: [
      "SELECT x, sum(x) OVER (ORDER BY x ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS s, lag(x) OVER (ORDER BY x) AS l, lead(x, 2, 0) OVER (ORDER BY x) AS e FROM (VALUES (1), (2), (4)) AS t(x) ORDER BY x",
      "SELECT x, rank() OVER w AS r, dense_rank() OVER w AS d, percent_rank() OVER w AS p, ntile(2) OVER w AS n FROM (VALUES (1), (1), (3), (NULL)) AS t(x) WINDOW w AS (ORDER BY x) ORDER BY x, n",
      "SELECT k, v, sum(v) OVER (w ROWS UNBOUNDED PRECEDING) AS s FROM (VALUES ('a', 1), ('a', 2), ('b', 5), (NULL, 7)) AS t(k, v) WINDOW p AS (PARTITION BY k), w AS (p ORDER BY v) ORDER BY k, v",
      "SELECT x, last_value(x) OVER (ORDER BY x) AS l, nth_value(x, 2) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS n FROM (VALUES (1), (2), (3)) AS t(x) ORDER BY x",
      "SELECT lag(d, 1, 0.125) OVER (ORDER BY d) AS a, lag(i, 1, 0.5) OVER (ORDER BY d) AS b FROM (VALUES (100.13::decimal(15,2), 5), (200.00, 6)) AS t(d, i) ORDER BY d",
    ],
  },
  {
    name: "text functions",
    queries: [
      from(TEXTS, "upper(s) AS a, lower(s) AS b, initcap(s) AS c, length(trim(s)) AS e"),
      "SELECT lpad('5', 3, '0') AS a, lpad('12345', 3) AS b, rpad('a', 3) || '|' AS c, ltrim('xxa', 'x') AS e, rtrim('axx', 'x') AS f, btrim('  a ') AS g",
      "SELECT split_part('a-b-c', '-', 2) AS a, split_part('a-b', '-', 5) AS b, split_part('a-b-c', '-', -1) AS c, replace('aaa', 'a', 'bb') AS e, translate('abc', 'ab', 'x') AS f",
      "SELECT ascii('€') AS a, chr(8364) AS b, md5('a') AS c, to_hex(255) AS e, starts_with('abc', 'ab') AS f, overlay('abcdef' PLACING 'XX' FROM 2 FOR 3) AS g",
      "SELECT octet_length('añ') AS a, encode('a'::bytea, 'base64') AS b, initcap('hello-wORLD it''s') AS c",
      "SELECT split_part('abc', '', 1) AS a",
      "SELECT to_hex(x) AS a, to_hex(x::bigint) AS b FROM (VALUES (-1), (255), (NULL)) AS t(x)",
    ],
  },
  {
    name: "number functions",
    queries: [
      "SELECT abs(-1.5) AS a, sign(-3) AS b, power(2, 10) AS c, sqrt(2) AS e, exp(1) AS f, ln(10) AS g, log(100) AS h, log(2, 8) AS i",
      "SELECT gcd(12, 18) AS a, lcm(4, 6) AS b, div(7, 2) AS c, div(-7, 2) AS e, degrees(pi()) AS f, cbrt(27) AS g",
      from(NUMBERS, "abs(n) AS a, sign(d) AS b, ceil(d) AS c, floor(d) AS e"),
      "SELECT safe_divide(1, 0) AS a, div0(5, 0) AS b, greatest(1, 2) AS c",
      "SELECT sin(1) AS a, atan2(1, 2) AS b, cot(1) AS c, radians(180) AS e",
    ],
  },
  {
    name: "subqueries",
    queries: [
      "SELECT x, (SELECT max(y) FROM (VALUES (1), (2)) AS u(y) WHERE y <= x) AS m FROM (VALUES (0), (1), (5)) AS t(x) ORDER BY x",
      "SELECT x FROM (VALUES (1), (2), (NULL)) AS t(x) WHERE x NOT IN (SELECT 1) ORDER BY x",
      "SELECT x FROM (VALUES (1), (2)) AS t(x) WHERE (x, 'a') IN (SELECT 1, 'a')",
      "SELECT t.x, l.y FROM (VALUES (1), (2)) AS t(x) CROSS JOIN LATERAL (SELECT t.x * 10 AS y) AS l ORDER BY 1",
      "SELECT x FROM (VALUES (1, 2), (2, NULL)) AS t(x, y) WHERE (x, y) NOT IN (SELECT 1, 2)",
    ],
  },
  {
    name: "set-returning functions in the select list",
    queries: [
      "SELECT id, generate_series(1, id) AS g FROM (VALUES (1), (3), (0)) AS t(id) ORDER BY id, g",
      "SELECT generate_series(DATE '2024-01-30', DATE '2024-02-02', INTERVAL '1 day')::date AS d ORDER BY d DESC LIMIT 2",
      "SELECT DISTINCT generate_series(1, 5) % 2 AS g ORDER BY g",
      "SELECT k, generate_series(1, count(*)) AS g, sum(v) AS s FROM (VALUES ('a', 1), ('a', 2), ('b', 9), ('c', NULL)) AS t(k, v) GROUP BY k HAVING sum(v) > 0 ORDER BY sum(v) DESC, g",
      "SELECT id, unnest(a) AS e, row_number() OVER (ORDER BY id) AS r FROM (VALUES (1, ARRAY['x', 'y']), (2, ARRAY['z']), (3, NULL)) AS t(id, a) ORDER BY r, e",
      "SELECT id, unnest(a) AS e FROM (VALUES (1, ARRAY['x', 'y']), (2, ARRAY['z', 'b', 'c'])) AS t(id, a) ORDER BY id DESC LIMIT 2",
      "SELECT upper(regexp_split_to_table('a1b2c', '[0-9]')) AS part ORDER BY 1",
      "SELECT unnest(ARRAY[1, 2]) AS a UNION ALL SELECT generate_series(5, 6) ORDER BY 1",
      "SELECT generate_series(1, 3) AS a, generate_series(1, 3) * 10 AS b ORDER BY 1",
    ],
  },
  {
    name: "percentiles and mode of groups",
    queries: [
      "SELECT k, percentile_cont(0.5) WITHIN GROUP (ORDER BY v) AS a, percentile_disc(0.9) WITHIN GROUP (ORDER BY v DESC) AS b, count(*) AS c, sum(v) AS s FROM (VALUES ('a', 1), ('a', 2), ('a', 7), ('b', 9), ('b', 4), ('c', NULL)) AS t(k, v) GROUP BY k HAVING count(*) > 0 ORDER BY percentile_cont(0.5) WITHIN GROUP (ORDER BY v), k",
      "SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY v) AS a, percentile_cont(0.9) WITHIN GROUP (ORDER BY v DESC) AS b, percentile_disc(0) WITHIN GROUP (ORDER BY v) AS c, percentile_cont(1) WITHIN GROUP (ORDER BY v) FILTER (WHERE v < 9) AS d FROM (VALUES (1.5), (2.25), (NULL), (7), (9)) AS t(v)",
      "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v) AS a, percentile_disc(0.5) WITHIN GROUP (ORDER BY d) AS b, count(*) AS n FROM (VALUES (1, DATE '2024-01-01')) AS t(v, d) WHERE v > 5",
      "SELECT mode() WITHIN GROUP (ORDER BY s) AS a, mode() WITHIN GROUP (ORDER BY v DESC) AS b FROM (VALUES ('x', 1), ('y', 2), ('y', 2), ('x', 1), ('z', 3)) AS t(s, v)",
      "SELECT k, mode() WITHIN GROUP (ORDER BY v) AS m, max(v) AS x, mode() WITHIN GROUP (ORDER BY v) FILTER (WHERE v > 1) AS f FROM (VALUES (1, 5), (1, 5), (1, 6), (2, 1), (2, NULL), (2, NULL), (3, NULL)) AS t(k, v) GROUP BY k ORDER BY k",
      "SELECT upper(s) AS u, percentile_disc(0.5) WITHIN GROUP (ORDER BY d) AS m FROM (VALUES ('x', DATE '2024-01-01'), ('X', DATE '2024-03-01'), ('y', DATE '2024-02-01'), ('x', NULL)) AS t(s, d) GROUP BY upper(s) ORDER BY 1",
    ],
  },
  { name: "LATERAL over values", queries: LATERAL_VALUES },
  { name: "LATERAL over rows", queries: LATERAL_ROWS },
  { name: "LATERAL with aggregates", queries: LATERAL_AGGREGATES },
  { name: "LATERAL beside and in others", queries: LATERAL_CHAINS },
  { name: "subqueries of each row", queries: JOINED_SUBQUERIES },
  {
    name: "TRY_CAST",
    queries: [
      "SELECT TRY_CAST('12' AS integer) AS a, TRY_CAST('x' AS integer) AS b, TRY_CAST('99999999999' AS integer) AS c",
      "SELECT TRY_CAST(x AS integer) AS a FROM (VALUES ('-2147483648'), ('2147483648'), ('-2147483649'), (' 7 ')) AS t(x)",
      "SELECT TRY_CAST('1.5' AS numeric(5,2)) AS a, TRY_CAST('abc' AS double precision) AS b",
      "SELECT SAFE_CAST(5 AS text) AS a, TRY_CAST('true' AS boolean) AS b",
    ],
  },
  {
    name: "real",
    queries: [
      "SELECT x = 0.1 AS a, x + 1.5 AS b, x * 2 AS c, x = '0.1' AS d, x BETWEEN 0.1 AND 1 AS e FROM (VALUES (0.1::real)) AS t(x)",
      "SELECT sum(x) AS a, avg(x) AS b, max(x) AS c FROM (VALUES (0.1::real), (0.2::real), (NULL)) AS t(x)",
      "SELECT x IN (0.1, 0.5) AS a, x = y AS b, x - y AS c FROM (VALUES (0.5::real, 0.5::float8), (0.1::real, 0.1::float8)) AS t(x, y)",
    ],
  },
  {
    name: "rows",
    queries: [
      "SELECT (a, b) = (1, 2) AS e, (a, b) <> (1, 2) AS n, (a, b) < (1, 2) AS l, (a, b) >= (1, 2) AS g FROM (VALUES (1, 2), (1, NULL), (NULL, 2), (0, 9), (3, 4), (NULL, NULL)) AS t(a, b) ORDER BY a, b",
      "SELECT (a, b) IN ((1, 2), (3, NULL)) AS i, (a, b) NOT IN ((1, 2), (3, 4)) AS ni, (a, b) IS NULL AS nu, (a, b) IS NOT NULL AS nn FROM (VALUES (1, 2), (1, NULL), (0, 9), (3, 4), (NULL, NULL)) AS t(a, b) ORDER BY a, b",
      "SELECT d FROM (VALUES (DATE '2024-01-01', 1), (DATE '2024-02-01', 2)) AS t(d, n) WHERE (d, n) > ('2024-01-15', 0)",
      "SELECT x FROM (VALUES (1), (2), (3), (NULL)) AS t(x) WHERE x BETWEEN SYMMETRIC 3 AND 2 OR x NOT BETWEEN SYMMETRIC 3 AND 1 ORDER BY x",
    ],
  },
  {
    name: "decimals of different scales in one column",
    queries: [
      "SELECT coalesce(sum(d), 0.125) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) WHERE d > 1000",
      "SELECT sum(d) AS a FROM (VALUES (100.13::decimal(15,2))) AS t(d) UNION ALL SELECT sum(d * d) FROM (VALUES (100.13::decimal(15,2))) AS t(d) ORDER BY 1",
      "SELECT CASE WHEN TRUE THEN 0.125 ELSE sum(d) END AS a, sum(d) % 0.125 AS b, greatest(sum(d), 100.135) AS c, sum(d) > 100.125 AS e FROM (VALUES (100.13::decimal(15,2))) AS t(d)",
      "SELECT sum(d) IN (SELECT 100.125) AS a, 100.125 IN (SELECT sum(d) FROM (VALUES (100.13::decimal(15,2))) AS u(d)) AS b FROM (VALUES (100.13::decimal(15,2))) AS t(d)",
    ],
  },
  {
    name: "bytes and bits",
    queries: [
      "SELECT X'1F2A' AS a, '\\xDEAD'::bytea AS b, 'añ'::bytea AS c",
      "SELECT encode(X'1F2A', 'hex') AS a, octet_length(X'') AS b, X'00' = '\\x00'::bytea AS c",
      "SELECT encode(decode('1f2a', 'hex'), 'base64') AS a",
    ],
  },
  {
    name: "dates that a source cannot hold",
    queries: [
      from(
        DATES,
        "d <= 'infinity' AS a, d > 'infinity' AS b, d <> 'infinity' AS c, d >= '-infinity' AS e, 'infinity' > ts AS f",
      ),
      from(DATES, "DATE '2024-01-01' <= COALESCE(d, 'infinity'::date) AS a, COALESCE(ts, 'infinity') < ts AS b"),
      from(DATES, "d NOT BETWEEN DATE '1970-01-01' AND COALESCE(NULLIF(d, DATE '2023-12-31'), 'infinity'::date) AS a"),
      from(DATES, "d < COALESCE(NULLIF(d, DATE '2024-02-29'), DATE '9999-12-31') AS a, d = DATE '9999-12-31' AS b"),
      `SELECT count(*) AS n FROM ${DATES} WHERE DATE '2024-01-01' BETWEEN d AND COALESCE(ts::date, '9999-12-31')`,
      `SELECT count(*) AS n FROM ${DATES} WHERE NOT ts < COALESCE(ts, '-infinity')`,
    ],
  },
  {
    name: "to_char of numbers",
    queries: [
      from(
        NUMBERS,
        "to_char(d, 'FM9,999,990.00') AS a, to_char(d, '999.9') AS b, to_char(n, 'S99G999') AS c, to_char(n, 'FM9999999990') AS e",
      ),
      `SELECT to_char(sum(d), '9G999D0PR') AS a, to_char(-count(*), '000MI') AS b FROM ${NUMBERS}`,
      `SELECT to_char(max(n), 'S9999999999') AS a, to_char(count(n), '000') AS b FROM ${NUMBERS} WHERE id < 5`,
    ],
  },
];
