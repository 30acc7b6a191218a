/** Statements and sessions of Oracle, against a FAKE database (`test/support/tns-server.ts`). */
import { afterEach, describe, expect, it } from "vitest";
import type { OracleHost } from "../../../sidecar/oracle/connector.ts";
import { Pool } from "../../../sidecar/pool.ts";
import type { Connector, Statement } from "../../../src/connectors/connector.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { sooner } from "../../support/sooner.ts";
import { startTcpProxy } from "../../support/tcp.ts";
import { dataPackets, type FakeColumn, long, u8, u32, ub } from "../../support/tns-messages.ts";
import {
  type FakeAnswer,
  FakeFault,
  type FakeOracle,
  type FakeOracleOptions,
  startFakeOracle,
} from "../../support/tns-server.ts";
import { connectionTo, NODE_HOST, open, STATEMENTS, shop } from "./fixture.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function fake(answer: FakeAnswer = shop().answer, options: FakeOracleOptions = {}): Promise<FakeOracle> {
  const server = await startFakeOracle(answer, options);
  opened.push(server);
  return server;
}

async function connect(server: { readonly host: string; readonly port: number }, host: OracleHost = NODE_HOST) {
  const connector = await open(connectionTo(server), host);
  opened.push(connector);
  return connector;
}

const rowsOf = async (connector: Connector, statement: Statement | string) =>
  drain(await connector.query(typeof statement === "string" ? plain(statement) : statement, patient()));

const SETTINGS =
  "BEGIN EXECUTE IMMEDIATE 'ALTER SESSION SET NLS_LANGUAGE = ''AMERICAN'' NLS_TERRITORY = ''AMERICA'''; " +
  "EXECUTE IMMEDIATE 'ALTER SESSION SET NLS_DATE_LANGUAGE = ''AMERICAN'' NLS_CALENDAR = ''GREGORIAN'' " +
  "NLS_NUMERIC_CHARACTERS = ''.,'' NLS_SORT = ''BINARY'' NLS_COMP = ''BINARY'' NLS_NCHAR_CONV_EXCP = ''TRUE'' " +
  "NLS_DATE_FORMAT = ''YYYY-MM-DD HH24:MI:SS'' NLS_TIMESTAMP_FORMAT = ''YYYY-MM-DD HH24:MI:SS.FF9'' " +
  "NLS_TIMESTAMP_TZ_FORMAT = ''YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM'' TIME_ZONE = ''+00:00'''; END;";
const READ_BACK =
  "SELECT parameter, value FROM nls_session_parameters UNION ALL SELECT 'TIME_ZONE', SESSIONTIMEZONE FROM dual";
const BEGIN = "BEGIN ROLLBACK; SET TRANSACTION READ ONLY; END;";
const RESET = "BEGIN ROLLBACK; DBMS_SESSION.RESET_PACKAGE; END;";
const ONE = STATEMENTS.numbers(1);
const N: FakeColumn = { name: "N", type: 2, precision: 9 };
/** Rows of what is read back: the settings, each once. */
const SETTLED = 12;

describe("settings", () => {
  it("are set once, before the first statement, and read back", async () => {
    const server = await fake();
    const connector = await connect(server);
    for (const count of [1, 2]) await rowsOf(connector, STATEMENTS.numbers(count));
    expect(server.asked).toEqual([SETTINGS, READ_BACK, BEGIN, ONE, BEGIN, STATEMENTS.numbers(2)]);
  });

  it("of a plan win, and are taken back by the next", async () => {
    const server = await fake();
    const connector = await connect(server);
    await rowsOf(connector, { ...plain(ONE), session: [{ name: "nls_sort", value: "GERMAN" }] });
    await rowsOf(connector, ONE);
    expect(server.asked[0]).toBe(SETTINGS.replace("NLS_SORT = ''BINARY''", "NLS_SORT = ''GERMAN''"));
    expect(server.asked[4]).toBe(SETTINGS);
  });

  it.each(["TIME_ZONE", "NLS_SORT", "NLS_LANGUAGE"])("that a server does not take are refused: %s", async (name) => {
    const server = await fake(undefined, { keeps: [name] });
    const failure = await failureOf(rowsOf(await connect(server), ONE));
    expect([failure.reason, failure.message]).toEqual(["SOURCE_ERROR", `The server does not take ${name}.`]);
    expect(server.asked).toEqual([SETTINGS, READ_BACK]);
  });

  it.each([
    ["CURRENT_SCHEMA", "SYS"],
    ["NLS_SORT", "BINARY' SQL_TRACE = 'TRUE"],
    ["NLS_SORT = 'A' x", "1"],
  ])("that could not be read back are refused: %s %s", async (name, value) => {
    const server = await fake();
    const failure = await failureOf(rowsOf(await connect(server), { ...plain(ONE), session: [{ name, value }] }));
    expect([failure.reason, server.asked]).toEqual(["SOURCE_ERROR", []]);
  });
});

describe("statements", () => {
  it.each(["DROP TABLE t", "BEGIN NULL; END;", "SELECT a FROM t FOR UPDATE", ""])(
    "that are no query are not sent: %j",
    async (sql) => {
      const server = await fake();
      const connector = await connect(server);
      for (const ask of [connector.query.bind(connector), connector.dryRun.bind(connector)]) {
        expect((await failureOf(ask(plain(sql), patient()))).reason).toBe("SOURCE_INVALID_SQL");
      }
      expect([server.asked, server.described]).toEqual([[], []]);
      expect(await rowsOf(connector, ONE)).toEqual([[1]]);
    },
  );

  it("with placeholders are refused", async () => {
    const failure = await failureOf(rowsOf(await connect(await fake()), "SELECT :x FROM dual"));
    expect([failure.reason, failure.message]).toEqual([
      "SOURCE_INVALID_SQL",
      "The statement has placeholders (:name), which nobody gives values for.",
    ]);
  });

  it("that are checked do not run, and are sent whole, of any length and script", async () => {
    const server = await fake((sql) => (sql.startsWith("BEGIN") ? undefined : { columns: [N], rows: () => [] }));
    const connector = await connect(server);
    const sql = `SELECT '${"真𝒳''".repeat(20_000)}' FROM dual`;
    await connector.dryRun(plain(sql), patient());
    expect(server.described).toEqual([sql]);
    expect(server.asked).toEqual([SETTINGS, READ_BACK]);
  });

  const at = (sql: string) => new FakeFault(904, '"X": invalid identifier', Buffer.byteLength(sql.split("X")[0] ?? ""));
  it.each<[string, string, (sql: string) => FakeFault, string, number | undefined]>([
    ["a name that is wrong", "SELECT X FROM t", at, "SOURCE_INVALID_SQL", 7],
    ["the same behind what is not ASCII", "SELECT 'é', X FROM t", at, "SOURCE_INVALID_SQL", undefined],
    [
      "a table that is not there",
      "SELECT 1 FROM X",
      () => new FakeFault(942, "table or view does not exist", 14),
      "SOURCE_INVALID_SQL",
      14,
    ],
    [
      "a division by zero",
      "SELECT 1 / 0 FROM t",
      () => new FakeFault(1476, "divisor is equal to zero"),
      "SOURCE_ERROR",
      undefined,
    ],
    [
      "a right that is missing",
      "SELECT 1 FROM t",
      () => new FakeFault(1031, "insufficient privileges"),
      "SOURCE_ERROR",
      undefined,
    ],
    [
      "no memory",
      "SELECT 1 FROM t",
      () => new FakeFault(4031, "unable to allocate bytes of shared memory"),
      "OVERLOADED",
      undefined,
    ],
    [
      "a session that was ended",
      "SELECT 1 FROM t",
      () => new FakeFault(28, "your session has been killed"),
      "UPSTREAM_PROTOCOL",
      undefined,
    ],
    [
      "an error inside of Oracle",
      "SELECT 1 FROM t",
      () => new FakeFault(600, "internal error code"),
      "UPSTREAM_PROTOCOL",
      undefined,
    ],
  ])("that fail for %s say so", async (_name, sql, fault, reason, position) => {
    const server = await fake((asked) => {
      if (asked.startsWith("BEGIN")) return undefined;
      throw fault(asked);
    });
    const failure = await failureOf(rowsOf(await connect(server), sql));
    expect([failure.reason, failure.position]).toEqual([reason, position]);
    expect(failure.message).toContain(fault(sql).message);
    expect(failure.message).not.toContain("Help:");
  });

  it("are not read further ahead than they are pulled", async () => {
    const server = await fake();
    const connector = await connect(server);
    const result = await connector.query(plain(STATEMENTS.endless), patient());
    expect(server.rows()).toBe(SETTLED);
    for (const pulls of [1, 2, 3]) {
      expect((await result.batches.next()).value?.length).toBe(1000);
      expect(server.rows()).toBe(SETTLED + pulls * 1000);
    }
    await result.close();
    expect(server.breaks()).toBe(0);
  });

  it("with long documents are fetched a few rows at a time", async () => {
    const column: FakeColumn = { name: "C", type: 112, form: 1, size: 4000 };
    const server = await fake((sql) => {
      if (sql.startsWith("BEGIN")) return undefined;
      return { columns: [column], rows: () => Array.from({ length: 20 }, () => [long(Buffer.from("x"))]) };
    });
    const result = await (await connect(server)).query(plain("SELECT c FROM t"), patient());
    expect((await result.batches.next()).value?.length).toBe(8);
    await result.close();
  });

  it("of which too much comes at once are cut off, in little time", async () => {
    const huge = long(Buffer.alloc(36 * 1024 * 1024, 0x61));
    const server = await fake(
      (sql) => {
        if (sql.startsWith("BEGIN")) return undefined;
        return { columns: [{ name: "C", type: 112, form: 1, size: 4000 }], rows: () => [[huge]] };
      },
      { size: 65_000 },
    );
    const failure = await failureOf(rowsOf(await connect(server), "SELECT c FROM t"));
    expect([failure.reason, failure.message]).toEqual([
      "SOURCE_ERROR",
      "The server sends more at once than can be held.",
    ]);
  });
});

describe("a server that misbehaves under a statement", () => {
  /** Before what the server says to the statement, something else is said, or in its place. */
  const interposed = async (change: (chunk: Buffer) => Buffer | undefined) => {
    const server = await fake();
    let isOn = false;
    const proxy = await startTcpProxy(server, { fromServer: (chunk) => (isOn ? change(chunk) : chunk) });
    opened.push(proxy);
    const connector = await connect(proxy);
    await rowsOf(connector, ONE);
    isOn = true;
    return { connector, proxy };
  };

  it.each<[string, (chunk: Buffer) => Buffer | undefined, readonly string[]]>([
    ["cuts the connection", () => undefined, ["UPSTREAM_PROTOCOL"]],
    ["sends a packet of no length", () => u32(0), ["UPSTREAM_PROTOCOL", "STATEMENT_TIMEOUT"]],
    ["sends a packet of four gigabytes", () => Buffer.concat([u32(0xffffffff), u8(6, 0, 0, 0)]), ["UPSTREAM_PROTOCOL"]],
    ["sends a message of no kind", () => dataPackets(u8(200), 8192), ["UPSTREAM_PROTOCOL", "STATEMENT_TIMEOUT"]],
    [
      "tells four gigabytes of a value",
      () => dataPackets(Buffer.concat([u8(4), ub(0), ub(0), ub(0), u8(4, 255, 255, 255, 255)]), 8192),
      ["UPSTREAM_PROTOCOL", "STATEMENT_TIMEOUT"],
    ],
    [
      "tells a chunk of four gigabytes",
      () => dataPackets(Buffer.concat([u8(16), u8(254), u8(4, 255, 255, 255, 255), Buffer.alloc(100)]), 8192),
      ["UPSTREAM_PROTOCOL", "STATEMENT_TIMEOUT"],
    ],
    ["says nothing any more", () => Buffer.alloc(0), ["STATEMENT_TIMEOUT"]],
  ])("%s: the statement fails in its time", async (_name, change, reasons) => {
    const { connector, proxy } = await interposed(change);
    const before = process.memoryUsage().rss;
    const rows = connector.query(plain(ONE), { ...patient(), timeoutMs: 300 }).then(drain);
    const failure = await sooner(failureOf(rows), 5_000);
    expect(reasons).toContain(failure.reason);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    await proxy.close();
  });

  it("does not say that it broke off: nobody waits for it, and the session is over", async () => {
    const server = await fake(undefined, { isDeaf: true });
    const pool = new Pool({ ...LIMITS });
    opened.push(pool);
    const connector = await connect(server, { ...NODE_HOST, pool });
    const rows = connector.query(plain(STATEMENTS.stuck), { ...patient(), timeoutMs: 50 }).then(drain);
    const failure = await sooner(failureOf(rows), 2_000);
    expect(failure.reason).toBe("STATEMENT_TIMEOUT");
    await expect.poll(() => server.breaks()).toBe(1);
    server.cut();
    await connector.close();
    expect(pool.counters.idle).toBe(0);
  }, 10_000);
});

const LIMITS = {
  ...{ perIdentity: 2, total: 4, waiting: 2, waitMs: 1000 },
  ...{ idleMs: 60_000, checkMs: 60_000, lifetimeMs: 60_000, holdMs: 60_000 },
};

describe("sessions of the pool", () => {
  const pooled = async (server: FakeOracle, change: object = {}) => {
    const pool = new Pool({ ...LIMITS, ...change });
    opened.push(pool);
    return {
      pool,
      ask: async (sql: string) => {
        const connector = await open(connectionTo(server), { ...NODE_HOST, pool });
        try {
          return await rowsOf(connector, sql);
        } finally {
          await connector.close();
        }
      },
    };
  };

  it("are reset, and asked again", async () => {
    const server = await fake();
    const { pool, ask } = await pooled(server);
    expect(await ask(ONE)).toEqual([[1]]);
    await expect.poll(() => pool.counters.idle).toBe(1);
    expect(await ask(ONE)).toEqual([[1]]);
    expect(server.connections()).toBe(1);
    const once = [BEGIN, ONE, RESET, SETTINGS, READ_BACK];
    await expect.poll(() => server.asked).toEqual([SETTINGS, READ_BACK, ...once, ...once]);
  });

  const askAs = async (server: FakeOracle, pool: Pool, identifier: string | undefined): Promise<void> => {
    const connector = await open(connectionTo(server), { ...NODE_HOST, pool });
    const session =
      identifier === undefined ? [] : [{ name: "CLIENT_IDENTIFIER", value: identifier, ofCaller: true } as const];
    try {
      await drain(await connector.query({ ...plain(ONE), session }, patient()));
    } finally {
      await connector.close();
    }
  };
  /** Calls of DBMS_SESSION and statements, in order. */
  const steps = (server: FakeOracle): readonly string[] =>
    server.asked.flatMap((sql) => /SET_IDENTIFIER\('.*?'\)|CLEAR_IDENTIFIER|^SELECT n/.exec(sql)?.[0] ?? []);

  it("lose the client identifier of the last caller before another is served, and it is not set again", async () => {
    const server = await fake();
    const pool = new Pool({ ...LIMITS });
    opened.push(pool);
    for (const identifier of ["ann", "o'cid", undefined]) {
      await askAs(server, pool, identifier);
      await expect.poll(() => pool.counters.idle).toBe(1);
    }
    expect(server.connections()).toBe(1);
    expect(steps(server)).toEqual([
      ...["SET_IDENTIFIER('ann')", "SELECT n", "CLEAR_IDENTIFIER"],
      ...["SET_IDENTIFIER('o''cid')", "SELECT n", "CLEAR_IDENTIFIER"],
      "SELECT n",
    ]);
    expect(server.asked.slice(-3)).toEqual([RESET, SETTINGS, READ_BACK]);
  });

  it("that do not take a client identifier refuse the statement", async () => {
    const server = await fake(undefined, { keeps: ["CLIENT_IDENTIFIER"] });
    const pool = new Pool({ ...LIMITS });
    opened.push(pool);
    const failure = await failureOf(askAs(server, pool, "ann"));
    expect(failure.message).toContain("CLIENT_IDENTIFIER");
    expect(steps(server)).not.toContain("SELECT n");
  });

  it("are closed when their reset fails, and the next caller has a new one", async () => {
    const { answer } = shop();
    const server = await fake((sql) => {
      if (/CLEAR_IDENTIFIER/.test(sql)) throw new FakeFault(4068, "existing state of packages has been discarded");
      return answer(sql);
    });
    const pool = new Pool({ ...LIMITS });
    opened.push(pool);
    for (const [at, identifier] of ["ann", "bob"].entries()) {
      await askAs(server, pool, identifier);
      await expect.poll(() => pool.counters.open).toBe(0);
      expect([server.logins.length, pool.counters.unclean, pool.counters.reused]).toEqual([at + 1, at + 1, 0]);
    }
    expect(steps(server).filter((step) => step === "CLEAR_IDENTIFIER")).toHaveLength(2);
  });

  it("are asked whether they live", async () => {
    const server = await fake();
    const { pool, ask } = await pooled(server, { checkMs: 0 });
    await ask(ONE);
    await expect.poll(() => pool.counters.idle).toBe(1);
    await ask(ONE);
    expect([server.connections(), pool.counters.reused]).toEqual([1, 1]);
  });

  it("serve the next after a statement that was broken off", async () => {
    const server = await fake();
    const pool = new Pool(LIMITS);
    opened.push(pool);
    const first = await open(connectionTo(server), { ...NODE_HOST, pool });
    await failureOf(first.query(plain(STATEMENTS.stuck), { ...patient(), timeoutMs: 50 }).then(drain));
    await first.close();
    await expect.poll(() => pool.counters.idle).toBe(1);
    const second = await open(connectionTo(server), { ...NODE_HOST, pool });
    expect(await rowsOf(second, ONE)).toEqual([[1]]);
    await second.close();
    expect([server.connections(), server.breaks()]).toEqual([1, 1]);
  });

  it("are replaced where the server has gone", async () => {
    const server = await fake();
    const { pool, ask } = await pooled(server);
    await ask(ONE);
    await expect.poll(() => pool.counters.idle).toBe(1);
    server.cut();
    await expect.poll(() => pool.counters.open).toBe(0);
    expect(await ask(ONE)).toEqual([[1]]);
    expect(server.connections()).toBe(2);
  });
});
