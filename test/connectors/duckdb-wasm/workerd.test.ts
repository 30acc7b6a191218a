/** The engine in workerd: files come by ranges while a statement waits for them, and the engine's memory stays below a limit. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_startWorker } from "wrangler";
import { writeTrampolines } from "../../../scripts/service/trampolines.ts";
import type { FilesAnswer, FilesCall } from "./worker.ts";

type Started = Awaited<ReturnType<typeof unstable_startWorker>>;

const LARGE = `n,text\n${Array.from({ length: 400_000 }, (_, i) => `${i},${"x".repeat(40)}${i % 10}`).join("\n")}\n`;
const FILES = new Map([
  ["a b/ünï %2F.csv", Buffer.from("a,b\n9223372036854775807,x\n2,\n")],
  ["large.csv", Buffer.from(LARGE)],
  ["cut.csv", Buffer.from(LARGE)],
]);

let server: Server;
let origin: string;
let worker: Started;
let bytesRead = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? "").slice(1));
    const content = FILES.get(name) ?? Buffer.alloc(0);
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
    if (name === "cut.csv" && Number(start) > 4_000_000) return void response.writeHead(500).end();
    if (start === undefined) return void response.writeHead(200, { "content-length": content.length }).end();
    const part = content.subarray(Number(start), Number(end) + 1);
    bytesRead += part.length;
    response.writeHead(206, { "content-length": part.length }).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await writeTrampolines();
  worker = await unstable_startWorker({
    config: fileURLToPath(new URL("./wrangler.toml", import.meta.url)),
    dev: { server: { hostname: "127.0.0.1", port: 0 }, inspector: false, logLevel: "none" },
  });
  await worker.ready;
}, 120_000);

afterAll(async () => {
  await worker?.dispose();
  server?.close();
});

async function ask(sql: string, names: readonly string[] = [], timeoutMs = 20_000): Promise<FilesAnswer> {
  const call: FilesCall = { origin, names, sql, timeoutMs };
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
    bytesRead = 0;
    const answer = await ask('SELECT count(*), sum(n), max(text) FROM "large.csv"', ["large.csv"]);
    expect(answer).toMatchObject({ ok: true, rows: [["400000n", "79999800000", `${"x".repeat(40)}9`]] });
    expect(bytesRead).toBeLessThan(2 * size);
    if (answer.ok) expect(answer.engineBytes).toBeLessThan(100 * 1024 * 1024);
  });

  it("of a file that fails on the way, nothing", async () => {
    expect(await ask('SELECT count(*) FROM "cut.csv"', ["cut.csv"])).toMatchObject({
      ok: false,
      reason: "UPSTREAM_PROTOCOL",
    });
    expect(await ask("SELECT 1")).toMatchObject({ ok: true, rows: [[1]] });
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
    expect(await ask(endless, [], 500)).toMatchObject({ ok: false, reason: "STATEMENT_TIMEOUT" });
    expect(await ask("SELECT count(*) FROM duckdb_views() WHERE NOT internal")).toMatchObject({ rows: [["0n"]] });
  });
});
