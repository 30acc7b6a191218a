/** Refusals of ClickHouse and its settings; `test/sent-sql/dialects/clickhouse.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { OF_EVERY_STATEMENT, valueForAll } from "../../../../src/connectors/clickhouse/settings.ts";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { CLICKHOUSE_TABLE, ruledTable } from "../../../sent-sql/dialects/clickhouse.ts";
import { planned } from "../../../support/plan.ts";

/** Without the full join, the subqueries would become joins. */
describe("refused", () => {
  test.each([
    ["SELECT id FROM t WHERE (id, big) NOT IN (SELECT id, big FROM t)", "NULL"],
    [
      "SELECT (SELECT max(x.id) FROM t AS x WHERE x.big = t.big) AS m FROM t FULL JOIN t AS f ON f.id = t.id",
      "read again",
    ],
    [
      "SELECT (SELECT sum(x.id) FROM t AS x WHERE x.big < u.big) AS m FROM t AS u FULL JOIN t AS f ON f.id = u.id",
      "a correlated subquery of that form",
    ],
    ["SELECT (SELECT x.id FROM t AS x WHERE x.big = u.big) AS m FROM t AS u", "a correlated subquery of that form"],
    [
      "SELECT (SELECT coalesce(sum(x.id), 0) FROM t AS x WHERE x.big = u.big) AS m FROM t AS u FULL JOIN t AS f ON f.id = u.id",
      "a correlated subquery of that form",
    ],
    [
      "SELECT u.id FROM t AS u FULL JOIN t AS f ON f.id = u.id WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.big < abs(u.big))",
      "may be NULL",
    ],
    [
      "SELECT id FROM t AS u WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.big = u.big AND EXISTS (SELECT 1 FROM t AS y WHERE y.big = u.big AND y.id < x.id))",
      "nested correlated subqueries",
    ],
    [
      "SELECT u.id FROM t AS u FULL JOIN t AS f ON f.id = u.id WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.id < u.id AND x.id IN (SELECT id FROM t))",
      "IN a query",
    ],
    ["SELECT j FROM t ORDER BY j", "json"],
    ["SELECT id FROM t ORDER BY iv", "interval"],
    ["SELECT count(DISTINCT iv) FROM t", "interval"],
    ["SELECT id FROM t WHERE iv > INTERVAL '1 day'", "interval"],
    ["SELECT iv FROM t", "interval"],
    ["SELECT INTERVAL '1 day' AS x FROM t", "interval"],
    ["SELECT extract(day FROM iv) AS x FROM t", "interval"],
    ["SELECT avg(ts - d) AS x FROM t", "average"],
    ["SELECT regexp_match(s, '(a)(b)') AS x FROM t", "match"],
    ["SELECT tm::timetz AS x FROM t", "time"],
    ["SELECT DISTINCT j FROM t", "json"],
    ["SELECT count(*) FROM t GROUP BY j", "json"],
    ["SELECT count(DISTINCT j) FROM t", "json"],
    ["SELECT j FROM t UNION SELECT j FROM t", "json"],
    [
      "SELECT sum((SELECT count(*) FROM t AS x WHERE x.big = u.big)) AS m FROM t AS u FULL JOIN t AS f ON f.id = u.id",
      "subquery of each row",
    ],
    ["WITH RECURSIVE r AS (SELECT 1 AS i UNION SELECT i + 1 FROM r WHERE i < 3) SELECT i FROM r", "distinct rows"],
    [
      "SELECT sum(id) OVER (ORDER BY big RANGE UNBOUNDED PRECEDING) AS x, sum(id) OVER (ORDER BY big RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING) AS y FROM t",
      "RANGE frame",
    ],
    ["SELECT CAST(n / 3 AS text) AS x FROM t", "the text of a quotient"],
    ["SELECT s ~ s AS x FROM t", "computed regular expression"],
    [
      "SELECT s IN (SELECT 'a') AS x, array_agg(id) AS y FROM t GROUP BY s HAVING array_agg(id) IS NULL",
      "whether an array is NULL",
    ],
    ["SELECT y FROM (SELECT array_agg(id) AS y FROM t) AS d", "array_agg without GROUP BY"],
    ["SELECT count(*) AS n FROM t GROUP BY string_to_array(s, ',')", "a comparison of arrays"],
    ['SELECT s FROM t ORDER BY s COLLATE "de_DE"', "COLLATE"],
    ["SELECT long + 1 AS x FROM t", "digits are not known"],
    ["SELECT o || 'x' AS x FROM t", "the text of opaque"],
    ["SELECT s ~ '(a)\\1' AS x FROM t", "regular expression"],
    ["SELECT DATE '1850-01-01' AS x", "1850"],
    ["SELECT toTypeName(id) FROM t", "totypename"],
    ["SELECT url('http://x')", "url"],
  ])("%s", (sql, what) => {
    const plan = () => planned(sql, CLICKHOUSE_TABLE, { source: "clickhouse" });
    expect(plan).toThrow(PlannerError);
    expect(plan).toThrow(what);
  });
});

describe("an alias that is a table's name", () => {
  test.each([
    "SELECT t.i FROM ruled AS t JOIN other ON other.i = t.i",
    "SELECT t.i FROM ruled AS t WHERE t.i < (SELECT max(other.i) FROM other)",
    "SELECT t.i, (SELECT max(other.i) FROM other) AS x FROM ruled AS t",
  ])("is refused where that is looked up: %s", (sql) => {
    expect(() => planned(sql, ruledTable("ruled"), { source: "clickhouse" })).toThrow('the alias "t" beside a table');
  });
});

test("no connection may set otherwise what plans rest on, and no plan what every statement has", () => {
  const { session } = planned("SELECT 1", CLICKHOUSE_TABLE, { source: "clickhouse" });
  const names = new Set(OF_EVERY_STATEMENT.map(({ name }) => name));
  for (const { name, value } of session) {
    expect([name, valueForAll(name)]).toEqual([name, value]);
    expect(names.has(name)).toBe(false);
  }
});
