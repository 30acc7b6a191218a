/**
 * Objects as existing clients send them, unchanged (docs/spec/contract.md#connections): none is refused, and nothing of them goes
 * unheeded.
 */
import { expect, it } from "vitest";
import { parseConnection } from "../../../src/connectors/sources.ts";
import type { DataSource } from "../../../src/planner/plan.ts";

it.each<[DataSource, object, object]>([
  [
    "postgres",
    { connectionUrl: "postgresql://reader:p%40ss@db:5432/shop?sslmode=require" },
    { host: "db", port: 5432, database: "shop", user: "reader" },
  ],
  [
    "mysql",
    { host: "db", port: 3306, database: "shop", user: "r", password: "p", sslMode: "DISABLED" },
    { host: "db", port: 3306, tls: "disable" },
  ],
  [
    "mssql",
    {
      host: "db",
      port: 1433,
      database: "shop",
      user: "sa",
      password: "p",
      kwargs: { trustServerCertificate: "YES" },
    },
    { host: "db", port: 1433, database: "shop", user: "sa" },
  ],
  [
    "clickhouse",
    { connectionUrl: "clickhouse://default:p@ch:8443/shop?secure=1" },
    { host: "ch", port: 8443, isSecure: true, database: "shop", user: "default" },
  ],
  [
    "trino",
    { host: "https://trino.acme.io", port: 443, catalog: "hive", schema: "sales", user: "u", password: "p" },
    { host: "trino.acme.io", port: 443, isSecure: true, catalog: "hive", schema: "sales", user: "u" },
  ],
  ["oracle", { user: "hr", password: "p", dsn: "ora:1521/FREEPDB1" }, { user: "hr" }],
  [
    "athena",
    {
      region_name: "eu-west-1",
      s3_staging_dir: "s3://b/q/",
      schema_name: "default",
      web_identity_token: "eyJ...",
      role_arn: "arn:aws:iam::1:role/x",
    },
    {
      region: "eu-west-1",
      outputLocation: "s3://b/q/",
      schema: "default",
      credentials: { by: "web identity", role: { arn: "arn:aws:iam::1:role/x", sessionName: "wren-oidc-session" } },
    },
  ],
  [
    "redshift",
    {
      redshift_type: "redshift_iam",
      cluster_identifier: "c",
      user: "u",
      database: "dev",
      region: "eu-west-1",
      access_key_id: "A",
      access_key_secret: "B",
    },
    { database: "dev", user: "u", login: { by: "iam", cluster: "c", region: "eu-west-1" } },
  ],
  [
    "databricks",
    {
      databricks_type: "service_principal",
      serverHostname: "dbc-1.cloud.databricks.com",
      httpPath: "/sql/1.0/warehouses/1",
      clientId: "c",
      clientSecret: "s",
    },
    {
      host: "dbc-1.cloud.databricks.com",
      port: 443,
      isSecure: true,
      warehouse: "1",
      credentials: { by: "service principal", azureTenant: undefined },
    },
  ],
])("%s", (source, object, expected) => {
  const { info, warnings } = parseConnection(source, object);
  expect(info).toMatchObject({ source, ...expected });
  expect(warnings).toEqual([]);
});
