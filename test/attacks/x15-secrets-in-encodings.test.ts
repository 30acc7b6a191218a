/** Secrets that a server echoes are masked in every form that drivers send them in, wherever in `connectionInfo` they stand. */
import { describe, expect, test } from "vitest";
import { parseConnection } from "../../src/connectors/sources.ts";
import { redactorFor } from "../../src/guard/redactor.ts";
import type { DataSource } from "../../src/planner/plan.ts";

const USER = "ann o'hara@x";
const PASSWORD = "p/W ö+\"'\\&<9=z!";

const url = (scheme: string, host = "db.example.com/shop"): string =>
  `${scheme}://${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@${host}`;

const CONNECTIONS: readonly (readonly [source: DataSource, connectionInfo: Readonly<Record<string, unknown>>])[] = [
  ["clickhouse", { connectionUrl: url("clickhouse") }],
  [
    "clickhouse",
    {
      connectionUrl: `clickhouse://db.example.com/shop?user=${encodeURIComponent(USER)}&password=${encodeURIComponent(PASSWORD)}`,
    },
  ],
  ["clickhouse", { host: "db.example.com", port: 8443, user: USER, password: PASSWORD, database: "shop" }],
  ["postgres", { connectionUrl: url("postgres") }],
  ["mysql", { connectionUrl: url("mysql") }],
  ["trino", { connectionUrl: url("trino", "db.example.com/hive/shop") }],
  ["trino", { host: "db.example.com", port: 443, user: USER, password: PASSWORD, catalog: "c", schema: "s" }],
  ["mssql", { connectionUrl: url("mssql") }],
  ["oracle", { connectionUrl: url("oracle") }],
  ["canner", { connectionUrl: url("postgres") }],
  ["snowflake", { account: "a", user: USER, password: PASSWORD, database: "d", schema: "s" }],
];

const base64 = (text: string, encoding: "utf8" | "latin1" = "utf8"): string =>
  Buffer.from(text, encoding).toString("base64");
const escaped = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const FORMS: readonly (readonly [what: string, text: string])[] = [
  ["plain", PASSWORD],
  ["Basic", base64(`${USER}:${PASSWORD}`)],
  ["Basic in ISO 8859-1", base64(`${USER}:${PASSWORD}`, "latin1")],
  ["Basic without padding", base64(`${USER}:${PASSWORD}`).replaceAll("=", "")],
  ["Basic for URLs", Buffer.from(`${USER}:${PASSWORD}`).toString("base64url")],
  ["base64", base64(PASSWORD)],
  ["hexadecimal", Buffer.from(PASSWORD).toString("hex")],
  ["hexadecimal in capitals", Buffer.from(PASSWORD).toString("hex").toUpperCase()],
  ["percent", encodeURIComponent(PASSWORD)],
  ["percent twice", encodeURIComponent(encodeURIComponent(PASSWORD))],
  ["percent in lower case", encodeURIComponent(PASSWORD).toLowerCase()],
  ["form", encodeURIComponent(PASSWORD).replaceAll("%20", "+")],
  ["JSON", JSON.stringify(PASSWORD).slice(1, -1)],
  ["JSON in ASCII", escaped(PASSWORD)],
  ["JSON with escaped slashes", JSON.stringify(PASSWORD).slice(1, -1).replaceAll("/", "\\/")],
  ["JSON within JSON", JSON.stringify(JSON.stringify(PASSWORD).slice(1, -1)).slice(1, -1)],
  ["SQL", PASSWORD.replaceAll("'", "''")],
  ["XML", PASSWORD.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;")],
];

describe.each(CONNECTIONS)("%s %j", (source, connectionInfo) => {
  test("is a connection of the source", () => {
    expect(() => parseConnection(source, connectionInfo)).not.toThrow();
  });

  test.each(FORMS)("%s", (_what, form) => {
    const told = redactorFor(connectionInfo).redact(`the server answered: <${form}> and no more`);
    expect(told).toBe("the server answered: <***> and no more");
  });

  test.each(["x", "xy", "xyz"])("within base64 of a document that begins with %s", (before) => {
    const document = base64(`${before}"password":"${PASSWORD}"`);
    const told = redactorFor(connectionInfo).redact(document);
    expect(Buffer.from(told, "base64").toString()).not.toContain(PASSWORD);
    expect(told).toContain("***");
  });
});

test("keys of stores, which have slashes, are masked in every form", () => {
  const secret = "wJalr/XUtnFEMI+K7MDENG/bPxRfiCYEXAMPLEKEY";
  for (const form of [secret, encodeURIComponent(secret), secret.replaceAll("/", "\\/"), base64(`AKID:${secret}`)]) {
    expect(redactorFor({ aws_secret_access_key: secret, user: "AKID" }).redact(form)).toBe("***");
  }
});
