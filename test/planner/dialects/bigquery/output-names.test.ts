/** Names that columns cannot have on BigQuery are others in the SQL, and as they were written in the answer. */
import { expect, it } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "INT64", n: "INT64" });

it.each([
  [
    'SELECT id AS "a.b", n AS "sum(n)" FROM t ORDER BY "a.b"',
    "SELECT `t`.`id` AS `a_b`, `t`.`n` AS `sum_n_` FROM `t` AS `t` ORDER BY `t`.`id` NULLS LAST",
  ],
  ['SELECT id AS "a.b", n AS a_b FROM t', "SELECT `t`.`id` AS `a_b_2`, `t`.`n` AS `a_b` FROM `t` AS `t`"],
  [
    'SELECT id AS "2024", n AS "_table_x" FROM t',
    "SELECT `t`.`id` AS `c_2024`, `t`.`n` AS `c__table_x` FROM `t` AS `t`",
  ],
  [
    'SELECT id AS "umsatz €/Stück", n AS "a-b & c" FROM t',
    "SELECT `t`.`id` AS `umsatz €_Stück`, `t`.`n` AS `a-b & c` FROM `t` AS `t`",
  ],
  [
    'SELECT q."a!b" FROM (SELECT id AS "a!b" FROM t) AS q',
    "SELECT `q`.`a!b` AS `a_b` FROM (SELECT `t`.`id` AS `a!b` FROM `t` AS `t`) AS `q`",
  ],
  [
    'SELECT id AS "a.b" FROM t UNION ALL SELECT n FROM t',
    "SELECT `t`.`id` AS `a_b` FROM `t` AS `t` UNION ALL SELECT `t`.`n` FROM `t` AS `t`",
  ],
  [
    'SELECT id AS "a.b" FROM t UNION ALL SELECT n FROM t ORDER BY "a.b"',
    "SELECT `_s1`.`a.b` AS `a_b` FROM (SELECT `t`.`id` AS `a.b` FROM `t` AS `t` UNION ALL SELECT `t`.`n` FROM `t` AS `t`) AS `_s1` ORDER BY `_s1`.`a.b` NULLS LAST",
  ],
  ["SELECT id, n AS x FROM t", "SELECT `t`.`id`, `t`.`n` AS `x` FROM `t` AS `t`"],
])("%s", (sql, expected) => {
  const plan = planned(sql, manifest, { source: "bigquery" });
  expect(plan.sql).toBe(expected);
  const names = planned(sql, manifest, { source: "postgres" }).columns.map(({ name }) => name);
  expect(plan.columns.map(({ name }) => name)).toEqual(names);
});
