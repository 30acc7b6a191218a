/** A column that hides a table of its name: `test/sent-sql/dialects/bigquery.ts` lists what is supported. */
import { expect, it } from "vitest";
import { BIGQUERY_TABLE } from "../../../sent-sql/dialects/bigquery.ts";
import { planned } from "../../../support/plan.ts";

it("one that names columns of a query around it is refused", () => {
  const sql = "SELECT (SELECT count(*) AS x FROM t AS x WHERE x.id = y.id HAVING max(x.id) > 1) AS n FROM t AS y";
  const refusal = { reason: "UNSUPPORTED_ON_SOURCE", hint: "Give the table another alias." };
  expect(() => planned(sql, BIGQUERY_TABLE, { source: "bigquery" })).toThrow(expect.objectContaining(refusal));
});
