import { describe, expect, it } from "vitest";
import { parsePostgresConnection } from "../../../src/connectors/connection/postgres.ts";
import { namesTls, unknownOption } from "../../../src/connectors/connection/unknown-members.ts";

describe("names of TLS and certificates", () => {
  it.each([
    "sslmode",
    "sslMode",
    "ssl-mode",
    "SSL_CA",
    "slmode",
    "tls",
    "useTLS",
    "ca",
    "ca_cert",
    "caFile",
    "clientCert",
    "verify",
  ])("%s is one", (name) => expect(namesTls(name)).toBe(true));
  it.each(["host", "sql_mode", "gsslib", "gssencmode", "catalog", "cache", "schema", "scale", "", "x".repeat(10_000)])(
    "%j is none",
    (name) => expect(namesTls(name)).toBe(false),
  );
});

it.each([
  ["members", (many: object) => many],
  ["members of kwargs", (many: object) => ({ kwargs: many })],
])("more than a thousand %s are refused", (_what, held) => {
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`name${index}`, "1"]));
  const connection = { host: "db.example.com", port: 5432, database: "d", user: "u", ...held(many) };
  expect(() => parsePostgresConnection(connection)).toThrow("has more than 1000 members");
});

it("more than a thousand options of a URL are refused", () => {
  const query = Array.from({ length: 1001 }, (_, index) => `name${index}=1`).join("&");
  const connectionUrl = `postgres://u:p@db.example.com/d?${query}`;
  expect(() => parsePostgresConnection({ connectionUrl })).toThrow("has more than 1000 options");
});

describe("an unknown option", () => {
  const tell = (name: string, value: string) =>
    unknownOption({ member: "kwargs", name, value }, ["sslmode", "connect_timeout"], "Set sslmode.");

  it("is reported with near names, and without its value", () => {
    expect(tell("conect_timeout", "secret")).toEqual({
      code: "UNKNOWN_OPTION",
      message: "connectionInfo.kwargs: the option conect_timeout is not honoured",
      hint: "Did you mean connect_timeout?",
    });
  });
  it("is not repeated where it looks like a piece of a password", () => {
    expect(tell("p@ss word", "x").message).toBe("connectionInfo.kwargs: one of its options is not honoured");
  });
  it.each(["false", "0", "No", "off", ""])("of TLS with %j asks for nothing", (value) => {
    expect(tell("useSSL", value).code).toBe("UNKNOWN_OPTION");
  });
  it.each([
    ["useSSL", "true"],
    ["sslmoed", "false"],
    ["ssl_capath", "/etc"],
  ])("%s=%s is refused", (name, value) => {
    expect(() => tell(name, value)).toThrow("names TLS or certificates, and is not known");
  });
});
