/** SQL for MySQL and MariaDB, construct by construct; `test/engines/mysql-parity.test.ts` verifies the answers. */
import { describe, expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  i: "INT",
  d: "DECIMAL(10,2)",
  f: "DOUBLE",
  s: "VARCHAR",
  u: "VARCHAR",
  b: "BOOLEAN",
  day: "DATE",
  at: "DATETIME",
  seen: "TIMESTAMP",
  j: "JSON",
});

const sqlOf = (sql: string): string => planned(sql, manifest, { source: "mysql" }).sql;

/** `§` is the collation of code points, by the name that each engine has for it. */
const COLLATION = "/*!80017 utf8mb4_0900_bin */ /*M! utf8mb4_nopad_bin */";

const STATEMENTS: readonly (readonly [sql: string, said: string])[] = [
  // Ordering comparisons use the column's collation, as `s < 'x'` does.
  [
    "SELECT i FROM t WHERE s < ANY (ARRAY['a', 'b'])",
    "SELECT `t`.`i` FROM `t` AS `t` WHERE `t`.`s` < 'a' OR `t`.`s` < 'b'",
  ],
  [
    "SELECT i FROM t WHERE s > ALL (SELECT u FROM t)",
    "SELECT `t`.`i` FROM `t` AS `t` WHERE `t`.`s` > ALL (SELECT `t_2`.`u` FROM `t` AS `t_2`)",
  ],
  ["SELECT i / 2 AS q, d / 2 AS r FROM t", "SELECT `t`.`i` DIV 2 AS `q`, `t`.`d` / 2 AS `r` FROM `t` AS `t`"],
  [
    "SELECT s FROM t WHERE s = 'x'",
    "SELECT `t`.`s` FROM `t` AS `t` WHERE `t`.`s` = 'x' AND CONVERT(`t`.`s` USING utf8mb4) COLLATE § = 'x'",
  ],
  [
    "SELECT i FROM t WHERE s <> 'x' AND s IN ('a', 'b')",
    "SELECT `t`.`i` FROM `t` AS `t` WHERE CONVERT(`t`.`s` USING utf8mb4) COLLATE § <> 'x' AND (`t`.`s` IN ('a', 'b') AND CONVERT(`t`.`s` USING utf8mb4) COLLATE § IN ('a', 'b'))",
  ],
  [
    "SELECT i FROM t WHERE s LIKE 'a\\_%' AND s NOT LIKE '%x'",
    "SELECT `t`.`i` FROM `t` AS `t` WHERE (`t`.`s` LIKE 'a|_%' ESCAPE '|' AND CONVERT(`t`.`s` USING utf8mb4) COLLATE § LIKE 'a|_%' ESCAPE '|') AND CONVERT(`t`.`s` USING utf8mb4) COLLATE § NOT LIKE '%x'",
  ],
  [
    "SELECT i FROM t WHERE s ILIKE 'A%'",
    "SELECT `t`.`i` FROM `t` AS `t` WHERE CONVERT(lower(`t`.`s`) USING utf8mb4) COLLATE § LIKE lower('A%')",
  ],
  [
    "SELECT i FROM t WHERE s IS DISTINCT FROM u",
    "SELECT `t`.`i` FROM `t` AS `t` WHERE NOT (CONVERT(`t`.`s` USING utf8mb4) COLLATE § <=> CONVERT(`t`.`u` USING utf8mb4) COLLATE §)",
  ],
  [
    "SELECT s, count(*) AS n FROM t GROUP BY s",
    "SELECT CONVERT(`t`.`s` USING utf8mb4) COLLATE § AS `s`, count(*) AS `n` FROM `t` AS `t` GROUP BY CONVERT(`t`.`s` USING utf8mb4) COLLATE §",
  ],
  // Columns of a set operation have to have one collation, which a computed text decides.
  [
    "SELECT s FROM t UNION ALL SELECT lower(u) FROM t",
    "SELECT `t`.`s` FROM `t` AS `t` UNION ALL SELECT CONVERT(lower(`t`.`u`) USING utf8mb4) COLLATE § AS `lower` FROM `t` AS `t`",
  ],
  [
    "SELECT s FROM t UNION ALL SELECT 'x' UNION ALL SELECT u FROM t",
    "SELECT `t`.`s` FROM `t` AS `t` UNION ALL SELECT 'x' AS `column1` UNION ALL SELECT `t`.`u` FROM `t` AS `t`",
  ],
  ["SELECT CAST(NULL AS boolean) AS a", "SELECT CAST(NULL AS SIGNED) AS `a`"],
  ["SELECT DISTINCT s FROM t", "SELECT DISTINCT CONVERT(`t`.`s` USING utf8mb4) COLLATE § AS `s` FROM `t` AS `t`"],
  ["SELECT i FROM t ORDER BY i", "SELECT `t`.`i` FROM `t` AS `t` ORDER BY `t`.`i` IS NULL, `t`.`i`"],
  [
    "SELECT i FROM t ORDER BY i DESC NULLS FIRST",
    "SELECT `t`.`i` FROM `t` AS `t` ORDER BY `t`.`i` IS NOT NULL, `t`.`i` DESC",
  ],
  [
    "SELECT count(DISTINCT s) AS n FROM t",
    "SELECT count(DISTINCT CONVERT(`t`.`s` USING utf8mb4) COLLATE §) AS `n` FROM `t` AS `t`",
  ],
  [
    "SELECT s || '-' || i AS x FROM t",
    "SELECT CONCAT(CONCAT(`t`.`s`, '-'), CAST(`t`.`i` AS CHAR)) AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT concat(s, i) AS x FROM t",
    "SELECT concat(coalesce(`t`.`s`, ''), coalesce(CAST(`t`.`i` AS CHAR), '')) AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT CAST(s AS integer) AS x FROM t",
    "SELECT CASE WHEN CASE WHEN (`t`.`s` REGEXP '^[[:space:]]*[-+]?[0-9]{1,30}[[:space:]]*$') THEN CAST(`t`.`s` AS DECIMAL(65, 0)) BETWEEN -2147483648 AND 2147483647 END THEN CAST(CAST(`t`.`s` AS DECIMAL(65, 0)) AS SIGNED) WHEN exp(1000 + octet_length(`t`.`s`)) IS NOT NULL THEN NULL END AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT CAST(d AS integer) AS x FROM t",
    "SELECT CASE WHEN round(`t`.`d`) BETWEEN -2147483648 AND 2147483647 THEN CAST(round(`t`.`d`) AS SIGNED) WHEN exp(1000 + octet_length(`t`.`d`)) IS NOT NULL THEN NULL END AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT CAST(s AS date) AS x FROM t",
    "SELECT CASE WHEN (`t`.`s` REGEXP '^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$') THEN CASE WHEN CAST(`t`.`s` AS DATE) IS NOT NULL THEN CAST(`t`.`s` AS DATE) WHEN exp(1000 + octet_length(`t`.`s`)) IS NOT NULL THEN NULL END WHEN exp(1000 + octet_length(`t`.`s`)) IS NOT NULL THEN NULL END AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT CAST(b AS text) AS x, CAST(at AS text) AS y FROM t",
    "SELECT CASE WHEN `t`.`b` THEN 'true' WHEN NOT `t`.`b` THEN 'false' END AS `x`, CASE WHEN microsecond(`t`.`at`) = 0 THEN date_format(`t`.`at`, '%Y-%m-%d %H:%i:%s') ELSE TRIM(TRAILING '0' FROM date_format(`t`.`at`, '%Y-%m-%d %H:%i:%s.%f')) END AS `y` FROM `t` AS `t`",
  ],
  [
    "SELECT TRY_CAST(s AS double precision) AS x FROM t",
    "SELECT CASE WHEN (`t`.`s` REGEXP '^[[:space:]]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,3})?[[:space:]]*$') THEN CAST(`t`.`s` AS DOUBLE) END AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT sqrt(f) AS x FROM t",
    "SELECT CASE WHEN `t`.`f` >= 0 THEN sqrt(`t`.`f`) WHEN exp(1000 + octet_length(`t`.`f`)) IS NOT NULL THEN NULL END AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT date_trunc('month', day) AS x, date_trunc('week', at) AS y FROM t",
    "SELECT CAST(date_format(`t`.`day`, '%Y-%m-01') AS DATETIME(6)) AS `x`, CAST(DATE_ADD(CAST(`t`.`at` AS DATE), INTERVAL -weekday(`t`.`at`) DAY) AS DATETIME(6)) AS `y` FROM `t` AS `t`",
  ],
  [
    "SELECT day + 1 AS a, day - DATE '2024-01-01' AS b, at + INTERVAL '1 month 2 days' AS c FROM t",
    "SELECT CASE WHEN DATE_ADD(`t`.`day`, INTERVAL 1 DAY) IS NOT NULL THEN DATE_ADD(`t`.`day`, INTERVAL 1 DAY) WHEN exp(1000 + octet_length(`t`.`day`)) IS NOT NULL THEN NULL END AS `a`, datediff(`t`.`day`, DATE '2024-01-01') AS `b`, CASE WHEN DATE_ADD(DATE_ADD(`t`.`at`, INTERVAL 1 MONTH), INTERVAL 2 DAY) IS NOT NULL THEN DATE_ADD(DATE_ADD(`t`.`at`, INTERVAL 1 MONTH), INTERVAL 2 DAY) WHEN exp(1000 + octet_length(`t`.`at`)) IS NOT NULL THEN NULL END AS `c` FROM `t` AS `t`",
  ],
  [
    "SELECT extract(dow FROM day) AS a, extract(epoch FROM at) AS b, extract(week FROM day) AS c FROM t",
    "SELECT dayofweek(`t`.`day`) - 1 AS `a`, TIMESTAMPDIFF(MICROSECOND, DATE '1970-01-01', `t`.`at`) * 0.000001 AS `b`, week(`t`.`day`, 3) AS `c` FROM `t` AS `t`",
  ],
  [
    "SELECT j ->> 'a' AS x FROM t",
    "SELECT CASE WHEN json_type(json_extract(`t`.`j`, '$.\"a\"')) NOT IN ('NULL') THEN CASE WHEN json_type(json_extract(`t`.`j`, '$.\"a\"')) IN ('STRING', 'BOOLEAN') OR (json_unquote(json_extract(`t`.`j`, '$.\"a\"')) REGEXP '^-?[0-9]+([.][0-9]*[1-9])?$') THEN json_unquote(json_extract(`t`.`j`, '$.\"a\"')) WHEN exp(1000 + octet_length(json_extract(`t`.`j`, '$.\"a\"'))) IS NOT NULL THEN NULL END END AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT i FROM t WHERE s ~ '^a.*\\d$'",
    "SELECT `t`.`i` FROM `t` AS `t` WHERE (CONVERT(`t`.`s` USING utf8mb4) COLLATE § REGEXP '(?s)^a.*[0-9]\\\\z')",
  ],
  [
    "SELECT regexp_replace(s, '(\\d+)', '<\\1>') AS x FROM t",
    "SELECT regexp_replace(CONVERT(`t`.`s` USING utf8mb4) COLLATE §, '(?s)\\\\A(.*?)(([0-9]+))', /*!80000 '$1<$3>' */ /*M! '\\\\1<\\\\3>' */) AS `x` FROM `t` AS `t`",
  ],
  // The longer alternative first, which is what PostgreSQL takes.
  [
    "SELECT regexp_substr(s, 'a|ab') AS x FROM t",
    "SELECT CASE WHEN (CONVERT(`t`.`s` USING utf8mb4) COLLATE § REGEXP '(?s)a|ab') THEN regexp_substr(CONVERT(`t`.`s` USING utf8mb4) COLLATE §, '(?s)ab|a') END AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT string_agg(s, ', ' ORDER BY s) AS x FROM t",
    "SELECT GROUP_CONCAT(`t`.`s` ORDER BY `t`.`s` IS NULL, `t`.`s` SEPARATOR ', ') AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT sum(i) FILTER (WHERE b) AS x FROM t",
    "SELECT sum(CASE WHEN `t`.`b` THEN `t`.`i` END) AS `x` FROM `t` AS `t`",
  ],
  [
    "SELECT max(i) OVER () AS x, rank() OVER (ORDER BY i) AS y FROM t",
    "SELECT max(`t`.`i`) OVER (/*M! PARTITION BY RAND() < 0 */) AS `x`, CAST(rank() OVER (ORDER BY `t`.`i` IS NULL, `t`.`i`) AS SIGNED) AS `y` FROM `t` AS `t`",
  ],
  ["SELECT i FROM t LIMIT 3 OFFSET 1", "SELECT `t`.`i` FROM `t` AS `t` LIMIT 3 OFFSET 1"],
  ["SELECT i FROM t OFFSET 1", "SELECT `t`.`i` FROM `t` AS `t` LIMIT 18446744073709551615 OFFSET 1"],
  [
    "SELECT substring(s FROM 0 FOR 3) AS x, left(s, -1) AS y FROM t",
    "SELECT CASE WHEN 0 IS NOT NULL AND 3 IS NOT NULL THEN substring(`t`.`s`, greatest(0, 1), greatest(3 + least(0 - 1, 0), 0)) END AS `x`, left(`t`.`s`, greatest(char_length(`t`.`s`) - 1, 0)) AS `y` FROM `t` AS `t`",
  ],
  ["SELECT greatest(i, 3) AS x FROM t", "SELECT greatest(coalesce(`t`.`i`, 3), 3) AS `x` FROM `t` AS `t`"],
  [
    "SELECT x FROM generate_series(1, 3) AS g(x)",
    "SELECT `g`.`x` FROM (WITH RECURSIVE `g_series`(`n`) AS (SELECT CAST(1 AS SIGNED) AS `n` UNION ALL SELECT `g_series`.`n` + 1 AS `n` FROM `g_series` WHERE `g_series`.`n` + 1 <= 3) SELECT `g_series`.`n` AS `x` FROM `g_series` WHERE `g_series`.`n` <= 3) AS `g`",
  ],
  [
    "SELECT x FROM unnest(ARRAY['a', 'b']) AS g(x)",
    "SELECT `g`.`x` FROM (SELECT 'a' AS `x` UNION ALL SELECT 'b' AS `x`) AS `g`",
  ],
  ["SELECT now() AS a, current_date AS b", "SELECT utc_timestamp(6) AS `a`, utc_date() AS `b`"],
  [
    "SELECT 1e3 AS a, 0x1F AS b, TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00+02' AS c",
    "SELECT 1000 AS `a`, 31 AS `b`, TIMESTAMP '2023-12-31 22:00:00' AS `c`",
  ],
];

describe("said", () => {
  test.each(STATEMENTS)("%s", (sql, said) => expect(sqlOf(sql)).toBe(said.replaceAll("§", COLLATION)));
});

describe("refused", () => {
  test.each([
    ["SELECT * FROM t CROSS JOIN LATERAL (SELECT t.i AS n UNION SELECT t.i + 1) AS q", "LATERAL"],
    ["SELECT array_agg(j) AS x FROM t", "arrays"],
    ["SELECT sum(at - seen) AS x FROM t", "an interval as a value"],
    ["SELECT j = j AS x FROM t", "json"],
    ["SELECT CAST(CAST(f AS real) AS text) AS x FROM t", "the text of a real"],
    ["SELECT at AT TIME ZONE s AS x FROM t", "the time zone"],
    ["SELECT i FROM t LIMIT (SELECT 1)", "a computed LIMIT or OFFSET"],
    ["SELECT s FROM t WHERE s ~ u", "a computed regular expression"],
    ["SELECT regexp_substr(s, '(?:(a?){1,2}?a([ab]b*?)+)') AS x FROM t", "a pattern that may match more or less"],
    ["SELECT regexp_replace(s, '(a|ab)(c|bcd)?', '<\\1>') AS x FROM t", "a pattern that may match more or less"],
    ["SELECT CAST('x' AS integer) AS x FROM t", "'x' as a integer"],
    ["SELECT to_date(s, 'J') AS x FROM t", "reading a date by a format"],
    ["SELECT i << i AS x FROM t", "shifted bits"],
  ])("%s: %s", (sql, what) => {
    expect(() => sqlOf(sql)).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message: expect.stringContaining(what) }),
    );
  });
});
