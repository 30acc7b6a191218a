import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  canonicalMySqlConnection,
  type MySqlConnection,
  parseMySqlConnection,
} from "../../../src/connectors/connection/mysql.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { identityOf } from "../../../src/connectors/sources.ts";

/** The parsed connection with its secret in clear, for comparing. */
function parse(raw: unknown) {
  const { info, warnings } = parseMySqlConnection(raw);
  return { ...info, password: info.password?.reveal(), warnings: warnings.map((warning) => warning.message) };
}

function failure(raw: unknown): ConnectorFailure {
  try {
    parseMySqlConnection(raw);
  } catch (error) {
    if (error instanceof ConnectorFailure) return error;
    throw error;
  }
  throw new Error("accepted");
}

const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
const FIELDS = { host: "db.example.com", port: "3306", database: "shop", user: "reader", password: "s3cret" };
const PARSED = {
  source: "mysql",
  host: "db.example.com",
  serverName: "db.example.com",
  port: 3306,
  database: "shop",
  user: "reader",
  password: "s3cret",
  tls: "require",
  certificateAuthority: undefined,
  trustsServerKey: false,
  connectTimeoutMs: undefined,
  warnings: [],
};

describe("fields", () => {
  it.each<[string, Record<string, unknown>, object]>([
    ["as text", {}, {}],
    ["integer port", { port: 3307 }, { port: 3307 }],
    ["no password", { password: undefined }, { password: undefined }],
    ["empty password", { password: "" }, { password: undefined }],
    [
      "unknown members",
      { whatever: { deep: [1] } },
      { warnings: ["connectionInfo.whatever is no member of this connection"] },
    ],
    ["null options", { sslMode: null, sslCA: null, kwargs: null }, {}],
    ["empty options", { sslMode: "", sslCA: "" }, {}],
    ["localhost", { host: "localhost" }, { host: "127.0.0.1", serverName: "localhost" }],
    [
      "the name that containers give their host",
      { host: "host.docker.internal" },
      {
        host: "host.docker.internal",
        serverName: "host.docker.internal",
      },
    ],
    ["odd names", { user: "a@b/c d", database: "sh`op" }, { user: "a@b/c d", database: "sh`op" }],
  ])("%s", (_name, change, expected) => {
    expect(parse({ ...FIELDS, ...change })).toEqual({ ...PARSED, ...expected });
  });

  it("of an existing client, unchanged", () => {
    const sent = { host: "db", port: 3306, database: "shop", user: "r", password: "p", sslMode: "DISABLED" };
    expect(parse(sent)).toMatchObject({ host: "db", tls: "disable", password: "p", warnings: [] });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ host: undefined }, "connectionInfo.host: is missing"],
    [{ user: 1 }, "connectionInfo.user: has the wrong type"],
    [{ port: "70000" }, "connectionInfo.port: the port must be a number from 1 to 65535"],
    [{ host: "/var/run/mysqld.sock" }, "connectionInfo.host: names no host that can be dialled"],
    [{ password: "a\0b" }, "connectionInfo.password: must not contain a NUL character"],
    [{ database: "" }, "connectionInfo.database: must not be empty"],
  ])("%j is refused", (change, message) => {
    expect(failure({ ...FIELDS, ...change }).message).toBe(message);
  });
});

describe("URLs", () => {
  it.each<[string, object]>([
    ["mysql://reader:s3cret@db.example.com:3306/shop", {}],
    ["mariadb://reader:s3cret@db.example.com/shop", {}],
    [
      "mysql://reader:p%40ss%5B@db.example.com/shop?ssl-mode=DISABLED",
      {
        password: "p@ss[",
        tls: "disable",
        trustsServerKey: true,
      },
    ],
    [
      "mysql://reader:s3cret@db.example.com/shop?sslMode=VERIFY_IDENTITY&characterEncoding=utf8",
      { tls: "verify-identity" },
    ],
    ["mysql://reader:s3cret@localhost/shop", { host: "127.0.0.1", serverName: "localhost" }],
  ])("%s", (connectionUrl, expected) => {
    expect(parse({ connectionUrl })).toEqual({ ...PARSED, ...expected });
  });

  it("kwargs beside it win over its query, and options of TLS may not contradict each other", () => {
    const connectionUrl = "mysql://u:p@db.example.com/d?connect_timeout=3";
    expect(parse({ connectionUrl, kwargs: { connect_timeout: 5 } })).toMatchObject({ connectTimeoutMs: 5000 });
    const insecure = "mysql://u:p@db.example.com/d?sslMode=DISABLED";
    expect(failure({ connectionUrl: insecure, sslMode: "VERIFY_CA", sslCA: PEM }).message).toBe(
      "connectionInfo.sslMode: it has another value in connectionUrl",
    );
  });

  it.each([
    ["postgres://u:p@h/d", "must begin with mysql:// or mariadb://"],
    ["mysql://u:p@h/", "names no database"],
    ["mysql://h/d", "names no user"],
    ["mysql://u:p@/d", "names no host"],
  ])("%s is refused", (connectionUrl, problem) => {
    expect(failure({ connectionUrl }).message).toBe(`connectionInfo.connectionUrl: ${problem}`);
  });
});

describe("sslMode", () => {
  it.each<[string | undefined, string | undefined, string]>([
    [undefined, undefined, "require"],
    ["ENABLED", undefined, "require"],
    ["enabled", undefined, "require"],
    ["DISABLED", undefined, "disable"],
    ["disabled", undefined, "disable"],
    ["Preferred", undefined, "prefer"],
    ["REQUIRED", undefined, "require"],
    ["VERIFY_CA", PEM, "verify-ca"],
    ["verify_ca", btoa(PEM), "verify-ca"],
    ["VERIFY-CA", PEM, "verify-ca"],
    ["VERIFY_IDENTITY", undefined, "verify-identity"],
    ["VERIFY_IDENTITY", PEM, "verify-identity"],
    // An authority to trust says that certificates are to be checked.
    [undefined, PEM, "verify-ca"],
    ["ENABLED", PEM, "verify-ca"],
  ])("%s with authority %s is %s", (sslMode, sslCA, tls) => {
    const { info, warnings } = parseMySqlConnection({ ...FIELDS, sslMode, sslCA });
    expect([info.tls, info.certificateAuthority, warnings]).toEqual([tls, sslCA && PEM, []]);
  });

  it("VERIFY_CA needs an authority, said in the words that clients look for", () => {
    expect(failure({ ...FIELDS, sslMode: "VERIFY_CA" })).toMatchObject({
      reason: "INVALID_CONNECTION",
      message: expect.stringContaining("SSL CA must be provided when SSL mode is VERIFY CA"),
    });
  });

  it("DISABLED says that the authority is not used", () => {
    const { certificateAuthority, warnings } = parse({ ...FIELDS, sslMode: "DISABLED", sslCA: PEM });
    expect(certificateAuthority).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });

  it.each([{ sslMode: "yes" }, { sslCA: "/etc/ssl/ca.pem" }, { sslCA: "bm90IGEgcGVt" }])("%j is refused", (change) => {
    expect(failure({ ...FIELDS, ...change }).reason).toBe("INVALID_CONNECTION");
  });

  it.each<[object, boolean]>([
    [{}, false],
    [{ sslMode: "PREFERRED" }, false],
    [{ sslMode: "DISABLED" }, true],
    [{ sslMode: "DISABLED", kwargs: { allowPublicKeyRetrieval: false } }, false],
    [{ sslMode: "PREFERRED", kwargs: { allowPublicKeyRetrieval: "true" } }, true],
  ])("%j: the server's word for its key is taken: %s", (change, expected) => {
    expect(parse({ ...FIELDS, ...change }).trustsServerKey).toBe(expected);
  });
});

describe("kwargs", () => {
  it.each<[string, string | number | boolean, object]>([
    ["connect_timeout", 5, { connectTimeoutMs: 5000 }],
    ["connectTimeout", "2500", { connectTimeoutMs: 2500 }],
    ["connect_timeout", 0, {}],
    ["charset", "utf8mb4", {}],
    ["autocommit", true, {}],
    ["local_infile", 0, {}],
    ["ssl_mode", "DISABLED", { tls: "disable", trustsServerKey: true }],
    ["ssl-ca", PEM, { tls: "verify-ca", certificateAuthority: PEM }],
  ])("%s = %s", (name, value, expected) => {
    expect(parse({ ...FIELDS, kwargs: { [name]: value } })).toEqual({ ...PARSED, ...expected });
  });

  it.each([
    "host",
    "port",
    "user",
    "passwd",
    "db",
    "unix_socket",
    "read_default_file",
    "ssl_key",
    "init_command",
    "sessionVariables",
    "ssl",
  ])("%s is refused", (name) => {
    const refused = failure({ ...FIELDS, kwargs: { [name]: "topsecret" } });
    expect(refused.reason).toBe("INVALID_CONNECTION");
    expect(JSON.stringify([refused.message, refused.hint])).not.toContain("topsecret");
  });

  it.each(["local_infile", "allowLoadLocalInfile", "allowMultiQueries"])("%s would open a trap", (name) => {
    expect(failure({ ...FIELDS, kwargs: { [name]: true } }).reason).toBe("INVALID_CONNECTION");
  });

  it.each([
    ["sql_mode", "ANSI"],
    ["charset", "latin1"],
    ["useSSL", "false"],
  ])("%s=%s is reported", (name, value) => {
    expect(parse({ ...FIELDS, kwargs: { [name]: value } }).warnings).toEqual([
      `connectionInfo.kwargs: the option ${name} is not honoured`,
    ]);
  });
});

describe("the canonical form", () => {
  it.each<[string, object]>([
    ["the least", {}],
    ["without a password", { password: "" }],
    ["localhost", { host: "localhost" }],
    ["plain", { sslMode: "DISABLED" }],
    ["plain, with a key of its own choice", { sslMode: "DISABLED", kwargs: { allowPublicKeyRetrieval: false } }],
    ["an authority", { sslMode: "VERIFY_IDENTITY", sslCA: PEM, kwargs: { connect_timeout: 7 } }],
  ])("of %s parses back into the same", (_name, change) => {
    const { info } = parseMySqlConnection({ ...FIELDS, ...change });
    const again = parseMySqlConnection(canonicalMySqlConnection(info));
    expect(plain(again.info)).toEqual(plain(info));
    expect(again.warnings).toEqual([]);
    expect(identityOf(again.info)).toBe(identityOf(info));
  });

  it("tells connections apart by everything that matters", () => {
    const changes = [{}, { password: "x" }, { user: "x" }, { sslMode: "DISABLED" }, { sslCA: PEM }, { database: "x" }];
    const identities = changes.map((change) => identityOf(parseMySqlConnection({ ...FIELDS, ...change }).info));
    expect(new Set(identities).size).toBe(changes.length);
  });
});

it("shows no password when it is printed", () => {
  const { info } = parseMySqlConnection(FIELDS);
  expect(`${inspect(info)}${JSON.stringify(info)}`).not.toContain("s3cret");
});

function plain(info: MySqlConnection): object {
  return { ...info, password: info.password?.reveal() };
}
