/** The maker's client on the whole service in workerd, over a real PostgreSQL. */
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { messageOf } from "./mcp-app.ts";
import { connected, type Era, type McpService, startMcpService } from "./mcp-service.ts";

const MANIFEST = {
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "numbers",
      tableReference: { schema: "public", table: "numbers" },
      columns: [
        { name: "n", type: "BIGINT" },
        { name: "word", type: "VARCHAR" },
      ],
    },
    {
      name: "wide",
      tableReference: { schema: "public", table: "wide" },
      columns: Array.from({ length: 50 }, (_, index) => ({ name: `c${index}`, type: "VARCHAR" })),
    },
  ],
};

/** It runs for hours: each row is compared with a billion. */
const ENDLESS =
  "SELECT count(*) AS c FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers d WHERE a.n + b.n + d.n = -1";

let database: TestDatabase;
let service: McpService;
beforeAll(async () => {
  database = await startPostgres();
  const client = await database.connect();
  await client.query("CREATE TABLE numbers AS SELECT n::bigint, 'w' || n AS word FROM generate_series(1, 100000) AS n");
  const columns = Array.from({ length: 50 }, (_, index) => `'value ' || n AS c${index}`).join(", ");
  await client.query(`CREATE VIEW wide AS SELECT ${columns} FROM generate_series(1, 1000000) AS n`);
  const connectionInfo = { connectionUrl: database.url };
  const numbers = { dataSource: "postgres", connectionInfo, manifest: MANIFEST } as const;
  // Not probed: where other tests keep the machine busy, a thousand calls can hold the loop for longer than three intervals.
  service = await startMcpService({ numbers }, { PROBE_INTERVAL_MS: "0" });
}, 120_000);
afterAll(async () => {
  await service?.close();
  await database?.stop();
});

/** How many statements run at the source. */
async function running(): Promise<number> {
  const client = await database.connect();
  try {
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND (query LIKE '%numbers%' OR query LIKE '%wide%') AND query NOT LIKE '%pg_stat_activity%' AND datname = current_database()",
    );
    return rows[0].n as number;
  } finally {
    await client.end();
  }
}

describe.each(["modern", "legacy"] satisfies Era[])("the maker's client, %s", (era) => {
  it("lists, reads and calls", async () => {
    const client = await connected(`${service.url}/mcp/numbers`, era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...["search", "describe", "values", "check", "query", "query_cube", "functions"],
    ]);
    const { contents } = await client.readResource({ uri: "siskin://numbers/model/numbers" });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining("- n bigint") as string });
    const answer = await client.callTool({
      name: "query",
      arguments: { sql: "SELECT n FROM numbers ORDER BY n", limit: 2 },
    });
    expect(answer.structuredContent).toMatchObject({ rows: [[1], [2]], truncated: true });
    await client.close();
  });

  it("ends the statement at the source when it cancels", async () => {
    const client = await connected(`${service.url}/mcp/numbers`, era);
    const stop = new AbortController();
    const call = client.callTool({ name: "query", arguments: { sql: ENDLESS } }, { signal: stop.signal });
    call.catch(() => undefined);
    await eventually(async () => expect(await running()).toBe(1));
    stop.abort();
    await expect(call).rejects.toThrow();
    // A client of the revision before sends a notice to a server that keeps no session: it has to close the stream, too.
    await client.close();
    await eventually(async () => expect(await running()).toBe(0));
  });
});

describe("a million rows of fifty columns", () => {
  it.each([undefined, 10_000])("are cut to 60,000 characters, and the answer says so: limit %s", async (limit) => {
    const given = { sql: "SELECT * FROM wide", ...(limit !== undefined && { limit }) };
    const { headers, body } = messageOf("", "tools/call", { name: "query", arguments: given });
    const response = await fetch(`${service.url}/mcp/numbers`, { method: "POST", headers, body });
    const text = await response.text();
    const { result } = JSON.parse(text.slice(text.indexOf("{"))) as {
      readonly result: {
        readonly content: readonly { readonly text: string }[];
        readonly structuredContent: { readonly rowCount: number; readonly truncated: boolean };
      };
    };
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(60_000);
    expect(result.content[0]?.text).toMatch(
      /^TRUNCATED: the first \d+ rows only, because the answer would be too long\./,
    );
    expect(result.structuredContent.truncated).toBe(true);
    expect(result.structuredContent.rowCount).toBeGreaterThan(10);
    await eventually(async () => expect(await running()).toBe(0));
  });
});

/** A connection is reset, or closed as browsers and libraries close it. */
describe.each(["closes", "resets"] as const)("a client that %s its connection", (way) => {
  it("ends the statement at the source, and has its line in the log", async () => {
    const before = service.output().length;
    const { headers, body } = messageOf("", "tools/call", { name: "query", arguments: { sql: ENDLESS } });
    const asked = request(`${service.url}/mcp/numbers`, { method: "POST", headers });
    asked.on("error", () => undefined);
    asked.end(body);
    await eventually(async () => expect(await running()).toBe(1));
    if (way === "closes") asked.destroy();
    else asked.socket?.resetAndDestroy();
    await eventually(async () => expect(await running()).toBe(0));
    await eventually(() => {
      expect(service.output().slice(before)).toMatch(/"route":"\/mcp\/:project".*"reason":"CANCELLED"/);
    });
  });
});

/** Body of an answer's first message, from JSON or from an event stream. */
async function firstRows(sql: string): Promise<unknown> {
  const { headers, body } = messageOf("", "tools/call", { name: "query", arguments: { sql } });
  const response = await fetch(`${service.url}/mcp/numbers`, { method: "POST", headers, body });
  const text = await response.text();
  const { result } = JSON.parse(text.slice(text.indexOf("{"))) as {
    readonly result?: { readonly structuredContent?: { readonly rows?: unknown } };
  };
  return result?.structuredContent?.rows;
}

describe("bad clients", () => {
  it("one that never reads holds no statement and no other client", async () => {
    const { headers, body } = messageOf("", "tools/call", { name: "query", arguments: { sql: "SELECT * FROM wide" } });
    const { port, host } = new URL(service.url);
    const lines = Object.entries({ ...headers, host, "content-length": String(Buffer.byteLength(body)) });
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(
      `POST /mcp/numbers HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
    );
    expect(await firstRows("SELECT n FROM numbers ORDER BY n LIMIT 1")).toEqual([[1]]);
    await eventually(async () => expect(await running()).toBe(0));
    socket.destroy();
  });

  it("a thousand open calls leave room for the next one once they are closed", { timeout: 200_000 }, async () => {
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
    const { headers, body } = messageOf("", "tools/call", { name: "query", arguments: { sql: ENDLESS } });
    const statuses = new Map<number, number>();
    const calls = Array.from({ length: 1000 }, () => {
      const asked = request(`${service.url}/mcp/numbers`, { method: "POST", headers, agent });
      asked.on("error", () => undefined);
      asked.on("response", (response) => {
        response.on("error", () => undefined);
        response.resume();
        const status = response.statusCode ?? 0;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      });
      asked.end(body);
      return asked;
    });
    // Calls beyond the places of the service are refused; the others have a stream, and run or wait for a connection.
    // The running statements take the processor from the thousand answers: 14 s on two cores that do nothing else.
    await eventually(
      async () => {
        expect([...statuses.keys()].sort()).toEqual([200, 503]);
        expect([...statuses.values()].reduce((sum, count) => sum + count)).toBe(1000);
        expect(await running()).toBeGreaterThan(0);
      },
      { seconds: 120 },
    );
    for (const call of calls) call.destroy();
    agent.destroy();
    await eventually(async () => expect(await running()).toBe(0));
    await eventually(async () => expect(await firstRows("SELECT n FROM numbers ORDER BY n LIMIT 1")).toEqual([[1]]));
  });
});
