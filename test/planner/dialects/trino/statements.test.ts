/** Refusals of Trino; `test/sent-sql/dialects/trino.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { TRINO_TABLE } from "../../../sent-sql/dialects/trino.ts";
import { planned } from "../../../support/plan.ts";

const sqlOf = (sql: string): string => planned(sql, TRINO_TABLE, { source: "trino" }).sql;

describe("refused", () => {
  test.each<[sql: string, what: string]>([
    ["SELECT CAST(r AS text) AS x FROM t", "the text of a real"],
    [
      "SELECT u.x FROM t JOIN unnest(ARRAY[1, 2]) AS u(x) ON t.i = u.x",
      "rows of a function that are joined on a condition",
    ],
    ["SELECT u.x FROM t LEFT JOIN unnest(t.a) AS u(x) ON u.x > 1", "rows of a function that are joined on a condition"],
    [
      "SELECT g.x FROM t JOIN generate_series(1, 3) AS g(x) ON t.i = g.x",
      "rows of a function that are joined on a condition",
    ],
    ["SELECT CAST(d / 3 AS text) AS x FROM t", "the text of a quotient, an average or decimals of several scales"],
    [
      "SELECT CAST(coalesce(d, 0.125) AS text) AS x FROM t",
      "the text of a quotient, an average or decimals of several scales",
    ],
    ["SELECT sum(at - seen) AS x FROM t", "an interval as a value"],
    ["SELECT unnest(a) AS x, unnest(a || 1) AS y FROM t", "a function that makes rows as a value"],
    ["SELECT j = j AS x FROM t", "a comparison of json"],
    ["SELECT i FROM t WHERE s ~ u", "a computed regular expression"],
    ["SELECT i FROM t LIMIT 1 + 1", "a computed LIMIT or OFFSET"],
    ["SELECT i FROM t WHERE (i, l) NOT IN (SELECT i, l FROM t)", "a row that is compared with those of a subquery"],
    ["SELECT lag(i) OVER () AS x FROM t", "lag of rows in no order"],
    ["SELECT x.i FROM t LEFT JOIN LATERAL (SELECT t.i) AS x ON x.i > 0", "LATERAL that is joined on a condition"],
    ["SELECT sum(i) OVER (ORDER BY i GROUPS 1 PRECEDING) AS x FROM t", "a frame of GROUPS"],
    ["SELECT date_trunc('microsecond', at) AS x FROM t", "date_trunc to microsecond"],
    ["SELECT at AT TIME ZONE s AS x FROM t", "the time zone"],
    ["SELECT CAST('{\"a\": 1.50}' AS json) AS x FROM t", "the number 1.50 in json"],
    [
      "SELECT g.d FROM generate_series(TIMESTAMP '2024-01-31', TIMESTAMP '2024-06-01', INTERVAL '1 month') AS g(d)",
      "a series of months from a day that some do not have",
    ],
    [
      "WITH RECURSIVE g(n, v) AS (SELECT 1, 100.0 UNION ALL SELECT n + 1, v * 1.05 FROM g WHERE n < 5) SELECT n, v FROM g",
      "a recursive table whose decimals grow",
    ],
    ["SELECT CAST(s AS timetz) AS x FROM t", "a time of day with a zone"],
    ["SELECT CAST(d AS numeric(40, 2)) AS x FROM t", "numeric(40, 2)"],
    ["SELECT 1 << i AS x FROM t", "shifted bits"],
    ["SELECT i + 1 AS k, grouping(i + 1) AS g FROM t GROUP BY i + 1", "grouping() of an expression"],
    ["SELECT CAST('1' AS jsonb) -> 0 AS x FROM t", "the first element of what may be a plain value"],
  ])("%s", (sql, what) => {
    expect(() => sqlOf(sql)).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message: `not supported on Trino: ${what}` }),
    );
  });
});
