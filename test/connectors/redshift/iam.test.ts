/**
 * Logging in by AWS. The Query API is a FAKE, in the shapes of its documentation, which checks signatures by a reader of its own;
 * the cluster is a real PostgreSQL, behind the name that the fake tells.
 */
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Pool } from "../../../sidecar/pool.ts";
import type { ConnectorHost } from "../../../src/connectors/host.ts";
import { isSignedBy } from "../aws/signature-check.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST } from "../postgres/fixture.ts";
import { openFromNode, type RedshiftFixture, startRedshiftFixture } from "./fixture.ts";

const CLUSTER = "examplecluster.abc123xyz789.eu-west-1.redshift.amazonaws.com";
const SECRET = "topsecretkey";
const TEMPORARY = `t3mp"<&>'orary`;

let fixture: RedshiftFixture;
beforeAll(async () => {
  fixture = await startRedshiftFixture();
  await fixture.observer.query(`CREATE ROLE "IAM:ann" LOGIN PASSWORD '${TEMPORARY.replaceAll("'", "''")}'`);
});
afterAll(async () => {
  await fixture?.observer.query(`DROP ROLE IF EXISTS "IAM:ann"`);
  await fixture?.close();
});

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

const clusters = (cluster: string): string =>
  `<DescribeClustersResponse xmlns="http://redshift.amazonaws.com/doc/2012-12-01/"><DescribeClustersResult><Clusters><Cluster>${cluster}</Cluster></Clusters></DescribeClustersResult></DescribeClustersResponse>`;
const endpoint = (address: string, port: string | number = 5439): string =>
  `<Endpoint>\n  <Port>${port}</Port>\n  <Address>${address}</Address>\n  <VpcEndpoints/>\n</Endpoint><ClusterStatus>available</ClusterStatus>`;
const credentials = (user = "IAM:ann", password = TEMPORARY): string =>
  `<GetClusterCredentialsResponse xmlns="http://redshift.amazonaws.com/doc/2012-12-01/"><GetClusterCredentialsResult><DbPassword>${escaped(password)}</DbPassword><Expiration>2030-01-01T00:00:00Z</Expiration><DbUser>${user}</DbUser></GetClusterCredentialsResult></GetClusterCredentialsResponse>`;
const refused = (code: string, status = 400) =>
  new Response(
    `<ErrorResponse xmlns="http://redshift.amazonaws.com/doc/2012-12-01/"><Error><Type>Sender</Type><Code>${code}</Code><Message>No: ${code}.</Message></Error><RequestId>1</RequestId></ErrorResponse>`,
    { status },
  );

interface Answers {
  DescribeClusters?: Response;
  GetClusterCredentials?: Response;
}

let asked: Record<string, string>[];
let dialled: string[];
beforeEach(() => {
  asked = [];
  dialled = [];
});

function host(answers: Answers = {}, more: Partial<ConnectorHost> = {}): ConnectorHost {
  return {
    ...NODE_HOST,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const body = await request.text();
      const sent = Object.fromEntries(new URLSearchParams(body));
      asked.push({
        ...sent,
        origin: new URL(request.url).origin,
        token: request.headers.get("x-amz-security-token") ?? "",
      });
      const headers = { ...Object.fromEntries(request.headers), host: new URL(request.url).host };
      const isSigned = isSignedBy(SECRET, { method: request.method, url: new URL(request.url), headers, body });
      if (!isSigned) return refused("SignatureDoesNotMatch", 403);
      const told = sent["Action"] === "DescribeClusters" ? clusters(endpoint(CLUSTER)) : credentials();
      return answers[sent["Action"] as keyof Answers] ?? new Response(told);
    },
    dial: (target, options) => {
      dialled.push(`${target.host}:${target.port}`);
      const { host: address, port } = fixture.database;
      return NODE_HOST.dial({ ...target, host: address, port }, options);
    },
    ...more,
  };
}

const fields = (change: object = {}) => ({
  redshift_type: "redshift_iam",
  cluster_identifier: "examplecluster",
  region: "eu-west-1",
  database: fixture.database.database,
  user: "ann",
  access_key_id: "AKIAEXAMPLE",
  access_key_secret: SECRET,
  // Without sslmode: a certificate for another name, by an authority that is given, is what verify-ca accepts.
  kwargs: { sslrootcert: fixture.database.ca, sslmode: "verify-ca" },
  ...change,
});

async function ask(sql: string, on: ConnectorHost, change: object = {}) {
  const connector = await openFromNode(fields(change), on);
  try {
    return await drain(await connector.query(plain(sql), patient()));
  } finally {
    await connector.close();
  }
}

describe("logging in", () => {
  it("asks AWS where the cluster is and for a password, and is that user, over TLS", async () => {
    const rows = await ask("SELECT session_user, (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid())", host(), {
      session_token: "temporary/token",
    });
    expect(rows).toEqual([["IAM:ann", true]]);
    expect(dialled).toEqual([`${CLUSTER}:5439`]);
    const origin = "https://redshift.eu-west-1.amazonaws.com";
    const common = { Version: "2012-12-01", ClusterIdentifier: "examplecluster", origin, token: "temporary/token" };
    expect(asked.toSorted((a, b) => (a["Action"] ?? "").localeCompare(b["Action"] ?? ""))).toEqual([
      { ...common, Action: "DescribeClusters" },
      {
        ...common,
        Action: "GetClusterCredentials",
        DbName: fixture.database.database,
        DbUser: "ann",
        AutoCreate: "false",
      },
    ]);
    expect(JSON.stringify(asked)).not.toContain(SECRET);
  });

  it("happens once for each session of a pool, which keys tell apart", async () => {
    const limits = { perIdentity: 2, total: 4, waiting: 2, waitMs: 5000 };
    const pool = new Pool({ ...limits, idleMs: 60_000, checkMs: 60_000, lifetimeMs: 600_000, holdMs: 60_000 });
    const first = await ask("SELECT pg_backend_pid()", host({}, { pool }));
    await expect.poll(() => pool.counters.idle).toBe(1);
    expect(await ask("SELECT pg_backend_pid()", host({}, { pool }))).toEqual(first);
    expect(asked).toHaveLength(2);
    await failureOf(ask("SELECT 1", host({}, { pool }), { access_key_secret: "another" }));
    expect(asked.length).toBeGreaterThan(2);
    await pool.close();
  });
});

const html = () => new Response("<html>proxy</html>", { status: 400 });

describe("what goes wrong", () => {
  it.each<[string, Answers, string, string]>([
    [
      "no such cluster",
      { DescribeClusters: refused("ClusterNotFound", 404) },
      "HOST_UNREACHABLE",
      "No: ClusterNotFound.",
    ],
    ["no right", { GetClusterCredentials: refused("AccessDenied", 403) }, "AUTHENTICATION", "No: AccessDenied."],
    [
      "an expired token",
      { GetClusterCredentials: refused("ExpiredToken", 403) },
      "AUTHENTICATION",
      "No: ExpiredToken.",
    ],
    ["too many requests", { GetClusterCredentials: refused("Throttling") }, "OVERLOADED", "No: Throttling."],
    ["a service that is down", { DescribeClusters: new Response("down", { status: 503 }) }, "OVERLOADED", ""],
    ["a proxy's page", { DescribeClusters: html() }, "UPSTREAM_PROTOCOL", ""],
    ["another answer", { DescribeClusters: new Response(credentials()) }, "UPSTREAM_PROTOCOL", ""],
    [
      "a paused cluster",
      { DescribeClusters: new Response(clusters(endpoint(CLUSTER).replace("available", "paused"))) },
      "HOST_UNREACHABLE",
      "The cluster cannot be reached: its status is paused.",
    ],
    [
      "a cluster that has no address yet",
      { DescribeClusters: new Response(clusters("<ClusterStatus>creating</ClusterStatus>")) },
      "HOST_UNREACHABLE",
      "The cluster cannot be reached: its status is creating.",
    ],
    ...["127.0.0.1", "169.254.169.254", "evil.example.com", "redshift.amazonaws.com.evil.example", "a b"].map(
      (address): [string, Answers, string, string] => [
        `an address that is not AWS's: ${address}`,
        { DescribeClusters: new Response(clusters(endpoint(address))) },
        "UPSTREAM_PROTOCOL",
        "AWS answered with no address of a cluster.",
      ],
    ),
    ["no port", { DescribeClusters: new Response(clusters(endpoint(CLUSTER, "x"))) }, "UPSTREAM_PROTOCOL", ""],
    [
      "no password",
      { GetClusterCredentials: new Response(credentials("IAM:ann", "")) },
      "UPSTREAM_PROTOCOL",
      "AWS answered without a password for the cluster.",
    ],
    [
      "a password that has expired by then",
      { GetClusterCredentials: new Response(credentials("IAM:ann", "0ldpassword")) },
      "AUTHENTICATION",
      'password authentication failed for user "IAM:ann"',
    ],
  ])("%s", async (_, answers, reason, message) => {
    const failure = await failureOf(ask("SELECT 1", host(answers)));
    expect([failure.reason, failure.message]).toEqual([reason, message === "" ? expect.any(String) : message]);
    expect(inspect(failure, { depth: 9 })).not.toMatch(/topsecretkey|t3mp|0ldpassword/);
    if (!message.startsWith("password")) expect(dialled).toEqual([]);
  });

  it("keys that do not sign rightly", async () => {
    const failure = await failureOf(ask("SELECT 1", host(), { access_key_secret: "another" }));
    expect([failure.reason, failure.message]).toEqual(["AUTHENTICATION", "No: SignatureDoesNotMatch."]);
  });

  it("an AWS that does not answer", async () => {
    const silent = host(
      {},
      {
        fetch: (_input, init) =>
          new Promise((_, reject) => {
            init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
          }),
        connectTimeoutMs: 50,
      },
    );
    expect(await failureOf(ask("SELECT 1", silent))).toMatchObject({ reason: "HOST_UNREACHABLE" });
  });
});
