import { describe, expect, it } from "vitest";
import { capabilitiesOf, parseConnection, variantAt } from "../../src/connectors/sources.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { makeAccount } from "./bigquery/rest.ts";
import { makeKeyPair } from "./snowflake/rest.ts";

const CONNECTIONS: Readonly<Record<string, unknown>> = {
  athena: { s3_staging_dir: "s3://bucket/", region_name: "eu-west-1" },
  bigquery: { project_id: "acme", dataset_id: "sales", credentials: makeAccount().credentials },
  canner: { host: "canner.example.com", port: 7432, user: "canner", pat: "p", workspace: "w" },
  clickhouse: { host: "ch.example.com", port: 8443, database: "d", user: "u", password: "p" },
  databricks: { serverHostname: "dbc-1.cloud.databricks.com", httpPath: "/sql/1.0/warehouses/1", accessToken: "t" },
  doris: { host: "fe.example.com", port: "9030", database: "d", user: "u" },
  mssql: { host: "db.example.com", port: 1433, database: "d", user: "u", password: "p" },
  mysql: { host: "db.example.com", port: 3306, database: "d", user: "u", password: "p" },
  oracle: { host: "db.example.com", port: 1521, database: "d", user: "u", password: "p" },
  postgres: { host: "db.example.com", port: 5432, database: "d", user: "u", password: "p" },
  redshift: { host: "rs.example.com", port: 5439, database: "d", user: "u", password: "p" },
  snowflake: { user: "u", account: "a", database: "d", schema: "s", private_key: makeKeyPair().privateKey },
  spark: { host: "spark.example.com", port: 15002 },
  trino: { host: "trino.example.com", catalog: "c", schema: "s" },
  local_file: { url: "/", format: "parquet" },
  s3_file: { bucket: "sales", region: "eu-west-1", access_key: "a", secret_key: "s" },
  minio_file: { endpoint: "minio.example.com:9000", bucket: "sales", access_key: "a", secret_key: "s" },
  gcs_file: { bucket: "sales", key_id: "a", secret_key: "s" },
  duckdb: { url: "/", format: "duckdb" },
};

describe("every data source has a row", () => {
  it.each(DATA_SOURCES)("%s", (source) => {
    expect(parseConnection(source, CONNECTIONS[source]).info.source).toBe(source);
  });
});

it("what a connector can do depends on the way to its source", () => {
  const streaming = (host: string) =>
    capabilitiesOf(parseConnection("postgres", { connectionUrl: `postgres://u:p@${host}/d` }).info).streaming;
  expect(streaming("db.example.com")).toBe("rows");
  expect(streaming("ep-cool-darkness-123456.eu-central-1.aws.neon.tech")).toBe("whole");
});

it.each([
  ["9.7.4", { product: "mysql", version: [9, 7, 4] }],
  ["10.11.19-MariaDB-0+deb12u1", { product: "mariadb", version: [10, 11, 19] }],
  // Others have planners of their own, and nothing beyond what all understand is planned for them.
  ["8.0.30-Vitess", undefined],
])("what a server of MySQL's family is, by its version %s", (version, variant) => {
  expect(variantAt("mysql", version)).toEqual(variant);
});

it("a source whose servers are all planned for alike has no variants", () => {
  expect(variantAt("postgres", "PostgreSQL 18.1")).toBeUndefined();
});
