/**
 * INTEGER_DIVISION (docs/decisions/0021-one-meaning.md): which quotients are told of, once each and at their place, and which are
 * none of it.
 */
import { describe, expect, test } from "vitest";
import { planned } from "../../support/plan.ts";
import { SHOP } from "./shop.ts";

const places = (sql: string): readonly string[] =>
  planned(sql, SHOP, { source: "postgres" })
    .warnings.filter(({ code }) => code === "INTEGER_DIVISION")
    .map(({ span }) => sql.slice(span?.start, span?.end));

describe("told", () => {
  test.each([
    ["SELECT count(*) / (SELECT count(*) FROM product) FROM product", "count(*) / (SELECT count(*) FROM product)"],
    ["SELECT count(*) / 2 AS half FROM product ORDER BY half", "count(*) / 2"],
    ["SELECT 100 * count(id) / count(*) FROM product", "100 * count(id) / count(*)"],
    ["SELECT count(id) / nullif(count(*), 0) FROM product", "count(id) / nullif(count(*), 0)"],
    ["SELECT id / sum(id) OVER () FROM (SELECT CAST(1 AS integer) AS id) t WHERE false", undefined],
    ["SELECT id / count(*) OVER () FROM product", "id / count(*) OVER ()"],
    ["SELECT name FROM product GROUP BY name HAVING count(*) / 2 > 1", "count(*) / 2"],
    [
      "SELECT sum(CASE WHEN name = 'x' THEN 1 ELSE 0 END) / count(*) FROM product",
      "sum(CASE WHEN name = 'x' THEN 1 ELSE 0 END) / count(*)",
    ],
    ["WITH a AS (SELECT count(*) AS n FROM product) SELECT n / 3 FROM a", "n / 3"],
    ["WITH a AS (SELECT count(*) AS n FROM product), b AS (SELECT n FROM a) SELECT 1 / n FROM b", "1 / n"],
    ["SELECT n / m FROM (SELECT count(*) AS n, 2 AS m FROM product) t", "n / m"],
    ["SELECT 5 / n FROM (SELECT count(*) AS n FROM product UNION ALL SELECT 1) t", "5 / n"],
  ])("%s", (sql, text = "id / sum(id) OVER ()") => {
    expect(places(sql)).toEqual([text]);
  });
});

describe("not told", () => {
  test.each([
    "SELECT 1.0 * count(*) / (SELECT count(*) FROM product) FROM product",
    "SELECT avg(id) / count(*) FROM product",
    "SELECT count(*) / 2.0 FROM product",
    "SELECT CAST(count(*) AS numeric) / count(*) FROM product",
    "SELECT id / 2 FROM product",
    "SELECT m / 2 FROM (SELECT count(*) AS n, id AS m FROM product GROUP BY id) t",
    "SELECT div(count(*), 2) FROM product",
    "SELECT count(*) % 2 FROM product",
  ])("%s", (sql) => {
    expect(places(sql)).toEqual([]);
  });
});
