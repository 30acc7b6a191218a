import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { canonicalTrinoConnection, originOf, parseTrinoConnection } from "../../../src/connectors/connection/trino.ts";
import { failureOf } from "../contract.ts";

const FIELDS = { host: "trino.example.com", catalog: "hive", schema: "sales" };
const parse = (change: object = {}) => parseTrinoConnection({ ...FIELDS, ...change });
const failing = (raw: unknown) => failureOf((async () => parseTrinoConnection(raw))());

describe("where it leads", () => {
  it.each<[object, string]>([
    [{}, "http://trino.example.com:8080"],
    [{ port: 443 }, "https://trino.example.com"],
    [{ port: "8443", kwargs: { SSL: true } }, "https://trino.example.com:8443"],
    [{ port: "8443", kwargs: { http_scheme: "https" } }, "https://trino.example.com:8443"],
    [{ host: "https://Trino.Example.com" }, "https://trino.example.com"],
    [{ host: "HTTPS://trino.example.com/", port: "7778" }, "https://trino.example.com:7778"],
    [{ host: "http://trino.example.com", port: 443 }, "http://trino.example.com:443"],
    [{ host: "[::1]", port: 8080 }, "http://[::1]:8080"],
    [{ host: "0x7f.1", port: 8080 }, "http://127.0.0.1:8080"],
  ])("%o → %s", (change, origin) => {
    expect(originOf(parse(change).info)).toBe(origin);
  });

  it.each<[object, string]>([
    [{ host: "" }, "host"],
    [{ host: "a.example,b.example" }, "host"],
    [{ host: "trino.example.com/x" }, "host"],
    [{ host: "https://u:p@trino.example.com" }, "host"],
    [{ host: "ftp://trino.example.com" }, "host"],
    [{ port: "0" }, "port"],
    [{ port: "http" }, "port"],
    [{ catalog: "" }, "catalog"],
    [{ schema: "" }, "schema"],
    [{ schema: "a\r\nx-trino-user: root" }, "schema"],
    [{ user: "ä" }, "user"],
    [{ user: "a:b", password: "p" }, "user"],
    [{ catalog: undefined }, "catalog"],
    [{ kwargs: { accessToken: "a\nb" } }, "kwargs"],
    [{ kwargs: { sessionProperties: "nonsense" } }, "kwargs"],
    [{ kwargs: { sessionProperties: "a b:c" } }, "kwargs"],
    [{ kwargs: { source: "\n" } }, "kwargs"],
  ])("%o is refused by its member", async (change, member) => {
    const failure = await failing({ ...FIELDS, ...change });
    expect(failure.reason).toBe("INVALID_CONNECTION");
    expect(failure.message).toMatch(new RegExp(`^connectionInfo\\.${member}: `));
    for (const value of Object.values(change)) {
      if (typeof value === "string" && value.length > 4) expect(failure.message).not.toContain(value);
    }
  });
});

describe("as a URL", () => {
  it("is read with its secrets, and options in its query", () => {
    const { info, warnings } = parseTrinoConnection({
      connectionUrl: "trino://ann:p%40ss@trino.example.com:443/hive/sales?source=reports&verify=false",
    });
    expect(info).toMatchObject({
      host: "trino.example.com",
      port: 443,
      isSecure: true,
      catalog: "hive",
      schema: "sales",
    });
    expect([info.user, info.password?.reveal(), info.applicationName]).toEqual(["ann", "p@ss", "reports"]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "connectionInfo.kwargs: the option verify is not honoured",
    ]);
  });

  it.each(["postgres://u@h/c/s", "trino://u@/c/s", "trino://u@h", "trino://u@h/c", "trino://u@h/c/s/t"])(
    "%s is refused",
    async (connectionUrl) => {
      expect((await failing({ connectionUrl })).message).toMatch(/^connectionInfo\.connectionUrl: /);
    },
  );
});

describe("secrets", () => {
  it.each([{ password: "topsecret" }, { kwargs: { accessToken: "topsecret" } }])(
    "over plain HTTP are not sent, and that is said: %o",
    (change) => {
      expect(parse(change).warnings).toHaveLength(1);
      expect(parse({ ...change, port: 443 }).warnings).toEqual([]);
      expect(inspect(parse(change))).not.toContain("topsecret");
    },
  );
});

it.each([
  {},
  { host: "https://[2001:db8::1]", port: 8443, user: "ann", password: "p:/@ ü" },
  { port: 443, kwargs: { accessToken: "a.b.c", source: "reports", sessionProperties: "a:b;hive.c:d:e" } },
  { port: 443, kwargs: { SSL: "false" } },
])("the canonical form reads as the same connection: %o", (change) => {
  const { info } = parse(change);
  const again = parseTrinoConnection(canonicalTrinoConnection(info)).info;
  const plain = ({ password, accessToken, ...rest }: typeof info) => ({
    ...rest,
    password: password?.reveal(),
    accessToken: accessToken?.reveal(),
  });
  expect(plain(again)).toEqual(plain(info));
});
