import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  type AthenaConnection,
  canonicalAthenaConnection,
  parseAthenaConnection,
} from "../../../src/connectors/connection/athena.ts";
import { failureOf } from "../contract.ts";

const FIELDS = { s3_staging_dir: "s3://bucket/q/", region_name: "eu-west-1" };
const KEYS = { aws_access_key_id: "AKIAEXAMPLE", aws_secret_access_key: "topsecretkey" };
const ROLE = { role_arn: "arn:aws:iam::123456789012:role/team/reader" };
const parse = (change: object = {}): AthenaConnection => parseAthenaConnection({ ...FIELDS, ...change }).info;

describe("what existing clients send", () => {
  it.each<[object, object]>([
    [KEYS, { schema: "default", workgroup: undefined, credentials: { by: "keys" } }],
    [
      { ...KEYS, schema_name: "sales", work_group: "team", catalog_name: "Other" },
      { schema: "sales", workgroup: "team", catalog: "Other" },
    ],
    [{ ...KEYS, ...ROLE, role_session_name: "ann@example.com" }, { credentials: { by: "role" } }],
    [{ ...KEYS, ...ROLE, web_identity_token: "eyJ" }, { credentials: { by: "web identity" } }],
    [{ aws_access_key_id: null, aws_secret_access_key: "" }, { credentials: { by: "host" } }],
    [{ region_name: "us-gov-west-1", unknown: 1 }, { region: "us-gov-west-1" }],
    [{ region_name: undefined }, { region: "us-east-1" }],
    [{ region_name: null }, { region: "us-east-1" }],
    [{ region_name: "cn-north-1" }, { region: "cn-north-1" }],
  ])("%o", (change, expected) => {
    expect(parse(change)).toMatchObject(expected);
  });
});

it.each<[object, string]>([
  [{ region_name: "" }, "region_name"],
  [{ region_name: "evil.example.com/" }, "region_name"],
  [{ region_name: "eu-west-1.evil.example#" }, "region_name"],
  [{ s3_staging_dir: undefined }, "s3_staging_dir"],
  [{ s3_staging_dir: "https://bucket" }, "s3_staging_dir"],
  [{ s3_staging_dir: "s3://B/x" }, "s3_staging_dir"],
  [{ s3_staging_dir: "s3:///x" }, "s3_staging_dir"],
  [{ s3_staging_dir: "s3://b-/x" }, "s3_staging_dir"],
  [{ aws_access_key_id: "AKIAEXAMPLE" }, "aws_secret_access_key"],
  [{ aws_secret_access_key: "topsecretkey" }, "aws_access_key_id"],
  [{ ...KEYS, aws_session_token: "a\r\nhost: x" }, "aws_session_token"],
  [ROLE, "aws_access_key_id"],
  [{ web_identity_token: "eyJ" }, "role_arn"],
  [{ ...KEYS, role_arn: "reader of things" }, "role_arn"],
  [{ ...KEYS, ...ROLE, role_session_name: "a b" }, "role_session_name"],
  [{ ...KEYS, work_group: "a b" }, "work_group"],
  [{ connectionUrl: "athena://key:secret@host" }, "connectionUrl"],
])("%o is refused by its member", async (change, member) => {
  const failure = await failureOf((async () => parse(change))());
  expect(failure.reason).toBe("INVALID_CONNECTION");
  expect(failure.message).toMatch(new RegExp(`^connectionInfo\\.${member}: `));
  for (const value of Object.values(change)) {
    if (typeof value === "string" && value.length > 4) expect(failure.message).not.toContain(value);
  }
});

it.each([
  {},
  KEYS,
  { ...KEYS, aws_session_token: "token", schema_name: "s", catalog_name: "c", work_group: "w" },
  { ...KEYS, ...ROLE },
  { ...ROLE, web_identity_token: "eyJ", role_session_name: "ann" },
])("its canonical form reads back: %o", (change) => {
  const info = parse(change);
  const again = parseAthenaConnection(canonicalAthenaConnection(info)).info;
  expect(canonicalAthenaConnection(again)).toEqual(canonicalAthenaConnection(info));
  expect(again).toMatchObject({ ...info, credentials: { by: info.credentials.by } });
});

it("shows no secret", () => {
  const info = parse({ ...KEYS, aws_session_token: "topsecrettoken" });
  for (const shown of [inspect(info, { depth: 9 }), JSON.stringify(info)]) {
    expect(shown).not.toMatch(/topsecret|AKIAEXAMPLE/);
  }
});
