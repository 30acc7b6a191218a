/**
 * In GROUP BY, HAVING and ORDER BY, a column of the query hides the table that is called like it: of JSON, BigQuery would take a member of
 * it for the table's column (seen on GoogleSQL's evaluator, `HAVING x.id IS NOT NULL` with `any_value(x.doc) AS x`). Such a query
 * becomes a derived table whose columns have other names.
 */
import { expect, it } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "INT64", doc: "JSON" });

const OF = "FROM `t` AS";

it.each([
  [
    "SELECT x.id AS k, any_value(x.doc) AS x FROM t AS x GROUP BY k HAVING x.id IS NOT NULL",
    `${OF} \`x\` GROUP BY \`x\`.\`id\` HAVING \`x\`.\`id\` IS NOT NULL) AS \`_s1\``,
  ],
  [
    "SELECT x.id AS k, any_value(x.doc) AS X FROM t AS x GROUP BY 1 HAVING max(x.id) > 1",
    `${OF} \`x\` GROUP BY \`x\`.\`id\` HAVING max(\`x\`.\`id\`) > 1) AS \`_s1\``,
  ],
  [
    "SELECT id + 1 AS k, count(*) AS t FROM t GROUP BY id ORDER BY min(id)",
    `${OF} \`t\` GROUP BY \`t\`.\`id\`) AS \`_s1\` ORDER BY \`_s1\`.\`_c3\``,
  ],
  [
    "SELECT id + 1 AS t FROM t GROUP BY id UNION ALL SELECT 1",
    `${OF} \`t\` GROUP BY \`t\`.\`id\`) AS \`_s1\` UNION ALL`,
  ],
  [
    "SELECT y.id AS k, any_value(y.doc) AS x FROM t AS y GROUP BY 1 HAVING y.id IS NOT NULL",
    `${OF} \`y\` GROUP BY \`y\`.\`id\` HAVING`,
  ],
  ["SELECT x.id AS k, count(*) AS x FROM t AS x GROUP BY 1 HAVING count(*) > 1", `${OF} \`x\` GROUP BY`],
  ["SELECT x.doc AS x FROM t AS x WHERE x.id > 1", `${OF} \`x\` WHERE`],
])("%s", (sql, said) => expect(planned(sql, manifest, { source: "bigquery" }).sql).toContain(said));

it("one that names columns of a query around it is refused", () => {
  const sql = "SELECT (SELECT count(*) AS x FROM t AS x WHERE x.id = y.id HAVING max(x.id) > 1) AS n FROM t AS y";
  const refusal = { reason: "UNSUPPORTED_ON_SOURCE", hint: "Give the table another alias." };
  expect(() => planned(sql, manifest, { source: "bigquery" })).toThrow(expect.objectContaining(refusal));
});
