import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  canonicalMsSqlConnection,
  type MsSqlConnection,
  parseMsSqlConnection,
} from "../../../src/connectors/connection/mssql.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { identityOf } from "../../../src/connectors/sources.ts";

/** The parsed connection with its secret in clear, for comparing. */
function parse(raw: unknown) {
  const { info, warnings } = parseMsSqlConnection(raw);
  return { ...info, password: info.password?.reveal(), warnings: warnings.map((warning) => warning.message) };
}

function failure(raw: unknown): ConnectorFailure {
  try {
    parseMsSqlConnection(raw);
  } catch (error) {
    if (error instanceof ConnectorFailure) return error;
    throw error;
  }
  throw new Error("accepted");
}

const FIELDS = { host: "db.example.com", port: "1433", database: "shop", user: "reader", password: "s3cret" };
const PARSED = {
  source: "mssql",
  host: "db.example.com",
  port: 1433,
  database: "shop",
  user: "reader",
  password: "s3cret",
  encryption: "mandatory",
  trustsCertificate: false,
  certificateName: undefined,
  readOnlyIntent: false,
  connectTimeoutMs: undefined,
  warnings: [],
};
const not = (name: string, member = "kwargs") => `connectionInfo.${member}: ${name} is not honoured`;

describe("fields", () => {
  it.each<[string, Record<string, unknown>, object]>([
    ["as text", {}, {}],
    ["integer port", { port: 1434 }, { port: 1434 }],
    ["no password", { password: undefined }, { password: undefined }],
    [
      "unknown members",
      { whatever: { deep: [1] } },
      { warnings: ["connectionInfo.whatever is no member of this connection"] },
    ],
    ["null options", { driver: null, TDS_Version: null, kwargs: null }, {}],
    ["a password that ODBC would have escaped", { password: "{R;3G1/8Al2AniRye" }, { password: "{R;3G1/8Al2AniRye" }],
    [
      "Azure",
      { host: "acme.database.windows.net", user: "r@acme" },
      { host: "acme.database.windows.net", user: "r@acme" },
    ],
    ["the name that containers give their host", { host: "host.docker.internal" }, { host: "host.docker.internal" }],
    [
      "the driver of another program",
      { driver: "ODBC Driver 18 for SQL Server", TDS_Version: "8.0" },
      { warnings: [not("it", "driver"), not("it", "TDS_Version")] },
    ],
  ])("%s", (_name, change, expected) => {
    expect(parse({ ...FIELDS, ...change })).toEqual({ ...PARSED, ...expected });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["no host", { host: undefined }, "connectionInfo.host: is missing"],
    ["an empty database", { database: "" }, "connectionInfo.database: must not be empty"],
    ["a NUL", { user: "a\0b" }, "connectionInfo.user: must not contain a NUL character"],
    ["a long name", { user: "u".repeat(129) }, "connectionInfo.user: must not be longer than 128 characters"],
    ["a port that is none", { port: "0" }, "connectionInfo.port: the port must be a number from 1 to 65535"],
    ["an instance", { host: "db\\SQLEXPRESS" }, "connectionInfo.host: names an instance"],
    [
      "what Azure's portal shows",
      { host: "tcp:a.database.windows.net,1433" },
      "connectionInfo.host: is more than a host",
    ],
    ["a pipe", { host: "np:\\\\.\\pipe\\sql" }, "connectionInfo.host: names an instance"],
    ["two hosts", { host: "a,b" }, "connectionInfo.host: names no host that can be dialled"],
  ])("%s is refused", (_name, change, message) => {
    const refused = failure({ ...FIELDS, ...change });
    expect([refused.reason, refused.message]).toEqual(["INVALID_CONNECTION", message]);
  });

  it("tells where an instance is to be had", () => {
    expect(failure({ ...FIELDS, host: "db\\SQLEXPRESS" }).hint).toContain("TCP port of the instance");
  });
});

describe("options", () => {
  it.each<[object, object]>([
    // Values that clients send today (docs/spec/contract.md#connections).
    [{ trustServerCertificate: "YES" }, { trustsCertificate: true }],
    [{ TrustServerCertificate: "yes" }, { trustsCertificate: true }],
    [{ "Trust Server Certificate": true }, { trustsCertificate: true }],
    [{ TRUSTSERVERCERTIFICATE: "No" }, {}],
    [{ Encrypt: "yes" }, {}],
    [{ encrypt: "Mandatory" }, {}],
    [{ ENCRYPT: "strict" }, { encryption: "strict" }],
    [{ Encrypt: "no" }, { encryption: "none" }],
    [{ Encrypt: false }, { encryption: "none" }],
    [{ Encrypt: "optional", TrustServerCertificate: "yes" }, { encryption: "none" }],
    [{ HostNameInCertificate: "DB.Example.com" }, { certificateName: "db.example.com" }],
    [{ ApplicationIntent: "ReadOnly" }, { readOnlyIntent: true }],
    [{ applicationintent: "readwrite" }, {}],
    [{ "Connection Timeout": 7 }, { connectTimeoutMs: 7000 }],
    [{ LoginTimeout: "0" }, {}],
    [{ Trusted_Connection: "no", MARS_Connection: "no", MultiSubnetFailover: "Yes", AnsiNPW: "yes" }, {}],
    [{ APP: "wren" }, { warnings: [not("the option APP")] }],
    [{ MARS_Connection: "yes" }, { warnings: [not("the option MARS_Connection")] }],
    [{ "p@ss/word": "x" }, { warnings: [not("one of its options")] }],
  ])("%j", (kwargs, expected) => {
    expect(parse({ ...FIELDS, kwargs })).toEqual({ ...PARSED, ...expected });
  });

  it.each<[object, string]>([
    [{ Encrypt: "maybe" }, "kwargs: the option Encrypt must be yes, no, mandatory, optional or strict"],
    [{ Encrypt: "yes", encrypt: "no" }, "kwargs: the option encrypt has two values"],
    [
      { Encrypt: "strict", TrustServerCertificate: "yes" },
      "kwargs: the options Encrypt and TrustServerCertificate contradict each other",
    ],
    [{ TrustServerCertificate: "perhaps" }, "kwargs: the option TrustServerCertificate must be yes or no"],
    [{ ApplicationIntent: "write" }, "kwargs: the option ApplicationIntent must be ReadOnly or ReadWrite"],
    [{ Server: "10.0.0.1" }, "kwargs: the option Server is not accepted"],
    [{ "Data Source": "10.0.0.1" }, "kwargs: the option Data Source is not accepted"],
    [{ UID: "sa" }, "kwargs: the option UID is not accepted"],
    [{ Initial_Catalog: "master" }, "kwargs: the option Initial_Catalog is not accepted"],
    [{ DSN: "x" }, "kwargs: the option DSN is not accepted"],
    [{ Failover_Partner: "10.0.0.1" }, "kwargs: the option Failover_Partner is not accepted"],
    [{ AttachDbFileName: "/etc/passwd" }, "kwargs: the option AttachDbFileName is not accepted"],
    [{ ServerCertificate: "/etc/ssl/x.pem" }, "kwargs: the option ServerCertificate is not accepted"],
    [{ Trusted_Connection: "yes" }, "kwargs: the option Trusted_Connection is not accepted"],
    [{ Authentication: "ActiveDirectoryPassword" }, "kwargs: the option Authentication is not accepted"],
    [{ QuotedId: "no" }, "kwargs: the option QuotedId is not accepted"],
    [{ TDS_Version: "7.0" }, "kwargs: the option TDS_Version has no TLS, which is asked for"],
  ])("%j is refused", (kwargs, message) => {
    const refused = failure({ ...FIELDS, kwargs });
    expect([refused.reason, refused.message]).toEqual(["INVALID_CONNECTION", `connectionInfo.${message}`]);
  });

  it("of an old protocol are only reported without TLS", () => {
    const { warnings, encryption } = parse({ ...FIELDS, TDS_Version: "7.0", kwargs: { Encrypt: "no" } });
    expect([encryption, warnings]).toEqual(["none", [not("it", "TDS_Version")]]);
  });
});

describe("a URL", () => {
  it.each<[string, object]>([
    ["mssql://reader:s3cret@db.example.com/shop", {}],
    ["mssql://reader:s3cret@db.example.com:1433/shop?", {}],
    ["sqlserver://reader:s3cret@db.example.com/shop", {}],
    [
      "mssql+pyodbc://reader:s3cret@db.example.com/shop?driver=x",
      { warnings: [not("the option driver", "connectionUrl")] },
    ],
    ["mssql://reader:%7BR%3B3G1%2F8@db.example.com/shop", { password: "{R;3G1/8" }],
    ["mssql://reader:p[a]ss@db.example.com/shop", { password: "p[a]ss" }],
    ["mssql://re%40der:s3cret@[::1]:1433/sh%20op", { host: "::1", user: "re@der", database: "sh op" }],
    ["mssql://reader:s3cret@db.example.com/shop?Encrypt=no", { encryption: "none" }],
  ])("%s", (connectionUrl, expected) => {
    expect(parse({ connectionUrl })).toEqual({ ...PARSED, ...expected });
  });

  it("has its options overridden by kwargs", () => {
    const connectionUrl = "mssql://reader:s3cret@db.example.com/shop?ConnectTimeout=3";
    expect(parse({ connectionUrl, kwargs: { connecttimeout: 5 } })).toEqual({ ...PARSED, connectTimeoutMs: 5000 });
  });

  it("is refused where kwargs have another option of TLS", () => {
    const connectionUrl = "mssql://reader:s3cret@db.example.com/shop?Encrypt=no";
    expect(() => parse({ connectionUrl, kwargs: { encrypt: "strict" } })).toThrow(
      "connectionInfo.kwargs: the option encrypt has another value in connectionUrl",
    );
  });

  it.each<[string, string]>([
    ["mysql://u:p@h/d", "must begin with mssql://"],
    ["mssql://u:p@/d", "names no host"],
    ["mssql://h/d", "names no user"],
    ["mssql://u:p@h", "names no database"],
    ["mssql://u:p@h/d/e", "names more than a database"],
    ["mssql://u:p@h%5CINST/d", "names no host that can be dialled"],
  ])("%s is refused", (connectionUrl, message) => {
    expect(failure({ connectionUrl }).message).toBe(`connectionInfo.connectionUrl: ${message}`);
  });
});

describe("the canonical form", () => {
  it.each<object>([
    {},
    { password: undefined },
    { host: "::1", port: 65_535 },
    { kwargs: { Encrypt: "strict", ApplicationIntent: "ReadOnly" } },
    { kwargs: { Encrypt: "no", TrustServerCertificate: "yes", HostNameInCertificate: "x" } },
    { kwargs: { TrustServerCertificate: "yes", HostNameInCertificate: "a.b", LoginTimeout: 3 } },
  ])("of %j parses back into the same", (change) => {
    const { info } = parseMsSqlConnection({ ...FIELDS, ...change });
    const again = parseMsSqlConnection(canonicalMsSqlConnection(info));
    expect(again.warnings).toEqual([]);
    expect(identityOf(again.info)).toBe(identityOf(info));
    const plain = ({ password, ...rest }: MsSqlConnection) => ({ ...rest, password: password?.reveal() });
    expect(plain(again.info)).toEqual(plain(info));
  });

  it("keeps the password out of what is printed", () => {
    expect(inspect(parseMsSqlConnection(FIELDS), { depth: 9 })).not.toContain("s3cret");
  });
});
