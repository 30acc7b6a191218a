import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  canonicalDatabricksConnection,
  type DatabricksConnection,
  originOf,
  parseDatabricksConnection,
} from "../../../src/connectors/connection/databricks.ts";
import { failureOf } from "../contract.ts";

const FIELDS = { serverHostname: "dbc-1.cloud.databricks.com", httpPath: "/sql/1.0/warehouses/1" };
const TOKEN = { accessToken: "dapisecret" };
const PRINCIPAL = { databricks_type: "service_principal", clientId: "theclient", clientSecret: "thesecret" };
const parse = (change: object): DatabricksConnection => parseDatabricksConnection({ ...FIELDS, ...change }).info;

describe("what existing clients send", () => {
  it("for a service principal", () => {
    const info = parseDatabricksConnection({
      databricks_type: "service_principal",
      serverHostname: "dbc-1.cloud.databricks.com",
      httpPath: "/sql/1.0/warehouses/1",
      clientId: "c",
      clientSecret: "s",
    }).info;
    expect(info).toMatchObject({
      source: "databricks",
      host: "dbc-1.cloud.databricks.com",
      port: 443,
      isSecure: true,
      warehouse: "1",
      credentials: { by: "service principal", azureTenant: undefined },
    });
  });

  it.each<[object, object]>([
    [TOKEN, { credentials: { by: "token" } }],
    [{ ...TOKEN, databricks_type: "token" }, { credentials: { by: "token" } }],
    [{ ...TOKEN, databricks_type: null, unknown: 1 }, { credentials: { by: "token" } }],
    [{ ...PRINCIPAL, azureTenantId: "t-1" }, { credentials: { azureTenant: "t-1" } }],
    [{ ...PRINCIPAL, azureTenantId: "" }, { credentials: { azureTenant: undefined } }],
    [{ ...TOKEN, serverHostname: "https://ADB-1.2.azuredatabricks.net/" }, { host: "adb-1.2.azuredatabricks.net" }],
    [
      { ...TOKEN, serverHostname: " db.internal:8443 " },
      { host: "db.internal", port: 8443 },
    ],
    [
      { ...TOKEN, serverHostname: "[::1]:8443" },
      { host: "::1", port: 8443 },
    ],
    [{ ...TOKEN, httpPath: "sql/1.0/endpoints/0a1B/" }, { warehouse: "0a1B" }],
    [{ ...TOKEN, httpPath: "/sql/1.0/warehouses/0a1b?o=123" }, { warehouse: "0a1b" }],
  ])("%o", (change, expected) => {
    expect(parse(change)).toMatchObject(expected);
  });
});

it.each<[object, string]>([
  [{}, "accessToken"],
  [{ ...TOKEN, serverHostname: undefined }, "serverHostname"],
  [{ ...TOKEN, serverHostname: "" }, "serverHostname"],
  [{ ...TOKEN, serverHostname: "http://dbc-1.cloud.databricks.com" }, "serverHostname"],
  [{ ...TOKEN, serverHostname: "dbc-1.cloud.databricks.com/x" }, "serverHostname"],
  [{ ...TOKEN, serverHostname: "user@evil.example" }, "serverHostname"],
  [{ ...TOKEN, serverHostname: "db.example:0" }, "serverHostname"],
  [{ ...TOKEN, httpPath: undefined }, "httpPath"],
  [{ ...TOKEN, httpPath: "/sql/1.0/warehouses/" }, "httpPath"],
  [{ ...TOKEN, httpPath: "/sql/1.0/warehouses/a/../b" }, "httpPath"],
  [{ ...TOKEN, httpPath: "/api/2.0/preview" }, "httpPath"],
  [{ accessToken: "" }, "accessToken"],
  [{ accessToken: "a\r\nhost: x" }, "accessToken"],
  [{ ...TOKEN, databricks_type: "oauth" }, "databricks_type"],
  [{ ...TOKEN, databricks_type: "service_principal" }, "clientId"],
  [{ ...PRINCIPAL, clientSecret: undefined }, "clientSecret"],
  [{ ...PRINCIPAL, clientSecret: "sécret" }, "clientSecret"],
  [{ ...PRINCIPAL, azureTenantId: "evil.example/x?" }, "azureTenantId"],
  [{ ...PRINCIPAL, azureTenantId: ".." }, "azureTenantId"],
  [{ ...TOKEN, connectionUrl: "databricks://token:dapisecret@x" }, "connectionUrl"],
])("%o is refused by the member %s, without repeating it", async (change, member) => {
  const failure = await failureOf((async () => parse(change))());
  expect(failure.reason).toBe("INVALID_CONNECTION");
  expect(failure.message).toMatch(new RegExp(`^connectionInfo\\.${member}: `));
  expect(failure.message).not.toMatch(/dapisecret|thesecret|evil/);
});

it("says which path to use in the place of a cluster's", async () => {
  const httpPath = "sql/protocolv1/o/6051921418418893/1115-130834-ms4m0yv";
  const failure = await failureOf((async () => parse({ ...TOKEN, httpPath }))());
  expect(failure).toMatchObject({
    reason: "INVALID_CONNECTION",
    message: expect.stringContaining("all-purpose cluster"),
  });
  expect(failure.hint).toContain("/sql/1.0/warehouses/{id}");
});

it.each<[object]>([
  [TOKEN],
  [PRINCIPAL],
  [{ ...PRINCIPAL, azureTenantId: "t-1" }],
  [{ ...TOKEN, serverHostname: "[::1]:8443" }],
])("%o is the same when it was written out and read again", (change) => {
  const info = parse(change);
  const canonical = canonicalDatabricksConnection(info);
  const again = parseDatabricksConnection(canonical).info;
  expect(canonicalDatabricksConnection(again)).toEqual(canonical);
  expect({ ...again, credentials: null }).toEqual({ ...info, credentials: null });
});

it("keeps its secrets to itself", () => {
  for (const info of [parse(TOKEN), parse(PRINCIPAL)]) {
    expect(inspect(info, { depth: 9 }) + JSON.stringify(info)).not.toMatch(/dapisecret|thesecret|theclient/);
  }
});

it("is asked at its host and nowhere else", () => {
  expect(originOf(parse(TOKEN))).toBe("https://dbc-1.cloud.databricks.com");
  expect(originOf(parse({ ...TOKEN, serverHostname: "[::1]:8443" }))).toBe("https://[::1]:8443");
});
