import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  type BigQueryConnection,
  canonicalBigQueryConnection,
  parseBigQueryConnection,
} from "../../../src/connectors/connection/bigquery.ts";
import { billedAtMost } from "../../../src/connectors/connection/connection-info.ts";
import { identityOf, placement } from "../../../src/connectors/sources.ts";
import { EMAIL, makeAccount } from "../bigquery/rest.ts";
import { failureOf } from "../contract.ts";

const ACCOUNT = makeAccount();
const { credentials } = ACCOUNT;
const DATASET = { project_id: "acme", dataset_id: "sales", credentials };
const PROJECT = { bigquery_type: "project", billing_project_id: "acme", region: "asia-east1", credentials };
const parse = (raw: unknown): BigQueryConnection => parseBigQueryConnection(raw).info;
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const file = (change: object): string => base64(JSON.stringify({ ...ACCOUNT.file, ...change }));

describe("what existing clients send", () => {
  it("for a dataset", () => {
    expect(parse(DATASET)).toMatchObject({
      source: "bigquery",
      project: "acme",
      dataset: "sales",
      location: undefined,
      account: { email: EMAIL, keyId: "0a1b2c3d" },
      jobTimeoutMs: undefined,
      maximumBytesBilled: undefined,
      labels: {},
    });
  });

  it.each<[object, object]>([
    [{ ...DATASET, bigquery_type: "dataset", unknown: 1 }, { dataset: "sales" }],
    [{ ...DATASET, bigquery_type: null }, { dataset: "sales" }],
    [{ ...DATASET, project_id: "example.com:old-project" }, { project: "example.com:old-project" }],
    [
      { ...DATASET, location: "EU", job_timeout_ms: 5000 },
      { location: "EU", jobTimeoutMs: 5000 },
    ],
    [
      { ...DATASET, job_timeout_ms: "5000", maximum_bytes_billed: "9007199254740993" },
      { jobTimeoutMs: 5000, maximumBytesBilled: 9007199254740993n },
    ],
    [{ ...DATASET, labels: { team: "sales", größe: "" } }, { labels: { team: "sales", größe: "" } }],
    [
      { ...DATASET, labels: null, job_timeout_ms: null, location: null },
      { labels: {}, jobTimeoutMs: undefined },
    ],
    [PROJECT, { project: "acme", dataset: undefined, location: "asia-east1" }],
    [
      { ...DATASET, credentials: ` ${credentials.slice(0, 76)}\n${credentials.slice(76)}\n` },
      { account: { email: EMAIL } },
    ],
    [
      { ...DATASET, credentials: file({ token_uri: "https://accounts.google.com/o/oauth2/token" }) },
      { account: { email: EMAIL } },
    ],
    [
      { ...DATASET, credentials: file({ private_key: ACCOUNT.file["private_key"]?.replaceAll("\n", "\\n") }) },
      { account: { email: EMAIL } },
    ],
  ])("%#", (raw, expected) => {
    expect(parse(raw)).toMatchObject(expected);
  });
});

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const pem = (type: "pkcs1" | "pkcs8", secret = false) =>
  rsa.export({ type, format: "pem", ...(secret && { cipher: "aes-256-cbc", passphrase: "open sesame" }) }).toString();

describe("bad input", () => {
  it.each<[object, string]>([
    [{ ...DATASET, project_id: undefined }, "connectionInfo.project_id: is missing"],
    [{ ...DATASET, dataset_id: 1 }, "connectionInfo.dataset_id: has the wrong type"],
    [{ ...DATASET, credentials: undefined }, "connectionInfo.credentials: is missing"],
    [{ ...PROJECT, region: undefined }, "connectionInfo.region: is missing"],
    [{ ...DATASET, bigquery_type: "table" }, "connectionInfo.bigquery_type: must be dataset or project"],
    [{ ...DATASET, connectionUrl: "bigquery://acme" }, "connectionInfo.connectionUrl: there is no URL for this source"],
    [{ ...DATASET, project_id: "acme/../x" }, "connectionInfo.project_id: does not name a project"],
    [{ ...DATASET, project_id: "a`b" }, "connectionInfo.project_id: does not name a project"],
    [{ ...DATASET, dataset_id: "sa`les" }, "connectionInfo.dataset_id: does not name a dataset"],
    [{ ...DATASET, dataset_id: "sales.t" }, "connectionInfo.dataset_id: does not name a dataset"],
    [{ ...DATASET, dataset_id: "sa\\les" }, "connectionInfo.dataset_id: does not name a dataset"],
    [{ ...DATASET, dataset_id: "" }, "connectionInfo.dataset_id: does not name a dataset"],
    [{ ...PROJECT, region: "US&x=1" }, "connectionInfo.region: does not name a region"],
    [{ ...DATASET, job_timeout_ms: 0 }, "connectionInfo.job_timeout_ms: must be an integer above 0"],
    [{ ...DATASET, job_timeout_ms: "1e3" }, "connectionInfo.job_timeout_ms: must be an integer above 0"],
    [{ ...DATASET, maximum_bytes_billed: -1 }, "connectionInfo.maximum_bytes_billed: must be an integer above 0"],
    [{ ...DATASET, labels: { Team: "x" } }, "connectionInfo.labels: must be at most 64"],
    [{ ...DATASET, labels: { a: "é à" } }, "connectionInfo.labels: must be at most 64"],
    [{ ...DATASET, credentials: "" }, "connectionInfo.credentials: is not base64 of JSON"],
    [{ ...DATASET, credentials: "!!!" }, "connectionInfo.credentials: is not base64 of JSON"],
    [{ ...DATASET, credentials: JSON.stringify(ACCOUNT.file) }, "connectionInfo.credentials: is not base64 of JSON"],
    [{ ...DATASET, credentials: base64("not json") }, "connectionInfo.credentials: is not base64 of JSON"],
    [{ ...DATASET, credentials: base64("7") }, "connectionInfo.credentials: is not base64 of JSON"],
    [{ ...DATASET, credentials: base64("[]") }, "connectionInfo.credentials: is not the file of a service account"],
    [
      { ...DATASET, credentials: file({ type: "authorized_user" }) },
      "connectionInfo.credentials: is not the file of a service account",
    ],
    [
      { ...DATASET, credentials: file({ type: "external_account" }) },
      "connectionInfo.credentials: is not the file of a service account",
    ],
    [
      { ...DATASET, credentials: file({ token_uri: "https://evil.example/token" }) },
      "connectionInfo.credentials: names a token_uri",
    ],
    [
      { ...DATASET, credentials: file({ token_uri: "https://oauth2.googleapis.com/token?x" }) },
      "connectionInfo.credentials: names a token_uri",
    ],
    [
      { ...DATASET, credentials: file({ universe_domain: "evil.example" }) },
      "connectionInfo.credentials: is of another universe_domain",
    ],
    [{ ...DATASET, credentials: file({ client_email: "x" }) }, "connectionInfo.credentials: has no client_email"],
    [{ ...DATASET, credentials: file({ private_key: undefined }) }, "connectionInfo.credentials: has no private_key"],
    [
      { ...DATASET, credentials: file({ private_key: "hello" }) },
      "connectionInfo.credentials (private_key): is not a private key",
    ],
    [
      { ...DATASET, credentials: file({ private_key: pem("pkcs1") }) },
      "connectionInfo.credentials (private_key): is a private key as PKCS#1",
    ],
    [
      { ...DATASET, credentials: file({ private_key: pem("pkcs8", true) }) },
      "connectionInfo.credentials (private_key): is an encrypted private key",
    ],
    [
      { ...DATASET, credentials: file({ private_key: pem("pkcs1", true) }) },
      "connectionInfo.credentials (private_key): is an encrypted private key",
    ],
    [
      { ...DATASET, credentials: file({ private_key: pem("pkcs8").slice(0, 400) }) },
      "connectionInfo.credentials (private_key): is not a private key",
    ],
  ])("%#: %s", async (raw, message) => {
    const failure = await failureOf((async () => parse(raw))());
    expect(failure).toMatchObject({ reason: "INVALID_CONNECTION", message: expect.stringContaining(message) });
    const key = ACCOUNT.file["private_key"]?.slice(30, 80) ?? "";
    expect(failure.message + failure.hint).not.toContain(key);
    expect(failure.message).not.toContain("evil");
  });

  it("options are told of, by names that look like one", () => {
    const { warnings } = parseBigQueryConnection({
      ...DATASET,
      kwargs: { api_endpoint: "https://x", "a b": 1, c: null },
    });
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "UNKNOWN_OPTION connectionInfo.kwargs: the option api_endpoint is not honoured",
      "UNKNOWN_OPTION connectionInfo.kwargs: an option is not honoured",
    ]);
  });
});

it.each([
  DATASET,
  { ...DATASET, location: "EU", job_timeout_ms: 1, maximum_bytes_billed: "9007199254740993", labels: { a: "b" } },
  PROJECT,
])("the canonical form parses back, and says nothing of the key when it is shown (%#)", (raw) => {
  const info = parse(raw);
  const canonical = canonicalBigQueryConnection(info);
  expect(identityOf(parse(canonical))).toBe(identityOf(info));
  expect(parse(canonical)).toMatchObject({ ...info, account: { email: EMAIL } });
  expect(inspect(info, { depth: 9 }) + JSON.stringify({ ...info, maximumBytesBilled: "" })).not.toContain("MII");
  expect(identityOf(info)).not.toBe(identityOf(parse({ ...raw, credentials: makeAccount().credentials })));
});

it("is served by the Worker, wherever else there is a sidecar", () => {
  for (const sidecar of [true, false]) {
    expect(placement(parse(DATASET), { sidecar, allowPrivateHosts: false })).toEqual({ place: "worker" });
  }
});

it.each([
  [undefined, undefined, undefined],
  [undefined, 100, 100n],
  [50, 100, 50n],
  [500, 100, 100n],
  [500, undefined, 500n],
])("a connection of %s bytes under an operator's %s has %s", (own, most, expected) => {
  const info = parse({ ...DATASET, maximum_bytes_billed: own });
  expect(billedAtMost(info, most)).toMatchObject({ maximumBytesBilled: expected });
});
