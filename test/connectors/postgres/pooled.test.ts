/** Sessions that serve one request after another, as in the sidecar, on a real server. */
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nodeDial } from "../../../sidecar/dial.ts";
import { Pool, type PoolLimits } from "../../../sidecar/pool.ts";
import { parsePostgresConnection } from "../../../src/connectors/connection/postgres.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { Loan } from "../../../src/connectors/pooling.ts";
import { openSession, type PostgresSession } from "../../../src/connectors/socket/postgres-session.ts";
import { eventually } from "../../support/eventually.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import { startTcpServer, type TcpServer } from "../../support/tcp.ts";
import { describeConnector, drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST, never, openFromNode, startPostgresFixture } from "./fixture.ts";

const LIMITS: PoolLimits = {
  perIdentity: 4,
  total: 8,
  waiting: 8,
  waitMs: 10_000,
  idleMs: 60_000,
  checkMs: 60_000,
  lifetimeMs: 600_000,
  holdMs: 60_000,
};

let database: TestDatabase;
let observer: pg.Client;
let pool: Pool;

beforeAll(async () => {
  database = await startPostgres();
  observer = await database.connect();
});
beforeEach(() => {
  pool = new Pool(LIMITS);
  return () => pool.close();
});
afterAll(async () => {
  await database?.stop();
});

const contractPool = new Pool({ ...LIMITS, perIdentity: 60, total: 60 });
describeConnector("PostgreSQL from a pool", async () => {
  const fixture = await startPostgresFixture((at) =>
    openFromNode({ connectionUrl: at.url }, { ...NODE_HOST, pool: contractPool }),
  );
  const close = async (): Promise<void> => {
    await contractPool.close();
    await fixture.close();
  };
  return { ...fixture, close };
});

function open(raw: Record<string, unknown> = {}): Promise<Connector> {
  return openFromNode({ connectionUrl: database.url, ...raw }, { ...NODE_HOST, pool });
}

async function ask(sql: string, connector?: Connector): Promise<unknown> {
  const asked = connector ?? (await open());
  try {
    const [row] = await drain(await asked.query(plain(sql), patient()));
    return row?.[0];
  } finally {
    await asked.close();
  }
}

const PID = "SELECT pg_backend_pid()";
const idle = (count: number) => eventually(() => expect(pool.counters.idle).toBe(count));

describe("a session", () => {
  it("serves the next request, and two at once have one each", async () => {
    const first = await ask(PID);
    await idle(1);
    expect(await ask(PID)).toBe(first);
    await idle(1);
    const [one, two] = await Promise.all([ask(PID), ask(PID)]);
    expect(one).not.toBe(two);
    expect([one, two]).toContain(first);
  });

  it("serves the next request after an error of the SQL", async () => {
    const connector = await open();
    const before = await drain(await connector.query(plain(PID), patient()));
    await failureOf(connector.query(plain("SELECT 1 / 0"), patient()).then(drain));
    await connector.close();
    await idle(1);
    expect(await ask(PID)).toBe(before[0]?.[0]);
  });

  it.each<[string, (connector: Connector, gone: AbortController) => Promise<unknown>]>([
    [
      "that was left before its last row",
      async (connector) => {
        const rows = await connector.query(plain("SELECT * FROM generate_series(1, 10000000)"), patient());
        await rows.batches.next();
        await rows.close();
      },
    ],
    [
      "whose caller went",
      async (connector, gone) => {
        const asked = connector.query(plain("SELECT pg_sleep(60)"), { signal: gone.signal, timeoutMs: 60_000 });
        gone.abort(new Error("gone"));
        await failureOf(asked);
      },
    ],
  ])("with a statement %s serves nobody else: a late cancel request would hit the next one", async (_, spoil) => {
    const connector = await open();
    await spoil(connector, new AbortController());
    await connector.close();
    await eventually(() => expect(pool.counters).toMatchObject({ open: 0, unclean: 1 }));
  });

  it("serves the next request after a statement that the server ended for its time", async () => {
    const connector = await open();
    const failure = await failureOf(
      connector.query(plain("SELECT pg_sleep(60)"), { ...patient(), timeoutMs: 20 }).then(drain),
    );
    expect(failure.reason).toBe("STATEMENT_TIMEOUT");
    await connector.close();
    await idle(1);
    expect(await ask("SELECT 1")).toBe(1);
    expect(pool.counters.opened).toBe(1);
  });

  it("is of one login only: another password, user, database or option has its own", async () => {
    await observer.query("DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'first'");
    const as = (password: string, more = {}) =>
      open({ connectionUrl: database.url.replace(/\/\/[^@]*@/, `//reader:${password}@`), ...more });
    const first = await ask(PID, await as("first"));
    await idle(1);
    expect((await failureOf(as("wrong"))).reason).toBe("AUTHENTICATION");
    await observer.query("ALTER ROLE reader PASSWORD 'second'");
    expect(await ask(PID, await as("second"))).not.toBe(first);
    expect(await ask(PID, await as("second", { kwargs: { application_name: "x" } }))).not.toBe(first);
    await idle(3);
  });
});

describe("nothing of one request is visible to the next", () => {
  /** All that a session can tell about itself. */
  const STATE = `
    SELECT current_user || '/' || session_user AS who,
      (SELECT json_object_agg(name, setting ORDER BY name) FROM pg_settings) AS settings,
      (SELECT count(*) FROM pg_prepared_statements)::int AS prepared,
      (SELECT count(*) FROM pg_cursors)::int AS cursors,
      (SELECT count(*) FROM pg_listening_channels())::int AS channels,
      (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory')::int AS locks,
      (SELECT count(*) FROM pg_class WHERE relnamespace = pg_my_temp_schema())::int AS temporary,
      coalesce(current_setting('app.tenant', true), '') AS own`;

  const borrow = (): Promise<Loan<PostgresSession>> => {
    const { info } = parsePostgresConnection({ connectionUrl: database.url });
    return pool.borrow(
      "same",
      () => openSession(info, { dial: nodeDial(["*"]), timeoutMs: 5000, signal: never(), afterwards: "DISCARD ALL" }),
      never(),
    );
  };

  it.each([
    ["a setting", "SET search_path = pg_catalog; SET TimeZone = 'Asia/Tokyo'; SET statement_timeout = 12345"],
    ["a setting by function", "SELECT set_config('DateStyle', 'German', false)"],
    ["a setting of an application", "SELECT set_config('app.tenant', 'alice', false)"],
    ["the characteristics of transactions", "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"],
    ["a role", "SET ROLE pg_monitor"],
    ["another user", "SET SESSION AUTHORIZATION pg_monitor"],
    ["a prepared statement", "PREPARE mine AS SELECT 1"],
    ["a cursor", "DECLARE mine CURSOR WITH HOLD FOR SELECT 1"],
    ["a subscription", "LISTEN mine"],
    ["a temporary table", "CREATE TEMP TABLE mine AS SELECT 1 AS secret"],
    ["a value of a sequence", "CREATE TEMP SEQUENCE mine; SELECT nextval('mine')"],
    ["an advisory lock", "SELECT pg_advisory_lock(4711), pg_advisory_lock_shared(4712)"],
    ["the encoding", "SET client_encoding = 'LATIN1'"],
  ])("%s", async (_, leave) => {
    const first = await borrow();
    const fresh = await first.connection.client.query(STATE);
    await first.connection.client.query(leave);
    await first.end();
    await idle(1);
    const second = await borrow();
    expect(second.connection).toBe(first.connection);
    expect((await second.connection.client.query(STATE)).rows).toEqual(fresh.rows);
    await expect(second.connection.client.query("SELECT lastval()")).rejects.toThrow("not yet defined");
    await second.end();
  });

  it.each([
    ["an open transaction", "BEGIN"],
    ["a failed transaction", "BEGIN; SELECT 1 / 0"],
  ])("%s costs the session", async (_, leave) => {
    const first = await borrow();
    await first.connection.client.query(leave).catch(() => {});
    await first.end();
    await eventually(() => expect(pool.counters).toMatchObject({ open: 0, unclean: 1 }));
  });

  it("by way of the connector either", async () => {
    const leaving = ["SELECT set_config('app.tenant', 'alice', false)", "SELECT pg_advisory_lock(4711)", "LISTEN mine"];
    for (const sql of leaving) await ask(sql).catch(() => {});
    await idle(1);
    const left = `SELECT concat(current_setting('app.tenant', true),
      (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'),
      (SELECT count(*) FROM pg_listening_channels()))`;
    expect(await ask(left)).toBe("00");
    expect(pool.counters.opened).toBe(1);
  });
});

describe("a broken session", () => {
  it("is noticed while nobody uses it", async () => {
    await ask("SELECT 1");
    await idle(1);
    await observer.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'siskin' AND datname = $1",
      [database.database],
    );
    await eventually(() => expect(pool.counters).toMatchObject({ open: 0, broken: 1 }));
    expect(await ask("SELECT 2")).toBe(2);
  });

  describe("that nobody noticed", () => {
    let isCut = false;
    let proxy: TcpServer;
    beforeAll(async () => {
      const { connect } = await import("node:net");
      // A balancer that has forgotten the connections made before it was told to, and says so when they are used.
      proxy = await startTcpServer((client) => {
        const isOld = !isCut;
        const server = connect(database.port, database.host);
        server.on("error", () => {});
        client.on("close", () => server.destroy());
        client.on("data", (bytes) => {
          if (isOld && isCut) client.resetAndDestroy();
          else server.write(bytes);
        });
        server.pipe(client);
      });
    });
    afterAll(() => proxy?.close());

    const through = () => open({ connectionUrl: database.url.replace(`:${database.port}/`, `:${proxy.port}/`) });

    it("is replaced once, and the statement is answered", async () => {
      isCut = false;
      await ask("SELECT 1", await through());
      await idle(1);
      isCut = true;
      expect(await ask("SELECT 2", await through())).toBe(2);
      expect(pool.counters).toMatchObject({ replaced: 1, opened: 2 });
      await idle(1);
      isCut = false;
      expect(await (await through()).dryRun(plain("SELECT 3"), patient())).toEqual({});
    });

    it("is not replaced when it had answered the request before", async () => {
      isCut = false;
      await ask("SELECT 1", await through());
      await idle(1);
      const connector = await through();
      await drain(await connector.query(plain("SELECT 2"), patient()));
      isCut = true;
      const failure = await failureOf(connector.query(plain("SELECT 3"), patient()));
      expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
      await connector.close();
      expect(pool.counters.replaced).toBe(0);
    });
  });

  it("is not replaced when the statement had begun to run: what ends a server is not sent to it twice", async () => {
    await ask("SELECT 1");
    await idle(1);
    const failure = await failureOf(ask("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(5)"));
    expect(failure).toMatchObject({ reason: "UPSTREAM_PROTOCOL", engineCode: "57P01" });
    await eventually(() => expect(pool.counters).toMatchObject({ open: 0, replaced: 0, opened: 1 }));
  });
});

it("gives the place of a server that accepts and says nothing to the next one", async () => {
  const mute = await startTcpServer(() => {});
  const host = { ...NODE_HOST, connectTimeoutMs: 50, pool };
  const url = database.url.replace(`:${database.port}/`, `:${mute.port}/`);
  const failures = await Promise.all(
    Array.from({ length: 6 }, () => failureOf(openFromNode({ connectionUrl: url }, host))),
  );
  expect(failures.map(({ reason }) => reason)).toEqual(Array(6).fill("HOST_UNREACHABLE"));
  expect(pool.counters).toMatchObject({ open: 0, waiting: 0 });
  await mute.close();
});

it("says when every session is taken", async () => {
  const few = new Pool({ ...LIMITS, perIdentity: 1, waiting: 0 });
  const host = { ...NODE_HOST, pool: few };
  const connector = await openFromNode({ connectionUrl: database.url }, host);
  expect(await failureOf(openFromNode({ connectionUrl: database.url }, host))).toMatchObject({
    reason: "OVERLOADED",
    retryAfter: 1,
  });
  await connector.close();
  await few.close();
});

it("answers a crowd with fewer sessions than callers", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(`SELECT ${n}`)));
  expect(answers).toEqual(Array.from({ length: 12 }, (_, n) => n));
  expect(pool.counters.opened).toBeLessThanOrEqual(LIMITS.perIdentity);
});
