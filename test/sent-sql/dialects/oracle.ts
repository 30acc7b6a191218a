/** Statements for Oracle, by its manual. */
import { manifestOfTable } from "../../support/plan.ts";
import { conditions, over, values, within } from "./group.ts";

export const ORACLE_TABLE = manifestOfTable({
  id: "NUMBER(10)",
  i: "INTEGER",
  s: "VARCHAR2(40 CHAR)",
  u: "VARCHAR2(40)",
  n: "NUMBER(12,2)",
  f: "BINARY_DOUBLE",
  b: "BOOLEAN",
  d: "date32",
  dt: "DATE",
  ts: "TIMESTAMP(6)",
  tz: "TIMESTAMP WITH TIME ZONE",
  j: "JSON",
});

/** Oracle's DATE has a time of day. */
export const ORACLE_DAYS = manifestOfTable({ x: "DATE", y: "DATE", n: "NUMBER(5)" });

export const ORACLE = [
  ...over(ORACLE_TABLE, {
    "conditions and values": [
      "SELECT id FROM t WHERE NOT b OR TRUE",
      "SELECT TRUE AS x FROM t",
      "SELECT id IS NULL AS x FROM t",
      "SELECT bool_or(b) AS x FROM t",
      "SELECT s ~ 'a' AS x FROM t WHERE s !~* '^b+$'",
      "SELECT id FROM t WHERE (id, n) IN ((1, 2))",
    ],
    "values of a regular expression": values([
      "regexp_replace(s, '(a+)-(b|c)', '\\2 \\1')",
      "regexp_replace(s, '\\D', '', 'g')",
      "regexp_substr(s, '(?:a|bc)\\.')",
      "substring(s FROM 'a+')",
      "(regexp_match(s, '(a+)-(b+)', 'i'))[2]",
    ]),
    "conditions with a regular expression": conditions([
      "s ~ '(?:ab)+[\\d.]'",
      "s ~ 'é\\t'",
      "s NOT SIMILAR TO '[A-Z]{3}_%'",
    ]),
    "an empty text, which is NULL on Oracle": [
      // NULL where an operand is NULL: Oracle's own operator reads NULL as an empty text.
      "SELECT s || u AS x FROM t",
      "SELECT concat(s, '-', u) AS x FROM t",
      "SELECT coalesce(s, '') || '-' AS x FROM t",
      "SELECT id FROM t WHERE trim(s) <> 'a'",
      "SELECT id FROM t WHERE trim(s) IS NULL",
      "SELECT length(trim(s)) AS x FROM t",
      "SELECT coalesce(nullif(trim(s), ''), 'none') AS x FROM t",
      "SELECT replace(s, '-', '') AS x FROM t",
      // The part is as long as one letter at least, because s is.
      "SELECT substring(s, 1, 3) AS x, count(*) AS n FROM t GROUP BY substring(s, 1, 3)",
    ],
    // A literal with a blank at its end would be a CHAR.
    "a literal with a blank at its end": ["SELECT id FROM t WHERE s = 'a '"],
    numbers: [
      "SELECT i / 2 AS x FROM t",
      "SELECT n / i AS x FROM t",
      "SELECT i % 3 AS x FROM t",
      // Oracle's MOD by zero is no error, a quotient by zero is.
      "SELECT n % i AS x FROM t",
      "SELECT n::text AS x FROM t",
      "SELECT f::numeric AS x FROM t",
      "SELECT greatest(i, n) AS x FROM t",
    ],
    times: [
      // A column of the type DATE has a time of day.
      "SELECT extract(hour FROM dt) AS x FROM t",
      "SELECT dt::date AS x FROM t",
      "SELECT date_trunc('week', ts) AS x FROM t",
      "SELECT d + 7 AS x FROM t",
      "SELECT d - DATE '2024-01-31' AS x FROM t",
      "SELECT ts + INTERVAL '90 minutes' AS x FROM t",
      // ADD_MONTHS goes from the last day of a month to the last day of another.
      "SELECT DATE '2023-02-28' + INTERVAL '1 month' AS x FROM t",
      "SELECT tz::timestamp AS x FROM t",
      "SELECT id FROM t WHERE tz > TIMESTAMPTZ '2024-01-31 12:00+02'",
      "SELECT to_char(ts, 'FMDD. Month') AS x FROM t",
      "SELECT ts::text AS x FROM t",
    ],
    queries: [
      "SELECT 1 AS x",
      "SELECT id FROM t LIMIT 3 OFFSET 2",
      "SELECT id FROM t EXCEPT SELECT i FROM t",
      "SELECT row_number() OVER () AS x FROM t",
      "SELECT first_value(id IGNORE NULLS) OVER (ORDER BY i) AS x FROM t",
      "SELECT grouping(id, i) AS x FROM t GROUP BY CUBE (id, i)",
    ],
    // Oracle's GREATEST and LEAST are NULL where an argument is, so the start needs no CASE, in which a text may not be empty.
    "parts of texts from a start that may be NULL": values([
      "substring(s FROM i)",
      "substring(s FROM i FOR 2)",
      "ltrim(substring(s FROM i))",
      "'x' || left(ltrim(substring(s FROM i)), 1)",
    ]),
    // PostgreSQL reads no number in an empty text, which is NULL on Oracle: a sign behind it makes it invalid on Oracle, too.
    "numbers and days in texts that may be empty": values([
      "substring(s FROM 2)::int",
      "regexp_replace(s, '[^0-9]', '', 'g')::int",
      "trim(s)::date",
    ]),
  }),
  ...over(ORACLE_DAYS, {
    "days are added to a DATE": within("SELECT ", " AS y FROM t", ["x + 1", "n + x", "x - n", "max(x) + 1"]),
    "two DATEs are days apart": within("SELECT ", " AS z FROM t", [
      "x - y",
      "DATE '2024-01-31' - x",
      "x - y + 1",
      "x - y > 30",
      "avg(current_date - x)",
      "sum(x - y) / 7.0",
      "coalesce(x, DATE '2024-01-31') - y",
      // The difference is an interval where an interval is required.
      "extract(epoch FROM x - y)",
      "x - y > INTERVAL '3 days'",
    ]),
  }),
];
