/** TLS that a connection asks for, by any member or option of any source, is made or refused; nothing else unknown is silent. */
import { describe, expect, test } from "vitest";
import { parseConnection } from "../../src/connectors/sources.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { errorOf, QUERY, type TestApp, testApp } from "../api/test-app.ts";

const SERVER = { host: "db.example.com", port: 5432, database: "d", user: "u", password: "p" };
const BUCKET = { bucket: "bucket", access_key: "k", secret_key: "s" };
const CREDENTIALS = "eyJ0eXBlIjoic2VydmljZV9hY2NvdW50In0=";

/** One connection of every variant. Those of BigQuery fail by their credentials, behind their members. */
const VARIANTS: readonly (readonly [string, DataSource, Record<string, unknown>])[] = [
  ["athena", "athena", { s3_staging_dir: "s3://bucket/a/", region_name: "eu-west-1" }],
  ["bigquery dataset", "bigquery", { project_id: "p", dataset_id: "d", credentials: CREDENTIALS }],
  [
    "bigquery project",
    "bigquery",
    { bigquery_type: "project", billing_project_id: "p", region: "EU", credentials: CREDENTIALS },
  ],
  ["canner", "canner", { host: "c.example.com", port: 7432, user: "u", pat: "p", workspace: "w" }],
  ["clickhouse", "clickhouse", SERVER],
  ["clickhouse URL", "clickhouse", { connectionUrl: "clickhouse://u:p@db.example.com:8443/d" }],
  [
    "databricks token",
    "databricks",
    { serverHostname: "d.example.com", httpPath: "/sql/1.0/warehouses/a", accessToken: "t" },
  ],
  [
    "databricks service principal",
    "databricks",
    {
      databricks_type: "service_principal",
      serverHostname: "d.example.com",
      httpPath: "/sql/1.0/warehouses/a",
      clientId: "c",
      clientSecret: "s",
    },
  ],
  ["doris", "doris", SERVER],
  ["duckdb", "duckdb", { url: "/", format: "duckdb" }],
  ["gcs_file", "gcs_file", { bucket: "bucket", key_id: "k", secret_key: "s" }],
  ["local_file", "local_file", { url: "/" }],
  ["minio_file", "minio_file", { ...BUCKET, endpoint: "minio.example.com:9000" }],
  ["mssql", "mssql", SERVER],
  ["mysql", "mysql", SERVER],
  ["mysql URL", "mysql", { connectionUrl: "mysql://u:p@db.example.com:3306/d" }],
  ["oracle", "oracle", SERVER],
  ["postgres", "postgres", SERVER],
  ["postgres URL", "postgres", { connectionUrl: "postgres://u:p@db.example.com:5432/d" }],
  ["redshift", "redshift", SERVER],
  [
    "redshift IAM",
    "redshift",
    {
      redshift_type: "redshift_iam",
      cluster_identifier: "c",
      region: "eu-west-1",
      database: "d",
      user: "u",
      access_key_id: "k",
      access_key_secret: "s",
    },
  ],
  ["s3_file", "s3_file", { ...BUCKET, region: "eu-west-1" }],
  ["snowflake", "snowflake", { account: "a", user: "u", password: "p", database: "d", schema: "s" }],
  ["spark", "spark", { host: "s.example.com", port: 15002 }],
  ["trino", "trino", { host: "t.example.com", catalog: "c", schema: "s" }],
];

/** The API, whose connections are read as in a deployment. */
function app(): TestApp {
  const made = testApp();
  const { sources } = made.services;
  const prepare = sources.prepare.bind(sources);
  sources.prepare = (source, connectionInfo) => {
    const { warnings } = parseConnection(source as DataSource, connectionInfo);
    return { ...prepare(source, connectionInfo), warnings };
  };
  return made;
}

const ask = (source: string, connectionInfo: object, headers: Record<string, string> = {}): Promise<Response> =>
  app().post(`/v3/connector/${source}/query?dryRun=true`, { ...QUERY, connectionInfo }, headers);

/** The parsed TLS settings, or the error. */
function outcomeOf(source: DataSource, connectionInfo: object): object | string {
  try {
    return parseConnection(source, connectionInfo).info;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Sources whose sslmode is honoured. */
const HONOURS: ReadonlySet<string> = new Set(["postgres", "redshift", "canner", "mysql", "doris"]);

describe.each(VARIANTS)("%s", (_name, source, connection) => {
  test.each(["sslmode", "sslMode", "ssl_mode", "SSL_MODE"])("%s is honoured or refused", async (member) => {
    const isMySql = source === "mysql" || source === "doris";
    const value = isMySql ? "VERIFY_IDENTITY" : "verify-full";
    if (HONOURS.has(source)) {
      expect(outcomeOf(source, { ...connection, [member]: value })).toMatchObject({
        tls: isMySql ? "verify-identity" : "verify-full",
      });
      return;
    }
    const response = await ask(source, { ...connection, [member]: value });
    expect(response.status).toBe(422);
    const { errorCode, message } = await errorOf(response);
    expect(errorCode).toBe("INVALID_CONNECTION_INFO");
    expect(message).toContain(`connectionInfo.${member}`);
    expect(message).not.toContain(value);
  });

  test.each(["ssl_ca", "sslCa", "sslrootcert", "ca_cert", "tls_certificate", "sslrotcert", "ssl_verify_cert"])(
    "%s that is no certificate is refused",
    async (member) => {
      const response = await ask(source, { ...connection, [member]: "no certificate of any kind" });
      expect(response.status).toBe(422);
      const { errorCode, message } = await errorOf(response);
      expect(errorCode).toBe("INVALID_CONNECTION_INFO");
      expect(message).toContain(`connectionInfo.${member}`);
    },
  );

  test("another unknown member is a warning, and an error with x-strict", async () => {
    const unknown = { ...connection, pasword: "secret of mine" };
    // Credentials of BigQuery are read first, and these are none.
    if (source === "bigquery") return;
    const response = await ask(source, unknown);
    expect(response.status).toBe(204);
    const header = response.headers.get("x-warnings") ?? "[]";
    expect(JSON.parse(header)).toMatchObject([
      { code: "UNKNOWN_OPTION", message: expect.stringContaining("connectionInfo.pasword") },
    ]);
    expect(header).not.toContain("secret of mine");
    const strict = await ask(source, unknown, { "x-strict": "true" });
    expect([strict.status, (await errorOf(strict)).metadata]).toMatchObject([422, { reason: "STRICT_WARNING" }]);
  });

  test("the connection itself is silent", async () => {
    if (source === "bigquery") return;
    const response = await ask(source, connection, { "x-strict": "true" });
    expect([response.status, response.headers.get("x-warnings")]).toEqual([204, null]);
  });
});

describe("options of kwargs", () => {
  const WITH_OPTIONS: readonly DataSource[] = [
    ...(["canner", "clickhouse", "doris", "mssql", "mysql", "oracle", "postgres"] as const),
    ...(["redshift", "snowflake", "spark", "trino"] as const),
  ];
  const variants = VARIANTS.filter(([, source]) => WITH_OPTIONS.includes(source));

  test.each(variants)("of %s that name TLS are honoured or refused", async (_name, source, connection) => {
    for (const name of ["tls_required", "require_ssl", "ssl_capath", "sslmoed", "ca_certs"]) {
      const response = await ask(source, { ...connection, kwargs: { [name]: "true" } });
      expect([name, response.status]).toEqual([name, 422]);
      expect((await errorOf(response)).errorCode).toBe("INVALID_CONNECTION_INFO");
    }
  });

  test.each<[DataSource, string]>([
    ["postgres", "postgres://u:p@db.example.com/d?sslmoed=verify-full"],
    ["mysql", "mysql://u:p@db.example.com/d?ssl_verify_server_cert=true"],
    ["clickhouse", "clickhouse://u:p@db.example.com/d?tls=true"],
    ["trino", "trino://u:p@t.example.com/c/s?SSLTrustStorePath=x"],
    ["mssql", "mssql://u:p@db.example.com/d?ssl=true"],
    ["oracle", "oracle://u:p@db.example.com/d?ssl=true"],
  ])("of a URL of %s, too: %s", async (source, connectionUrl) => {
    const response = await ask(source, { connectionUrl });
    expect(response.status).toBe(422);
    expect((await errorOf(response)).errorCode).toBe("INVALID_CONNECTION_INFO");
  });

  test.each<[DataSource, object]>([
    ["trino", { SSL: "yes" }],
    ["trino", { http_scheme: "htps" }],
    ["clickhouse", { interface: "htps" }],
    ["spark", { use_ssl: "yes" }],
  ])("of %s whose value is not understood are refused, and not taken for no TLS: %j", async (source, kwargs) => {
    const [, , connection = {}] = VARIANTS.find(([, each]) => each === source) ?? [];
    expect((await ask(source, { ...connection, kwargs })).status).toBe(422);
  });
});

test("an authority of MySQL is taken in the spelling of the specification", () => {
  const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
  for (const member of ["sslCa", "ssl_ca", "sslCA", "sslca"]) {
    const connection = { ...SERVER, sslMode: "ENABLED", [member]: pem };
    expect(outcomeOf("mysql", connection)).toMatchObject({ tls: "verify-ca", certificateAuthority: pem });
  }
  expect(outcomeOf("mysql", { ...SERVER, sslCa: pem, ssl_ca: `${pem}\n` })).toMatch("sslC");
});
