/** The engine in workerd: files come by ranges while a statement waits for them, and the engine's memory stays below a limit. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_startWorker } from "wrangler";
import { writeEngineParts } from "../../../scripts/service/engine-parts.ts";
import { makeWith } from "../../sidecar/duckdb/fixtures.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import type { EngineState, FilesAnswer, FilesCall } from "./worker.ts";

type Started = Awaited<ReturnType<typeof unstable_startWorker>>;

const LARGE = `n,text\n${Array.from({ length: 400_000 }, (_, i) => `${i},${"x".repeat(40)}${i % 10}`).join("\n")}\n`;
const FILES = new Map([
  ["a b/ünï %2F.csv", Buffer.from("a,b\n9223372036854775807,x\n2,\n")],
  ["large.csv", Buffer.from(LARGE)],
  ["cut.csv", Buffer.from(LARGE)],
  ["large.csv.gz", gzipSync(LARGE)],
  ["large.json.gz", gzipSync(json(100_000))],
  ["cut.csv.gz", gzipSync(LARGE).subarray(0, 100_000)],
  ["members.csv.gz", Buffer.concat([gzipSync("n\n1\n"), gzipSync("2\n")])],
  ["large.csv.zst", Buffer.concat([zstdCompressSync(LARGE), zstdCompressSync("400000,y\n")])],
  ["cut.csv.zst", zstdCompressSync(LARGE).subarray(0, -3)],
  ["large.json.zst", Buffer.concat([zstdCompressSync(json(100_000)), zstdCompressSync('{"n":1}')])],
  ["line.csv", Buffer.alloc(100_000_000, "a")],
  ["bomb.csv.gz", gzipBomb()],
  ["bomb.csv.zst", zstdBomb()],
]);

function json(count: number): string {
  return Array.from({ length: count }, (_, i) => `{"n":${i},"text":"${"x".repeat(40)}${i % 10}"}\n`).join("");
}

/** A gigabyte of empty lines below a name, in a megabyte. */
function gzipBomb(): Buffer {
  const block = Buffer.alloc(64 * 1024 * 1024, "\n");
  return gzipSync(Buffer.concat([Buffer.from("n\n1\n"), ...Array.from({ length: 16 }, () => block)]), { level: 1 });
}

function zstdBomb(): Buffer {
  const frame = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024, "\n"));
  return Buffer.concat([zstdCompressSync("n\n1\n"), ...Array.from({ length: 64 }, () => frame)]);
}

/** Part of the 128 MB of an isolate, which workerd itself does not enforce. */
const MOST_BYTES = 100 * 1024 * 1024;

let server: S3Server;
let worker: Started;

beforeAll(async () => {
  server = await startS3Server();
  for (const [name, content] of FILES) server.objects.set(name, content);
  await makeParquet();
  await writeEngineParts();
  worker = await unstable_startWorker({
    config: fileURLToPath(new URL("./wrangler.toml", import.meta.url)),
    dev: {
      // Other processes write the engine's parts, too; a reload would end the requests that run.
      watch: false,
      server: { hostname: "127.0.0.1", port: 0 },
      inspector: false,
      logLevel: "none",
    },
  });
  await worker.ready;
  // Until wrangler has built it; no engine is started by it.
  await worker.fetch("http://files/");
}, 120_000);

afterAll(async () => {
  await worker?.dispose();
  await server?.close();
});

async function makeParquet(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-parquet-"));
  try {
    const large = "SELECT i AS n, repeat('x', 40) || i % 10 AS text FROM range(280000) t(i)";
    const larger = "SELECT i AS a, i * 2 AS b, i / 3 AS c FROM range(1000000) t(i)";
    const key = "CASE i WHEN 0 THEN 0 WHEN 1 THEN 99999 ELSE (i % 500) * 10 + g END";
    const keys = `SELECT ${key} AS key, md5(i || 'of' || g) AS note FROM range(10) a(g), range(20480) b(i) ORDER BY g, i`;
    const wide = Array.from({ length: 10_000 }, (_, index) => `i + ${index} AS c${index}`);
    await makeWith([
      `COPY (SELECT ${wide.join(", ")} FROM range(3) t(i)) TO '${directory}/wide.parquet' (FORMAT parquet)`,
      `COPY (${large}) TO '${directory}/large.parquet' (FORMAT parquet, ROW_GROUP_SIZE 40960)`,
      `COPY (${keys}) TO '${directory}/keys.parquet' (FORMAT parquet, ROW_GROUP_SIZE 20480)`,
      `COPY (${larger}) TO '${directory}/larger.parquet' (FORMAT parquet)`,
    ]);
    for (const name of ["keys.parquet", "large.parquet", "larger.parquet", "wide.parquet"])
      server.objects.set(name, readFileSync(join(directory, name)));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

interface Asking {
  readonly timeoutMs?: number;
  /** Scans of every file. */
  readonly scans?: FilesCall["scans"];
  readonly isolation?: string;
}

async function ask(
  sql: string,
  names: readonly string[] = [],
  { timeoutMs = 60_000, scans, isolation }: Asking = {},
): Promise<FilesAnswer> {
  const connectionInfo = server.connectionInfo();
  const call: FilesCall = {
    connectionInfo,
    names,
    sql,
    timeoutMs,
    ...(scans && { scans }),
    ...(isolation !== undefined && { isolation }),
  };
  const response = await worker.fetch("http://files/", { method: "POST", body: JSON.stringify(call) });
  return (await response.json()) as FilesAnswer;
}

describe("DuckDB's WASM in workerd", () => {
  it("reads what a server has, exactly", async () => {
    const name = "a b/ünï %2F.csv";
    expect(await ask(`SELECT * FROM "${name}"`, [name])).toMatchObject({
      ok: true,
      columns: [
        { name: "a", type: { kind: "int64" } },
        { name: "b", type: { kind: "string" } },
      ],
      rows: [
        ["9223372036854775807n", "x"],
        ["2n", null],
      ],
    });
  });

  it("a file larger than its share of memory, as it goes", async () => {
    const size = LARGE.length;
    server.bytes = 0;
    const answer = await ask('SELECT count(*), sum(n), max(text) FROM "large.csv"', ["large.csv"]);
    expect(answer).toMatchObject({ ok: true, rows: [["400000n", "79999800000", `${"x".repeat(40)}9`]] });
    expect(server.bytes).toBeLessThan(2 * size);
    expect(answer.engineBytes).toBeLessThan(MOST_BYTES);
  });

  it.each([
    ["is answered", 'SELECT n % 9, count(*) FROM "large.csv" GROUP BY 1', true],
    ["has more groups than there is room for", 'SELECT count(DISTINCT text || n) FROM "large.csv"', false],
    [
      "joins more than there is room for",
      'SELECT count(*) FROM "large.csv" t JOIN "large.csv" u ON t.text || t.n = u.text || u.n',
      false,
    ],
  ])("its memory, where a statement %s, leaves room for the rest of the isolate", async (_, sql, isAnswered) => {
    const answer = await ask(sql, ["large.csv"]);
    expect(answer).toMatchObject(isAnswered ? { ok: true } : { ok: false, reason: "NEEDS_SIDECAR" });
    expect(answer.engineBytes).toBeLessThan(MOST_BYTES);
    expect(await ask("SELECT 1")).toMatchObject({ ok: true, rows: [[1]] });
  });

  it("what the engine does not count of it leaves room, too", async () => {
    const answer = await ask("SELECT length(repeat('x', 200000000))");
    expect(answer).toMatchObject({ ok: false, reason: "NEEDS_SIDECAR" });
    expect(answer.engineBytes).toBeLessThan(MOST_BYTES);
    expect(await ask("SELECT 1")).toMatchObject({ ok: true, rows: [[1]] });
  });

  it("a statement that runs out of memory behind its first rows fails as that, and its engine is given up", async () => {
    const answer = await ask("SELECT i, repeat('x', CASE WHEN i > 50000 THEN 20000 ELSE 1 END) FROM range(60000) t(i)");
    expect(answer).toMatchObject({ ok: false, reason: "SOURCE_OUT_OF_MEMORY" });
    expect(answer).toHaveProperty("message", expect.stringMatching(/^Out of Memory Error: failed to allocate/));
    const next = await ask("SELECT 1");
    expect(next).toMatchObject({ ok: true, rows: [[1]] });
    expect(next.engineBytes).toBeLessThan(answer.engineBytes);
  });

  it("what fails behind the first rows is told as it would be before them", async () => {
    const answer = await ask("SELECT CASE WHEN i > 50000 THEN error('at last') ELSE i END FROM range(60000) t(i)");
    expect(answer).toMatchObject({ ok: false, reason: "SOURCE_ERROR", message: "Invalid Input Error: at last" });
  });

  it("a compressed file, which is unpacked to its end before its rows are answered", async () => {
    const answer = await ask('SELECT count(*), sum(n), max(text) FROM "large.csv.gz"', ["large.csv.gz"]);
    expect(answer).toMatchObject({ ok: true, rows: [["400000n", "79999800000", `${"x".repeat(40)}9`]] });
    expect(answer.engineBytes).toBeLessThan(MOST_BYTES);
    const members = await ask('SELECT * FROM "members.csv.gz"', ["members.csv.gz"]);
    expect(members).toMatchObject({ ok: true, rows: [["1n"], ["2n"]] });
  });

  it("every frame of Zstandard, as it goes", async () => {
    const answer = await ask('SELECT count(*), sum(n), max(text) FROM "large.csv.zst"', ["large.csv.zst"]);
    expect(answer).toMatchObject({ ok: true, rows: [["400001n", "80000200000", "y"]] });
    expect(answer.engineBytes).toBeLessThan(MOST_BYTES);
    const records = await ask('SELECT count(*), sum(n) FROM "large.json.zst"', ["large.json.zst"]);
    expect(records).toMatchObject({ ok: true, rows: [["100001n", "4999950001"]] });
  });

  it.each(["cut.csv.gz", "cut.csv.zst"])("of %s nothing", async (name) => {
    const refused = await ask(`SELECT n FROM "${name}" LIMIT 1`, [name]);
    expect(refused).toMatchObject({ ok: false, reason: "FILE_INVALID", message: `"${name}" is cut off or damaged.` });
  });

  it("JSON, with its memory", async () => {
    const sql = 'SELECT count(*), sum(n), max(text) FROM "large.json.gz"';
    const answer = await ask(sql, ["large.json.gz"]);
    expect(answer).toMatchObject({ ok: true, rows: [["100000n", "4999950000", `${"x".repeat(40)}9`]] });
    expect(answer.engineBytes).toBeLessThan(MOST_BYTES);
  });

  it("a line of a hundred megabytes is left to the sidecar, and is never in memory", async () => {
    const refused = await ask('SELECT * FROM "line.csv"', ["line.csv"]);
    expect(refused).toMatchObject({ ok: false, reason: "NEEDS_SIDECAR" });
    expect(refused.engineBytes).toBeLessThan(MOST_BYTES);
  });

  it("a footer of ten thousand columns is left to the sidecar, unread", async () => {
    server.bytes = 0;
    const refused = await ask('SELECT c9999 FROM "wide.parquet"', ["wide.parquet"]);
    expect(refused).toMatchObject({ ok: false, reason: "NEEDS_SIDECAR" });
    expect(server.bytes).toBeLessThanOrEqual(64 * 1024);
  });

  it.each(["bomb.csv.gz", "bomb.csv.zst"])(
    "%s is not unpacked for longer than its statement may take",
    async (name) => {
      const { reason } = (await ask(`SELECT n FROM "${name}" LIMIT 1`, [name], { timeoutMs: 300 })) as {
        reason?: string;
      };
      expect(reason).toBe("STATEMENT_TIMEOUT");
      expect(await ask("SELECT 1")).toMatchObject({ ok: true, rows: [[1]] });
    },
  );

  it("of a file that becomes another on the way, nothing", async () => {
    let asked = 0;
    // Another version, once its beginning has been read.
    server.fault = ({ method, key }) => {
      if (method === "GET" && key === "cut.csv" && ++asked === 3) server.objects.set(key, Buffer.from("n,text\n1,x\n"));
      return false;
    };
    const answer = await ask('SELECT count(*) FROM "cut.csv"', ["cut.csv"]);
    server.fault = undefined;
    expect(answer).toMatchObject({ ok: false, reason: "OBJECT_CHANGED" });
    expect(await ask("SELECT 1")).toMatchObject({ ok: true, rows: [[1]] });
  });

  it("several objects by a pattern, and no others", async () => {
    for (const number of [1, 2]) server.objects.set(`days/d${number}.csv`, Buffer.from(`v\n${number}\n`));
    server.objects.set("days/year=2024/d3.csv", Buffer.from("v\n3\n"));
    server.objects.set("days/year=2025/d4.csv.gz", gzipSync("v\n4\n"));
    expect(await ask('SELECT sum(v) FROM "days/*.csv"', ["days/*.csv"])).toMatchObject({ ok: true, rows: [["3"]] });
    const years = await ask('SELECT sum(v), max(year) FROM "days/*/*"', ["days/*/*"]);
    expect(years).toMatchObject({ ok: true, rows: [["7", "2025n"]] });
    const mixed = { ok: false, reason: "FILE_INVALID" };
    expect(await ask('SELECT * FROM "days/**/*.csv"', ["days/**/*.csv"])).toMatchObject(mixed);
    expect(await ask('SELECT * FROM "gone.csv"', ["gone.csv"])).toMatchObject({ ok: false, reason: "FILE_NOT_FOUND" });
  });

  it.each([
    ["csv", (text: string) => Buffer.from(text)],
    ["csv.gz", (text: string) => gzipSync(text)],
    ["csv.zst", (text: string) => zstdCompressSync(text)],
  ])("%s where directories do not rule it out, and of the others nothing", async (ending, packed) => {
    const folder = `apart-${ending}`;
    for (let year = 1980; year < 2020; year++) {
      // Neither of two is to be looked at.
      const bytes = year === 2012 ? Buffer.from([0xff, 0xfe, 0]) : packed(year === 2013 ? "x" : `n\n${year}\n`);
      server.objects.set(`${folder}/year=${year}/f.${ending}`, bytes);
    }
    const path = `${folder}/*/*`;
    const where = (value: number): FilesCall["scans"] => [
      {
        columns: ["n", "year"],
        filters: [{ column: "year", operator: "=", values: [{ kind: "number", text: String(value) }] }],
      },
    ];
    const before = server.requests.length;
    const sql = `SELECT sum(n), count(*) FROM "${path}" WHERE year = 2017`;
    expect(await ask(sql, [path], { scans: where(2017) })).toMatchObject({ ok: true, rows: [["2017", "1n"]] });
    const read = new Set(server.requests.slice(before).flatMap((request) => /year=\d+/.exec(request) ?? []));
    // The files that determine the columns, and one more.
    expect([...read].sort()).toEqual([...Array.from({ length: 10 }, (_, n) => `year=${1980 + n}`), "year=2017"]);
    const none = await ask(`SELECT count(*) FROM "${path}" WHERE year = 1900`, [path], { scans: where(1900) });
    expect(none).toMatchObject({ ok: true, rows: [["0n"]] });
  });

  it("Parquet in groups of rows, by ranges of the columns that are needed", async () => {
    const size = server.objects.get("large.parquet")?.length ?? 0;
    server.bytes = 0;
    const scans: FilesCall["scans"] = [
      { columns: ["n"], filters: [{ column: "n", operator: ">=", values: [{ kind: "number", text: "270000" }] }] },
    ];
    const some = await ask('SELECT count(*), sum(n) FROM "large.parquet" WHERE n >= 270000', ["large.parquet"], {
      scans,
    });
    expect(some).toMatchObject({ ok: true, rows: [["10000n", "2749995000"]] });
    expect(server.bytes).toBeLessThan(size / 4);
    const all = await ask('SELECT count(*), max(text), avg(n) FROM "large.parquet"', ["large.parquet"]);
    expect(all).toMatchObject({ ok: true, rows: [["280000n", `${"x".repeat(40)}9`, 139_999.5]] });
    expect(all.engineBytes).toBeLessThan(MOST_BYTES);
  });

  it("Parquet in those groups of rows whose filters know a value", async () => {
    const size = server.objects.get("keys.parquet")?.length ?? 0;
    server.bytes = 0;
    const scans: FilesCall["scans"] = [
      {
        columns: ["key", "note"],
        filters: [{ column: "key", operator: "=", values: [{ kind: "number", text: "1234" }] }],
      },
    ];
    const some = await ask('SELECT count(note) FROM "keys.parquet" WHERE key = 1234', ["keys.parquet"], { scans });
    expect(some).toMatchObject({ ok: true, rows: [["41n"]] });
    expect(server.bytes).toBeLessThan(size * 0.2);
  });

  it("Parquet of more than there is room for is not begun", async () => {
    server.bytes = 0;
    const refused = await ask('SELECT max(a) FROM "larger.parquet"', ["larger.parquet"]);
    expect(refused).toMatchObject({ ok: false, reason: "NEEDS_SIDECAR" });
    expect(refused).toHaveProperty(
      "message",
      expect.stringMatching(/at least \d{8} bytes of values, and has room for 16777216/),
    );
    expect(server.bytes).toBeLessThanOrEqual(64 * 1024);
  });

  it("several requests one after the other, and none that waits too long", async () => {
    const answers = await Promise.all(
      Array.from({ length: 7 }, (_, i) => ask(`SELECT ${i}, count(*) FROM "large.csv"`, ["large.csv"])),
    );
    const served = answers.filter((answer) => answer.ok);
    expect(served).toHaveLength(5);
    for (const answer of answers) {
      if (answer.ok) expect(answer.rows).toEqual([[answers.indexOf(answer), "400000n"]]);
      else expect(answer).toMatchObject({ reason: "OVERLOADED", retryAfter: 5 });
    }
  });

  it("ends a statement by its time and forgets it", async () => {
    const endless = "SELECT count(*) FROM range(1000000000000) t(i) WHERE hash(i) % 7 = 3";
    expect(await ask(endless, [], { timeoutMs: 500 })).toMatchObject({ ok: false, reason: "STATEMENT_TIMEOUT" });
    expect(await ask("SELECT count(*) FROM duckdb_views() WHERE NOT internal")).toMatchObject({ rows: [["0n"]] });
  });
});

describe("callers in turn", () => {
  const SQL = 'SELECT sum(n) FROM "small.csv"';
  const count = (isolation: string): Promise<FilesAnswer> => ask(SQL, ["small.csv"], { isolation });
  const state = async (): Promise<EngineState> => (await worker.fetch("http://files/")).json() as Promise<EngineState>;
  const spare = (): Promise<void> =>
    expect.poll(async () => (await state()).spareMemory, { timeout: 20_000 }).toBeGreaterThan(0);

  beforeAll(() => {
    server.objects.set("small.csv", Buffer.from("n\n1\n2\n"));
  });

  it("get instances of their own, from a spare that nobody had, and one caller keeps its own", async () => {
    await count("ann");
    await count("bob");
    await spare();
    const before = await state();
    const cid = await count("cid");
    expect(cid).toMatchObject({ ok: true, rows: [["3"]], starts: before.starts, used: before.used + 1 });
    await spare();
    const after = await state();
    for (let call = 0; call < 3; call++) {
      expect(await count("cid")).toMatchObject({ ok: true, starts: after.starts, used: cid.used });
    }
  });

  it("at once get an instance each", async () => {
    const before = await state();
    const answers = await Promise.all(["dan", "eve", "dan", "eve"].map(count));
    expect(answers.map((answer) => answer.ok && answer.rows)).toEqual(Array(4).fill([["3"]]));
    expect((await state()).used - before.used).toBe(4);
  });

  it("leave instances that are collected by themselves", async () => {
    const { starts } = await state();
    for (let turn = 0; turn < 40; turn++) await count(`turn ${turn % 3}`);
    // The spare for the next caller starts after the answer.
    await expect.poll(async () => (await state()).starts - starts, { timeout: 20_000 }).toBeGreaterThanOrEqual(40);
    expect((await state()).alive).toBeLessThan(20);
  });
});
