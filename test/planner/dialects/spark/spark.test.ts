/**
 * Plans for Spark where the engine would behave differently, or do something that queries may not;
 * `test/engines/spark-parity.test.ts` runs them.
 */
import { expect, test } from "vitest";
import { manifestOf, manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  i: "INT",
  d: "DECIMAL(10,2)",
  r: "FLOAT",
  s: "STRING",
  j: "JSON",
  day: "DATE",
  at: "TIMESTAMP",
  seen: "TIMESTAMP_LTZ",
  clock: "TIME",
});

const sqlOf = (sql: string): string => planned(sql, manifest, { source: "spark" }).sql.replaceAll("`t`.`", "`");

test.each([
  ["SELECT i / 2 AS x FROM t", "SELECT `i` DIV 2 AS `x` FROM `t` AS `t`"],
  [
    "SELECT d / i AS x FROM t",
    "SELECT CAST(`d` AS DECIMAL(38, 18)) / CAST(`i` AS DECIMAL(38, 18)) AS `x` FROM `t` AS `t`",
  ],
  ["SELECT CAST(d AS integer) AS x FROM t", "SELECT CAST(round(`d`, 0) AS INT) AS `x` FROM `t` AS `t`"],
  ["SELECT avg(i) AS x FROM t", "SELECT avg(CAST(`i` AS DECIMAL(34, 14))) AS `x` FROM `t` AS `t`"],
  // Spark finds what a subquery in ORDER BY names in the columns alone.
  [
    "SELECT i, (SELECT count(*) FROM t AS u WHERE u.i = t.i) AS n FROM t ORDER BY n",
    "SELECT `_s1`.`i`, `_s1`.`n` FROM (SELECT `i`, (SELECT count(*) AS `count` FROM `t` AS `u` WHERE `u`.`i` = `i`) AS `n` FROM `t` AS `t`) AS `_s1` ORDER BY `_s1`.`n` NULLS LAST",
  ],
  // A default takes the type of the value there.
  [
    "SELECT lag(i, 1, 0.5) OVER (ORDER BY i) AS x FROM t",
    "SELECT lag(CASE WHEN TRUE THEN `i` ELSE 0.5 END, 1, 0.5) OVER (ORDER BY `i` NULLS LAST) AS `x` FROM `t` AS `t`",
  ],
  ["SELECT row_number() OVER () AS x FROM t", "SELECT row_number() OVER (ORDER BY NULL) AS `x` FROM `t` AS `t`"],
  [
    "SELECT i FROM t WHERE i NOT IN (SELECT i FROM t)",
    "SELECT `i` FROM `t` AS `t` WHERE `i` NOT IN (SELECT `t_2`.`i` FROM `t` AS `t_2`)",
  ],
  ["SELECT at + INTERVAL '1 month' AS x FROM t", "SELECT timestampadd(MONTH, 1, `at`) AS `x` FROM `t` AS `t`"],
  ["VALUES (-1, DATE '2024-01-02'), (2, NULL)", "VALUES (-1, DATE '2024-01-02'), (2, NULL)"],
  // VALUES is of constants there.
  [
    "SELECT x FROM t, LATERAL (VALUES (t.i), ((SELECT 1))) AS v(x)",
    "SELECT `v`.`x` FROM `t` AS `t`, LATERAL (SELECT `i` AS `column1` UNION ALL SELECT (SELECT 1 AS `column1`) AS `column1`) AS `v`(`x`)",
  ],
  // HAVING and ORDER BY see the select list beside grouping sets, and nothing else.
  [
    "SELECT coalesce(s, 'all') AS s, count(*) AS n FROM t GROUP BY ROLLUP (t.s) ORDER BY t.s",
    "SELECT coalesce(`_g1`.`s`, 'all') AS `s`, `_g1`.`a` AS `n` FROM (SELECT `s`, count(*) AS `a` FROM (SELECT CAST(`_s`.`s` AS STRING) AS `s` FROM `t` AS `_s`) AS `t` GROUP BY ROLLUP (`s`)) AS `_g1` ORDER BY `_g1`.`s` NULLS LAST",
  ],
  [
    "SELECT i, (SELECT count(*) FROM t AS u WHERE u.i = t.i) AS n FROM t GROUP BY i",
    "SELECT `_g1`.`i`, (SELECT count(*) AS `count` FROM `t` AS `u` WHERE `u`.`i` = `_g1`.`i`) AS `n` FROM (SELECT `i`, count(*) AS `n` FROM `t` AS `t` GROUP BY `i`) AS `_g1`",
  ],
  // The truncation of quotients does not decide how a half is rounded.
  [
    "SELECT round(avg(d / i), 2) AS x FROM t",
    "SELECT CAST(CAST(avg(CAST(CAST(`d` AS DECIMAL(38, 18)) / CAST(`i` AS DECIMAL(38, 18)) AS DECIMAL(34, 14))) AS DECIMAL(34, 14)) AS DECIMAL(38, 2)) AS `x` FROM `t` AS `t`",
  ],
  // To its grammar EXISTS is a condition, and no value that is compared.
  [
    "SELECT (i > 1) IS DISTINCT FROM EXISTS (SELECT 1) AS x, NOT EXISTS (SELECT 1) AND i = 1 AS y FROM t",
    "SELECT (`i` > 1) IS DISTINCT FROM (EXISTS (SELECT 1 AS `column1`)) AS `x`, NOT EXISTS (SELECT 1 AS `column1`) AND `i` = 1 AS `y` FROM `t` AS `t`",
  ],
  [
    "SELECT regexp_substr(s, 'a?$') AS x FROM t",
    "SELECT CASE WHEN regexp_like(`s`, '(?s)a?\\\\z') THEN regexp_extract(`s`, '(?s)a?\\\\z', 0) END AS `x` FROM (SELECT CAST(`_s`.`s` AS STRING) AS `s` FROM `t` AS `_s`) AS `t`",
  ],
  // The order of a cut table is kept where its rows are joined, filtered and grouped.
  [
    "SELECT q.i FROM (SELECT i FROM t ORDER BY i LIMIT 1) AS q WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.i = q.i)",
    "SELECT `q`.`i` FROM (SELECT `i` FROM `t` AS `t` ORDER BY `i` NULLS LAST LIMIT 1) AS `q` WHERE EXISTS (SELECT 1 AS `column1` FROM `t` AS `u` WHERE `u`.`i` = `q`.`i`)",
  ],
  ["SELECT count(*) AS n FROM t GROUP BY ()", "SELECT count(*) AS `n` FROM `t` AS `t` GROUP BY GROUPING SETS (())"],
  [
    "SELECT grouping(i, s) AS x FROM t GROUP BY ROLLUP (i, s)",
    "SELECT grouping(`i`) * 2 + grouping(`s`) AS `x` FROM (SELECT `_s`.`i` AS `i`, CAST(`_s`.`s` AS STRING) AS `s` FROM `t` AS `_s`) AS `t` GROUP BY ROLLUP (`i`, `s`)",
  ],
])("%s", (sql, said) => expect(sqlOf(sql)).toBe(said));

test.each([
  ["SELECT i IN (SELECT i FROM t) AS x FROM t", "IN (query) as a value where something may be NULL"],
  ["SELECT r FROM t UNION ALL SELECT d FROM t", "a real beside an exact number in a set operation"],
  [
    "SELECT i FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE EXISTS (SELECT 1 FROM t AS v WHERE v.i = t.i))",
    "a column of a query that is two further out",
  ],
  ...[
    "(SELECT i FROM t ORDER BY i LIMIT 1) AS q",
    "(SELECT i FROM t ORDER BY i OFFSET 1) AS q",
    "(SELECT i FROM (SELECT i FROM t ORDER BY i LIMIT 1) AS p) AS q",
    "(WITH c AS (SELECT i FROM t ORDER BY i LIMIT 1) SELECT i FROM c) AS q",
  ].map((q) => [
    `SELECT q.i, (SELECT count(*) FROM t AS u WHERE u.i = q.i) + 1 AS n FROM ${q}`,
    "a subquery for each row of a table that ORDER BY and LIMIT cut",
  ]),
  ...[
    "max((SELECT max(v.i) FROM t AS v WHERE v.i = u.i))",
    "count(*) FILTER (WHERE EXISTS (SELECT 1 FROM t AS v WHERE v.i = u.i))",
  ].map((value) => [
    `SELECT (SELECT ${value} FROM t AS u WHERE u.i = t.i) AS x FROM t`,
    "a correlated subquery in an aggregate of another one",
  ]),
  ["SELECT timestamp '10000-01-01' AS x FROM t", "a timestamp beyond the year 9999"],
  ["SELECT timestamptz '9999-12-31 23:30-01:00' AS x FROM t", "a timestamp beyond the year 9999"],
  ["SELECT j -> 'a' AS x FROM t", "a member of json as a value"],
  ["SELECT interval '1 day' > 2 * (at - at) AS x FROM t", "a comparison of intervals"],
  ["SELECT at AT TIME ZONE 'Mars/Olympus' AS x FROM t", "the time zone"],
  [
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3) SELECT x FROM n",
    "a common table that names itself",
  ],
])("refuses %s", (sql, what) => {
  const message = `not supported on Spark: ${what}`;
  expect(() => sqlOf(sql)).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message }));
});

/** Functions that run commands or Java, or read files, secrets and other sources, and unknown functions of a server. */
test.each([
  "SELECT reflect('java.lang.System', 'getProperty', 'user.home') AS x FROM t",
  "SELECT java_method('java.lang.System', 'getenv') AS x FROM t",
  "SELECT try_reflect('java.lang.System', 'getenv') AS x FROM t",
  "SELECT secret('scope', 'key') AS x FROM t",
  "SELECT transform(i) AS x FROM t",
  "SELECT TRANSFORM(i) USING 'cat' AS (x) FROM t",
  "SELECT input_file_name() AS x FROM t",
  "SELECT x FROM read_files('/etc/passwd') AS f(x)",
  "SELECT x FROM text.`/etc/passwd` AS f(x)",
  `SELECT x FROM text."/etc/passwd" AS f(x)`,
  "SELECT x FROM range(10) AS f(x)",
  "SELECT x FROM python_function(1) AS f(x)",
])("nobody gets %s", (sql) => expect(() => sqlOf(sql)).toThrow());

test("a session has no files as tables, and no decimals that are cut", () => {
  const { session } = planned("SELECT i FROM t", manifest, { source: "spark" });
  expect(session).toEqual(
    expect.arrayContaining([
      { name: "spark.sql.ansi.enabled", value: "true" },
      { name: "spark.sql.runSQLOnFiles", value: "false" },
      { name: "spark.sql.decimalOperations.allowPrecisionLoss", value: "false" },
      { name: "spark.sql.legacy.decimal.retainFractionDigitsOnTruncate", value: "true" },
    ]),
  );
});

const ruled = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "ruled",
      tableReference: { table: "t" },
      columns: [
        { name: "i", type: "INTEGER" },
        { name: "q", type: "INTEGER", isCalculated: true, expression: "abs(i)" },
      ],
      rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "i > 1" }],
    },
  ],
});

test.each([
  [
    "SELECT q FROM ruled WHERE i < 3",
    "SELECT `ruled`.`q` FROM (SELECT `_f`.`i`, abs(`_f`.`i`) AS `q` FROM (SELECT `_b`.`i`, monotonically_increasing_id() AS `_n` FROM `t` AS `_b` WHERE `_b`.`i` > 1) AS `_f` WHERE `_f`.`_n` >= 0) AS `ruled` WHERE `ruled`.`i` < 3",
  ],
  [
    "SELECT count(*) AS c FROM ruled",
    "SELECT count(*) AS `c` FROM (SELECT 1 AS `_x` FROM (SELECT monotonically_increasing_id() AS `_n` FROM `t` AS `_b` WHERE `_b`.`i` > 1) AS `_f` WHERE `_f`.`_n` >= 0) AS `ruled`",
  ],
])("over rows with a rule: %s", (sql, said) => {
  expect(planned(sql, ruled, { source: "spark" }).sql).toBe(said);
});

test.each([
  "SELECT l.i FROM (VALUES (1)) AS v(n) CROSS JOIN LATERAL (SELECT i FROM ruled WHERE i = v.n) AS l",
  "SELECT l.i FROM (VALUES (1)) AS v(n) CROSS JOIN LATERAL (SELECT max(i) AS i FROM (SELECT i FROM ruled) AS r WHERE i = v.n) AS l",
])("rows with a rule are refused in LATERAL: %s", (sql) => {
  expect(() => planned(sql, ruled, { source: "spark" })).toThrow("LATERAL over rows with rules");
});

test("an expression that can fail is refused on Databricks over a model with row rules", () => {
  expect(() => planned("SELECT 1 / i AS n FROM ruled", ruled, { source: "databricks" })).toThrow(
    expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" }),
  );
});
