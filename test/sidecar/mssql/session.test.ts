/** Statements and sessions over the protocol, against a FAKE SQL Server (`test/support/tds-server.ts`). */
import { afterEach, describe, expect, it } from "vitest";
import type { MsSqlHost } from "../../../sidecar/mssql/connector.ts";
import { Pool, type PoolLimits } from "../../../sidecar/pool.ts";
import type { Connector, Statement } from "../../../src/connectors/connector.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { sooner } from "../../support/sooner.ts";
import { startTcpProxy } from "../../support/tcp.ts";
import { columns, DONE, done, error, hex, info, int, nvarchar, row, TYPES } from "../../support/tds-messages.ts";
import { type FakeAnswer, type FakeMsSql, type FakeMsSqlOptions, startFakeMsSql } from "../../support/tds-server.ts";
import { connectionTo, NODE_HOST, open, STATEMENTS, shop } from "./fixture.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function fake(answer: FakeAnswer = shop().answer, options: FakeMsSqlOptions = {}): Promise<FakeMsSql> {
  const server = await startFakeMsSql(answer, options);
  opened.push(server);
  return server;
}

async function connect(server: { readonly host: string; readonly port: number }, host: MsSqlHost = NODE_HOST) {
  const connector = await open(connectionTo(server), host);
  opened.push(connector);
  return connector;
}

const rowsOf = async (connector: Connector, statement: Statement | string = "SELECT 1") =>
  drain(await connector.query(typeof statement === "string" ? plain(statement) : statement, patient()));
/** Every way to send a statement. */
const asksOf = (connector: Connector) => [connector.query.bind(connector), connector.dryRun.bind(connector)];
const N = columns([{ name: "n", type: TYPES.int }]);
const SETTINGS =
  "SET LANGUAGE us_english; SET DATEFIRST 1; SET TEXTSIZE 2147483647; SET LOCK_TIMEOUT -1; " +
  "SET IMPLICIT_TRANSACTIONS OFF; SET ANSI_WARNINGS ON; SET ANSI_PADDING ON; SET ANSI_NULLS ON; SET ARITHABORT ON; " +
  "SET ARITHIGNORE OFF; SET QUOTED_IDENTIFIER ON; SET CONCAT_NULL_YIELDS_NULL ON; SET NUMERIC_ROUNDABORT OFF; " +
  "SET ROWCOUNT 0; SET TRANSACTION ISOLATION LEVEL READ COMMITTED; " +
  "SELECT @@OPTIONS, @@LANGUAGE, @@DATEFIRST, @@TEXTSIZE, @@LOCK_TIMEOUT, CAST(SERVERPROPERTY('EngineEdition') AS INT), " +
  "CAST(SERVERPROPERTY('ProductMajorVersion') AS NVARCHAR(16)), " +
  "(SELECT CAST(compatibility_level AS INT) FROM sys.databases WHERE database_id = DB_ID());";

describe("settings", () => {
  it("are set once, before the first statement, and read back", async () => {
    const server = await fake();
    const connector = await connect(server);
    for (const count of [1, 2]) await rowsOf(connector, STATEMENTS.numbers(count));
    expect(server.asked).toEqual([SETTINGS, STATEMENTS.numbers(1), STATEMENTS.numbers(2)]);
  });

  it("of a plan win, and are taken back by the next", async () => {
    const server = await fake();
    const connector = await connect(server);
    const session = [{ name: "datefirst", value: "7" }];
    await rowsOf(connector, { ...plain(STATEMENTS.numbers(1)), session });
    await rowsOf(connector, STATEMENTS.numbers(1));
    expect(server.asked[0]).toBe(SETTINGS.replace("DATEFIRST 1", "DATEFIRST 7"));
    expect(server.asked[2]).toBe(SETTINGS);
  });

  it.each(["DATEFIRST", "ARITHABORT", "TEXTSIZE", "QUOTED_IDENTIFIER"])(
    "that a server does not take are refused: %s",
    async (name) => {
      const server = await fake(undefined, { keeps: [name] });
      const failure = await failureOf(rowsOf(await connect(server), STATEMENTS.numbers(1)));
      expect([failure.reason, failure.message]).toEqual([
        "SOURCE_ERROR",
        `The server, or a proxy before it, does not take ${name}.`,
      ]);
      // There is nothing to give up.
      expect([server.asked.length, server.attentions()]).toEqual([1, 0]);
    },
  );

  it.each([
    ["CONTEXT_INFO", "0x01"],
    ["DATEFIRST", "1; DROP TABLE t"],
    ["DATEFIRST 1; DROP TABLE t --", "1"],
  ])("that could not be read back are refused: %s %s", async (name, value) => {
    const server = await fake();
    const statement = { ...plain(STATEMENTS.numbers(1)), session: [{ name, value }] };
    expect((await failureOf(rowsOf(await connect(server), statement))).reason).toBe("SOURCE_ERROR");
    expect(server.asked).toEqual([]);
  });

  it.each<[string, FakeMsSqlOptions, boolean]>([
    ["SQL Server 2017", { version: [14, 0, 1000] }, false],
    ["SQL Server 2019", { version: [15, 0, 2000] }, true],
    ["Azure SQL Database, which counts otherwise", { version: [12, 0, 2000], edition: 5 }, true],
  ])("tell the version: %s", async (_name, options, isServed) => {
    const connector = await connect(await fake(undefined, options));
    const asking = rowsOf(connector, STATEMENTS.numbers(1));
    if (isServed) expect(await asking).toEqual([[1]]);
    else expect((await failureOf(asking)).message).toBe("SQL Server before 2019 is not supported.");
  });

  it.each([
    [160, true],
    [150, false],
  ])("of compatibility level %i: takes what was planned for 2022: %s", async (compatibility, isTaken) => {
    const connector = await connect(await fake(undefined, { compatibility }));
    const variant = { product: "mssql", from: [160] };
    const asking = rowsOf(connector, { ...plain(STATEMENTS.numbers(1)), variant });
    if (isTaken) expect(await asking).toEqual([[1]]);
    else expect((await failureOf(asking)).reason).toBe("ANOTHER_VARIANT");
  });
});

describe("statements", () => {
  it.each(["SELECT 1; DROP TABLE t", "EXEC sp_who", "DECLARE @x INT SELECT 1", ""])(
    "that are no query are not sent: %j",
    async (sql) => {
      const server = await fake();
      const connector = await connect(server);
      for (const ask of asksOf(connector)) {
        const asking = ask(plain(sql), patient());
        expect(await failureOf(asking)).toMatchObject({ reason: "SOURCE_INVALID_SQL" });
      }
      expect(server.asked).toEqual([]);
      expect(await rowsOf(connector, STATEMENTS.numbers(1))).toEqual([[1]]);
    },
  );

  it("that are checked are a procedure's parameter, of any length and script", async () => {
    const server = await fake(function* () {
      yield N;
    });
    const connector = await connect(server);
    const sql = `SELECT N'${"真𝒳'';".repeat(5000)}'`;
    await connector.dryRun(plain(sql), patient());
    expect(server.asked.at(-1)).toBe(sql);
  });

  it("without a result are refused", async () => {
    const server = await fake(function* () {});
    const connector = await connect(server);
    for (const ask of asksOf(connector)) {
      const asking = ask(plain("SELECT 1"), patient());
      expect((await failureOf(asking)).message).toBe("Only queries are run: this has no result.");
    }
  });

  it("take no notice of what a server says by the way", async () => {
    const order = hex("a9 02 00 01 00");
    const server = await fake(function* () {
      yield info(8153, "Warning: Null value is eliminated by an aggregate or other SET operation.");
      yield* [N, order, row(int(1)), info(0, "…"), row(int(2))];
    });
    expect(await rowsOf(await connect(server))).toEqual([[1], [2]]);
  });

  it("that fail behind rows give the rows first", async () => {
    const server = await fake(function* () {
      yield* [N, row(int(1)), error({ number: 8134, message: "Divide by zero error encountered." })];
      yield error({ number: 3621, level: 10, message: "The statement has been terminated." });
    });
    const connector = await connect(server);
    const result = await connector.query(plain("SELECT 1"), patient());
    expect((await result.batches.next()).value?.length).toBe(1);
    expect(await failureOf(result.batches.next())).toMatchObject({ reason: "SOURCE_ERROR", engineCode: "8134" });
    expect((await failureOf(rowsOf(connector))).engineCode).toBe("8134");
  });

  it.each<[string, readonly Buffer[]]>([
    ["rows without columns", [row(int(1))]],
    ["a second result", [N, row(int(1)), done(DONE.more), N, row(int(2))]],
    ["an unknown token", [N, hex("00")]],
    ["more columns than there can be", [hex("81 ff 7f")]],
    ["an end in the middle of an answer", [N, done(), row(int(1))]],
    ["a token that says it is shorter than it is", [hex("aa 02 00 01 00")]],
    ["a text that ends behind the answer", [N, hex("aa ff ff 01")]],
  ])("that are answered with %s fail, and nothing hangs", async (_name, parts) => {
    const server = await fake(function* () {
      yield* parts;
    });
    const connector = await connect(server);
    const asking = connector.query(plain("SELECT 1"), { ...patient(), timeoutMs: 2000 }).then(drain);
    expect((await failureOf(asking)).reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("that are cut off fail", async () => {
    const server = await fake();
    const proxy = await startTcpProxy(server);
    opened.push(proxy);
    const connector = await connect(proxy);
    const result = await connector.query(plain(STATEMENTS.endless), patient());
    await result.batches.next();
    await proxy.close();
    expect((await failureOf(drain(result))).reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("are not read further ahead than they are pulled", async () => {
    const wide = Buffer.concat(Array.from({ length: 20 }, () => row(nvarchar("x".repeat(3000)))));
    const server = await fake(async function* () {
      yield columns([{ name: "t", type: TYPES.nvarchar }]);
      for (;;) yield wide;
    });
    const connector = await connect(server);
    const result = await connector.query(plain("SELECT t"), patient());
    await result.batches.next();
    let sent = -1;
    const isHeldBack = (): boolean => {
      const before = sent;
      sent = server.sent();
      return sent === before;
    };
    await expect.poll(isHeldBack, { interval: 100 }).toBe(true);
    // Capacity of the sockets of both sides, and of TLS.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
    for (let pulls = 0; pulls < 400; pulls++) await result.batches.next();
    await expect.poll(() => server.sent()).toBeGreaterThan(sent);
    await result.close();
  });
});

describe("errors", () => {
  it.each<[string, Parameters<typeof error>[0], object]>([
    [
      "SELECT nope FROM t",
      { number: 207, message: "Invalid column name 'nope'." },
      { reason: "SOURCE_INVALID_SQL", position: 7 },
    ],
    [
      "SELECT 1\nFROM dbo.gone",
      { number: 208, message: "Invalid object name 'dbo.gone'.", line: 2 },
      { reason: "SOURCE_INVALID_SQL", position: 18 },
    ],
    [
      "SELECT t.x, gone.x FROM t",
      { number: 4104, message: 'The multi-part identifier "gone.x" could not be bound.' },
      { reason: "SOURCE_INVALID_SQL", position: undefined },
    ],
    [
      "SELECT a\nFROM WHERE a = 1",
      { number: 156, level: 15, message: "Incorrect syntax near the keyword 'WHERE'.", line: 2 },
      { reason: "SOURCE_INVALID_SQL", position: 14 },
    ],
    ["SELECT nope(1)", { number: 195, message: "'nope' is not a recognized built-in function name." }, { position: 7 }],
    ["SELECT x, x", { number: 207, message: "Invalid column name 'x'." }, { position: undefined }],
    ["SELECT x", { number: 207, message: "Invalid column name 'x'.", line: 9 }, { position: undefined }],
    [
      "SELECT 1/0",
      { number: 8134, message: "Divide by zero error encountered." },
      { reason: "SOURCE_ERROR", position: undefined },
    ],
    ["SELECT 1", { number: 229, level: 14, message: "The SELECT permission was denied." }, { reason: "SOURCE_ERROR" }],
    [
      "SELECT 1",
      { number: 1205, level: 13, message: "was deadlocked" },
      { reason: "SOURCE_ERROR", hint: expect.stringContaining("again") },
    ],
    ["SELECT 1", { number: 8645, level: 17, message: "A timeout occurred" }, { reason: "OVERLOADED", retryAfter: 10 }],
    ["SELECT 1", { number: 596, level: 21, message: "kill state" }, { reason: "UPSTREAM_PROTOCOL" }],
    ["SELECT 1", { number: 99_999, level: 15, message: "whatever" }, { reason: "SOURCE_INVALID_SQL" }],
    ["SELECT 1", { number: 99_999, level: 16, message: "whatever" }, { reason: "SOURCE_ERROR" }],
  ])("%j: %j", async (sql, told, expected) => {
    const server = await fake(function* () {
      yield error(told);
      // The first is what is wrong.
      yield error({ number: 11_501, message: "The batch could not be analyzed because of compile errors." });
    });
    const connector = await connect(server);
    for (const ask of asksOf(connector)) {
      const asking = ask(plain(sql), patient());
      expect(await failureOf(asking)).toMatchObject({
        message: told.message,
        engineCode: String(told.number),
        ...expected,
      });
    }
  });
});

describe("a statement that is given up", () => {
  it("is ended by one attention, and its session serves the next request", async () => {
    const server = await fake();
    const pool = pooled();
    const first = await connect(server, { ...NODE_HOST, pool });
    const result = await first.query(plain(STATEMENTS.endless), patient());
    await result.batches.next();
    await result.close();
    await first.close();
    await expect.poll(() => pool.counters.idle).toBe(1);
    const second = await connect(server, { ...NODE_HOST, pool });
    expect(await rowsOf(second, STATEMENTS.numbers(3))).toEqual([[1], [2], [3]]);
    expect([server.attentions(), server.resets(), server.connections()]).toEqual([1, 1, 1]);
  });

  it("in time, but through on the server, is read to its end", async () => {
    // The whole answer is there before the attention: the server acknowledges it in a message of its own.
    const server = await fake(function* () {
      yield* [N, row(int(1)), row(int(2))];
    });
    const pool = pooled();
    const connector = await connect(server, { ...NODE_HOST, pool });
    const result = await connector.query(plain("SELECT 1"), patient());
    await result.close();
    await connector.close();
    await expect.poll(() => pool.counters.idle).toBe(1);
    expect(server.attentions()).toBe(1);
  });

  it("runs out of its time in words that clients know", async () => {
    const connector = await connect(await fake());
    const asking = connector.query(plain(STATEMENTS.stuck), { ...patient(), timeoutMs: 50 }).then(drain);
    expect(await failureOf(asking)).toMatchObject({
      reason: "STATEMENT_TIMEOUT",
      message: "canceling statement due to statement timeout (it ran longer than 50 ms)",
    });
  });

  it("and not acknowledged closes the session", async () => {
    const server = await fake(undefined, { isDeaf: true });
    const pool = pooled();
    const connector = await connect(server, { ...NODE_HOST, pool });
    const controller = new AbortController();
    const result = await connector.query(plain(STATEMENTS.stuck), patient(controller.signal));
    controller.abort(new Error("gone"));
    // The caller gets its error at once; the server has five seconds to acknowledge.
    expect((await sooner(failureOf(drain(result)), 2_000)).reason).toBe("CANCELLED");
    await connector.close();
    await expect.poll(() => pool.counters.open, { timeout: 30_000 }).toBe(0);
  });
});

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

function pooled(change: Partial<PoolLimits> = {}): Pool {
  const pool = new Pool({ ...LIMITS, ...change });
  opened.push(pool);
  return pool;
}

describe("sessions of a pool", () => {
  it("are reset by the server, with their settings, before they serve anybody else", async () => {
    const server = await fake();
    const pool = pooled();
    for (let request = 1; request <= 3; request++) {
      const connector = await connect(server, { ...NODE_HOST, pool });
      expect(await rowsOf(connector, STATEMENTS.numbers(1))).toEqual([[1]]);
      await connector.close();
      await expect.poll(() => pool.counters.idle).toBe(1);
      expect([server.connections(), server.resets()]).toEqual([1, request]);
    }
    // Settings, then statement and reset for each.
    const numbers = STATEMENTS.numbers(1);
    expect(server.asked).toEqual([SETTINGS, numbers, SETTINGS, numbers, SETTINGS, numbers, SETTINGS]);
  });

  it("lose the session context of the last caller, which is not set again", async () => {
    const server = await fake();
    const pool = pooled();
    const numbers = STATEMENTS.numbers(1);
    const ask = async (tenant: string | undefined): Promise<void> => {
      const connector = await connect(server, { ...NODE_HOST, pool });
      const session = tenant === undefined ? [] : [{ name: "tenant", value: tenant, ofCaller: true } as const];
      // Twice: the key cannot be set again within the request.
      for (const sql of [numbers, numbers]) await drain(await connector.query({ ...plain(sql), session }, patient()));
      await connector.close();
      await expect.poll(() => pool.counters.idle).toBe(1);
    };
    for (const tenant of ["ann", "o'cid", undefined, "ann"]) await ask(tenant);
    expect(server.connections()).toBe(1);
    const contexts = server.asked.map(
      (text) => /@value = N'((?:[^']|'')*)'/.exec(text)?.[1] ?? (text === numbers ? "statement" : "settings"),
    );
    expect(contexts).toEqual([
      ...["ann", "statement", "statement", "settings"],
      ...["o''cid", "statement", "statement", "settings"],
      ...["statement", "statement", "settings"],
      ...["ann", "statement", "statement", "settings"],
    ]);
  });

  it.each(["unacknowledged", "error"] as const)(
    "are closed when their reset fails (%s), and the next caller has a new one",
    async (failsResets) => {
      const server = await fake(undefined, { failsResets });
      const pool = pooled();
      const ask = async (tenant: string): Promise<void> => {
        const connector = await connect(server, { ...NODE_HOST, pool });
        const session = [{ name: "tenant", value: tenant, ofCaller: true } as const];
        await drain(await connector.query({ ...plain(STATEMENTS.numbers(1)), session }, patient()));
        await connector.close();
      };
      for (const [at, tenant] of ["ann", "bob"].entries()) {
        await ask(tenant);
        await expect.poll(() => pool.counters.open).toBe(0);
        expect([server.resets(), server.logins.length, pool.counters.unclean]).toEqual([at + 1, at + 1, at + 1]);
      }
      expect(pool.counters.reused).toBe(0);
    },
  );

  it("refuse a statement whose key has another value", async () => {
    const server = await fake();
    const connector = await connect(server);
    const asking = (value: string) => ({
      ...plain(STATEMENTS.numbers(1)),
      session: [{ name: "tenant", value, ofCaller: true } as const],
    });
    await drain(await connector.query(asking("ann"), patient()));
    // A proxy may share one session between callers.
    const failure = await failureOf(connector.query(asking("bob"), patient()));
    expect(failure.message).toContain("SESSION_CONTEXT");
    await connector.close();
  });

  it("are of one login and one set of options", async () => {
    const server = await fake();
    const pool = pooled();
    for (const kwargs of [
      { TrustServerCertificate: "yes" },
      { TrustServerCertificate: "yes", ApplicationIntent: "ReadOnly" },
    ]) {
      const connector = await open(connectionTo(server, { kwargs }), { ...NODE_HOST, pool });
      await rowsOf(connector, STATEMENTS.numbers(1));
      await connector.close();
      await expect.poll(() => pool.counters.idle).toBeGreaterThan(0);
    }
    expect(server.logins.map(({ isReadOnly }) => isReadOnly)).toEqual([false, true]);
  });

  it("that the server ends are noticed, and others opened", async () => {
    const server = await fake();
    const proxy = await startTcpProxy(server);
    const pool = pooled();
    const connector = await connect(proxy, { ...NODE_HOST, pool });
    await rowsOf(connector, STATEMENTS.numbers(1));
    await connector.close();
    await expect.poll(() => pool.counters.idle).toBe(1);
    await proxy.close();
    await expect.poll(() => pool.counters.open).toBe(0);
  });

  it("are asked whether they live when they were idle for long", async () => {
    const server = await fake(function* (text) {
      yield N;
      yield row(int(text === "SELECT 1" ? 1 : 2));
    });
    const pool = pooled({ checkMs: 0 });
    for (let request = 0; request < 2; request++) {
      const connector = await connect(server, { ...NODE_HOST, pool });
      await rowsOf(connector, "SELECT 2");
      await connector.close();
      await expect.poll(() => pool.counters.idle).toBe(1);
    }
    expect([server.connections(), server.asked.filter((text) => text === "SELECT 1").length]).toEqual([1, 1]);
  });
});
