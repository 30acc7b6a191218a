import { describe, expect, it } from "vitest";
import {
  canonicalClickHouseConnection,
  originOf,
  parseClickHouseConnection,
} from "../../../src/connectors/connection/clickhouse.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";

const FIELDS = { host: "ch.example.com", port: 8443, database: "shop", user: "ann", password: "p" };
const parse = (change: object = {}) => parseClickHouseConnection({ ...FIELDS, ...change });

function refusal(raw: unknown): ConnectorFailure {
  try {
    parseClickHouseConnection(raw);
  } catch (error) {
    if (error instanceof ConnectorFailure) return error;
    throw error;
  }
  throw new Error("It was taken.");
}

describe("a ClickHouse connection", () => {
  it("is what existing clients send", () => {
    const { info, warnings } = parseClickHouseConnection({
      connectionUrl: "clickhouse://default:p@ch:8443/shop?secure=1",
    });
    expect(info).toMatchObject({ host: "ch", port: 8443, isSecure: true, database: "shop", user: "default" });
    expect(info.password?.reveal()).toBe("p");
    expect(warnings).toEqual([]);
  });

  it.each<[string, object, string]>([
    ["a port of HTTPS", { port: "8443" }, "https://ch.example.com:8443"],
    ["the scheme's own port", { port: 443 }, "https://ch.example.com"],
    ["any other port", { port: 8123 }, "http://ch.example.com:8123"],
    ["secure", { port: 8123, secure: true }, "https://ch.example.com:8123"],
    ["not secure", { port: 8443, secure: false }, "http://ch.example.com:8443"],
    ["secure as text", { port: 8123, secure: "true" }, "https://ch.example.com:8123"],
    ["secure among options", { port: 8123, kwargs: { secure: "1" } }, "https://ch.example.com:8123"],
    ["the interface among options", { port: 9000, kwargs: { interface: "https" } }, "https://ch.example.com:9000"],
    ["the scheme before the host", { host: "https://ch.example.com", port: 9999 }, "https://ch.example.com:9999"],
    [
      "ClickHouse Cloud",
      { host: "x.eu-west-1.aws.clickhouse.cloud", port: 9999 },
      "https://x.eu-west-1.aws.clickhouse.cloud:9999",
    ],
    ["an address of version 6", { host: "[2001:db8::1]", port: 8123 }, "http://[2001:db8::1]:8123"],
  ])("%s says whether it is over TLS", (_, change, origin) => {
    expect(originOf(parse(change).info)).toBe(origin);
  });

  it.each([
    ["clickhouse://ch.example.com", "http://ch.example.com:8123", "default", "default"],
    ["clickhouse://ann:p@ch.example.com/shop?secure=true", "https://ch.example.com:8443", "shop", "ann"],
    ["clickhouse://x.clickhouse.cloud/a%20b", "https://x.clickhouse.cloud:8443", "a b", "default"],
    ["clickhouse://ann:p%40[]@ch.example.com:8123/", "http://ch.example.com:8123", "default", "ann"],
  ])("is read from %s", (connectionUrl, origin, database, user) => {
    const { info } = parseClickHouseConnection({ connectionUrl });
    expect([originOf(info), info.database, info.user]).toEqual([origin, database, user]);
  });

  it.each<[string, unknown, string]>([
    ["no host", { ...FIELDS, host: undefined }, "host"],
    ["no database", { ...FIELDS, database: "" }, "database"],
    ["a port that is none", { ...FIELDS, port: "http" }, "port"],
    ["a user with a colon", { ...FIELDS, user: "a:b" }, "user"],
    ["secure that is neither", { ...FIELDS, secure: "maybe" }, "secure"],
    ["another scheme", { connectionUrl: "http://ch.example.com" }, "connectionUrl"],
    ["a path", { connectionUrl: "clickhouse://ch.example.com/a/b" }, "connectionUrl"],
    ["another host among options", { ...FIELDS, kwargs: { http_proxy: "http://evil.example" } }, "kwargs"],
    ["another host in the URL", { connectionUrl: "clickhouse://ch.example.com/?host=evil.example" }, "kwargs"],
    ["a token over plain HTTP", { ...FIELDS, port: 8123, kwargs: { access_token: "t" } }, "kwargs"],
    ["a setting that meaning rests on", { ...FIELDS, settings: { join_use_nulls: 0 } }, "settings"],
    ["a setting that every statement has", { ...FIELDS, settings: { readonly: 0 } }, "settings"],
    ["half an answer", { ...FIELDS, settings: { read_overflow_mode: "break" } }, "settings"],
  ])("with %s is refused by its member", (_, raw, member) => {
    const failure = refusal(raw);
    expect(failure.reason).toBe("INVALID_CONNECTION");
    expect(failure.message).toContain(`connectionInfo.${member}: `);
    expect(failure.message).not.toContain("evil");
  });

  it("takes settings that change no answer, and tells which it does not", () => {
    const { info, warnings } = parse({
      settings: { max_threads: 4, log_queries: true, join_use_nulls: "1", max_parallel_replicas: 2, final: true },
      kwargs: { client_name: "reports", compress: "lz4", verify: null },
    });
    expect(info.settings).toEqual([
      { name: "log_queries", value: "1" },
      { name: "max_threads", value: "4" },
    ]);
    expect(info.applicationName).toBe("reports");
    expect(warnings.map(({ message }) => message).sort()).toEqual([
      "connectionInfo.kwargs: the option compress is not honoured",
      "connectionInfo.settings: the setting final is not honoured",
      "connectionInfo.settings: the setting max_parallel_replicas is not honoured",
    ]);
  });

  it.each<[string, object]>([
    ["fields", {}],
    ["no password", { password: null }],
    ["plain HTTP on the port of HTTPS", { secure: false }],
    ["Cloud over plain HTTP, which was asked for", { host: "x.clickhouse.cloud", secure: false }],
    ["an address of version 6", { host: "[2001:db8::1]" }],
    ["everything", { settings: { max_execution_time: 5 }, kwargs: { access_token: "t", client_name: "c" } }],
  ])("of %s is the same when it is read again", (_, change) => {
    const { info } = parse(change);
    const again = parseClickHouseConnection(canonicalClickHouseConnection(info));
    expect(again.warnings).toEqual([]);
    expect(canonicalClickHouseConnection(again.info)).toEqual(canonicalClickHouseConnection(info));
    expect(again.info).toEqual(info);
  });
});
