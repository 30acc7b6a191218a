/**
 * Clients that reset their connection at any moment between sending and the answer: their statements end on the server. A
 * cancel request may overtake its statement, which half of them did. `RESETS=10000 npx vitest run test/e2e/resets.test.ts`
 * resets as many.
 */
import { connect } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

const RESETS = Number(process.env.RESETS ?? 300);
/** At once; a server of tests takes 100 connections, and a cancel request is one, too. */
const CLIENTS = 10;
const LATEST_MS = 500;

let database: TestDatabase;
let watcher: pg.Client;
let worker: RunningWorker;

beforeAll(async () => {
  [database, worker] = await Promise.all([startPostgres(), startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" })]);
  watcher = await database.connect();
});
afterAll(() => database.stop());

const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models: [] })).toString("base64");

/** Reads for hours, and is cancelled at once when it is told to be. */
function endless(): string {
  const { host, port, user, password, database: name } = database;
  const body = JSON.stringify({
    sql: "SELECT count(*) AS n FROM generate_series(1, 1000000000000) AS t(endless)",
    manifestStr,
    connectionInfo: { host, port, user, password, database: name, kwargs: { sslmode: "disable" } },
  });
  return `POST /v3/connector/postgres/query HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function resetAfter(milliseconds: number): Promise<void> {
  const runtime = new URL(worker.runtimeUrl);
  const socket = connect(Number(runtime.port), runtime.hostname);
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(endless());
  await after(milliseconds);
  socket.resetAndDestroy();
}

const running = async (): Promise<number> => {
  const { rows } = await watcher.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%endless%'",
  );
  return rows[0].n as number;
};

test(`${RESETS} resets within ${LATEST_MS} ms leave no statement running`, { timeout: 600_000 }, async () => {
  let left = RESETS;
  let seen = 0;
  const client = async (): Promise<void> => {
    // Spread evenly, each moment once.
    while (left > 0) await resetAfter((LATEST_MS * --left) / RESETS);
  };
  const watching = (async () => {
    while (left > 0) {
      seen = Math.max(seen, await running());
      await after(20);
    }
  })();
  await Promise.all([...Array.from({ length: CLIENTS }, client), watching]);
  // Nothing would be shown by statements that never ran.
  expect(seen).toBeGreaterThan(0);
  const began = performance.now();
  await eventually(async () => expect(await running()).toBe(0));
  console.info(`the last statement ended ${Math.round(performance.now() - began)} ms after the last reset`);
});
