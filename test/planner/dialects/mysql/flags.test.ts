/** `tinyint(1)` and `bit(1)`, MySQL's booleans, are integers that stand where a condition is needed. */
import { expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  f: "tinyint(1)",
  b: "bit(1)",
  u: "tinyint(1) unsigned",
  n: "tinyint",
  i: "integer",
});
const sql = (text: string): string =>
  planned(text, manifest, { source: "mysql" })
    .sql.replaceAll("`", "")
    .replaceAll(/\bt\.| AS t\b/g, "");

test.each([
  ["SELECT i FROM t WHERE f", "SELECT i FROM t WHERE f <> 0"],
  ["SELECT i FROM t WHERE NOT b AND u", "SELECT i FROM t WHERE NOT (b <> 0) AND u <> 0"],
  ["SELECT i FROM t WHERE f = true", "SELECT i FROM t WHERE (f <> 0) = TRUE"],
  ["SELECT i FROM t WHERE b IS NOT TRUE", "SELECT i FROM t WHERE (b <> 0) IS NOT TRUE"],
  ["SELECT i FROM t WHERE f IN (true, false)", "SELECT i FROM t WHERE (f <> 0) IN (TRUE, FALSE)"],
  ["SELECT i FROM t WHERE f <> (i = 1)", "SELECT i FROM t WHERE (f <> 0) <> (i = 1)"],
  ["SELECT CASE WHEN f THEN 1 END AS x FROM t", "SELECT CASE WHEN f <> 0 THEN 1 END AS x FROM t"],
  ["SELECT count(*) FILTER (WHERE f) AS x FROM t", "SELECT count(CASE WHEN f <> 0 THEN 1 END) AS x FROM t"],
  [
    "SELECT q.g FROM (SELECT f AS g FROM t) AS q WHERE q.g",
    "SELECT q.g FROM (SELECT f AS g FROM t) AS q WHERE q.g <> 0",
  ],
])("%s: a condition", (text, expected) => {
  expect(sql(text)).toBe(expected);
});

test.each([
  ["SELECT f FROM t WHERE f = 1", "SELECT f FROM t WHERE f = 1"],
  ["SELECT sum(f) AS x FROM t", "SELECT sum(f + 0) AS x FROM t"],
  ["SELECT i FROM t WHERE b = 0", "SELECT i FROM t WHERE b = 0"],
])("%s: a number", (text, expected) => {
  expect(sql(text)).toBe(expected);
});

test("other integers are no conditions", () => {
  expect(() => sql("SELECT i FROM t WHERE n")).toThrow("WHERE needs a condition, not smallint");
  expect(() => sql("SELECT i FROM t WHERE f + 1")).toThrow("WHERE needs a condition");
});
