/** Statements of a Canner session, and the meaning of its values: over PostgreSQL, with all settings rejected. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Pool } from "../../../sidecar/pool.ts";
import type { Statement } from "../../../src/connectors/connector.ts";
import type { SqlType } from "../../../src/planner/types.ts";
import type { LogicalType, Value } from "../../../src/result/types.ts";
import { startTcpServer } from "../../support/tcp.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST } from "../postgres/fixture.ts";
import { type CannerFixture, fieldsOf, openFromNode, startCannerFixture } from "./fixture.ts";

let fixture: CannerFixture;
beforeAll(async () => {
  fixture = await startCannerFixture();
});
afterAll(() => fixture?.close());

async function ask(statement: Statement, change: object = {}) {
  const connector = await openFromNode({ ...fieldsOf(fixture.database), ...change });
  try {
    const result = await connector.query(statement, patient());
    return { types: result.columns.map(({ type }) => type), rows: await drain(result) };
  } finally {
    await connector.close();
  }
}

const failing = (change: object, sql = "SELECT 1") => failureOf(ask(plain(sql), change));

describe("a session", () => {
  it("is set nothing, whatever a plan asks for", async () => {
    const session = [{ name: "TimeZone", value: "UTC" }];
    const { rows } = await ask({
      ...plain("SELECT current_setting('TimeZone'), current_setting('statement_timeout')"),
      session,
    });
    expect(rows).toEqual([["America/New_York", "0"]]);
  });

  it("is not kept for the next request, since nobody knows how it is reset", async () => {
    const pool = new Pool({
      perIdentity: 2,
      total: 4,
      waiting: 2,
      waitMs: 1000,
      idleMs: 60_000,
      checkMs: 60_000,
      lifetimeMs: 600_000,
      holdMs: 60_000,
    });
    const connector = await openFromNode(fieldsOf(fixture.database), { ...NODE_HOST, pool });
    const [[first] = []] = await drain(await connector.query(plain("SELECT pg_backend_pid()"), patient()));
    await connector.close();
    const alive = () => fixture.observer.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1", [first]);
    await expect.poll(async () => (await alive()).rows, { timeout: 30_000 }).toEqual([]);
    await pool.close();
  });

  it("is opened by the first statement, and by a URL as well", async () => {
    const { host, port, user, password, database } = fixture.database;
    const connectionUrl = `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}?sslmode=disable`;
    const connector = await openFromNode({ connectionUrl });
    expect(await drain(await connector.query(plain("SELECT 7"), patient()))).toEqual([[7]]);
    await connector.close();
    const unused = await openFromNode({ ...fieldsOf(fixture.database), port: 1 });
    await unused.close();
    expect((await failureOf(unused.query(plain("SELECT 1"), patient()))).reason).toBe("CANCELLED");
  });

  it("is encrypted, and its certificate verified, where GraphQL's is", async () => {
    const failure = await failing({ enableSSL: true });
    expect(failure.reason).toBe("TLS_UNTRUSTED");
    const trusted = { enableSSL: true, host: "localhost", kwargs: { sslrootcert: fixture.database.ca } };
    const { rows } = await ask(plain("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"), trusted);
    expect(rows).toEqual([[true]]);
  });
});

describe("refusals", () => {
  it.each<[string, object, object]>([
    ["a wrong token", { pat: "topsecret-token" }, { reason: "AUTHENTICATION" }],
    ["an unknown workspace", { workspace: "nowhere" }, { reason: "AUTHENTICATION", engineCode: "3D000" }],
    ["a port that nobody listens on", { port: 1 }, { reason: "HOST_UNREACHABLE" }],
  ])("%s", async (_, change, expected) => {
    const failure = await failing(change);
    expect(failure).toMatchObject(expected);
    expect(`${failure.message} ${failure.hint}`).not.toContain("topsecret-token");
  });

  it("a server that says nothing", async () => {
    const silent = await startTcpServer(() => {});
    const connector = await openFromNode(
      { ...fieldsOf(fixture.database), port: silent.port },
      { ...NODE_HOST, connectTimeoutMs: 100 },
    );
    expect((await failureOf(connector.query(plain("SELECT 1"), patient()))).reason).toBe("HOST_UNREACHABLE");
    await connector.close();
    await silent.close();
  });

  it.each(["DELETE FROM t", "SET x = 1", "/* SELECT */ CALL f()"])("%s, which is no query", async (sql) => {
    expect((await failing({}, sql)).reason).toBe("SOURCE_INVALID_SQL");
    const connector = await openFromNode(fieldsOf(fixture.database));
    expect((await failureOf(connector.dryRun(plain(sql), patient()))).reason).toBe("SOURCE_INVALID_SQL");
    await connector.close();
  });
});

describe("a dry run", () => {
  it("runs the statement without a row of it, also where it ends in a comment", async () => {
    const connector = await openFromNode(fieldsOf(fixture.database));
    expect(await connector.dryRun(plain("SELECT pg_sleep(60), 1 AS x, 2 AS x -- the end"), patient())).toEqual({});
    await connector.close();
  });

  it("tells places in the statement", async () => {
    const connector = await openFromNode(fieldsOf(fixture.database));
    const failure = await failureOf(connector.dryRun(plain("SELECT '𝒳', nope"), patient()));
    expect([failure.reason, failure.position]).toEqual(["SOURCE_INVALID_SQL", 13]);
    await connector.close();
  });

  it("cannot be left by what stands in it", async () => {
    const connector = await openFromNode(fieldsOf(fixture.database));
    const failure = await failureOf(
      connector.dryRun(plain("SELECT 1) AS a; SELECT pg_sleep(60) FROM (SELECT 1"), patient()),
    );
    expect(failure.reason).toBe("SOURCE_INVALID_SQL");
    await connector.close();
  });
});

describe("instants", () => {
  const INSTANT: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };
  const CLOCK: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };
  const zoned: SqlType = { kind: "timestamp", zoned: true };
  const at = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;

  it.each<[sql: string, meant: SqlType | undefined, type: LogicalType, value: Value]>([
    ["'2024-01-01 23:59:59.000000 UTC'::text", zoned, INSTANT, at("2024-01-01T23:59:59Z")],
    ["'2024-01-01 23:59:59.123 Europe/Berlin'::text", zoned, INSTANT, at("2024-01-01T22:59:59.123Z")],
    ["'2024-01-01 23:59:59 +05:30'::text", zoned, INSTANT, at("2024-01-01T18:29:59Z")],
    ["'2024-01-01 23:59:59'::timestamp", undefined, CLOCK, at("2024-01-01T23:59:59Z")],
    ["'2024-01-01 23:59:59+00'::timestamptz", undefined, INSTANT, at("2024-01-01T23:59:59Z")],
    ["NULL::timestamp", undefined, CLOCK, null],
    ["'2024-01-01 23:59:59.000000 UTC'::text", undefined, { kind: "string" }, "2024-01-01 23:59:59.000000 UTC"],
  ])("%s, meant as %o", async (sql, meant, type, value) => {
    const columns = meant === undefined ? [] : [{ name: "x", type: meant, nullable: true }];
    expect(await ask({ ...plain(`SELECT ${sql} AS x`), columns })).toEqual({ types: [type], rows: [[value]] });
  });

  it.each([
    ["'2024-01-01 23:59:59 Nowhere/City'::text"],
    ["'2024-03-31 02:30:00 Europe/Berlin'::text"],
    ["'2024-01-01 23:59:59.1234567 UTC'::text"],
    ["'soon'::text"],
    // A timestamp without a known zone.
    ["'2024-01-01 23:59:59'::timestamp"],
  ])("%s is refused, and not guessed", async (sql) => {
    const columns = [{ name: "x", type: zoned, nullable: true }];
    const failure = await failureOf(ask({ ...plain(`SELECT ${sql} AS x`), columns }));
    expect(failure.reason).toBe("SOURCE_ERROR");
  });
});
