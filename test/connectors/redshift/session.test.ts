/**
 * Statements of a Redshift session, and the state that a statement leaves: over PostgreSQL with only Redshift's
 * settings.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Pool } from "../../../sidecar/pool.ts";
import type { Connector, Statement } from "../../../src/connectors/connector.ts";
import type { Dial } from "../../../src/connectors/socket/wire.ts";
import { eventually } from "../../support/eventually.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST } from "../postgres/fixture.ts";
import { fieldsOf, openFromNode, type RedshiftFixture, startRedshiftFixture } from "./fixture.ts";

let fixture: RedshiftFixture;
beforeAll(async () => {
  fixture = await startRedshiftFixture();
});
afterAll(() => fixture?.close());

const rowsOf = async (connector: Connector, statement: Statement) => drain(await connector.query(statement, patient()));

async function ask(sql: string, change: object = {}, session: Statement["session"] = []) {
  const connector = await openFromNode({ ...fieldsOf(fixture.database), ...change });
  try {
    return (await rowsOf(connector, { ...plain(sql), session }))[0];
  } finally {
    await connector.close();
  }
}

describe("a statement's settings", () => {
  it("are those that values are read by, whatever the cluster's are", async () => {
    const row = await ask(
      "SELECT 0.1::double precision + 0.2, timestamptz '2024-07-01 12:00', date '2024-01-02', current_setting('TimeZone')",
    );
    expect(row).toEqual([0.30000000000000004, 1719835200000000n, 19724, "UTC"]);
  });

  it("may be the connection's, and the plan's", async () => {
    const kwargs = { sslmode: "disable", options: "-c search_path=pg_catalog -c query_group=reports" };
    const setting = (name: string) => `current_setting('${name}')`;
    const names = ["search_path", "redshift.query_group", "redshift.enable_numeric_rounding"].map(setting);
    const session = [{ name: "enable_numeric_rounding", value: "on" }];
    expect(await ask(`SELECT ${names.join(", ")}`, { kwargs }, session)).toEqual(["pg_catalog", "reports", "on"]);
  });

  it("of a plan are ones that Redshift documents", async () => {
    const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
    const { sql, session } = planned("SELECT 1 + 1 AS x", manifest, { source: "redshift" });
    expect(await ask(sql, {}, session)).toEqual([2]);
  });

  it("hold for it alone", async () => {
    const connector = await openFromNode(fieldsOf(fixture.database));
    const session = [{ name: "query_group", value: "mine" }];
    const sql = "SELECT current_setting('redshift.query_group', true)";
    expect(await rowsOf(connector, { ...plain(sql), session })).toEqual([["mine"]]);
    expect(await rowsOf(connector, plain(sql))).toEqual([[""]]);
    await connector.close();
  });

  it("that Redshift does not know fail, here as there", async () => {
    const failure = await failureOf(ask("SELECT 1", {}, [{ name: "IntervalStyle", value: "postgres" }]));
    expect(failure.message).toBe('unrecognized configuration parameter "IntervalStyle"');
  });

  it("do not lift what forbids writing", async () => {
    const session = ["transaction_read_only", "readonly"].map((name) => ({ name, value: "off" }));
    const failure = await failureOf(ask("SELECT record_effect()", {}, session));
    expect([failure.engineCode, await fixture.effects?.()]).toEqual(["25006", 0]);
  });

  it("end it when its time is over", async () => {
    const connector = await openFromNode(fieldsOf(fixture.database));
    const options = { signal: new AbortController().signal, timeoutMs: 50 };
    const work = connector.query(plain("SELECT pg_sleep(60)"), options).then(drain);
    expect(await failureOf(work)).toMatchObject({ reason: "STATEMENT_TIMEOUT", engineCode: "57014" });
    await connector.close();
  });
});

it("begins with what every server of the protocol understands", async () => {
  const sent: Uint8Array[] = [];
  const dial: Dial = async (target, options) => {
    const wire = await NODE_HOST.dial(target, options);
    return {
      ...wire,
      read: () => wire.read(),
      startTls: (tls) => wire.startTls(tls),
      close: () => wire.close(),
      write: (bytes) => {
        sent.push(bytes.slice());
        return wire.write(bytes);
      },
    };
  };
  const connector = await openFromNode(fieldsOf(fixture.database), { ...NODE_HOST, dial });
  await connector.close();
  const { user, database } = fixture.database;
  const parameters = Buffer.from(sent[0] ?? [])
    .subarray(8)
    .toString()
    .split("\0");
  expect(parameters.filter((_, index) => index % 2 === 0 && parameters[index] !== "")).toEqual([
    "user",
    "database",
    "application_name",
    "client_encoding",
  ]);
  expect(parameters).toEqual(expect.arrayContaining([user, database, "siskin", "UTF8"]));
});

it.each([
  ["an unknown table", "SELECT * FROM missing_thing", "SOURCE_INVALID_SQL"],
  ["a division by zero", "SELECT 1 / (random() * 0)::int", "SOURCE_ERROR"],
])("goes on after %s", async (_, sql, reason) => {
  const connector = await openFromNode(fieldsOf(fixture.database));
  expect((await failureOf(rowsOf(connector, plain(sql)))).reason).toBe(reason);
  expect((await failureOf(rowsOf(connector, plain(sql)))).reason).toBe(reason);
  expect(await rowsOf(connector, plain("SELECT 1"))).toEqual([[1]]);
  await connector.close();
});

describe("in a pool", () => {
  let pool: Pool;
  beforeEach(() => {
    const limits = { perIdentity: 2, total: 2, waiting: 2, waitMs: 5000 };
    pool = new Pool({ ...limits, idleMs: 60_000, checkMs: 60_000, lifetimeMs: 600_000, holdMs: 60_000 });
  });
  afterEach(() => pool.close());

  const askPooled = async (sql: string) => {
    const connector = await openFromNode(fieldsOf(fixture.database), { ...NODE_HOST, pool });
    try {
      return await rowsOf(connector, plain(sql));
    } finally {
      await connector.close();
    }
  };

  it("one session serves one request after another, and none sees the one before", async () => {
    const first = await askPooled("SELECT pg_backend_pid(), set_config('timezone', 'Asia/Tokyo', false)");
    await eventually(() => expect(pool.counters.idle).toBe(1));
    await failureOf(askPooled("SELECT * FROM missing_thing"));
    await eventually(() => expect(pool.counters.idle).toBe(1));
    const second = await askPooled("SELECT pg_backend_pid(), current_setting('TimeZone')");
    // A session is reset behind the answer, on its way back into the pool.
    await eventually(() => expect(pool.counters.idle).toBe(1));
    expect(second).toEqual([[first[0]?.[0], "UTC"]]);
    expect(pool.counters).toMatchObject({ opened: 1, reused: 2, unclean: 0 });
    const { rows } = await fixture.observer.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});
