import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { canonicalSparkConnection, parseSparkConnection } from "../../../src/connectors/connection/spark.ts";
import { failureOf } from "../contract.ts";

const FIELDS = { host: "spark.example.com", port: 15002 };
const parse = (change: object = {}) => parseSparkConnection({ ...FIELDS, ...change });
const failing = (raw: unknown) => failureOf((async () => parseSparkConnection(raw))());

it.each<[object, object]>([
  [{}, { host: "spark.example.com", port: 15002, isSecure: false, user: "siskin", token: undefined }],
  [
    { host: " Spark.Example.com. ", port: "15002" },
    { host: "spark.example.com", port: 15002 },
  ],
  [{ host: "[::1]" }, { host: "::1" }],
  [{ host: "0x7f.1" }, { host: "127.0.0.1" }],
  [{ kwargs: { use_ssl: true } }, { isSecure: true }],
  [{ kwargs: { USE_SSL: "TRUE", user_id: "ann" } }, { isSecure: true, user: "ann" }],
  [{ kwargs: { token: "t" } }, { isSecure: true }],
  [{ kwargs: null, database: null }, { isSecure: false }],
])("%o is read as %o", (change, expected) => {
  const { info, warnings } = parse(change);
  expect(info).toMatchObject(expected);
  expect(warnings).toEqual([]);
});

describe("refused, by the member and without its value:", () => {
  it.each<[object, string]>([
    [{ host: "" }, "host"],
    [{ host: "a.example,b.example" }, "host"],
    [{ host: "sc://spark.example.com" }, "host"],
    [{ host: undefined }, "host"],
    [{ port: undefined }, "port"],
    [{ port: "0" }, "port"],
    [{ port: "spark" }, "port"],
    [{ connectionUrl: "sc://spark.example.com:15002" }, "connectionUrl"],
    [{ connection_url: "sc://spark.example.com:15002" }, "connection_url"],
    [{ kwargs: { token: "secret\nx: y" } }, "kwargs"],
    [{ kwargs: { token: "secret", use_ssl: false } }, "kwargs"],
    [{ kwargs: { user_id: "" } }, "kwargs"],
    [{ kwargs: { user_id: "\ud800" } }, "kwargs"],
    [{ kwargs: { token: ["secret"] } }, "kwargs.token"],
  ])("%o", async (change, member) => {
    const failure = await failing({ ...FIELDS, ...change });
    expect(failure.reason).toBe("INVALID_CONNECTION");
    expect(failure.message.startsWith(`connectionInfo.${member}: `)).toBe(true);
    expect(failure.message).not.toMatch(/secret|spark\.example/);
  });
});

it("reports options that it does not honour, and repeats no name that looks like something else", () => {
  const { warnings } = parse({ kwargs: { session_id: "x", "p@ss:w": "y" } });
  expect(warnings.map(({ message }) => message)).toEqual([
    "connectionInfo.kwargs: the option session_id is not honoured",
    "connectionInfo.kwargs: one of its options is not honoured",
  ]);
});

it.each([{}, { kwargs: { use_ssl: true } }, { kwargs: { token: "a.b.c", user_id: "ann" } }, { host: "::1" }])(
  "its canonical form is read back as it was: %o",
  (change) => {
    const { info } = parse(change);
    const canonical = canonicalSparkConnection(info);
    expect(canonicalSparkConnection(parseSparkConnection(canonical).info)).toEqual(canonical);
    expect(inspect(parseSparkConnection(canonical).info)).toBe(inspect(info));
  },
);

it("shows its token to nobody", () => {
  const { info } = parse({ kwargs: { token: "hidden-token" } });
  expect(inspect(info, { depth: 9 }) + JSON.stringify(info)).not.toContain("hidden");
  expect(canonicalSparkConnection(info)["kwargs"]).toMatchObject({ token: "hidden-token" });
});
