import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  canonicalPostgresConnection,
  type PostgresConnection,
  parsePostgresConnection,
} from "../../../src/connectors/connection/postgres.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { identityOf } from "../../../src/connectors/sources.ts";

/** The parsed connection with its secret in clear, for comparing. */
function parse(raw: unknown) {
  const { info, warnings } = parsePostgresConnection(raw);
  return { ...info, password: info.password?.reveal(), warnings: warnings.map((warning) => warning.message) };
}

function failure(raw: unknown): ConnectorFailure {
  try {
    parsePostgresConnection(raw);
  } catch (error) {
    if (error instanceof ConnectorFailure) return error;
    throw error;
  }
  throw new Error("accepted");
}

const FIELDS = { host: "db.example.com", port: "5432", database: "shop", user: "reader", password: "s3cret" };
const PARSED = {
  source: "postgres",
  host: "db.example.com",
  port: 5432,
  database: "shop",
  user: "reader",
  password: "s3cret",
  tls: "prefer",
  certificateAuthority: undefined,
  connectTimeoutMs: undefined,
  applicationName: undefined,
  settings: [],
  warnings: [],
};

describe("fields", () => {
  it.each<[string, Record<string, unknown>, object]>([
    ["as text", {}, {}],
    ["integer port", { port: 6543 }, { port: 6543 }],
    ["port with blanks", { port: " 6543 " }, { port: 6543 }],
    ["no password", { password: undefined }, { password: undefined }],
    ["null password", { password: null }, { password: undefined }],
    ["empty password", { password: "" }, { password: undefined }],
    [
      "unknown members",
      { whatever: { deep: [1] } },
      { warnings: ["connectionInfo.whatever is no member of this connection"] },
    ],
    ["null kwargs", { kwargs: null }, {}],
    ["host in another spelling", { host: " DB.Example.com. " }, {}],
    ["IPv6 host", { host: "[2606:4700::1111]" }, { host: "2606:4700::1111" }],
    [
      "user and database with odd characters",
      { user: "a@b/c d", database: "sh%op" },
      { user: "a@b/c d", database: "sh%op" },
    ],
    ["a URL member that is null", { connectionUrl: null }, {}],
  ])("%s", (_, change, expected) => {
    expect(parse({ ...FIELDS, ...change })).toEqual({ ...PARSED, ...expected });
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "connectionInfo: is missing"],
    ["null", null, "connectionInfo: has the wrong type"],
    ["text", "postgres://u:topsecret@h/d", "connectionInfo: has the wrong type"],
    ["a list", [FIELDS], "connectionInfo: has the wrong type"],
    ["a missing member", { ...FIELDS, user: undefined }, "connectionInfo.user: is missing"],
    [
      "several",
      { password: "topsecret" },
      "connectionInfo.host: is missing; connectionInfo.port: is missing; connectionInfo.database: is missing; connectionInfo.user: is missing",
    ],
    [
      "password of the wrong type",
      { ...FIELDS, password: ["topsecret"] },
      "connectionInfo.password: has the wrong type",
    ],
    ["password as a number", { ...FIELDS, password: 12345678 }, "connectionInfo.password: has the wrong type"],
    ["port out of range", { ...FIELDS, port: 65536 }, "connectionInfo.port: the port must be a number from 1 to 65535"],
    ["port zero", { ...FIELDS, port: "0" }, "connectionInfo.port: the port must be a number from 1 to 65535"],
    [
      "port that is none",
      { ...FIELDS, port: "topsecret" },
      "connectionInfo.port: the port must be a number from 1 to 65535",
    ],
    [
      "port with a fraction",
      { ...FIELDS, port: 54.32 },
      "connectionInfo.port: the port must be a number from 1 to 65535",
    ],
    ["empty user", { ...FIELDS, user: "" }, "connectionInfo.user: must not be empty"],
    ["empty database", { ...FIELDS, database: "" }, "connectionInfo.database: must not be empty"],
    [
      "NUL in the password",
      { ...FIELDS, password: "top\0secret" },
      "connectionInfo.password: must not contain a NUL character",
    ],
    ["NUL in the user", { ...FIELDS, user: "a\0database\0b" }, "connectionInfo.user: must not contain a NUL character"],
    ["empty host", { ...FIELDS, host: "" }, "connectionInfo.host: names no host that can be dialled"],
    [
      "socket directory",
      { ...FIELDS, host: "/var/run/postgresql" },
      "connectionInfo.host: names no host that can be dialled",
    ],
    [
      "encoded socket directory",
      { ...FIELDS, host: "%2Fvar%2Frun" },
      "connectionInfo.host: names no host that can be dialled",
    ],
    ["several hosts", { ...FIELDS, host: "one,two" }, "connectionInfo.host: names no host that can be dialled"],
    ["host with a port", { ...FIELDS, host: "one:5432" }, "connectionInfo.host: names no host that can be dialled"],
    ["kwargs of the wrong type", { ...FIELDS, kwargs: "topsecret" }, "connectionInfo.kwargs: has the wrong type"],
    [
      "nested kwargs",
      { ...FIELDS, kwargs: { sslmode: { topsecret: 1 } } },
      "connectionInfo.kwargs.sslmode: has the wrong type",
    ],
  ])("refuses %s", (_, raw, message) => {
    const { reason, message: told, hint } = failure(raw);
    expect(reason).toBe("INVALID_CONNECTION");
    expect(told).toBe(message);
    expect(`${told} ${hint}`).not.toContain("topsecret");
  });
});

describe("connectionUrl", () => {
  it.each<[string, string, object]>([
    ["plain", "postgresql://reader:s3cret@db.example.com:5432/shop", {}],
    ["short scheme, default port", "postgres://reader:s3cret@db.example.com/shop", {}],
    ["scheme in capitals", "POSTGRESQL://reader:s3cret@db.example.com/shop", {}],
    ["trailing ?", "postgresql://reader:s3cret@db.example.com:5432/shop?", {}],
    ["sslmode", "postgresql://reader:s3cret@db.example.com/shop?sslmode=require", { tls: "require" }],
    ["percent-encoded password", "postgresql://reader:p%40%2F%5B%25s@db.example.com/shop", { password: "p@/[%s" }],
    ["a plus stays a plus", "postgresql://reader:a+b@db.example.com/shop", { password: "a+b" }],
    ["decoded once only", "postgresql://reader:%2541@db.example.com/shop", { password: "%41" }],
    ["raw brackets", "postgresql://reader:[s]3{c}@db.example.com/shop", { password: "[s]3{c}" }],
    ["raw colon, @, ? and #", "postgresql://reader:a:b@c?d#e@db.example.com/shop", { password: "a:b@c?d#e" }],
    ["unicode", "postgresql://reader:pässwörd@db.example.com/shop", { password: "pässwörd" }],
    [
      "encoded user and database",
      "postgresql://re%40der:s3cret@db.example.com/sh%20op",
      { user: "re@der", database: "sh op" },
    ],
    ["no password", "postgresql://reader@db.example.com/shop", { password: undefined }],
    ["empty password", "postgresql://reader:@db.example.com/shop", { password: undefined }],
    ["database of the user's name", "postgresql://reader:s3cret@db.example.com", { database: "reader" }],
    ["IPv6", "postgresql://reader:s3cret@[2606:4700::1111]:6543/shop", { host: "2606:4700::1111", port: 6543 }],
    [
      "query without a path",
      "postgresql://reader:s3cret@db.example.com?application_name=a%40b",
      { database: "reader", applicationName: "a@b" },
    ],
    [
      "@ in the query",
      "postgresql://reader:s3cret@db.example.com/shop?application_name=a@b",
      { applicationName: "a@b" },
    ],
    ["private network host", "postgres://reader:s3cret@127.1/shop", { host: "127.0.0.1" }],
  ])("%s", (_, connectionUrl, expected) => {
    expect(parse({ connectionUrl })).toEqual({ ...PARSED, ...expected });
    expect(parse({ connection_url: connectionUrl })).toEqual({ ...PARSED, ...expected });
  });

  it("wins over fields, with warnings; kwargs win over its query", () => {
    const connectionUrl = "postgresql://reader:s3cret@db.example.com/shop?connect_timeout=3&application_name=url";
    const raw = { connectionUrl, host: "elsewhere", port: 1, kwargs: { SSLMODE: "verify-full", connect_timeout: 5 } };
    const { info, warnings } = parsePostgresConnection(raw);
    expect(info).toMatchObject({ host: "db.example.com", port: 5432, tls: "verify-full", applicationName: "url" });
    expect(info.connectTimeoutMs).toBe(5000);
    expect(warnings.map(({ message }) => message)).toEqual([
      "connectionInfo.host is not used, because a URL is given",
      "connectionInfo.port is not used, because a URL is given",
    ]);
  });

  it("and kwargs may not contradict each other about TLS", () => {
    const connectionUrl = "postgresql://reader:s3cret@db.example.com/shop?sslmode=disable";
    expect(failure({ connectionUrl, kwargs: { SSLMODE: "verify-full" } }).message).toBe(
      "connectionInfo.kwargs: the option SSLMODE has another value in connectionUrl",
    );
  });

  it.each<[string, unknown, string]>([
    ["no URL", "topsecret", "is no URL of the form scheme://user:password@host:port/database"],
    ["another scheme", "mysql://reader:topsecret@h/d", "must begin with postgresql:// or postgres://"],
    ["no host", "postgresql://reader:topsecret@/d", "names no host"],
    ["no user", "postgresql://h/d?application_name=topsecret", "names no user"],
    ["no user, only a password", "postgresql://:topsecret@h/d", "names no user"],
    ["wrong encoding", "postgresql://reader:topsecret%zz@h/d", "its password is not percent-encoded correctly"],
    [
      "encoding that is no UTF-8",
      "postgresql://reader:topsecret%ff@h/d",
      "its password is not percent-encoded correctly",
    ],
    ["encoded socket directory", "postgresql://reader:topsecret@%2Fvar%2Frun/d", "names no host that can be dialled"],
    ["several hosts", "postgresql://reader:topsecret@a,b/d", "names no host that can be dialled"],
    [
      "several hosts with ports",
      "postgresql://reader:topsecret@a:1,b:2/d",
      "the port must be a number from 1 to 65535",
    ],
    ["a slash in the password", "postgresql://reader:top/secret@h/d", "has a / in its user or password"],
    [
      "a raw @ before what could be a query",
      "postgresql://reader:top@secret?x=1@h/d",
      "has a raw @ where it could end the password",
    ],
    [
      "a raw @ in a query without a path",
      "postgresql://reader:topsecret@h?x=a@b",
      "has a raw @ where it could end the password",
    ],
    ["text after an address", "postgresql://reader:topsecret@[::1]x/d", "names no host that can be dialled"],
    ["NUL in the database", "postgresql://reader:topsecret@h/a%00b", "must not contain a NUL character"],
    ["a host in the query", "postgresql://reader:topsecret@h/d?host=evil", "the option host is not accepted"],
  ])("refuses %s", (_, connectionUrl, problem) => {
    const { reason, message, hint } = failure({ connectionUrl });
    expect(reason).toBe("INVALID_CONNECTION");
    expect(message).toBe(`connectionInfo.connectionUrl: ${problem}`);
    expect(`${message} ${hint}`).not.toMatch(/topsecret|secret@/);
  });

  it("refuses a URL that is no text", () => {
    expect(failure({ connectionUrl: { topsecret: 1 } }).message).toBe(
      "connectionInfo.connectionUrl: has the wrong type",
    );
  });
});

describe("options", () => {
  it.each<[Record<string, unknown>, object]>([
    [{ sslmode: "disable" }, { tls: "disable" }],
    [{ sslmode: "allow" }, { tls: "prefer" }],
    [{ sslmode: "prefer" }, { tls: "prefer" }],
    [{ sslmode: "Require" }, { tls: "require" }],
    [{ sslMode: "verify-ca" }, { tls: "verify-ca" }],
    [{ sslmode: " verify-full " }, { tls: "verify-full" }],
    [{ ssl: true }, { tls: "require" }],
    [{ ssl: "true", sslmode: "verify-full" }, { tls: "verify-full" }],
    [{ sslrootcert: "system" }, { tls: "verify-full" }],
    [{ connect_timeout: 5 }, { connectTimeoutMs: 5000 }],
    [{ connect_timeout: "0" }, {}],
    [{ application_name: "report" }, { applicationName: "report" }],
    [{ fallback_application_name: "report" }, { applicationName: "report" }],
    [{ fallback_application_name: "a", application_name: "b" }, { applicationName: "b" }],
    [{ client_encoding: "UTF8", target_session_attrs: "any", gssencmode: "prefer" }, {}],
    [{ channel_binding: "prefer", require_auth: "", sslcertmode: "disable", sslnegotiation: "postgres" }, {}],
    [{ ssl_min_protocol_version: "TLSv1.2", ssl_max_protocol_version: "TLSv1.3", requiressl: 0 }, {}],
    [{ min_protocol_version: "3.0", max_protocol_version: "latest", gssdelegation: 0 }, {}],
    [{ options: "-c statement_timeout=5s" }, { settings: [{ name: "statement_timeout", value: "5s" }] }],
    [
      { options: "-csearch_path=a,b --lock-timeout=7 -c app.tenant=x\\ y" },
      {
        settings: [
          { name: "search_path", value: "a,b" },
          { name: "lock_timeout", value: "7" },
          { name: "app.tenant", value: "x y" },
        ],
      },
    ],
    [{ options: "" }, {}],
    [{ sslmode: null }, {}],
  ])("%j", (kwargs, expected) => {
    expect(parse({ ...FIELDS, kwargs })).toEqual({ ...PARSED, ...expected });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ keepalives: 1 }, "the option keepalives is not honoured"],
    [{ keepalives_idle: 60 }, "the option keepalives_idle is not honoured"],
    [{ tcp_user_timeout: 60 }, "the option tcp_user_timeout is not honoured"],
    [{ sslcompression: 1 }, "the option sslcompression is not honoured"],
    [{ sslsni: 0 }, "the option sslsni is not honoured"],
    [{ ssl_max_protocol_version: "TLSv1.2" }, "the option ssl_max_protocol_version is not honoured"],
    [{ krbsrvname: "x" }, "the option krbsrvname is not honoured"],
    [{ gsslib: "gssapi" }, "the option gsslib is not honoured"],
    [{ oauth_scope: "x" }, "the option oauth_scope is not honoured"],
    [{ client_encoding: "LATIN1" }, "the option client_encoding is not honoured"],
    [{ target_session_attrs: "read-write" }, "the option target_session_attrs is not honoured"],
    [{ ssl: "false" }, "the option ssl is not honoured"],
    [{ constructor: "x" }, "the option constructor is not honoured"],
    [{ "top secret": 1 }, "one of its options is not honoured"],
  ])("%j is reported", (kwargs, problem) => {
    expect(parse({ ...FIELDS, kwargs })).toEqual({ ...PARSED, warnings: [`connectionInfo.kwargs: ${problem}`] });
  });

  it.each<Record<string, unknown>>([
    { channel_binding: "require" },
    { channel_binding: "Require " },
    { require_auth: "scram-sha-256" },
    { require_auth: "!password,!md5" },
    { require_auth: "none" },
    { gssencmode: "require" },
    { sslcertmode: "require" },
    { ssl_min_protocol_version: "TLSv1.3" },
    { min_protocol_version: "3.2" },
    { min_protocol_version: "latest" },
    { requiressl: 1 },
    { ssl: "1" },
    { ssl: "require" },
  ])("%j is refused: it demands what the connection would not have", (kwargs) => {
    const [name] = Object.keys(kwargs);
    const { reason, message, hint } = failure({ ...FIELDS, kwargs });
    expect([reason, message]).toEqual([
      "INVALID_CONNECTION",
      `connectionInfo.kwargs: the option ${name} asks for more safety than this connection has`,
    ]);
    expect(hint).toMatch(/\.$/);
  });

  it("channel_binding=require is reported where the certificate is verified in any case: Neon's strings hold it", () => {
    const connectionUrl = "postgresql://u:p@ep-x.aws.neon.tech/d?sslmode=require&channel_binding=require";
    expect(parse({ connectionUrl })).toMatchObject({
      warnings: ["connectionInfo.connectionUrl: the option channel_binding is not honoured"],
    });
    expect(failure({ connectionUrl: connectionUrl.replace("/d", ":5433/d") }).reason).toBe("INVALID_CONNECTION");
  });

  it.each<[Record<string, unknown>, boolean]>([
    [{}, false],
    [{ sslmode: "prefer" }, false],
    [{ sslmode: "disable" }, false],
    [{ sslmode: "require" }, true],
    [{ sslmode: "verify-full" }, true],
    [{ ssl: "true" }, true],
    [{ sslrootcert: "system" }, true],
  ])("sslnegotiation=direct beside %j", (beside, accepted) => {
    const kwargs = { sslnegotiation: "direct", ...beside };
    if (accepted) {
      expect(parse({ ...FIELDS, kwargs }).warnings).toEqual([
        "connectionInfo.kwargs: the option sslnegotiation is not honoured",
      ]);
    } else {
      expect(failure({ ...FIELDS, kwargs }).message).toBe(
        "connectionInfo.kwargs: the option sslnegotiation is direct, which needs sslmode=require or more",
      );
    }
  });

  const moving =
    "host hostaddr port dbname user password service servicefile passfile sslcert sslkey sslpassword sslcrl sslcrldir " +
    "sslkeylogfile requirepeer replication load_balance_hosts scram_client_key scram_server_key";
  it.each(moving.split(" "))("%s is refused: it could move the connection or read a file", (name) => {
    for (const spelling of [name, name.toUpperCase()]) {
      const { reason, message } = failure({ ...FIELDS, kwargs: { [spelling]: "topsecret" } });
      expect(reason).toBe("INVALID_CONNECTION");
      expect(message).toBe(`connectionInfo.kwargs: the option ${name} is not accepted`);
    }
  });

  it.each<[Record<string, unknown>, string]>([
    [
      { sslmode: "topsecret" },
      "the option sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full",
    ],
    [{ sslrootcert: "/etc/topsecret.pem" }, "the option sslrootcert must be a certificate in PEM form, or system"],
    [
      { sslrootcert: "system", sslmode: "require" },
      "the option sslrootcert is system, which needs sslmode=verify-full",
    ],
    [{ connect_timeout: "topsecret" }, "the option connect_timeout must be an integer of seconds"],
    [{ connect_timeout: -1 }, "the option connect_timeout must be an integer of seconds"],
    [{ application_name: "a\nb" }, "the option application_name must be 1 to 63 printable ASCII characters"],
    [{ options: "topsecret" }, "the option options may only hold settings of the form -c name=value"],
    [{ options: "-c" }, "the option options may only hold settings of the form -c name=value"],
    [{ options: "-c name" }, "the option options may only hold settings of the form -c name=value"],
    [{ options: "-h /tmp" }, "the option options may only hold settings of the form -c name=value"],
    [{ options: "-c default_transaction_read_only=off" }, "the option options sets an option that is not accepted"],
    ...["transaction_read_only=off", "Transaction-Read-Only=off", "session_authorization=x", "row_security=off"].map(
      (setting): [Record<string, unknown>, string] => [
        { options: `-c ${setting}` },
        "the option options sets an option that is not accepted",
      ],
    ),
    [{ options: "-c session_preload_libraries=topsecret" }, "the option options sets an option that is not accepted"],
  ])("%j is refused", (kwargs, problem) => {
    const { reason, message } = failure({ ...FIELDS, kwargs });
    expect(reason).toBe("INVALID_CONNECTION");
    expect(message).toBe(`connectionInfo.kwargs: ${problem}`);
  });

  const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  it.each<[string | undefined, string, string]>([
    [undefined, pem, "verify-full"],
    ["require", pem, "verify-ca"],
    ["verify-ca", btoa(pem), "verify-ca"],
    ["verify-full", pem, "verify-full"],
  ])("an authority of the caller's own under sslmode %s", (sslmode, sslrootcert, tls) => {
    const kwargs = { sslrootcert, ...(sslmode !== undefined && { sslmode }) };
    expect(parse({ ...FIELDS, kwargs })).toEqual({ ...PARSED, tls, certificateAuthority: pem });
  });

  it.each(["disable", "prefer", "allow"])("an authority contradicts sslmode %s", (sslmode) => {
    expect(failure({ ...FIELDS, kwargs: { sslmode, sslrootcert: pem } }).message).toBe(
      "connectionInfo.kwargs: the option sslrootcert needs sslmode=verify-full or verify-ca",
    );
  });
});

describe("the parsed connection", () => {
  const everything = {
    ...FIELDS,
    host: "::1",
    password: "a:b/c@[d]% é",
    kwargs: {
      sslmode: "verify-ca",
      sslrootcert: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
      connect_timeout: 7,
      application_name: "report",
      options: "-c app.tenant=x\\ \\\\y -c statement_timeout=5s",
    },
  };
  const clear = (info: PostgresConnection) => ({ ...info, password: info.password?.reveal() });

  it.each([FIELDS, { ...FIELDS, password: null }, everything])(
    "has a canonical form that parses into itself",
    (raw) => {
      const { info } = parsePostgresConnection(raw);
      const canonical = canonicalPostgresConnection(info);
      const again = parsePostgresConnection(JSON.parse(JSON.stringify(canonical)));
      expect(clear(again.info)).toEqual(clear(info));
      expect(again.warnings).toEqual([]);
    },
  );

  it("has one identity for all spellings of one connection, and another for every other connection", () => {
    const identity = (raw: unknown) => identityOf(parsePostgresConnection(raw).info);
    const first = identity(FIELDS);
    expect(identity({ ...FIELDS, port: 5432, host: "DB.example.com.", kwargs: { sslmode: "allow" } })).toBe(first);
    expect(identity({ connectionUrl: "postgres://reader:s3cret@db.example.com/shop?" })).toBe(first);
    const others = [
      { ...FIELDS, password: "other" },
      { ...FIELDS, password: null },
      { ...FIELDS, user: "other" },
      { ...FIELDS, kwargs: { sslmode: "verify-full" } },
      { ...FIELDS, kwargs: { options: "-c search_path=x" } },
    ].map(identity);
    expect(new Set([first, ...others]).size).toBe(others.length + 1);
  });

  it("shows its password nowhere", () => {
    const { info } = parsePostgresConnection({ ...FIELDS, password: "topsecret" });
    expect(JSON.stringify(info)).not.toContain("topsecret");
    expect(inspect(info, { depth: 9, showHidden: true })).not.toContain("topsecret");
    expect(`${info.password}`).not.toContain("topsecret");
  });
});
