/**
 * Clients that close their connections in silence (FIN) keep their requests running: workerd notices no such end before it writes.
 * Such requests of one caller must not take a login from other callers, and must lose their places to requests that wait.
 */
import { createHash } from "node:crypto";
import { connect } from "node:net";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SECRET, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

const HOLD_MS = 4000;
const CALLERS = ["ann", "bob"] as const;
type Caller = (typeof CALLERS)[number];
const keyOf = (caller: Caller): string => `sk-${caller}-of-the-attack-on-places-0123456789`;
const API_KEYS = JSON.stringify(
  Object.fromEntries(
    CALLERS.map((caller) => [caller, { digests: [createHash("sha256").update(keyOf(caller)).digest("hex")] }]),
  ),
);

const manifestStr = Buffer.from(
  JSON.stringify({
    catalog: "c",
    schema: "public",
    models: [
      {
        name: "slow",
        refSql: "SELECT 7 AS n FROM (SELECT pg_sleep(600)) AS places_of_the_gone",
        columns: [{ name: "n", type: "INTEGER" }],
      },
    ],
  }),
).toString("base64");

let database: TestDatabase;
let watcher: pg.Client;
let sidecar: SidecarProcess;
let worker: RunningWorker;

beforeAll(async () => {
  database = await startPostgres();
  watcher = await database.connect();
  sidecar = await startSidecar({
    ALLOWED_HOSTS: "127.0.0.0/8",
    POOL_PER_CONNECTION: "10",
    POOL_WAIT_MS: "2000",
    PLACE_HOLD_MS: String(HOLD_MS),
  });
  worker = await startWorker({ AUTH: "keys", API_KEYS, SIDECAR_URL: sidecar.url, SIDECAR_SECRET: SECRET });
}, 60_000);
afterAll(async () => {
  await Promise.all([sidecar?.stop(), database?.stop()]);
});

function bodyOf(sql: string): string {
  const { host, port, user, password, database: name } = database;
  const connectionInfo = { host, port, user, password, database: name, kwargs: { sslmode: "disable" } };
  return JSON.stringify({ sql, manifestStr, connectionInfo });
}

/** A request whose client closes its connection once it has sent everything. */
async function askAndClose(caller: Caller): Promise<void> {
  const { port, hostname } = new URL(worker.runtimeUrl);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const text = bodyOf("SELECT n FROM slow");
  const head = `POST /v3/connector/postgres/query HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${keyOf(caller)}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`;
  await new Promise<void>((resolve) => socket.write(`${head}\r\n\r\n${text}`, () => resolve()));
  socket.end();
}

async function honest(caller: Caller): Promise<number> {
  const response = await worker.fetch("/v3/connector/postgres/query", {
    method: "POST",
    headers: { authorization: `Bearer ${keyOf(caller)}`, "content-type": "application/json" },
    body: bodyOf("SELECT 1 AS one"),
  });
  await response.text();
  return response.status;
}

async function running(): Promise<number> {
  const { rows } = await watcher.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%places_of_the_gone%'",
  );
  return rows[0].n as number;
}

test("twelve requests of clients that are gone leave a place to another caller, and to their own in time", {
  timeout: 60_000,
}, async () => {
  expect(await honest("ann")).toBe(200);
  await Promise.all(Array.from({ length: 12 }, () => askAndClose("ann")));
  for (const end = Date.now() + 20_000; (await running()) < 9; ) {
    if (Date.now() > end) throw new Error(`only ${await running()} statements run`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const statuses: number[] = [];
  for (let asked = 0; asked < 8; asked++) statuses.push(await honest("bob"));
  expect(statuses).toEqual(Array.from({ length: 8 }, () => 200));
  // The caller's own requests come in as soon as the others have had their time.
  let own = 0;
  for (const end = Date.now() + 5 * HOLD_MS; own !== 200 && Date.now() < end; ) own = await honest("ann");
  expect(own).toBe(200);
});
