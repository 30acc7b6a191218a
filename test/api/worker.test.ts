/** The true bundle in workerd: what only the platform can show, and a walk through the paths that need no data source. */
import { request } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

const MANIFEST = Buffer.from(
  JSON.stringify({
    catalog: "c",
    schema: "s",
    models: [
      { name: "m", tableReference: { schema: "public", table: "m" }, columns: [{ name: "a", type: "integer" }] },
    ],
  }),
).toString("base64");

const QUERY = "/v3/connector/postgres/query";

describe("the Worker", () => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = await startWorker({
      AUTH: "none",
      ALLOW_PRIVATE_HOSTS: "true",
      MAX_BODY_BYTES: "100000",
    });
  });

  it("answers health, documentation and its description", async () => {
    expect(await (await worker.fetch("/health")).json()).toEqual({ status: "ok" });
    const root = await worker.fetch("/");
    expect([root.status, root.headers.get("location")]).toEqual([307, "/docs"]);
    expect(await (await worker.fetch("/docs")).text()).toContain("<title>Siskin</title>");
    expect(await (await worker.fetch("/openapi.json")).json()).toMatchObject({ openapi: "3.1.1" });
  });

  it("answers what comes after a refused body", async () => {
    for (let round = 0; round < 5; round++) {
      const chunked = new Blob(["x".repeat(150_000)]).stream();
      const init = { method: "POST", body: chunked, duplex: "half" } as RequestInit;
      expect((await worker.fetch("/v3/connector/dry-plan", init)).status).toBe(413);
      expect((await worker.post("/v3/connector/dry-plan", { sql: "x".repeat(150_000) })).status).toBe(413);
      // Nobody reads this one's body: every POST of a known path does.
      expect((await worker.post("/v3/connector/nothing", { sql: "x".repeat(150_000) })).status).toBe(404);
      expect((await worker.fetch("/health")).status).toBe(200);
      expect((await worker.post("/v3/connector/dry-plan", {})).status).toBe(422);
    }
  });

  it("answers the shapes of errors", async () => {
    expect((await worker.fetch("/nothing")).status).toBe(404);
    expect((await worker.fetch("/config", { method: "PATCH" })).status).toBe(405);
    const redirect = await worker.fetch("/v3/connector/dry-plan/?x=1", { method: "POST" });
    expect([redirect.status, redirect.headers.get("location")]).toEqual([307, "/v3/connector/dry-plan?x=1"]);
    expect(await (await worker.post("/v3/connector/dry-plan", { sql: 1 })).json()).toMatchObject({
      detail: [{ type: "string_type" }, { type: "missing" }],
    });
    expect(
      await (await worker.post("/v3/connector/s3_file/query", { sql: "", manifestStr: "", connectionInfo: {} })).json(),
    ).toMatchObject({
      errorCode: "INVALID_CONNECTION_INFO",
    });
    expect(await (await worker.post(QUERY, { sql: "", manifestStr: "", connectionInfo: {} })).json()).toMatchObject({
      errorCode: "INVALID_CONNECTION_INFO",
    });
    expect((await worker.post("/v3/connector/dry-plan", { sql: "x".repeat(100_000) })).status).toBe(413);
  });

  it("plans", async () => {
    const response = await worker.post("/v3/connector/postgres/dry-plan", {
      sql: "SELECT a FROM m",
      manifestStr: MANIFEST,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatch(/^SELECT/);
  });

  it("unpacks gzip, and refuses what is none", async () => {
    const body = gzipSync(JSON.stringify({ sql: "SELECT a FROM m", manifestStr: MANIFEST }));
    const headers = { "content-encoding": "gzip" };
    expect((await worker.fetch("/v3/connector/dry-plan", { method: "POST", body, headers })).status).toBe(200);
    const broken = await worker.fetch("/v3/connector/dry-plan", {
      method: "POST",
      body: body.subarray(0, 20),
      headers,
    });
    expect(await broken.json()).toMatchObject({ detail: [{ type: "gzip_invalid" }] });
    const bomb = gzipSync(Buffer.alloc(10_000_000, 32));
    expect((await worker.fetch("/v3/connector/dry-plan", { method: "POST", body: bomb, headers })).status).toBe(413);
  });

  it("reads headers as UTF-8 and refuses bytes that are none", async () => {
    const body = JSON.stringify({ sql: "SELECT a FROM m", manifestStr: MANIFEST });
    const send = (value: Buffer) =>
      raw(worker, "/v3/connector/dry-plan", "POST", { "x-wren-variable-city": value.toString("latin1") }, body);
    expect((await send(Buffer.from("'Zürich 東京'"))).status).toBe(200);
    const refused = await send(Buffer.from([0x27, 0xe9, 0x27]));
    expect(JSON.parse(refused.text)).toMatchObject({ metadata: { reason: "SESSION_PROPERTY_INVALID" } });
  });

  it("routes a GET with a body", async () => {
    const body = JSON.stringify({ manifestStr: MANIFEST, sql: "SELECT 1" });
    const answer = await raw(
      worker,
      "/v2/analysis/sql",
      "GET",
      { "content-length": String(Buffer.byteLength(body)) },
      body,
    );
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([200, [{ isSubqueryOrCte: false }]]);
  });
});

describe("a client that goes", () => {
  let server: Server;
  const connected = Promise.withResolvers<Socket>();
  beforeAll(async () => {
    // A host that takes the connection and never says a word.
    server = createServer((socket) => {
      socket.on("error", () => undefined);
      connected.resolve(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it("takes the connection to the data source with it", async () => {
    const worker = await startWorker({
      AUTH: "none",
      ALLOW_PRIVATE_HOSTS: "true",
      MAX_BODY_BYTES: "100000",
      // Longer than the test may take: it is the departure that ends the connection, not the clock.
      CONNECT_TIMEOUT_MS: "300000",
    });
    const { port } = server.address() as { port: number };
    const connectionInfo = { host: "127.0.0.1", port, database: "d", user: "u", password: "p" };
    const body = JSON.stringify({ sql: "SELECT a FROM m", manifestStr: MANIFEST, connectionInfo });
    const client = connect(Number(new URL(worker.runtimeUrl).port), "127.0.0.1");
    client.write(`POST ${QUERY} HTTP/1.1\r\nHost: siskin.test\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const socket = await connected.promise;
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.resume();
    client.resetAndDestroy();
    await closed;
  });
});

describe("clients that take all there is", () => {
  const settings = { AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", CONNECT_TIMEOUT_MS: "300000" };
  const sent = (port: number, head: string, body: string): Socket => {
    const client = connect(port, "127.0.0.1");
    client.on("error", () => undefined);
    client.write(`POST ${QUERY} HTTP/1.1\r\nHost: siskin.test\r\n${head}\r\n\r\n${body}`);
    return client;
  };
  const planned = (worker: RunningWorker): Promise<number> =>
    worker
      .post("/v3/connector/dry-plan", { sql: "SELECT a FROM m", manifestStr: MANIFEST, dataSource: "postgres" })
      .then(({ status }) => status);

  it("make way when their source is silent, whether or not they closed their side", async () => {
    let reached = 0;
    const all = Promise.withResolvers<void>();
    const silent = createServer((socket) => {
      socket.on("error", () => undefined);
      if (++reached === 4) all.resolve();
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const worker = await startWorker({ ...settings, MAX_IN_FLIGHT: "4", PLACE_HOLD_MS: "300" });
    const { port } = silent.address() as { port: number };
    const connectionInfo = { host: "127.0.0.1", port, database: "d", user: "u", password: "p" };
    const body = JSON.stringify({ sql: "SELECT a FROM m", manifestStr: MANIFEST, connectionInfo });
    const clients = Array.from({ length: 4 }, () =>
      sent(Number(new URL(worker.runtimeUrl).port), `Content-Length: ${body.length}`, body),
    );
    await all.promise;
    for (const client of clients) client.end();
    expect(await planned(worker)).toBe(200);
    expect(await Promise.all([planned(worker), planned(worker)])).toEqual([200, 200]);
    for (const client of clients) client.destroy();
    silent.close();
  });

  it("make way when their bodies drip", async () => {
    const worker = await startWorker({ ...settings, MAX_ARRIVING: "4" });
    const clients = Array.from({ length: 12 }, () =>
      sent(Number(new URL(worker.runtimeUrl).port), "Content-Length: 10", "{"),
    );
    const answers = clients.map((client) => new Promise((resolve) => client.once("data", resolve)));
    // Eight found no room among bodies as young as their own.
    await Promise.any(answers);
    await eventually(async () => expect(await planned(worker)).toBe(200));
    for (const client of clients) client.destroy();
  });
});

describe("a client that drips", () => {
  // A Worker of its own: the local proxy breaks the next request on a connection whose body was read in part.
  it("stops waiting for a body that drips", async () => {
    const worker = await startWorker({ AUTH: "none", BODY_TIMEOUT_MS: "300" });
    const started = performance.now();
    const answer = await new Promise<number>((resolve, reject) => {
      const outgoing = request(worker.url + QUERY, { method: "POST" }, (response) => {
        resolve(response.statusCode ?? 0);
        response.resume();
        outgoing.destroy();
      });
      outgoing.on("error", reject);
      outgoing.write("{");
    });
    expect(answer).toBe(408);
    expect(performance.now() - started).toBeGreaterThan(250);
  });
});

describe("a Worker with wrong settings", () => {
  it.each([
    ["without AUTH", {}],
    ["with AUTH that is not available", { AUTH: "jwt" }],
    ["with a mistyped setting", { AUTH: "none", V2_PROFIL: "modern" }],
    // Each starts a Worker of its own, for which a busy machine takes longer than tests may.
  ])("%s serves nothing and tells nothing", async (_what, variables) => {
    const worker = await startWorker(variables as Record<string, string>);
    for (const path of ["/health", "/docs", QUERY]) {
      const response = await worker.fetch(path);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({
        errorCode: "GENERIC_INTERNAL_ERROR",
        message: "The service is not configured; its log says what is missing.",
        correlationId: response.headers.get("x-correlation-id"),
      });
    }
  });
});

interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** Through `node:http`, which sends header bytes and bodies that `fetch` refuses to send. */
function raw(
  worker: RunningWorker,
  path: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(worker.url + path, { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.on("error", reject);
    // Sent as bytes: together with a text, Node would send the headers in the text's encoding.
    outgoing.end(Buffer.from(body));
  });
}
