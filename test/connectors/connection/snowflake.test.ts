import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  canonicalSnowflakeConnection,
  hostOf,
  parseSnowflakeConnection,
  type SnowflakeConnection,
} from "../../../src/connectors/connection/snowflake.ts";
import { identityOf, placement } from "../../../src/connectors/sources.ts";
import { failureOf } from "../contract.ts";
import { makeKeyPair } from "../snowflake/rest.ts";

const { privateKey } = makeKeyPair();
const FIELDS = {
  user: "reader",
  account: "ab12345.eu-west-1",
  database: "D",
  schema: "PUBLIC",
  private_key: privateKey,
};
const parse = (change: object): SnowflakeConnection => parseSnowflakeConnection({ ...FIELDS, ...change }).info;
const body = privateKey.replaceAll(/-----.*-----|\n/g, "");

describe("what existing clients send", () => {
  it.each<[object, object]>([
    [
      { warehouse: "WH", private_key: body },
      { warehouse: "WH", user: "reader", database: "D", schema: "PUBLIC" },
    ],
    [
      { private_key: privateKey.replaceAll("\n", "\\n"), password: "" },
      { warehouse: undefined, role: undefined },
    ],
    [
      { kwargs: { ROLE: "ANALYST", Warehouse: "W2", query_tag: "siskin" } },
      { role: "ANALYST", warehouse: "W2", queryTag: "siskin" },
    ],
    [{ account: "https://MyOrg-Account_1.snowflakecomputing.com/" }, { account: "myorg-account_1" }],
  ])("%#", (change, expected) => {
    expect(parse(change)).toMatchObject(expected);
  });

  it.each([
    ["myorg-account1", "myorg-account1.snowflakecomputing.com"],
    ["myorg-my_account", "myorg-my-account.snowflakecomputing.com"],
    ["xy12345.us-east-2.aws", "xy12345.us-east-2.aws.snowflakecomputing.com"],
    ["myorg-account1.privatelink", "myorg-account1.privatelink.snowflakecomputing.com"],
  ])("account %s answers at %s", (account, host) => {
    expect(hostOf(parse({ account }))).toBe(host);
  });
});

const encrypted = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
  type: "pkcs8",
  format: "pem",
  cipher: "aes-256-cbc",
  passphrase: "open sesame",
});
const pkcs1 = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" });

it.each<[object, string]>([
  [{ private_key: undefined }, "connectionInfo.private_key: is missing, and so is password"],
  [{ private_key: null, password: "hunter2".repeat(200) }, "connectionInfo.password: must be of 1 to 1024 characters"],
  [{ kwargs: { authenticator: "externalbrowser" } }, "connectionInfo.kwargs: the authenticator waits for a person"],
  [{ kwargs: { authenticator: "username_password_mfa" } }, "connectionInfo.kwargs: the authenticator waits"],
  [{ kwargs: { authenticator: "https://evil.okta.com" } }, "connectionInfo.kwargs: the authenticator waits"],
  [{ password: "hunter2", kwargs: { passcode: "123456" } }, "the option passcode is of one login"],
  [{ kwargs: { authenticator: "oauth" } }, "connectionInfo.kwargs.token: must be a token"],
  [{ kwargs: { authenticator: "oauth", token: "hunter2 hunter2" } }, "connectionInfo.kwargs.token: must be a token"],
  [{ kwargs: { authenticator: "programmatic_access_token" } }, "connectionInfo.password: must be a token"],
  [{ kwargs: { authenticator: "snowflake" } }, "connectionInfo.password: must be of 1 to 1024 characters"],
  [{ private_key: null, kwargs: { authenticator: "snowflake_jwt" } }, "connectionInfo.private_key: is missing"],
  [{ private_key: encrypted }, "connectionInfo.private_key: is an encrypted private key"],
  [{ private_key: pkcs1 }, "connectionInfo.private_key: is a private key as PKCS#1"],
  [{ private_key: "hello" }, "connectionInfo.private_key: is not a private key"],
  [{ user: "" }, "connectionInfo.user: must be of 1 to 255 characters"],
  [{ database: "a\u0000b" }, "connectionInfo.database: must be of 1 to 255 characters"],
  [{ schema: undefined }, "connectionInfo.schema: is missing"],
  [{ account: "evil.example/x" }, "connectionInfo.account: does not name an account"],
  [{ account: "evil.example#" }, "connectionInfo.account: does not name an account"],
  [{ account: "user@evil" }, "connectionInfo.account: does not name an account"],
  [{ account: "" }, "connectionInfo.account: does not name an account"],
  [{ account: "a.b.c.d.e" }, "connectionInfo.account: does not name an account"],
  [{ kwargs: { host: "evil.example" } }, "connectionInfo.kwargs: the option host could lead elsewhere"],
  [{ connectionUrl: "snowflake://x" }, "connectionInfo.connectionUrl: there is no URL for this source"],
])("%#: %s", async (change, message) => {
  const failure = await failureOf((async () => parse(change))());
  expect(failure).toMatchObject({ reason: "INVALID_CONNECTION", message: expect.stringContaining(message) });
  expect(failure.message + failure.hint).not.toMatch(/hunter2|evil|sesame|MII/);
});

it.each([
  [{ private_key: encrypted, private_key_passphrase: "open sesame" }, "open sesame"],
  [{ private_key: encrypted, kwargs: { PRIVATE_KEY_PASSPHRASE: "open sesame" } }, "open sesame"],
  [{ private_key_passphrase: "for a key that needs none" }, undefined],
])("the passphrase of a key (%#)", (change, passphrase) => {
  expect(parse(change).login).toMatchObject({ by: "keyPair" });
  const { login } = parse(change);
  expect(login.by === "keyPair" ? login.passphrase?.reveal() : login).toBe(passphrase);
});

it.each<[object, object]>([
  [
    { private_key: undefined, password: "pässword" },
    { by: "password", password: "pässword" },
  ],
  [
    { password: "pw", kwargs: { authenticator: "Snowflake" } },
    { by: "password", password: "pw" },
  ],
  [{ kwargs: { authenticator: "OAuth", token: "a.b.c" } }, { by: "token", type: "OAUTH", token: "a.b.c" }],
  [
    { kwargs: { authenticator: "PROGRAMMATIC_ACCESS_TOKEN", token: "pat" } },
    { by: "token", type: "PROGRAMMATIC_ACCESS_TOKEN", token: "pat" },
  ],
  [
    { password: "pat", kwargs: { authenticator: "programmatic_access_token" } },
    { by: "token", type: "PROGRAMMATIC_ACCESS_TOKEN", token: "pat" },
  ],
])("whoever has no key logs in by what is given (%#)", (change, expected) => {
  const revealed = Object.entries(parse(change).login).map(([name, value]) => [
    name,
    typeof value === "string" ? value : value?.reveal(),
  ]);
  expect(Object.fromEntries(revealed)).toEqual(expected);
});

it("options are told of, by names that look like one", () => {
  const { warnings } = parseSnowflakeConnection({ ...FIELDS, kwargs: { client_session_keep_alive: true, "a=b": 1 } });
  expect(warnings.map(({ message }) => message)).toEqual([
    "connectionInfo.kwargs: the option client_session_keep_alive is not honoured",
    "connectionInfo.kwargs: one of its options is not honoured",
  ]);
});

it.each([
  {},
  { warehouse: "W", kwargs: { role: "R", query_tag: "t" } },
  { private_key: encrypted, private_key_passphrase: "open sesame" },
  { private_key: undefined, password: "open sesame", kwargs: { role: "R" } },
  { private_key: undefined, kwargs: { authenticator: "oauth", token: "MIIsesame", role: "R" } },
])("the canonical form parses back (%#)", (change) => {
  const info = parse(change);
  expect(identityOf(parseSnowflakeConnection(canonicalSnowflakeConnection(info)).info)).toBe(identityOf(info));
  expect(inspect(info) + JSON.stringify(info)).not.toMatch(/MII|sesame/);
  const another = parse({ ...change, kwargs: {}, private_key: makeKeyPair().privateKey });
  expect(identityOf(info)).not.toBe(identityOf(another));
});

it("is served by the Worker, and at a private address by the sidecar", () => {
  const place = (account: string, sidecar: boolean) =>
    placement(parse({ account }), { sidecar, allowPrivateHosts: false });
  expect(place("myorg-account1", true)).toEqual({ place: "worker" });
  expect(place("myorg-account1.privatelink", true)).toEqual({ place: "sidecar" });
  expect(place("myorg-account1.privatelink", false)).toMatchObject({ place: "refused", reason: "NEEDS_SIDECAR" });
});
