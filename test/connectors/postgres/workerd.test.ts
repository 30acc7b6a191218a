/** The same connector inside workerd, over `cloudflare:sockets`: what differs there is the wire, TLS and the abort. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FIXTURES, TEST_CA_PATH } from "../../support/postgres-server.ts";
import { hasLoopback, startTcpProxy, startTcpServer, type TcpServer } from "../../support/tcp.ts";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { POSTGRES_STATEMENTS, type PostgresFixture, startPostgresFixture } from "./fixture.ts";

const versionSix = await hasLoopback("::1");

let fixture: PostgresFixture;
let worker: TestWorker;
const servers: TcpServer[] = [];

beforeAll(async () => {
  fixture = await startPostgresFixture();
  // Read once, when the module loads: it makes workerd trust the test authority.
  process.env.NODE_EXTRA_CA_CERTS = TEST_CA_PATH;
  worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
});
afterAll(async () => {
  await worker?.dispose();
  await Promise.all(servers.map((server) => server.close()));
  await fixture?.close();
});

const info = (change: object = {}) => {
  const { host, port, user, password, database } = fixture.database;
  return { host, port, user, password, database, kwargs: { sslmode: "disable" }, ...change };
};

async function call(sql: string, change: Partial<WorkerCall> = {}): Promise<WorkerAnswer> {
  const body: WorkerCall = { connectionInfo: info(), sql, ...change };
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  expect(response.status, await response.clone().text()).toBe(200);
  const text = await response.text();
  expect(text).not.toContain(JSON.stringify(fixture.database.password).slice(1, -1));
  return JSON.parse(text);
}

async function failing(sql: string, change: Partial<WorkerCall> = {}) {
  const answer = await call(sql, change);
  if (answer.ok) throw new Error(`It succeeded: ${JSON.stringify(answer)}`);
  return answer;
}

describe("queries", () => {
  it("reads values and types", async () => {
    const answer = await call(
      "SELECT 1, 9007199254740993, 1.10::numeric(5, 2), ARRAY['a', NULL], timestamptz '2024-07-01 12:00'",
    );
    expect(answer).toMatchObject({
      ok: true,
      first: [1, "9007199254740993n", "1.10", ["a", null], "1719835200000000n"],
    });
  });

  it("reads many rows over many reads", async () => {
    expect(await call(POSTGRES_STATEMENTS.numbers(200_000))).toMatchObject({ ok: true, rows: 200_000 });
  });

  it("runs many calls at once, each on a connection of its own", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => call(`SELECT ${i}, pg_backend_pid(), pg_sleep(0.05)::text`)),
    );
    const firsts = answers.map((answer) => (answer.ok ? (answer.first as number[]) : []));
    expect(firsts.map(([i]) => i)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(firsts.map(([, pid]) => pid)).size).toBe(6);
  });

  it.skipIf(!versionSix)("reaches an address of version 6", async () => {
    const proxy = await startTcpProxy(fixture.database, {}, "::1");
    servers.push(proxy);
    for (const host of ["::1", "[::1]"]) {
      expect(await call("SELECT 1", { connectionInfo: info({ host, port: proxy.port }) })).toMatchObject({
        ok: true,
        first: [1],
      });
    }
  });

  it("checks without running", async () => {
    expect(await call("SELECT pg_sleep(60)", { dryRun: true })).toMatchObject({ ok: true });
    expect(await failing("SELECT nope", { dryRun: true })).toMatchObject({ reason: "SOURCE_INVALID_SQL", position: 7 });
  });
});

describe("endings", () => {
  it("stops the server when it stops pulling", async () => {
    const sql = `${POSTGRES_STATEMENTS.endless} /* workerd_stop */`;
    expect(await call(sql, { stopAfter: 5000 })).toMatchObject({ ok: true });
    await expect.poll(() => fixture.running?.("workerd_stop"), { timeout: 30_000 }).toBe(0);
  });

  it.each([
    ["silent", "SELECT pg_sleep(60) /* workerd_silent */", "workerd_silent"],
    ["sending rows", `${POSTGRES_STATEMENTS.endless} /* workerd_sending */`, "workerd_sending"],
  ])("stops the server when the call is aborted while it is %s", async (_, sql, marker) => {
    expect(await failing(sql, { abortAfterMs: 100 })).toMatchObject({ reason: "CANCELLED" });
    await expect.poll(() => fixture.running?.(marker), { timeout: 30_000 }).toBe(0);
  });

  it("time-out of the server, and of a server that hangs", async () => {
    expect(await failing("SELECT pg_sleep(60)", { timeoutMs: 50 })).toMatchObject({
      reason: "STATEMENT_TIMEOUT",
      message: "canceling statement due to statement timeout",
    });
    const silent = await startTcpServer(() => {});
    servers.push(silent);
    const connectionInfo = info({ port: silent.port });
    expect(await failing("SELECT 1", { connectionInfo, connectTimeoutMs: 100 })).toMatchObject({
      reason: "HOST_UNREACHABLE",
    });
  });

  it("a server that breaks off", async () => {
    let bytes = 0;
    const proxy = await startTcpProxy(fixture.database, {
      fromServer: (chunk) => {
        bytes += chunk.length;
        return bytes > 300_000 ? undefined : chunk;
      },
    });
    servers.push(proxy);
    const connectionInfo = info({ port: proxy.port });
    expect(await failing(POSTGRES_STATEMENTS.endless, { connectionInfo })).toMatchObject({
      reason: "UPSTREAM_PROTOCOL",
    });
  });
});

describe("failures", () => {
  it.each<[string, object, object]>([
    [
      "a wrong password",
      { password: "wrong" },
      { reason: "AUTHENTICATION", message: 'password authentication failed for user "postgres"' },
    ],
    ["an unknown database", { database: "nowhere" }, { reason: "AUTHENTICATION", engineCode: "3D000" }],
    ["a port that nobody listens on", { port: 1 }, { reason: "HOST_UNREACHABLE" }],
    ["an unknown host", { host: "nowhere.invalid" }, { reason: "HOST_UNREACHABLE" }],
    ["a metadata service", { host: "169.254.169.254" }, { reason: "EGRESS_DENIED" }],
    ["a field that is wrong", { port: "x" }, { reason: "INVALID_CONNECTION" }],
    ["unverified TLS", { kwargs: { sslmode: "require" } }, { reason: "NEEDS_SIDECAR" }],
  ])("%s", async (_, change, expected) => {
    expect(await failing("SELECT 1", { connectionInfo: info(change) })).toMatchObject(expected);
  });

  it("of the statement, with its place", async () => {
    expect(await failing("SELECT '𝒳', nope")).toMatchObject({
      reason: "SOURCE_INVALID_SQL",
      engineCode: "42703",
      position: 13,
    });
  });

  it("a server that is none", async () => {
    const server = await startTcpServer((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    );
    servers.push(server);
    for (const sslmode of ["disable", "prefer"]) {
      const connectionInfo = info({ port: server.port, kwargs: { sslmode } });
      expect(await failing("SELECT 1", { connectionInfo })).toMatchObject({ reason: "UPSTREAM_PROTOCOL" });
    }
  });
});

describe("TLS", () => {
  const encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

  it.each(["verify-full", "verify-ca", "prefer"])("%s with a certificate that is trusted", async (sslmode) => {
    const connectionInfo = info({ host: "localhost", kwargs: { sslmode } });
    expect(await call(encrypted, { connectionInfo })).toMatchObject({ ok: true, first: [true] });
    expect(await call(POSTGRES_STATEMENTS.numbers(50_000), { connectionInfo })).toMatchObject({
      ok: true,
      rows: 50_000,
    });
  });

  it.each(["verify-full", "verify-ca", "prefer"])("%s with a certificate that nobody vouches for", async (sslmode) => {
    const stranger = await startTcpServer((socket) =>
      socket.once("data", () => {
        socket.write("S");
        const read = (name: string) => readFileSync(join(FIXTURES, name));
        const options = { isServer: true, cert: read("test-only-stranger.crt"), key: read("test-only-stranger.key") };
        new TLSSocket(socket, options).on("error", () => {});
      }),
    );
    servers.push(stranger);
    const connectionInfo = info({ host: "localhost", port: stranger.port, kwargs: { sslmode } });
    expect(await failing("SELECT 1", { connectionInfo })).toMatchObject({
      reason: "TLS_UNTRUSTED",
      hint: expect.stringContaining("sidecar"),
    });
  });

  it("a certificate for another name", async () => {
    const connectionInfo = info({ kwargs: { sslmode: "verify-full" } });
    expect(await failing("SELECT 1", { connectionInfo })).toMatchObject({ reason: "TLS_UNTRUSTED" });
  });

  it("nothing said and none offered: plain", async () => {
    const proxy = await startTcpProxy(fixture.database, {
      fromClient: (chunk) => (chunk.equals(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])) ? Buffer.from("N") : undefined),
    });
    servers.push(proxy);
    expect(await call(encrypted, { connectionInfo: info({ port: proxy.port, kwargs: {} }) })).toMatchObject({
      ok: true,
      first: [false],
    });
    const insisting = info({ port: proxy.port, kwargs: { sslmode: "verify-full" } });
    expect(await failing("SELECT 1", { connectionInfo: insisting })).toMatchObject({
      reason: "TLS_UNTRUSTED",
      message: "The server does not offer TLS.",
    });
  });

  it("also around the cancel request", async () => {
    const connectionInfo = info({ host: "localhost", kwargs: { sslmode: "verify-full" } });
    const sql = `${POSTGRES_STATEMENTS.endless} /* workerd_tls_stop */`;
    expect(await call(sql, { connectionInfo, stopAfter: 100 })).toMatchObject({ ok: true });
    await expect.poll(() => fixture.running?.("workerd_tls_stop"), { timeout: 30_000 }).toBe(0);
  });
});
