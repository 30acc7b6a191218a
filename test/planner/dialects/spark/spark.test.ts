/** Refusals of Spark and its settings; `test/sent-sql/dialects/spark.ts` lists what is supported. */
import { expect, test } from "vitest";
import { SPARK_RULED, SPARK_TABLE } from "../../../sent-sql/dialects/spark.ts";
import { planned } from "../../../support/plan.ts";

const sqlOf = (sql: string): string => planned(sql, SPARK_TABLE, { source: "spark" }).sql;

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
    `SELECT q.i, (SELECT u.i FROM t AS u WHERE u.i = q.i) + 1 AS n FROM ${q}`,
    "a subquery for each row of a table that ORDER BY and LIMIT cut",
  ]),
  ...[
    "max((SELECT v.i FROM t AS v WHERE v.i = u.i))",
    "count(*) FILTER (WHERE u.i IN (SELECT v.i FROM t AS v WHERE v.i = u.i))",
  ].map((value) => [
    `SELECT (SELECT ${value} FROM t AS u WHERE u.i = t.i HAVING count(*) > 0) AS x FROM t`,
    "a correlated subquery in an aggregate of another one",
  ]),
  ...[
    "string_agg(lower('A'), ',' ORDER BY lower('A')) FILTER (WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.i = 1))",
    "string_agg((SELECT 'b' WHERE t.i = 1), ',' ORDER BY i)",
    "array_agg(i ORDER BY (SELECT max(u.i) FROM t AS u))",
    "array_agg(DISTINCT (SELECT u.i FROM t AS u WHERE u.i = t.i))",
    "initcap((SELECT max('b') FROM t AS u))",
    // An operand that is repeated is bound by a lambda.
    `left(${Array(40).fill("coalesce((SELECT max('b') FROM t AS u), 'x')").join(" || ")}, -2)`,
  ].map((value) => [`SELECT ${value} AS x FROM t`, "a subquery in what a lambda computes"]),
  [
    "SELECT u.x FROM unnest((SELECT array_agg(i) FROM t)) WITH ORDINALITY AS u(x, n)",
    "a subquery in what a lambda computes",
  ],
  ...[
    "t CROSS JOIN LATERAL (SELECT u.i + t.i AS n, count(*) FROM t AS u GROUP BY u.i + t.i) AS l",
    "t CROSS JOIN LATERAL (SELECT sum(u.i) AS s FROM t AS u WHERE u.i = t.i HAVING sum(u.i + t.i) > 3) AS l",
    "t CROSS JOIN LATERAL (SELECT d.i FROM (SELECT u.i FROM t AS u ORDER BY u.i - t.i LIMIT 1) AS d) AS l",
    "t WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.i = t.i GROUP BY u.i HAVING sum(u.i * t.i) > 3)",
    "t WHERE t.i IN (SELECT max(u.i + t.i) FROM t AS u)",
    "t WHERE t.i IN (SELECT t.i + 1 FROM t AS u ORDER BY count(*))",
    "t JOIN t AS s ON t.i = s.i AND (SELECT sum(u.i * t.i) FROM t AS u) > 2",
  ].map((from) => [`SELECT t.i FROM ${from}`, "an outer column in an aggregate, GROUP BY or ORDER BY of a subquery"]),
  ["SELECT date '10000-01-01' AS x FROM t", "a date beyond the year 9999"],
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
  const { session } = planned("SELECT i FROM t", SPARK_TABLE, { source: "spark" });
  expect(session).toEqual(
    expect.arrayContaining([
      { name: "spark.sql.ansi.enabled", value: "true" },
      { name: "spark.sql.runSQLOnFiles", value: "false" },
      { name: "spark.sql.decimalOperations.allowPrecisionLoss", value: "false" },
      { name: "spark.sql.legacy.decimal.retainFractionDigitsOnTruncate", value: "true" },
    ]),
  );
});

/** Spark refuses each as it is written, or returns wrong rows; `test/engines/spark-parity.test.ts` runs similar statements. */
test.each([
  "SELECT t.i, l.n FROM t LEFT JOIN LATERAL (SELECT u.i AS n FROM t AS u ORDER BY abs(u.i - t.i) LIMIT 1) AS l ON TRUE",
  "SELECT t.i, l.n FROM t CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE u.i > t.i) AS n FROM t AS u) AS l",
  "SELECT t.i, l.n FROM t CROSS JOIN LATERAL (SELECT max(u.i) - t.i AS n FROM t AS u WHERE u.i < t.i) AS l",
  "SELECT t.i, (SELECT sum(u.i * t.i) FROM t AS u WHERE u.i < t.i) AS n FROM t",
  "SELECT q.i, (SELECT count(*) FROM t AS u WHERE u.i = q.i) AS n FROM (SELECT i FROM t ORDER BY i LIMIT 1) AS q",
  "SELECT (SELECT max((SELECT max(v.i) FROM t AS v WHERE v.i = u.i)) FROM t AS u WHERE u.i = t.i) AS x FROM t",
  "SELECT array_agg(DISTINCT (SELECT max(u.i) FROM t AS u WHERE u.i <= t.i)) AS x FROM t",
  "SELECT t.i FROM t ORDER BY (SELECT count(*) FROM t AS u WHERE u.i < t.i), t.i",
])("a subquery that Spark does not support where it is written becomes a join: %s", (sql) => {
  const sent = sqlOf(sql);
  expect(sent).toContain("JOIN (SELECT");
  expect(sent).not.toContain("LATERAL");
});

/** Sort keys that Spark does not resolve become columns of a derived table; others stay. */
test.each([
  ["SELECT i FROM t ORDER BY row_number() OVER (ORDER BY i DESC)", "ORDER BY `_q`.`_o1`"],
  ["SELECT i, rank() OVER (ORDER BY i) AS r FROM t ORDER BY rank() OVER (ORDER BY i) + 1", "ORDER BY `_q`.`_o1`"],
  ["SELECT i, rank() OVER (ORDER BY i) AS r FROM t ORDER BY rank() OVER (ORDER BY i)", "FROM `t` AS `t` ORDER BY 2"],
  ["SELECT rank() OVER (ORDER BY count(*)) AS r FROM t GROUP BY i ORDER BY sum(i)", "ORDER BY `_g1`.`a_2`"],
  ["SELECT rank() OVER (ORDER BY count(*)) AS r FROM t GROUP BY i + 1 ORDER BY (i + 1) * 2", "ORDER BY `_g2`.`k` * 2"],
  ["SELECT rank() OVER (ORDER BY count(*)) AS r FROM t GROUP BY i ORDER BY i + 1", "ORDER BY `t`.`i` + 1"],
  ["SELECT count(*) AS n FROM t GROUP BY i + 1 ORDER BY sum(i), i + 1", "ORDER BY sum(`t`.`i`)"],
])("sort keys beside windows: %s", (sql, key) => expect(sqlOf(sql)).toContain(key));

test.each([
  "SELECT l.i FROM (VALUES (1)) AS v(n) CROSS JOIN LATERAL (SELECT i FROM ruled WHERE i = v.n) AS l",
  "SELECT l.i FROM (VALUES (1)) AS v(n) CROSS JOIN LATERAL (SELECT max(i) AS i FROM (SELECT i FROM ruled) AS r WHERE i = v.n) AS l",
])("rows with a rule are joined in place of LATERAL: %s", (sql) => {
  const { sql: sent } = planned(sql, SPARK_RULED, { source: "spark" });
  expect(sent).toContain("JOIN (SELECT");
  expect(sent).toContain("WHERE `_f`.`_n` >= 0");
  expect(sent).not.toContain("LATERAL");
});

test("rows with a rule are refused in a LATERAL that becomes no join", () => {
  const sql =
    "SELECT l.i FROM (VALUES (1)) AS v(n) CROSS JOIN LATERAL (SELECT i FROM ruled WHERE i = v.n UNION ALL SELECT v.n) AS l";
  expect(() => planned(sql, SPARK_RULED, { source: "spark" })).toThrow("LATERAL over rows with rules");
});

test("an expression that can fail is refused on Databricks over a model with row rules", () => {
  expect(() => planned("SELECT 1 / i AS n FROM ruled", SPARK_RULED, { source: "databricks" })).toThrow(
    expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" }),
  );
});
