/** A server of ClickHouse that sends a long text in small pieces: reading it held the sidecar, in one thread for all callers. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "../support/service.ts";

const HEADERS = {
  "x-clickhouse-format": "RowBinaryWithNamesAndTypes",
  "x-clickhouse-exception-tag": "abcdefghijklmnop",
};
const COLUMN = Buffer.concat([Buffer.from([1, 2]), Buffer.from("id"), Buffer.from([6]), Buffer.from("String")]);
const LENGTH = 15_000_000;
const PIECE = Buffer.alloc(4096, "x");

let service: RunningService;
let server: Server;
let port: number;
let attacks = 0;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let sql = "";
    for await (const chunk of request) sql += chunk;
    response.writeHead(200, HEADERS);
    if (!sql.includes("attack")) {
      response.end(Buffer.concat([COLUMN, Buffer.from([1]), Buffer.from("7")]));
      return;
    }
    attacks++;
    const closed = once(response, "close");
    // The length of the text, seven bits a byte.
    const counted = [0, 7, 14, 21].map((bits) => ((LENGTH >> bits) & 127) | (bits < 21 ? 128 : 0));
    response.write(Buffer.concat([COLUMN, Buffer.from(counted)]));
    for (let sent = 0; sent < LENGTH && !response.destroyed; sent += PIECE.length) {
      const hasRoom = response.write(PIECE.subarray(0, Math.min(PIECE.length, LENGTH - sent)));
      if (!hasRoom) await Promise.race([once(response, "drain"), closed]);
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  service = await startService();
});
afterAll(() => {
  // A process that reads for long hears no other signal.
  if (service?.pid !== undefined) process.kill(-service.pid, "SIGKILL");
  server?.closeAllConnections();
  server?.close();
});

async function asked(sql: string) {
  const models = [{ name: "t", tableReference: { table: "t" }, columns: [{ name: "id", type: "VARCHAR" }] }];
  const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models })).toString("base64");
  const connectionInfo = { host: "127.0.0.1", port, database: "default", user: "ann", password: "word" };
  const response = await fetch(`${service.url}/v3/connector/clickhouse/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql, manifestStr, connectionInfo }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined);
  if (response === undefined) return { status: "no answer" };
  const text = await response.text();
  return { status: response.status, length: text.length, text: text.slice(0, 200) };
}

it("another caller is answered while it is read", async () => {
  expect(await asked("SELECT id FROM t")).toMatchObject({ status: 200, text: expect.stringContaining('[["7"]]') });
  const long = [1, 2, 3].map((count) => asked(`SELECT id FROM t WHERE id = 'attack ${count}'`));
  await expect.poll(() => attacks).toBe(3);
  for (let count = 0; count < 3; count++) {
    expect(await asked("SELECT id FROM t")).toMatchObject({ status: 200, text: expect.stringContaining('[["7"]]') });
  }
  for (const { status, length } of await Promise.all(long)) {
    expect([status, length ?? 0]).toEqual([200, expect.closeTo(LENGTH, -4)]);
  }
}, 120_000);
