/**
 * Two sidecars behind a balancer, the API in plain workerd, callers in parallel: while the first sidecar drains, what runs
 * there ends there, and everything else is answered by the second. The balancer repeats nothing; it looks at `/ready`.
 */
import { Agent, createServer, type Server as HttpServer, request } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../../scripts/service/api.ts";
import { ProcessOutput } from "../../supervisor/process-output.ts";
import { SECRET, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { eventually } from "../support/eventually.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";

const CALLERS = 12;
/** How often the balancer looks; the sidecars are told to wait for several looks. */
const LOOK_MS = 50;
const DRAIN_DELAY_MS = 500;

const manifestStr = Buffer.from(
  JSON.stringify({
    catalog: "c",
    schema: "public",
    models: [
      // A modeller's own SQL may wait; callers may not.
      {
        name: "slow",
        refSql: "SELECT 7 AS n FROM (SELECT pg_advisory_lock_shared(1107)) AS s",
        columns: [{ name: "n", type: "INTEGER" }],
      },
    ],
  }),
).toString("base64");

let database: TestDatabase;
beforeAll(async () => {
  database = await startPostgres();
});
afterAll(() => database.stop());

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const portOf = (server: Server | HttpServer): number => (server.address() as AddressInfo).port;
const listening = (server: Server | HttpServer): Promise<void> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

/** The next of those that were ready when they were last asked. */
function rotation(sidecars: readonly SidecarProcess[]): () => SidecarProcess {
  let ready = sidecars;
  let turn = 0;
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      const states = await Promise.all(
        sidecars.map(({ url }) =>
          fetch(`${url}/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      );
      ready = sidecars.filter((_, index) => states[index]);
      await after(LOOK_MS);
    }
  })();
  ends.push(() => {
    over.abort();
    return looking;
  });
  return () => ready[turn++ % ready.length]!;
}

/** Balances like an ingress: each request separately, over kept connections. */
async function balanceRequests(sidecars: readonly SidecarProcess[]): Promise<number> {
  const next = rotation(sidecars);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const { port } = next();
    const { connection: _, ...headers } = incoming.headers;
    const passed = request({ port, host: "127.0.0.1", agent, path: incoming.url, method: incoming.method, headers });
    passed.on("response", (answer) => {
      const { connection: __, "keep-alive": ___, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => void passed.destroy());
    incoming.pipe(passed);
  });
  await listening(server);
  ends.push(async () => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });
  return portOf(server);
}

/** Balances like a Kubernetes Service: each connection separately, for its lifetime. */
async function balanceConnections(sidecars: readonly SidecarProcess[]): Promise<number> {
  const next = rotation(sidecars);
  const server = createTcpServer((near) => {
    const far = connect(next().port, "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await listening(server);
  ends.push(async () => void server.close());
  return portOf(server);
}

/** It listens no more. */
const isClosed = ({ url }: SidecarProcess): Promise<boolean> =>
  fetch(`${url}/ready`).then(
    () => false,
    () => true,
  );

async function startApi(port: number): Promise<string> {
  const api = new Api({
    host: "127.0.0.1",
    port: 0,
    sidecar: `127.0.0.1:${port}`,
    settings: { AUTH: "none", SIDECAR_URL: `http://127.0.0.1:${port}`, SIDECAR_SECRET: SECRET },
    words: (process) => new ProcessOutput({ process, writeLine: () => {}, writeErrorLine: () => {} }),
  });
  const url = `http://127.0.0.1:${await api.start()}`;
  ends.push(() => api.stop(1000));
  return url;
}

describe.each([
  ["of requests", balanceRequests],
  ["of connections", balanceConnections],
])("a balancer %s", (_, balance) => {
  it("a sidecar drains under load, and no request is lost", async () => {
    const settings = { ALLOWED_HOSTS: "127.0.0.0/8", DRAIN_DELAY_MS: String(DRAIN_DELAY_MS) };
    const sidecars = await Promise.all([startSidecar(settings), startSidecar(settings)]);
    ends.push(() => Promise.all(sidecars.map(({ stop }) => stop())));
    const [first, second] = sidecars;
    const url = await startApi(await balance(sidecars));
    const { host, port, user, password } = database;
    const connectionInfo = { host, port, user, password, database: database.database, kwargs: { sslmode: "disable" } };
    const ask = async (sql: string): Promise<string> => {
      const body = JSON.stringify({ sql, manifestStr, connectionInfo });
      const response = await fetch(`${url}/v3/connector/postgres/query`, { method: "POST", body });
      const text = await response.text();
      return response.ok ? JSON.stringify((JSON.parse(text) as { data: unknown }).data) : text;
    };

    const wrong: string[] = [];
    let asked = 0;
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const number = asked++;
        const answer = await ask(
          `SELECT n * 2 AS twice FROM generate_series(${number}, ${number + 2}) AS g(n) ORDER BY 1`,
        );
        const expected = JSON.stringify([0, 1, 2].map((step) => [(number + step) * 2]));
        if (answer !== expected) wrong.push(answer);
      }
    });
    const callsOf = (sidecar: SidecarProcess): number => sidecar.log.filter(({ event }) => event === "call").length;
    await eventually(() => expect(sidecars.map(callsOf).every((calls) => calls > 20)).toBe(true));
    // They run until the test lets go, and enough of them that some run on the first whatever the balancer does beside them.
    const watcher = await database.connect();
    await watcher.query("SELECT pg_advisory_lock(1107)");
    const long = Array.from({ length: 8 }, () => ask("SELECT n FROM slow"));
    await eventually(async () => {
      const { rows } = await watcher.query(
        "SELECT count(*)::int AS n FROM pg_locks WHERE objid = 1107 AND NOT granted",
      );
      expect(rows[0].n).toBe(long.length);
    });
    first.child.kill("SIGTERM");
    await eventually(async () => expect(await isClosed(first)).toBe(true));
    const before = callsOf(second);
    await eventually(() => expect(callsOf(second)).toBeGreaterThan(before + 50));
    const logged = first.log.length;
    await watcher.query("SELECT pg_advisory_unlock(1107)");
    expect(await Promise.all(long)).toEqual(long.map(() => "[[7]]"));
    expect(await first.exited).toBe(0);
    isOver = true;
    await Promise.all(callers);
    expect(wrong).toEqual([]);
    const complete = (sidecar: SidecarProcess, since = 0): number =>
      sidecar.log.slice(since).filter(({ outcome }) => outcome === "complete").length;
    await eventually(() => expect(complete(first) + complete(second)).toBe(asked + long.length));
    expect(complete(first, logged)).toBeGreaterThan(0);
  });
});
