/**
 * In HAVING, a column of the query hides the table that is called like it: of JSON, BigQuery would take a member of it for the table's
 * column (seen on GoogleSQL's evaluator, `HAVING x.id IS NOT NULL` with `any_value(x.doc) AS x`).
 */
import { expect, it } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "INT64", doc: "JSON" });

it.each([
  ["SELECT x.id AS k, any_value(x.doc) AS x FROM t AS x GROUP BY k HAVING x.id IS NOT NULL", true],
  ["SELECT x.id AS k, any_value(x.doc) AS X FROM t AS x GROUP BY 1 HAVING max(x.id) > 1", true],
  ["SELECT id AS k, count(*) AS t FROM t GROUP BY 1 HAVING max(id) > 1", true],
  ["SELECT y.id AS k, any_value(y.doc) AS x FROM t AS y GROUP BY 1 HAVING y.id IS NOT NULL", false],
  ["SELECT x.id AS k, count(*) AS x FROM t AS x GROUP BY 1 HAVING count(*) > 1", false],
  ["SELECT x.doc AS x FROM t AS x WHERE x.id > 1", false],
])("%s", (sql, isRefused) => {
  const plan = () => planned(sql, manifest, { source: "bigquery" });
  const refusal = { reason: "UNSUPPORTED_ON_SOURCE", hint: "Give the table another alias." };
  if (isRefused) expect(plan).toThrow(expect.objectContaining(refusal));
  else expect(plan).not.toThrow();
});
