/** BigQuery's form of `ROW_RULES=besteffort`: what can fail is an alternative of IF over the truth of the rules. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const columns = [
  { name: "id", type: "BIGINT" },
  { name: "name", type: "VARCHAR" },
  { name: "n", type: "BIGINT" },
  { name: "day", type: "DATE" },
];
const own = { name: "own", requiredProperties: [], condition: "id = 7" };
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [
        ...columns,
        { name: "key", type: "BIGINT", notNull: true },
        { name: "share", type: "BIGINT", isCalculated: true, expression: "100 / id" },
      ],
      rowLevelAccessControls: [own],
    },
    { name: "u", tableReference: { table: "u" }, columns, rowLevelAccessControls: [own] },
    {
      name: "asked",
      tableReference: { table: "asked" },
      columns,
      rowLevelAccessControls: [{ ...own, condition: "id IN (SELECT f.id FROM free AS f)" }],
    },
    {
      name: "fails",
      tableReference: { table: "fails" },
      columns,
      rowLevelAccessControls: [{ ...own, condition: "1 / id = 7" }],
    },
    {
      name: "computed",
      tableReference: { table: "computed" },
      columns,
      readMayFail: true,
      rowLevelAccessControls: [own],
    },
    { name: "native", refSql: "SELECT 1 AS id", columns: [columns[0]], rowLevelAccessControls: [own] },
    { name: "free", tableReference: { table: "free" }, columns },
  ],
});

const planFor = (sql: string) =>
  planned(sql, manifest, { source: "bigquery", options: { bestEffort: new Set(["bigquery"] as const) } });

const T = "(SELECT `_b`.`id`, `_b`.`n`, (`_b`.`id` = 7) IS TRUE AS `_r` FROM `t` AS `_b` WHERE `_b`.`id` = 7) AS `t`";

describe("what can fail is under the truth of the rules", () => {
  test.each([
    [
      "SELECT t.id / t.n AS q FROM t",
      `SELECT if(\`t\`.\`_r\`, div(\`t\`.\`id\`, \`t\`.\`n\`), NULL) AS \`q\` FROM ${T}`,
    ],
    [
      "SELECT t.id FROM t WHERE t.id > 3 AND t.id / t.n = 1",
      `WHERE \`t\`.\`id\` > 3 AND if(\`t\`.\`_r\`, div(\`t\`.\`id\`, \`t\`.\`n\`), NULL) = 1`,
    ],
    [
      "SELECT t.n, sum(t.id) / count(*) AS q FROM t GROUP BY t.n",
      "if(logical_and(`t`.`_r`) IS NOT FALSE, CAST(sum(if(`t`.`_r`, CAST(`t`.`id` AS NUMERIC), NULL))",
    ],
    [
      "SELECT t.id / t.n AS q, count(*) AS c FROM t GROUP BY 1",
      "SELECT if(`t`.`_r`, div(`t`.`id`, `t`.`n`), NULL) AS `q`, count(*)",
    ],
    [
      "SELECT t.id FROM t JOIN u ON t.id = u.id AND t.id / u.n = 1",
      "ON `t`.`id` = `u`.`id` AND if(`t`.`_r` AND `u`.`_r`, div(`t`.`id`, `u`.`n`), NULL) = 1",
    ],
    [
      "SELECT t.id / u.n AS q FROM t LEFT JOIN u ON t.id = u.id",
      "if(`t`.`_r` IS NOT FALSE AND `u`.`_r` IS NOT FALSE, div(`t`.`id`, `u`.`n`), NULL) AS `q`",
    ],
    [
      "SELECT d.q + 1 AS p FROM (SELECT t.id / t.n AS q FROM t) AS d",
      "SELECT if(`d`.`_r`, `d`.`q` + 1, NULL) AS `p` FROM (SELECT if(`t`.`_r`, div(`t`.`id`, `t`.`n`), NULL) AS `q`, `t`.`_r` AS `_r` FROM",
    ],
    [
      "WITH c AS (SELECT t.n, max(t.id) AS m FROM t GROUP BY t.n) SELECT c.m / c.n AS q FROM c",
      "logical_and(`t`.`_r`) IS NOT FALSE AS `_r` FROM",
    ],
    [
      "SELECT d.id / 2 AS q FROM (SELECT t.id FROM t UNION SELECT f.id FROM free AS f) AS d",
      "UNION DISTINCT SELECT `f`.`id`, TRUE AS `_r` FROM `free` AS `f`",
    ],
    [
      "SELECT lag(t.n / t.id) OVER (ORDER BY t.id / 2) AS q FROM t",
      "lag(if(`t`.`_r`, div(`t`.`n`, `t`.`id`), NULL)) OVER (ORDER BY if(`t`.`_r`, div(`t`.`id`, 2), NULL) IS NULL, if(",
    ],
    [
      "SELECT t.share FROM t",
      "SELECT if(`_f`.`_r`, div(100, `_f`.`id`), NULL) AS `share`, `_f`.`_r` AS `_r` FROM (SELECT `_b`.`id`, (`_b`.`id` = 7) IS TRUE AS `_r` FROM",
    ],
    ["SELECT a.id / a.n AS q FROM asked AS a", "AS `_r` FROM `asked` AS `_b`) AS `_f` WHERE `_f`.`_r`) AS `a`"],
    [
      "SELECT t.id FROM t WHERE t.id > (SELECT max(u.n / t.n) FROM u WHERE u.id = t.id)",
      "max(if(`u`.`_r` AND `t`.`_r`, div(`u`.`n`, `t`.`n`), NULL))",
    ],
    [
      "SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM free AS f WHERE f.id = t.id AND f.n / f.id = 1)",
      "if(`t`.`_r`, div(`f`.`n`, `f`.`id`), NULL) = 1",
    ],
    [
      "SELECT t.id FROM t WHERE t.id > (SELECT max(f.n / f.id) FROM free AS f)",
      "`t`.`id` > if(`t`.`_r`, (SELECT max(div(`f`.`n`, `f`.`id`))",
    ],
  ])("%s", (sql, part) => {
    const plan = planFor(sql);
    expect(plan.rowRules).toBe("besteffort");
    expect(plan.sql).toContain(part);
  });

  test("a statement that cannot fail stays plain, and has no such column", () => {
    const plan = planFor("SELECT t.id FROM t WHERE t.name = 'x'");
    expect(plan.rowRules).toBe("plain");
    expect(plan.sql).not.toContain("_r");
  });

  test("a column of the model that has the name of the truth keeps it", () => {
    const named = manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "t",
          tableReference: { table: "t" },
          columns: [...columns, { name: "_r", type: "BIGINT" }],
          rowLevelAccessControls: [own],
        },
      ],
    });
    const { sql } = planned("SELECT _r / id AS q FROM t", named, {
      source: "bigquery",
      options: { bestEffort: new Set(["bigquery"] as const) },
    });
    expect(sql).toContain("if(`t`.`_r_2`, div(`t`.`_r`, `t`.`id`), NULL)");
  });
});

describe("what no IF can hold is refused, each with its reason", () => {
  test.each([
    [
      "SELECT d.q FROM t JOIN (SELECT f.id, f.id / f.n AS q FROM free AS f) AS d ON d.id = t.id",
      "over rows without a row rule",
    ],
    ["SELECT t.id FROM t WHERE t.id / 2 = (SELECT u.id FROM u WHERE u.n = t.n)", "may return several rows"],
    ["SELECT t.n, (SELECT max(f.n / t.n) FROM free AS f) AS q FROM t GROUP BY t.n", "correlated subquery over groups"],
    [
      "SELECT sum(t.n) OVER (ORDER BY t.key RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS q FROM t",
      "RANGE with a distance",
    ],
    [
      "WITH RECURSIVE c AS (SELECT t.id FROM t UNION ALL SELECT c.id + 1 FROM c WHERE c.id < 9) SELECT c.id FROM c",
      "a recursive common table",
    ],
    ["SELECT f.id / f.n AS q FROM fails AS f", "whose row rule can fail"],
    ["SELECT c.id / c.n AS q FROM computed AS c", "readMayFail is set"],
    ["SELECT x.id / 2 AS q FROM native AS x", "which is a refSql"],
  ])("%s", (sql, reason) => {
    expect(() => planFor(sql)).toThrow(PlannerError);
    expect(() => planFor(sql)).toThrow(reason);
  });
});
