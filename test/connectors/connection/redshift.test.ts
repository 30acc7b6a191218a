import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  canonicalRedshiftConnection,
  parseRedshiftConnection,
  type RedshiftConnection,
} from "../../../src/connectors/connection/redshift.ts";
import { redactorFor } from "../../../src/guard/redactor.ts";
import { failureOf } from "../contract.ts";

const SERVER = {
  host: "Examplecluster.abc123xyz789.us-west-2.redshift.amazonaws.com",
  port: "5439",
  database: "dev",
  user: "awsuser",
  password: "topsecret",
};
const IAM = {
  redshift_type: "redshift_iam",
  cluster_identifier: "examplecluster",
  user: "ann",
  database: "dev",
  region: "eu-west-1",
  access_key_id: "AKIAEXAMPLE",
  access_key_secret: "topsecretkey",
};
const parse = (raw: object): RedshiftConnection => parseRedshiftConnection(raw).info;

describe("what existing clients send", () => {
  it.each<[object, object]>([
    [SERVER, { tls: "verify-ca", login: { by: "password", port: 5439, host: SERVER.host.toLowerCase() } }],
    [{ ...SERVER, redshift_type: "redshift", port: 5440 }, { login: { by: "password", port: 5440 } }],
    [{ ...SERVER, kwargs: { sslmode: "disable" } }, { tls: "disable" }],
    [{ ...SERVER, kwargs: { sslmode: "verify-full", connect_timeout: 3 } }, { connectTimeoutMs: 3000 }],
    // docs/spec/contract.md#connections
    [
      { ...IAM, cluster_identifier: "c", user: "u", access_key_id: "A", access_key_secret: "B" },
      { database: "dev", user: "u", login: { by: "iam", cluster: "c", region: "eu-west-1" } },
    ],
    [{ ...IAM, host: "ignored.example.com", session_token: "temporary" }, { login: { by: "iam" } }],
  ])("%o", (raw, expected) => expect(parse(raw)).toMatchObject(expected));
});

it.each<[object, string]>([
  [{ ...SERVER, host: undefined }, "host"],
  [{ ...SERVER, host: "a b" }, "host"],
  [{ ...SERVER, port: "x" }, "port"],
  [{ ...SERVER, user: "" }, "user"],
  [{ ...SERVER, password: "a\0b" }, "password"],
  [{ ...SERVER, password: undefined }, "password"],
  [{ ...SERVER, password: null }, "password"],
  [{ ...SERVER, password: "" }, "password"],
  [{ ...SERVER, redshift_type: "redshift_serverless" }, "redshift_type"],
  [{ ...SERVER, redshift_type: 1 }, "redshift_type"],
  [{ ...SERVER, kwargs: { options: "-c work_mem=1GB" } }, "kwargs"],
  [{ ...SERVER, kwargs: { sslrootcert: "/etc/passwd" } }, "kwargs"],
  [{ connectionUrl: "redshift://u:topsecret@host/dev" }, "connectionUrl"],
  [{ ...IAM, cluster_identifier: undefined }, "cluster_identifier"],
  [{ ...IAM, cluster_identifier: "Cluster&Action=DeleteCluster" }, "cluster_identifier"],
  [{ ...IAM, region: "eu-west-1.evil.example#" }, "region"],
  [{ ...IAM, user: "" }, "user"],
  [{ ...IAM, database: "d\0" }, "database"],
  [{ ...IAM, access_key_id: "" }, "access_key_id"],
  [{ ...IAM, access_key_secret: "" }, "access_key_secret"],
  [{ ...IAM, access_key_secret: undefined }, "access_key_secret"],
  [{ ...IAM, session_token: "a\r\nhost: x" }, "session_token"],
])("%o is refused, and no value of it is told", async (raw, member) => {
  const failure = await failureOf((async () => parseRedshiftConnection(raw))());
  expect(failure.reason).toBe("INVALID_CONNECTION");
  expect(failure.message).toMatch(new RegExp(`^connectionInfo\\.${member}: `));
  expect(inspect(failure)).not.toMatch(/topsecret|evil/);
});

it.each([
  SERVER,
  { ...SERVER, kwargs: { sslmode: "require", options: "-c query_group=a\\ b" } },
  IAM,
  { ...IAM, session_token: "temporary", kwargs: { application_name: "reports" } },
])("parses back from its canonical form: %o", (raw) => {
  const info = parse(raw);
  expect(parse(canonicalRedshiftConnection(info))).toEqual(info);
  expect(inspect(info, { depth: 9 })).not.toMatch(/topsecret|temporary/);
});

it("keys are secrets to whoever redacts", () => {
  const redactor = redactorFor(IAM);
  expect(redactor.redact("signed by AKIAEXAMPLE with topsecretkey for examplecluster")).toBe(
    "signed by *** with *** for examplecluster",
  );
});
