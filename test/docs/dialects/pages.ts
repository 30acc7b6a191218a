/** Which dialects have a page, and how each is known to be right. */
import type { DialectPage } from "./page.ts";

const EXECUTED =
  "Executed: `npm run test:engines` and `docs/evidence/parity.md` compare its answers with PostgreSQL's.";
const READ_BACK =
  "Planned for by its manual and *never run on the source itself*: a grammar that shares nothing with the planner takes its statements, and sqlglot reads them back for DuckDB (`docs/evidence/parity.md`).";

export const PAGES: readonly DialectPage[] = [
  {
    source: "athena",
    files: ["trino/athena.ts", "trino/written-zones.ts"],
    evidence:
      "A member of [Trino's](trino.md), in sessions that nobody can set. Read back on a real Trino, *never run on Athena itself* (`test/engines/trino-members.test.ts`).",
  },
  {
    source: "bigquery",
    files: ["bigquery"],
    evidence:
      "Executed on the reference evaluator of GoogleSQL, BigQuery's language, *never run on BigQuery itself* (`test/engines/bigquery-parity.test.ts`).",
  },
  {
    source: "canner",
    files: ["trino/canner.ts", "trino/written-zones.ts"],
    evidence:
      "A member of [Trino's](trino.md), in sessions that nobody can set. Read back on a real Trino, *never run on Canner itself* (`test/engines/trino-members.test.ts`).",
  },
  { source: "clickhouse", files: ["clickhouse"], evidence: EXECUTED },
  {
    source: "databricks",
    files: ["spark/databricks.ts", "spark/decimal-lengths.ts", "spark/decimal-operations.ts"],
    evidence:
      "A member of [Spark's](spark.md), without its settings. Read back on a real Spark, *never run on Databricks itself* (`test/engines/spark-databricks.test.ts`).",
  },
  { source: "doris", files: ["mysql/doris"], evidence: READ_BACK },
  { source: "duckdb", files: ["duckdb", "duckdb/quirks"], evidence: EXECUTED },
  { source: "mssql", files: ["mssql"], evidence: READ_BACK },
  { source: "mysql", files: ["mysql", "mysql/quirks"], evidence: `${EXECUTED} For MySQL and MariaDB alike.` },
  { source: "oracle", files: ["oracle"], evidence: READ_BACK },
  { source: "postgres", files: ["postgres"], evidence: `${EXECUTED} It is the one whose meaning the others have.` },
  { source: "redshift", files: ["postgres/redshift"], evidence: READ_BACK },
  {
    source: "snowflake",
    files: ["snowflake"],
    evidence: `${READ_BACK} fakesnow, which is DuckDB behind Snowflake's API, runs them too (\`test/engines/snowflake\`): an emulation, and *not* Snowflake.`,
  },
  { source: "spark", files: ["spark", "spark/quirks"], evidence: EXECUTED },
  { source: "trino", files: ["trino", "trino/quirks"], evidence: EXECUTED },
];

export const PLACE = new URL("../../../docs/reference/dialects/", import.meta.url);
