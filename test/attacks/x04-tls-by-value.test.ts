/** TLS that a value or an unusual name asks for is never left out with a warning. */
import { describe, expect, test } from "vitest";
import { parseConnection } from "../../src/connectors/sources.ts";
import type { DataSource } from "../../src/planner/plan.ts";

const SERVER = { host: "db.example.com", port: 5432, database: "d", user: "u", password: "p" };
const SOURCES: readonly (readonly [DataSource, Record<string, unknown>])[] = [
  ["postgres", SERVER],
  ["mysql", SERVER],
  ["doris", SERVER],
  ["clickhouse", SERVER],
  ["mssql", SERVER],
  ["redshift", SERVER],
  ["trino", { host: "t.example.com", catalog: "c", schema: "s" }],
  ["spark", { host: "s.example.com", port: 15002 }],
];

const ASKED: readonly (readonly [string, string | boolean])[] = [
  ["protocol", "https"],
  ["scheme", "HTTPS"],
  ["mode", "verify-full"],
  ["security_protocol", "SSL"],
  ["transport", "TLSv1.3"],
  ["check_hostname", true],
  ["verifyPeer", "true"],
  ["verification", "full"],
  ["rejectUnauthorized", true],
  ["require_secure_transport", "ON"],
  ["serverCA", "x"],
  ["sslmоde", "verify-full"],
];

describe.each(SOURCES)("%s", (source, connection) => {
  test.each(ASKED)("%s: %s", (name, value) => {
    expect(() => parseConnection(source, { ...connection, [name]: value })).toThrow(/TLS|not accepted|must be/);
    expect(() => parseConnection(source, { ...connection, kwargs: { [name]: value } })).toThrow(
      /TLS|not accepted|must be/,
    );
  });
});

test.each([
  ["snowflake", { account: "a", user: "u", password: "p", database: "d", schema: "s", protocol: "https" }],
  ["s3_file", { bucket: "bucket", access_key: "k", secret_key: "s", region: "eu-west-1", protocol: "https" }],
] as const)("%s is always reached over TLS, so protocol=https asks for nothing more", (source, connection) => {
  expect(parseConnection(source, connection)).toBeDefined();
});
