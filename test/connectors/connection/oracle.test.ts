import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { canonicalOracleConnection, parseOracleConnection } from "../../../src/connectors/connection/oracle.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { identityOf } from "../../../src/connectors/sources.ts";

/** The parsed connection with its secret in clear, for comparing. */
function parse(raw: unknown) {
  const { info, warnings } = parseOracleConnection(raw);
  return { ...info, password: info.password?.reveal(), warnings: warnings.map((warning) => warning.message) };
}

function failure(raw: unknown): ConnectorFailure {
  try {
    parseOracleConnection(raw);
  } catch (error) {
    if (error instanceof ConnectorFailure) return error;
    throw error;
  }
  throw new Error("accepted");
}

const USER = { user: "reader", password: "s3cret" };
const FIELDS = { ...USER, host: "db.example.com", port: "1521", database: "shop.example" };
const service = (name: string, instance?: string) => ({ by: "service", name, instance });
const PARSED = {
  source: "oracle",
  host: "db.example.com",
  port: 1521,
  database: service("shop.example"),
  user: "reader",
  password: "s3cret",
  isEncrypted: false,
  matchesName: true,
  certificateDn: undefined,
  connectTimeoutMs: undefined,
  warnings: [],
};
const TLS = { isEncrypted: true, port: 2484 };
const DESCRIPTOR = "(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=db.example.com)(PORT=1521))";

describe("what a connection says", () => {
  it.each<[string, object, object]>([
    ["fields as text", FIELDS, {}],
    ["an integer port", { ...FIELDS, port: 1522 }, { port: 1522 }],
    ["nothing but who", USER, { host: "localhost", database: service("orcl") }],
    ["nulls", { ...FIELDS, dsn: null, kwargs: null }, {}],
    ["TLS", { ...FIELDS, kwargs: { protocol: "tcps" }, port: undefined }, TLS],
    [
      "a name in place of the host's",
      { ...FIELDS, kwargs: { ssl_server_cert_dn: "CN=db,O=Acme" } },
      { certificateDn: "CN=db,O=Acme" },
    ],
    ["any name", { ...FIELDS, kwargs: { SSL_SERVER_DN_MATCH: false } }, { matchesName: false }],
    ["patience", { ...FIELDS, kwargs: { connect_timeout: 5 } }, { connectTimeoutMs: 5000 }],
    ["no password, which logging in misses", { ...FIELDS, password: undefined }, { password: undefined }],
    ["a password that is null", { ...FIELDS, password: null }, { password: undefined }],
    ["a password with everything in it", { ...FIELDS, password: "{R;3G1/8é]p@ss%" }, { password: "{R;3G1/8é]p@ss%" }],
  ])("%s", (_name, raw, change) => {
    expect(parse(raw)).toEqual({ ...PARSED, ...change });
  });

  it.each<[string, object]>([
    ["db.example.com:1521/shop.example", {}],
    ["//db.example.com:1521/shop.example", {}],
    ["db.example.com/shop.example", {}],
    ["tcp://db.example.com/shop.example:dedicated", {}],
    ["tcps://db.example.com/shop.example", TLS],
    [
      "tcps://db.example.com:1521/s/i1?ssl_server_dn_match=off&connect_timeout=500ms",
      { isEncrypted: true, matchesName: false, connectTimeoutMs: 500, database: service("s", "i1") },
    ],
    [
      'tcps://db.example.com/s?ssl_server_cert_dn="CN=db"&wallet_location=SYSTEM',
      { ...TLS, certificateDn: "CN=db", database: service("s") },
    ],
    ["[2001:db8::1]:1522/s", { host: "2001:db8::1", port: 1522, database: service("s") }],
    [`${DESCRIPTOR}(CONNECT_DATA=(SERVICE_NAME=shop.example)))`, {}],
    [`${DESCRIPTOR}(CONNECT_DATA=(SID=ORCL)))`, { database: { by: "sid", name: "ORCL", instance: undefined } }],
    [
      ` ( description = (load_balance=on) (ADDRESS_LIST = (address=(protocol=TCPS)(host = db.example.com)))\n (connect_data=(server=dedicated)(service_name = s)(instance_name=i1))\n (security=(ssl_server_cert_dn="CN=db,O=A(c)".)) )`,
      { fails: true },
    ],
    [
      `(description=(load_balance=on)(ADDRESS_LIST=(address=(protocol=TCPS)(host = db.example.com)))
        (connect_data=(server=dedicated)(service_name = s)(instance_name=i1)) (security=(ssl_server_cert_dn="CN=db,O=A")))`,
      { ...TLS, certificateDn: "CN=db,O=A", database: service("s", "i1") },
    ],
  ])("the dsn %s", (dsn, change) => {
    if ("fails" in change) expect(failure({ ...USER, dsn }).message).toContain("is no connect descriptor");
    else {
      const warnings = ["host", "port", "database"].map(
        (name) => `connectionInfo.${name} is not used, because a dsn is given`,
      );
      expect(parse({ ...USER, dsn })).toEqual({ ...PARSED, ...change });
      expect(parse({ ...USER, host: "other", port: 1, database: "x", dsn })).toEqual({
        ...PARSED,
        ...change,
        warnings,
      });
    }
  });

  it.each<[string, object]>([
    ["oracle://reader:s3cret@db.example.com:1521/shop.example", {}],
    ["oracle+oracledb://reader:s3cret@db.example.com/?service_name=shop.example", {}],
    ["oracle://reader:s3cret@db.example.com/?sid=ORCL", { database: { by: "sid", name: "ORCL", instance: undefined } }],
    [
      "oracle://re%40der:p%2Fw+%25@db.example.com/shop.example?protocol=tcps",
      { ...TLS, user: "re@der", password: "p/w+%" },
    ],
  ])("the URL %s", (connectionUrl, change) => {
    for (const member of ["connectionUrl", "connection_url"]) {
      const warnings = ["connectionInfo.host is not used, because a URL is given"];
      expect(parse({ [member]: connectionUrl })).toEqual({ ...PARSED, ...change });
      expect(parse({ [member]: connectionUrl, host: "other" })).toEqual({ ...PARSED, ...change, warnings });
    }
  });
});

describe("what it may not say", () => {
  it.each<[string, object, string]>([
    ["no user", { password: "s3cret" }, "connectionInfo.user: is missing"],
    [
      "a service that is more",
      { ...FIELDS, database: "a)(SID=b" },
      "connectionInfo.database: must be the name of a service",
    ],
    ["a host that is more", { ...FIELDS, host: "a)(PORT=1" }, "connectionInfo.host: names no host that can be dialled"],
    ["hosts", { ...FIELDS, host: "a,b" }, "connectionInfo.host: names no host that can be dialled"],
    ["a port that is none", { ...FIELDS, port: "x" }, "connectionInfo.port: the port must be a number"],
    ["an alias", { ...USER, dsn: "SALES" }, "connectionInfo.dsn: names an entry of tnsnames.ora"],
    ["a directory", { ...USER, dsn: "ldap://ldap.example.com/cn=sales" }, "connectionInfo.dsn: leads to a store"],
    ["a store", { ...USER, dsn: "config-ocivault://ocid1" }, "connectionInfo.dsn: leads to a store"],
    ["a file of configurations", { ...USER, dsn: "config-file:///etc/x.json" }, "connectionInfo.dsn: leads to a store"],
    ["several hosts", { ...USER, dsn: "a,b:1521/s" }, "connectionInfo.dsn: names several hosts"],
    ["no service", { ...USER, dsn: "a:1521" }, "connectionInfo.dsn: names no service"],
    ["no host", { ...USER, dsn: ":1521/s" }, "connectionInfo.dsn: names no host"],
    [
      "two addresses",
      { ...USER, dsn: `${DESCRIPTOR}(ADDRESS=(HOST=b))(CONNECT_DATA=(SID=x)))` },
      "connectionInfo.dsn: names several addresses",
    ],
    [
      "two names",
      { ...USER, dsn: `${DESCRIPTOR}(CONNECT_DATA=(SID=x)(SERVICE_NAME=y)))` },
      "connectionInfo.dsn: names a service and a SID",
    ],
    [
      "a host twice",
      { ...USER, dsn: "(DESCRIPTION=(ADDRESS=(HOST=a)(HOST=b))(CONNECT_DATA=(SID=x)))" },
      "connectionInfo.dsn: says something twice",
    ],
    ["an unknown part", { ...USER, dsn: "(DESCRIPTION=(X=(HOST=a)))" }, "connectionInfo.dsn: has an unknown part"],
    [
      "half a descriptor",
      { ...USER, dsn: "(DESCRIPTION=(ADDRESS=(HOST=a)" },
      "connectionInfo.dsn: is no connect descriptor",
    ],
    ["a deep one", { ...USER, dsn: `${"(a=".repeat(5000)}` }, "connectionInfo.dsn: is"],
    [
      "a wallet",
      { ...USER, dsn: "tcps://a/s?wallet_location=/etc/wallet" },
      "connectionInfo.dsn: the option wallet_location is not accepted",
    ],
    [
      "a wallet in a descriptor",
      { ...USER, dsn: "(DESCRIPTION=(ADDRESS=(HOST=a))(CONNECT_DATA=(SID=x))(SECURITY=(MY_WALLET_DIRECTORY=/x)))" },
      "connectionInfo.dsn: the option my_wallet_directory is not accepted",
    ],
    [
      "a proxy",
      { ...USER, dsn: "tcps://a/s?https_proxy=b" },
      "connectionInfo.dsn: the option https_proxy is not accepted",
    ],
    [
      "another protocol",
      { ...FIELDS, kwargs: { protocol: "ipc" } },
      "connectionInfo.kwargs: the option protocol must be tcp or tcps",
    ],
    [
      "the server's pool",
      { ...USER, dsn: "a/s:pooled" },
      "connectionInfo.dsn: the option server must be dedicated or shared",
    ],
    [
      "another login",
      { ...FIELDS, kwargs: { privilege: "SYSDBA" } },
      "connectionInfo.kwargs: the option privilege is not accepted",
    ],
    ["another host", { ...FIELDS, kwargs: { dsn: "b" } }, "connectionInfo.kwargs: the option dsn is not accepted"],
    ["another scheme", { connectionUrl: "mysql://a:b@c/d" }, "connectionInfo.connectionUrl: must begin with oracle://"],
    ["no database in the URL", { connectionUrl: "oracle://a:b@c" }, "connectionInfo.connectionUrl: names no database"],
    [
      "two databases in the URL",
      { connectionUrl: "oracle://a:b@c/d?sid=e" },
      "connectionInfo.connectionUrl: names a service and a SID",
    ],
  ])("%s", (_name, raw, message) => {
    const refused = failure(raw);
    expect([refused.reason, refused.message.slice(0, message.length)]).toEqual(["INVALID_CONNECTION", message]);
    expect(`${refused.message}${refused.hint}`).not.toContain("s3cret");
  });

  it("options that mean nothing here are reported, by names alone", () => {
    expect(parse({ ...FIELDS, kwargs: { sdu: 8192, "a b\n": "s3cret", retry_count: 0 } }).warnings).toEqual([
      "connectionInfo.kwargs: the option sdu is not honoured",
      "connectionInfo.kwargs: an option is not honoured",
    ]);
  });
});

describe("the canonical form", () => {
  it.each<[object]>([
    [FIELDS],
    [USER],
    [{ user: "reader" }],
    [{ ...USER, dsn: "tcps://[2001:db8::1]:1522/s/i1?ssl_server_dn_match=no&connect_timeout=7" }],
    [{ ...USER, dsn: `${DESCRIPTOR}(CONNECT_DATA=(SID=ORCL)))`, kwargs: { ssl_server_cert_dn: "CN=a,O=b c" } }],
  ])("%j parses back into the same", (raw) => {
    const { info } = parseOracleConnection(raw);
    const again = parseOracleConnection(canonicalOracleConnection(info)).info;
    expect({ ...again, password: again.password?.reveal() }).toEqual({ ...info, password: info.password?.reveal() });
    expect(identityOf(again)).toBe(identityOf(info));
  });

  it("tells passwords apart, and shows none", () => {
    const [one, other] = ["a", "b"].map((password) => parseOracleConnection({ ...FIELDS, password }).info);
    if (one === undefined || other === undefined) throw new Error("no connection");
    expect(identityOf(one)).not.toBe(identityOf(other));
    const { info } = parseOracleConnection(FIELDS);
    expect(`${JSON.stringify(info)}${inspect(info, { depth: 9 })}`).not.toContain("s3cret");
  });
});
