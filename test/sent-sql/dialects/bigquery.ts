/**
 * Statements for BigQuery. In GROUP BY, HAVING and ORDER BY, a column of the query hides the table of its name: for a JSON column, BigQuery
 * reads a member of the document instead of the table's column (seen on GoogleSQL's evaluator, `HAVING x.id IS NOT NULL` with
 * `any_value(x.doc) AS x`). Such a query becomes a derived table whose columns have other names.
 */
import { manifestOfTable } from "../../support/plan.ts";
import { over } from "./group.ts";

export const BIGQUERY_TABLE = manifestOfTable({ id: "INT64", doc: "JSON" });

export const BIGQUERY = [
  ...over(BIGQUERY_TABLE, {
    "a column in GROUP BY, HAVING or ORDER BY that hides the table of its name": [
      "SELECT x.id AS k, any_value(x.doc) AS x FROM t AS x GROUP BY k HAVING x.id IS NOT NULL",
      "SELECT x.id AS k, any_value(x.doc) AS X FROM t AS x GROUP BY 1 HAVING max(x.id) > 1",
      "SELECT id + 1 AS k, count(*) AS t FROM t GROUP BY id ORDER BY min(id)",
      "SELECT id + 1 AS t FROM t GROUP BY id UNION ALL SELECT 1",
      "SELECT y.id AS k, any_value(y.doc) AS x FROM t AS y GROUP BY 1 HAVING y.id IS NOT NULL",
      "SELECT x.id AS k, count(*) AS x FROM t AS x GROUP BY 1 HAVING count(*) > 1",
      "SELECT x.doc AS x FROM t AS x WHERE x.id > 1",
    ],
  }),
];
