import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ResultStream } from "../../../src/result/types.ts";
import { eventually } from "../../support/eventually.ts";
import {
  ask,
  calling,
  connectTo,
  failureOf,
  makeWith,
  type Playground,
  playground,
  rowsOf,
  statement,
} from "./fixtures.ts";

let ground: Playground;
let connector: Connector;
let databases: Connector;

/** Returns no row, and takes hours. */
const ENDLESS = "SELECT count(*) FROM range(1000000000000) t(i) WHERE hash(i) % 7 = 3";
/** Gives rows for hours. */
const TORRENT = "SELECT i, 'row number ' || i AS text FROM range(1000000000000) t(i)";

beforeAll(async () => {
  ground = playground();
  ground.write("databases/.keep", "");
  await makeWith(
    ["CREATE TABLE t AS SELECT i, 'value ' || i AS s FROM range(300000) t(i)"],
    join(ground.root, "databases/numbers.duckdb"),
  );
  connector = await connectTo(ground);
  databases = await connectTo(ground, { url: "databases", format: "duckdb" });
});
afterAll(async () => {
  await connector.close();
  await databases.close();
  ground.remove();
});

async function pull(stream: ResultStream, batches: number): Promise<number> {
  let rows = 0;
  for (let i = 0; i < batches; i++) rows += (await stream.batches.next()).value?.length ?? 0;
  return rows;
}

/** Files below the playground that this process has open. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(ground.root) ? [target] : [];
    } catch {
      return [];
    }
  });
}

describe("rows come as they are pulled", () => {
  it("an answer without an end gives its first rows and stops when it is closed", async () => {
    const stream = await connector.query(statement(TORRENT), calling());
    expect(await pull(stream, 3)).toBe(3 * 2048);
    await stream.close();
    await stream.close();
  });

  it("leaving a loop ends the statement", async () => {
    const stream = await connector.query(statement(TORRENT), calling());
    for await (const batch of stream.batches) {
      expect(batch).toHaveLength(2048);
      break;
    }
    expect(await stream.batches.next()).toEqual({ done: true, value: undefined });
  });

  it("a stream that is closed before its first row ends too", async () => {
    const stream = await connector.query(statement(TORRENT), calling());
    await stream.batches.return?.();
    expect(await stream.batches.next()).toEqual({ done: true, value: undefined });
  });

  it("the end is told again when it is asked for again", async () => {
    const stream = await connector.query(statement("SELECT 1"), calling());
    expect(await rowsOf(stream)).toEqual([[1]]);
    expect(await stream.batches.next()).toEqual({ done: true, value: undefined });
  });

  it.each<[what: string, value: string]>([
    ["texts", "repeat(chr(97 + i::int % 26), 1000000)"],
    ["lists", "range(i, i + 200000)"],
  ])("rows of large %s come few at a time, each whole", async (_, value) => {
    const stream = await connector.query(
      statement(`SELECT i, ${value} AS v, [i, NULL] AS l, {'i': i} AS s FROM range(40) t(i)`),
      calling(),
    );
    const sizes: number[] = [];
    let next = 0n;
    for await (const batch of stream.batches) {
      sizes.push(batch.length);
      for (const [i, v, l, s] of batch) {
        expect([i, l, s]).toEqual([next, [next, null], [next]]);
        if (typeof v === "string")
          expect(v === String.fromCharCode(97 + (Number(next) % 26)).repeat(1_000_000)).toBe(true);
        else expect([(v as bigint[]).length, (v as bigint[])[0]]).toEqual([200_000, next]);
        next++;
      }
    }
    expect(next).toBe(40n);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5);
  });

  it("two statements of one connector run at the same time and do not see each other", async () => {
    const [a, b] = await Promise.all([
      connector.query(statement(TORRENT), calling()),
      connector.query(statement(TORRENT), calling()),
    ]);
    await pull(a, 2);
    await a.close();
    expect(await pull(b, 2)).toBe(4096);
    await b.close();
  });
});

describe.skipIf(process.platform !== "linux")("nothing stays open", () => {
  it.each<[how: string, end: (stream: ResultStream) => Promise<unknown>]>([
    ["read to the end", (stream) => rowsOf(stream)],
    ["closed with rows left", (stream) => stream.close()],
    ["closed after some rows", async (stream) => pull(stream, 2).then(() => stream.close())],
  ])("of a database whose rows were %s", async (_, end) => {
    const stream = await databases.query(statement("SELECT * FROM t"), calling());
    expect(openFiles()).toEqual([join(ground.root, "databases/numbers.duckdb")]);
    await end(stream);
    await eventually(() => expect(openFiles()).toEqual([]));
  });

  it("of a database whose reader went away between two pulls", async () => {
    const caller = new AbortController();
    const stream = await databases.query(statement("SELECT * FROM t"), calling({ signal: caller.signal }));
    await pull(stream, 1);
    caller.abort();
    await eventually(() => expect(openFiles()).toEqual([]));
    expect(await failureOf(stream.batches.next())).toMatchObject({ reason: "CANCELLED" });
  });
});

describe("failures after the first rows", () => {
  /** The binding ends these streams as if they were complete: the failure has to be found out. */
  it.each<[what: string, sql: string, expected: object]>([
    [
      "a cast",
      "SELECT CASE WHEN i = 500000 THEN 'x' || i ELSE i::varchar END::integer AS v FROM range(1000000) t(i)",
      {
        reason: "SOURCE_ERROR",
        engineCode: "Conversion",
        message: "Conversion Error: Could not convert string 'x500000' to INT32",
      },
    ],
    [
      "an overflow",
      "SELECT i + CASE WHEN i = 500000 THEN 9223372036854775807 ELSE 0 END AS v FROM range(1000000) t(i)",
      { reason: "SOURCE_ERROR", engineCode: "Out of Range" },
    ],
    [
      "an error of the SQL's own",
      "SELECT CASE WHEN i = 500000 THEN error('too far') ELSE 'ok' END AS v, i AS v FROM range(1000000) t(i)",
      { reason: "SOURCE_ERROR", message: "Invalid Input Error: too far" },
    ],
  ])("%s in row 500,000", async (_, sql, expected) => {
    const stream = await connector.query(statement(sql), calling());
    let rows = 0;
    const failure = await failureOf(
      (async () => {
        for await (const batch of stream.batches) rows += batch.length;
      })(),
    );
    expect(failure).toMatchObject(expected);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(500_000);
  });

  it("has the place in the SQL, whatever characters stand before it", async () => {
    const sql =
      "SELECT '😀é' AS text, CASE WHEN i = 500000 THEN 'x' ELSE i::varchar END::integer AS v FROM range(1000000) t(i)";
    const stream = await connector.query(statement(sql), calling());
    const failure = await failureOf(rowsOf(stream));
    expect(sql.slice(failure.position)).toMatch(/^::integer AS v/);
  });

  it("that do not happen again are failures all the same", async () => {
    const flag = join(ground.root, "flag.txt");
    ground.write("flag.txt", "fail");
    const sql = `SELECT CASE WHEN i = 500000 AND (SELECT content FROM read_text('${flag}')) = 'fail' THEN error('once') ELSE 'ok' END AS v FROM range(1000000) t(i)`;
    const stream = await connector.query(statement(sql), calling());
    await pull(stream, 1);
    ground.write("flag.txt", "succeed");
    expect(await failureOf(rowsOf(stream))).toMatchObject({
      reason: "SOURCE_ERROR",
      message: "The statement failed before its last row, and the engine lost the reason.",
    });
  });

  it("in a file are told with the file's name below the root", async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `${i},text\n`).join("");
    ground.write("late.csv", `x,y\n${lines}not a number,text\n`);
    const failure = await failureOf(ask(connector, 'SELECT * FROM "late.csv"', "late.csv"));
    expect(failure).toMatchObject({ reason: "SOURCE_ERROR", engineCode: "Conversion" });
    expect(failure.message).toBe('Line 60002 of "late.csv": "not a number" in the column "x" is no BIGINT.');
    expect(failure.position).toBeUndefined();
  });
});

describe("abort and time", () => {
  it.each<[what: string, sql: string]>([
    ["a statement that gives nothing", ENDLESS],
    ["a sort", "SELECT i FROM range(1000000000) t(i) ORDER BY hash(i)"],
    ["a join", "SELECT count(*) FROM range(1000000) a(i), range(1000000) b(j) WHERE hash(i + j) = 1"],
  ])("an abort ends %s", async (_, sql) => {
    const caller = new AbortController();
    const asked = connector.query(statement(sql), calling({ signal: caller.signal }));
    const failing = failureOf(asked);
    setImmediate(() => caller.abort());
    expect(await failing).toMatchObject({ reason: "CANCELLED" });
  });

  it("an abort that was there before stops the statement from starting", async () => {
    const failure = await failureOf(connector.query(statement(ENDLESS), calling({ signal: AbortSignal.abort() })));
    expect(failure.reason).toBe("CANCELLED");
  });

  it("time that passes before the first row, and between pulls", async () => {
    const none = await failureOf(connector.query(statement(ENDLESS), calling({ timeoutMs: 100 })));
    expect(none).toMatchObject({ reason: "STATEMENT_TIMEOUT", message: "The statement ran longer than 100 ms." });
    const stream = await connector.query(statement(TORRENT), calling({ timeoutMs: 300 }));
    const late = await failureOf(rowsOf(stream));
    expect(late.reason).toBe("STATEMENT_TIMEOUT");
  });

  it.skipIf(process.platform !== "linux")("the engine's threads are gone afterwards", async () => {
    const threads = (): number => readdirSync("/proc/self/task").length;
    await ask(connector, "SELECT 1");
    const before = threads();
    const busy = await connectTo(ground, {}, { threads: 8 });
    const failing = failureOf(busy.query(statement(ENDLESS), calling({ timeoutMs: 200 })));
    await eventually(() => expect(threads()).toBeGreaterThan(before));
    await failing;
    await busy.close();
    expect(threads()).toBeLessThanOrEqual(before);
  });

  it("closing the connector ends what runs, and refuses what comes", async () => {
    const closing = await connectTo(ground);
    const running = failureOf(closing.query(statement(ENDLESS), calling()));
    const stream = await closing.query(statement(TORRENT), calling());
    await closing.close();
    await closing.close();
    expect((await running).reason).toBe("CANCELLED");
    expect((await failureOf(stream.batches.next())).reason).toBe("CANCELLED");
    expect((await failureOf(closing.query(statement("SELECT 1"), calling()))).reason).toBe("CANCELLED");
    expect((await failureOf(closing.dryRun(statement("SELECT 1"), calling()))).reason).toBe("CANCELLED");
  });
});

describe("dry run", () => {
  it("says nothing about a good statement, and does not run it", async () => {
    expect(await connector.dryRun(statement(ENDLESS), calling({ timeoutMs: 5000 }))).toEqual({});
    expect(await connector.dryRun(statement("SELECT error('never raised') FROM range(3) t(i)"), calling())).toEqual({});
  });
});

describe("memory", () => {
  it("is limited, and running out of it is a failure of the statement alone", async () => {
    const tight = await connectTo(ground, {}, { memory: "64MB", temporaryLimit: "1MB" });
    const sql = "SELECT list(i || ' is a text of some length') AS l FROM range(5000000) t(i)";
    expect(await failureOf(ask(tight, sql))).toMatchObject({
      reason: "SOURCE_OUT_OF_MEMORY",
      engineCode: "Out of Memory",
    });
    expect((await ask(tight, "SELECT 1")).rows).toEqual([[1]]);
    await tight.close();
  });

  it("spills to a directory that is gone afterwards", async () => {
    const tight = await connectTo(ground, {}, { memory: "64MB" });
    const sql = "SELECT hash(i) AS h FROM range(8000000) t(i) ORDER BY h";
    const stream = await tight.query(statement(sql), calling({ timeoutMs: 60_000 }));
    const spill = join(ground.base, "spill");
    expect(readdirSync(spill)).toHaveLength(1);
    await stream.close();
    expect(readdirSync(spill)).toEqual([]);
    await tight.close();
  });
});
