/**
 * Statements with one meaning that an engine once rejected or failed; over the tables of `originals-over-tables.ts`.
 */
import type { Subject } from "./subject.ts";

export const ACCEPTED: readonly Subject[] = [
  {
    // Searched: + - * over smallint beside literals, alternatives with literals, columns of subqueries, aggregates.
    name: "whole numbers are as wide as PostgreSQL's",
    queries: {
      "smallint-plus-minus": `SELECT id::smallint * 100000, id::smallint * 20000, 32767 + id::smallint, -30000 - id::smallint * 1000 FROM orders ORDER BY id`,
      "sum-smallint-max": "SELECT sum(id::smallint * 20000), max(id::smallint) * 20000 FROM orders",
      "coalesce-smallint-minus": `SELECT coalesce(id::smallint, 0) * 40000, -(id::smallint) * 40000, (id::smallint + 1) * 40000 FROM orders ORDER BY id`,
      "case-greater-greatest": `SELECT CASE WHEN id > 2 THEN id::smallint ELSE 0 END * 40000, greatest(id::smallint, 3) * 40000 FROM orders ORDER BY id`,
      "coalesce-smallint": "SELECT x * 40000 FROM (SELECT coalesce(id::smallint, 1) AS x FROM orders) t ORDER BY 1",
      "smallint-of-subquery":
        "SELECT x * 40000, x * y FROM (SELECT 1 AS x, id::smallint AS y FROM orders) t ORDER BY 1, 2",
    },
  },
  {
    // Searched: NULL alone, in both sides of a set operation, from a subquery, below DISTINCT, GROUP BY and ORDER BY.
    name: "NULL as a column is a text",
    queries: {
      alone: "SELECT NULL AS nothing",
      "null-union-all": "SELECT NULL UNION ALL SELECT NULL",
      "union-number": "SELECT NULL AS n UNION ALL SELECT 1 ORDER BY 1",
      null: "SELECT x FROM (SELECT NULL AS x) t",
      "distinct-tag-customer": "SELECT DISTINCT NULL AS x, id FROM tag t, customer ORDER BY id, x",
      "count-tag-group": "SELECT NULL AS a, count(*) FROM tag GROUP BY a",
      "null-customer": "SELECT NULL AS a FROM customer ORDER BY a, id",
    },
  },
  {
    // Searched: scalars, arrays and objects by both ends and by other numbers, json beside jsonb.
    name: "the element of a jsonb scalar",
    queries: {
      "jsonb-member-json": `SELECT '5'::jsonb -> 0, '{"a":1}'::jsonb -> 0, '[7]'::jsonb -> 0, '"x"'::jsonb ->> 0, '"x"'::json -> 0, '7'::jsonb -> -1, '7'::jsonb -> 1`,
    },
  },
  {
    // Searched: all powers of two from 2^-60 to 2^60, and 80,000 reals of all sizes, halves between two among them.
    name: "the text of a real is the shortest",
    queries: {
      literals: `SELECT 18.6953125::real::text, 0.1::real::text, 123456.7::real::text, 1234567::real::text, 72111024::real::text`,
      "power-generate-series": "SELECT (2::real ^ n)::real::text FROM generate_series(-60, 60) g(n) ORDER BY n",
      "sqrt-mod-generate-series": `SELECT (sqrt(n) * 10 ^ (n % 30 - 15))::real::text FROM generate_series(1, 2000) g(n) ORDER BY n`,
      "nan-real-infinity": "SELECT 'NaN'::real::text, '-Infinity'::real::text, (-0.1)::real::text, 0::real::text",
    },
  },
  {
    // Searched: every pair of rows, ends in any order, missing ones on either side, lengths, times of day, zones.
    name: "OVERLAPS over tables",
    queries: {
      dates: `SELECT a.id, b.id, (a.day, a.day + 20) OVERLAPS (b.day, b.ts), (a.ts, b.ts) OVERLAPS (b.ts, a.ts), (a.day, b.day) OVERLAPS (b.day, INTERVAL '1 month') FROM orders a, orders b ORDER BY 1, 2`,
      "times-and-zones": `SELECT a.id, b.id, (a.tm, b.tm) OVERLAPS (b.tm, INTERVAL '1 hour'), (a.tz, a.day) OVERLAPS (b.day, b.tz) FROM orders a, orders b ORDER BY 1, 2`,
      "missing-ends": `SELECT (NULL::date, DATE '2024-01-05') OVERLAPS (DATE '2024-01-01', NULL), (DATE '2024-01-05', NULL) OVERLAPS (DATE '2024-01-05', NULL), (DATE '2024-01-05', DATE '2024-01-01') OVERLAPS (DATE '2024-01-05', DATE '2024-01-07')`,
      "equal-ends": `SELECT (DATE '2024-01-05', DATE '2024-01-05') OVERLAPS (DATE '2024-01-05', DATE '2024-01-05'), (DATE '2024-01-05', NULL) OVERLAPS (DATE '2024-01-01', DATE '2024-01-07'), (NULL, DATE '2024-01-05') OVERLAPS (DATE '2024-01-01', DATE '2024-01-07')`,
    },
  },
  {
    // Searched: keys of queries, calls and windows, sides of comparisons; what computes by a collation is refused.
    name: "the order of code points by name",
    queries: {
      "name-collate": `SELECT name FROM orders ORDER BY name COLLATE "C"`,
      "where-upper-posix": `SELECT name FROM orders WHERE name COLLATE "C" > 'b' ORDER BY upper(name) COLLATE "POSIX" DESC`,
      "string-agg-desc-min": `SELECT string_agg(name, ',' ORDER BY name COLLATE "C" DESC), min(id) FROM orders`,
      "row-number-window-pg-catalog": `SELECT id, row_number() OVER (ORDER BY name COLLATE pg_catalog."C", id) FROM orders ORDER BY 1`,
      "lower-collate": `SELECT lower(name COLLATE "C") FROM orders`,
    },
  },
  {
    // Searched: comparisons, choices, sorting, text; what is computed from infinity differs.
    name: "infinite dates",
    queries: {
      "where-day-less": `SELECT id FROM orders WHERE day < 'infinity' AND ts < 'infinity' AND tz > '-infinity' ORDER BY id`,
      "between-coalesce-null": `SELECT id FROM orders WHERE ts BETWEEN '2024-01-20' AND COALESCE(NULL, TIMESTAMP 'infinity') ORDER BY id`,
      "where-coalesce-day": `SELECT id FROM orders WHERE coalesce(day, 'infinity') > '2024-01-20' ORDER BY coalesce(day, '-infinity'), id`,
      "greatest-date-text": "SELECT greatest(day, 'infinity') > day, 'infinity'::date::text FROM orders ORDER BY id",
      "extract-year-date": "SELECT extract(year FROM 'infinity'::date) > 2000 AS x",
      "to-char-date-yyyy": "SELECT to_char('infinity'::date, 'YYYY')",
      "extract-year-coalesce": `SELECT extract(year FROM x) > 2024 AS later FROM (SELECT coalesce(day, 'infinity') AS x FROM orders) t`,
    },
  },
  {
    name: "date_trunc in a zone",
    queries: {
      "date-trunc-day-asia-kolka": "SELECT date_trunc('day', tz, 'Asia/Kolkata') FROM orders ORDER BY id",
      "date-trunc-america-ne-europe-osl": `SELECT date_trunc('day', ts, 'America/New_York'), date_trunc('month', day, 'Europe/Oslo') FROM orders ORDER BY id`,
    },
  },
  {
    name: "EXISTS of nothing selected",
    queries: {
      "not-exists-item": `SELECT o.id FROM orders o WHERE NOT EXISTS (SELECT FROM item i WHERE i.order_id = o.id) ORDER BY 1`,
      "exists-tag-none": "SELECT EXISTS (SELECT FROM tag WHERE name = 'none')",
    },
  },
];
