/** That every source of the specification is asked through the whole service, and where. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DATA_SOURCES, type DataSource } from "../../src/service/data-sources.ts";

/** Below `test`: the file that asks a source for `query`, its dry run, `dry-plan` and metadata, through the Workers as deployed. */
const ASKED_IN: Readonly<Record<DataSource, string>> = {
  athena: "e2e/trino",
  bigquery: "connectors/bigquery/workerd",
  canner: "e2e/canner",
  clickhouse: "e2e/clickhouse",
  databricks: "e2e/spark",
  doris: "e2e/doris",
  duckdb: "e2e/duckdb",
  gcs_file: "e2e/buckets",
  local_file: "e2e/duckdb",
  minio_file: "e2e/buckets",
  mssql: "e2e/mssql",
  mysql: "e2e/mysql",
  oracle: "e2e/oracle",
  postgres: "e2e/clients",
  redshift: "e2e/redshift",
  s3_file: "e2e/buckets",
  snowflake: "connectors/snowflake/workerd",
  spark: "e2e/spark",
  trino: "e2e/trino",
};

const OPERATIONS = ["query", "dryRun=true", "dry-plan", "metadata"];

it.each(DATA_SOURCES)("%s", (source) => {
  const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
  const text = read(`${ASKED_IN[source]}.test.ts`);
  const asked = text.includes("describeOperations(") ? text + read("e2e/operations.ts") : text;
  expect(asked).toMatch(new RegExp(`["'/]${source}["'/]`));
  for (const operation of OPERATIONS) expect(asked).toContain(operation);
});
