import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  type CannerConnection,
  canonicalCannerConnection,
  parseCannerConnection,
} from "../../../src/connectors/connection/canner.ts";
import { placement } from "../../../src/connectors/sources.ts";
import { redactorFor } from "../../../src/guard/redactor.ts";
import { failureOf } from "../contract.ts";

const FIELDS = { host: "Canner.example.com", port: "7432", user: "canner", pat: "topsecret-token", workspace: "sales" };
const URL_OF = "postgres://canner:topsecret%2Dtoken@canner.example.com";

const parse = (raw: object): CannerConnection => parseCannerConnection(raw).info;
const withFields = (change: object): CannerConnection => parse({ ...FIELDS, ...change });

describe("what clients send", () => {
  it.each<[object, object]>([
    [FIELDS, { host: "canner.example.com", port: 7432, workspace: "sales", isSecure: false, tls: "prefer" }],
    [
      { ...FIELDS, port: 7433, enableSSL: null },
      { port: 7433, isSecure: false },
    ],
    [
      { ...FIELDS, enableSSL: false },
      { isSecure: false, tls: "prefer" },
    ],
    // The token is sent to both ends.
    [
      { ...FIELDS, enableSSL: true },
      { isSecure: true, tls: "verify-full" },
    ],
    [
      { ...FIELDS, enableSSL: true, kwargs: { sslmode: "disable" } },
      { isSecure: true, tls: "disable" },
    ],
    [
      { ...FIELDS, kwargs: { sslmode: "verify-full" } },
      { isSecure: true, tls: "verify-full" },
    ],
    [{ connectionUrl: `${URL_OF}:7432/sales` }, { user: "canner", port: 7432, workspace: "sales", isSecure: false }],
    [{ connection_url: `${URL_OF}/sales?` }, { port: 7432, workspace: "sales" }],
    [{ connectionUrl: `${URL_OF}/sales?sslmode=require` }, { tls: "require", isSecure: true }],
    [
      { connectionUrl: `${URL_OF}/sales`, enableSSL: true },
      { tls: "verify-full", isSecure: true },
    ],
  ])("%o", (raw, expected) => {
    const info = parse(raw);
    expect(info).toMatchObject(expected);
    expect(info.token.reveal()).toBe("topsecret-token");
  });

  it("settings of PostgreSQL are not honoured, and said so", () => {
    const { info, warnings } = parseCannerConnection({
      ...FIELDS,
      kwargs: { options: "-c search_path=a", connect_timeout: 3 },
    });
    expect(info.connectTimeoutMs).toBe(3000);
    expect(warnings.map(({ message }) => message)).toEqual([
      "connectionInfo.kwargs: the option options is not honoured",
    ]);
  });
});

it.each<[object, string]>([
  [{ ...FIELDS, host: undefined }, "host"],
  [{ ...FIELDS, host: "a,b" }, "host"],
  [{ ...FIELDS, host: "http://canner.example.com" }, "host"],
  [{ ...FIELDS, port: "x" }, "port"],
  [{ ...FIELDS, user: "" }, "user"],
  [{ ...FIELDS, pat: "" }, "pat"],
  [{ ...FIELDS, pat: undefined }, "pat"],
  [{ ...FIELDS, pat: "topsecret\0" }, "pat"],
  [{ ...FIELDS, workspace: "" }, "workspace"],
  [{ ...FIELDS, enableSSL: "yes" }, "enableSSL"],
  [{ ...FIELDS, kwargs: { host: "evil.example" } }, "kwargs"],
  [{ ...FIELDS, kwargs: { sslrootcert: "/etc/passwd" } }, "kwargs"],
  [{ connectionUrl: "canner://u:topsecret@h/w" }, "connectionUrl"],
  [{ connectionUrl: "postgres://u:topsecret@h" }, "connectionUrl"],
  [{ connectionUrl: "postgres://u@h/w" }, "connectionUrl"],
])("%o is refused, and no value of it is told", async (raw, member) => {
  const failure = await failureOf((async () => parseCannerConnection(raw))());
  expect(failure.reason).toBe("INVALID_CONNECTION");
  expect(failure.message).toMatch(new RegExp(`^connectionInfo\\.${member}: `));
  expect(inspect(failure)).not.toMatch(/topsecret|evil/);
});

it.each([{}, { enableSSL: true }, { enableSSL: true, kwargs: { sslmode: "require", application_name: "reports" } }])(
  "parses back from its canonical form: %o",
  (change) => {
    const info = withFields(change);
    expect(parse(canonicalCannerConnection(info))).toEqual(info);
    expect(inspect(info, { depth: 9 })).not.toContain("topsecret");
  },
);

it("the token is a secret to whoever redacts", () => {
  expect(redactorFor(FIELDS).redact("topsecret-token of sales")).toBe("*** of sales");
});

it.each<[object, boolean, string]>([
  [{ enableSSL: true }, true, "worker"],
  [{ enableSSL: true }, false, "worker"],
  [{}, true, "sidecar"],
  [{}, false, "worker"],
  [{ host: "10.0.0.7" }, true, "sidecar"],
  [{ host: "10.0.0.7" }, false, "refused"],
  [{ kwargs: { sslmode: "require" } }, false, "refused"],
  [{ host: "169.254.169.254" }, true, "refused"],
])("%o, with a sidecar: %s, is served by the %s", (change, sidecar, place) => {
  expect(placement(withFields(change), { sidecar, allowPrivateHosts: false }).place).toBe(place);
});
