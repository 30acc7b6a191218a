/** The pool in the sidecar as it is deployed, over a real PostgreSQL. */
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { drain, failureOf, patient, plain } from "../connectors/contract.ts";
import { eventually } from "../support/eventually.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { connectorIn, endOfSidecar, type SidecarProcess, startSidecar } from "./process.ts";

let database: TestDatabase;
let observer: pg.Client;
const started: SidecarProcess[] = [];

beforeAll(async () => {
  database = await startPostgres();
  observer = await database.connect();
});
afterAll(async () => {
  await Promise.all(started.map((sidecar) => sidecar.stop()));
  await database?.stop();
});

async function start(settings: Readonly<Record<string, string>> = {}): Promise<SidecarProcess> {
  const sidecar = await startSidecar({ ALLOWED_HOSTS: "127.0.0.0/8", ...settings });
  started.push(sidecar);
  return sidecar;
}

const open = (sidecar: SidecarProcess): Promise<Connector> =>
  connectorIn(sidecar, "postgres", { connectionUrl: database.url });

async function ask(sidecar: SidecarProcess, sql: string): Promise<unknown> {
  const connector = await open(sidecar);
  const [row] = await drain(await connector.query(plain(sql), patient()));
  await connector.close();
  return row?.[0];
}

async function sessions(): Promise<number> {
  const { rows } = await observer.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'siskin' AND datname = $1",
    [database.database],
  );
  return rows[0].n as number;
}

const PID = "SELECT pg_backend_pid()";

it("serves one request after another by one session, and ends it when the process ends in order", async () => {
  const sidecar = await start();
  const pids = [await ask(sidecar, PID), await ask(sidecar, PID), await ask(sidecar, PID)];
  expect(new Set(pids).size).toBe(1);
  expect(await sessions()).toBe(1);
  sidecar.child.kill("SIGTERM");
  expect(await sidecar.exited).toBe(0);
  await eventually(async () => expect(await sessions()).toBe(0));
});

it("opens one for each request where pooling is turned off", async () => {
  const sidecar = await start({ POOL_PER_CONNECTION: "0" });
  expect(await ask(sidecar, PID)).not.toBe(await ask(sidecar, PID));
  await eventually(async () => expect(await sessions()).toBe(0));
});

it("tells who finds no session when to come back", async () => {
  const sidecar = await start({ POOL_PER_CONNECTION: "1", POOL_WAITING: "0" });
  const connector = await open(sidecar);
  const rows = await connector.query(plain("SELECT * FROM generate_series(1, 10000000)"), patient());
  await rows.batches.next();
  expect(await failureOf(ask(sidecar, "SELECT 1"))).toMatchObject({ reason: "OVERLOADED", retryAfter: 1 });
  await rows.close();
  await connector.close();
  await eventually(async () => expect(await ask(sidecar, "SELECT 1")).toBe(1));
});

it("does not start with bounds that contradict each other", async () => {
  const { code, stderr } = await endOfSidecar({ POOL_PER_CONNECTION: "5", POOL_TOTAL: "4" });
  expect({ code, stderr }).toEqual({
    code: 78,
    stderr: "The sidecar does not start: POOL_PER_CONNECTION must not be above POOL_TOTAL.\n",
  });
});
