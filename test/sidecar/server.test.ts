import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createSidecarServer, type SidecarServer, type SidecarServerOptions } from "../../sidecar/server.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { SIDECAR } from "../../src/connectors/node-sidecar/node-sidecar.ts";
import { remoteConnector } from "../../src/connectors/remote/client.ts";
import { PROTOCOL_VERSION } from "../../src/connectors/remote/protocol.ts";
import { type SignedParts, sign } from "../../src/connectors/remote/signature.ts";
import { signedFetch } from "../../src/connectors/remote/signed-fetch.ts";
import { drain, failureOf } from "../connectors/contract.ts";
import { calling, FakeConnector, STATEMENT } from "../connectors/remote/fakes.ts";
import { eventually } from "../support/eventually.ts";

const SECRET = "the secret of the tests, long enough";
const PREVIOUS = "the secret that it was until today";
const BODY = JSON.stringify({
  source: "postgres",
  connection: { password: "hunter2" },
  timeoutMs: 5000,
  correlationId: "c-1",
  statement: STATEMENT,
});

const running: SidecarServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server, drain }) => (server.listening ? drain(0) : undefined)));
});

interface Started {
  readonly url: string;
  readonly port: number;
  readonly sidecar: SidecarServer;
  readonly fake: FakeConnector;
  readonly log: Readonly<Record<string, unknown>>[];
  connector(secret?: string): Connector;
}

async function start(options: Partial<SidecarServerOptions> = {}): Promise<Started> {
  const fake = new FakeConnector();
  const log: Readonly<Record<string, unknown>>[] = [];
  const sidecar = createSidecarServer({
    secrets: [SECRET, PREVIOUS],
    maxInFlight: 4,
    open: async () => fake,
    log: (line) => log.push(JSON.parse(line)),
    ...options,
  });
  running.push(sidecar);
  sidecar.server.listen(0, "127.0.0.1");
  await once(sidecar.server, "listening");
  const { port } = sidecar.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    sidecar,
    fake,
    log,
    connector: (secret = SECRET) =>
      remoteConnector({
        transport: signedFetch({ url, secret, fetch }),
        peer: SIDECAR,
        source: "postgres",
        connection: {},
        correlationId: "c-1",
        capabilities: fake.capabilities,
        connectTimeoutMs: 5000,
      }),
  };
}

interface RawRequest {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly secret?: string;
  /** Signed parts that differ from the sent ones. */
  readonly signed?: Partial<SignedParts>;
  readonly now?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

async function ask(url: string, request: RawRequest = {}): Promise<Response> {
  const { path = "/v1/query", method = "POST", body = BODY, secret = SECRET } = request;
  const [pathname = "", query = ""] = path.split("?");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const parts = { method, path: pathname, query, body: bytes, ...request.signed };
  const { timestamp, nonce, signature } = await sign(secret, parts, request.now ?? Date.now());
  const headers = {
    "x-siskin-protocol": PROTOCOL_VERSION,
    "x-siskin-timestamp": timestamp,
    "x-siskin-nonce": nonce,
    "x-siskin-signature": signature,
    ...request.headers,
  };
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fetch(url + path, { method, headers: given, ...(method !== "GET" && { body: bytes }), redirect: "manual" });
}

describe("the line of a call", () => {
  it("belongs to the trace of whoever asks, and tells where its time went", async () => {
    const { url, log } = await start();
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    await (await ask(url, { headers: { traceparent } })).arrayBuffer();
    await eventually(() => expect(log).toHaveLength(1));
    expect(log[0]).toMatchObject({
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      parentId: "00f067aa0ba902b7",
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      phases: { connect: expect.any(Number), firstRow: expect.any(Number), lastRow: expect.any(Number) },
    });
  });
});

describe("an answer", () => {
  it("that is whole at once says its length", async () => {
    const { url, fake } = await start();
    fake.next = (pull) => (pull === 0 ? [[1]] : undefined);
    const response = await ask(url);
    expect(response.headers.get("content-length")).toBe(String((await response.arrayBuffer()).byteLength));
  });

  it("that is longer comes as its rows do", async () => {
    const { url, fake } = await start();
    const rest = Promise.withResolvers<undefined>();
    fake.next = (pull) => (pull === 0 ? [[1]] : rest.promise);
    const response = await ask(url);
    expect(response.headers.get("content-length")).toBeNull();
    rest.resolve(undefined);
    await response.arrayBuffer();
  });
});

type Refusal = [what: string, request: RawRequest, status: number, message: string];

describe("who may ask", () => {
  it.each<Refusal>([
    ["an unsigned request", { headers: { "x-siskin-signature": undefined } }, 401, "The request is not signed."],
    ["a wrong secret", { secret: "not the secret, but as long as it" }, 401, "The signature is wrong."],
    ["a signature for another path", { signed: { path: "/v1/dry-run" } }, 401, "The signature is wrong."],
    ["a signature for another query", { path: "/v1/query?a=1", signed: { query: "" } }, 401, "The signature is wrong."],
    [
      "a signature for another body",
      { signed: { body: new TextEncoder().encode("{}") } },
      401,
      "The signature is wrong.",
    ],
    [
      "a clock two minutes behind",
      { now: Date.now() - 120_000 },
      401,
      "The request was signed at another time than now.",
    ],
    [
      "a clock two minutes ahead",
      { now: Date.now() + 120_000 },
      401,
      "The request was signed at another time than now.",
    ],
    ...[-1, 1].map(
      (releases): Refusal => [
        `a version ${releases < 0 ? "before" : "after"} its own`,
        { headers: { "x-siskin-protocol": String(Number(PROTOCOL_VERSION) + releases) } },
        426,
        `The sidecar speaks version ${PROTOCOL_VERSION} of the protocol and was asked in another one.`,
      ],
    ),
    [
      "no version",
      { headers: { "x-siskin-protocol": undefined } },
      426,
      `The sidecar speaks version ${PROTOCOL_VERSION} of the protocol and was asked without a version.`,
    ],
    ["another path", { path: "/v1/drop" }, 404, "There is nothing at this path."],
    ["GET", { method: "GET", signed: { body: new Uint8Array(0) } }, 405, "Operations are asked with POST."],
    [
      "a body that is no operation",
      { body: "{}" },
      400,
      "Not valid in the body: source, connection, timeoutMs, correlationId, statement.",
    ],
  ])("%s: %s", async (_, request, status, message) => {
    const { url, fake, log } = await start();
    const response = await ask(url, request);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ reason: "SIDECAR_REFUSED", message });
    expect(fake.statement).toBeUndefined();
    expect(log).toMatchObject([{ event: "refused", status }]);
  });

  it("a request is good once", async () => {
    const { url } = await start();
    const { timestamp, nonce, signature } = await sign(
      SECRET,
      { method: "POST", path: "/v1/query", query: "", body: new TextEncoder().encode(BODY) },
      Date.now(),
    );
    const headers = { "x-siskin-timestamp": timestamp, "x-siskin-nonce": nonce, "x-siskin-signature": signature };
    expect((await ask(url, { headers })).status).toBe(200);
    const again = await ask(url, { headers });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ reason: "SIDECAR_REFUSED", message: "The request was sent before." });
  });

  it("both secrets of a rotation are good, and the client is told when its own is not", async () => {
    const { connector } = await start();
    expect(await connector(SECRET).dryRun(STATEMENT, calling())).toEqual({ bytes: 12345678901234567890n });
    expect(await connector(PREVIOUS).dryRun(STATEMENT, calling())).toEqual({ bytes: 12345678901234567890n });
    const failure = await failureOf(connector("a secret that nobody has, or had yet").query(STATEMENT, calling()));
    expect(failure).toMatchObject({
      reason: "SIDECAR_REFUSED",
      hint: "SIDECAR_SECRET must be the same in Worker and sidecar.",
    });
  });

  it.each([
    ["http://example.com:8788", "https"],
    ["ftp://127.0.0.1", "https"],
    ["https://example.com/prefix", "nothing else"],
    ["https://user:pw@example.com", "nothing else"],
  ])("a client for %s is not made", (url, why) => {
    expect(() => signedFetch({ url, secret: SECRET, fetch })).toThrow(why);
  });

  it.each([
    "https://example.com",
    "https://example.com:8788/",
    "http://127.0.0.1:1",
    "http://localhost:1",
    "http://[::1]:1",
  ])("a client for %s is", (url) => {
    expect(() => signedFetch({ url, secret: SECRET, fetch })).not.toThrow();
  });

  it("a redirect is not followed, wherever it leads", async () => {
    const target = await start();
    const server = createServer((_, response) => response.writeHead(307, { location: `${target.url}/v1/query` }).end());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connector = remoteConnector({
      transport: signedFetch({ url, secret: SECRET, fetch }),
      peer: SIDECAR,
      source: "postgres",
      connection: {},
      correlationId: "c",
      capabilities: target.fake.capabilities,
      connectTimeoutMs: 5000,
    });
    expect(await failureOf(connector.query(STATEMENT, calling()))).toMatchObject({ reason: "SIDECAR_REFUSED" });
    expect(target.log).toEqual([]);
    server.close();
  });
});

describe("how much at once", () => {
  it("more than the places are refused with a time to come back, and places are given back", async () => {
    const { fake, connector, url } = await start({ maxInFlight: 2 });
    const release = Promise.withResolvers<void>();
    fake.begin = () => release.promise;
    const first = connector().dryRun(STATEMENT, calling());
    const second = connector().dryRun(STATEMENT, calling());
    await eventually(async () => expect((await fetch(`${url}/ready`)).status).toBe(503));
    const refused = await ask(url);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await failureOf(connector().query(STATEMENT, calling()))).toMatchObject({
      reason: "OVERLOADED",
      retryAfter: 1,
    });
    expect((await fetch(`${url}/health`)).status).toBe(200);
    release.resolve();
    await Promise.all([first, second]);
    await eventually(async () => expect(await (await fetch(`${url}/ready`)).json()).toEqual({ status: "ready" }));
    expect(await drain(await connector().query(STATEMENT, calling()))).toEqual([]);
  });

  it.each([
    ["told beforehand", { "content-length": String(33 * 1024 * 1024) }],
    ["not told", { "transfer-encoding": "chunked" }],
  ])("a body larger than 32 MiB is refused unread, its size %s", async (_, sizeHeader) => {
    const { port, log } = await start();
    const { timestamp, nonce, signature } = await sign(
      SECRET,
      { method: "POST", path: "/v1/query", query: "", body: new Uint8Array(0) },
      Date.now(),
    );
    const socket = connect(port, "127.0.0.1");
    const head = {
      host: "x",
      "x-siskin-protocol": PROTOCOL_VERSION,
      "x-siskin-timestamp": timestamp,
      "x-siskin-nonce": nonce,
      "x-siskin-signature": signature,
      ...sizeHeader,
    };
    socket.write(
      `POST /v1/query HTTP/1.1\r\n${Object.entries(head)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`,
    );
    const chunk = `${(1024 * 1024).toString(16)}\r\n${"x".repeat(1024 * 1024)}\r\n`;
    let sent = 0;
    const more = (): void => {
      while (sent < 40 && !socket.destroyed) {
        sent++;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on("drain", more).on("error", () => undefined);
    more();
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
    expect(log).toMatchObject([{ event: "refused", status: 413 }]);
  });

  it("who sends headers or a body too slowly is cut", async () => {
    const { port } = await start({ headersTimeoutMs: 100, requestTimeoutMs: 300 });
    for (const beginning of [
      "POST /v1/query HTTP/1.1\r\nhost: x\r\n",
      `POST /v1/query HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\nx-siskin-protocol: ${PROTOCOL_VERSION}\r\nx-siskin-timestamp: 1\r\n\r\nab`,
    ]) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(beginning);
      let answer = "";
      socket.on("data", (chunk) => {
        answer += String(chunk);
      });
      await once(socket, "close");
      expect(answer).toMatch(/^HTTP\/1\.1 (?:408|401) /);
    }
  });

  it("a body that stops coming gives its place back", async () => {
    const { port, log, url } = await start({ headersTimeoutMs: 100, requestTimeoutMs: 300 });
    const { timestamp, nonce, signature } = await sign(
      SECRET,
      { method: "POST", path: "/v1/query", query: "", body: new Uint8Array(0) },
      Date.now(),
    );
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      `POST /v1/query HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\nx-siskin-protocol: ${PROTOCOL_VERSION}\r\nx-siskin-timestamp: ${timestamp}\r\nx-siskin-nonce: ${nonce}\r\nx-siskin-signature: ${signature}\r\n\r\n{`,
    );
    socket.resume();
    await once(socket, "close");
    expect(log).toEqual([]);
    expect((await ask(url)).status).toBe(200);
  });

  it("a body that drips makes way for one that comes", async () => {
    const { port, log, url } = await start({ arriving: { bodies: 1, bytesPerSecond: 0 } });
    const { timestamp, nonce, signature } = await sign(
      SECRET,
      { method: "POST", path: "/v1/query", query: "", body: new Uint8Array(0) },
      Date.now(),
    );
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket
      .on("error", () => undefined)
      .on("data", (chunk) => {
        answer += String(chunk);
      });
    socket.write(
      `POST /v1/query HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\nx-siskin-protocol: ${PROTOCOL_VERSION}\r\nx-siskin-timestamp: ${timestamp}\r\nx-siskin-nonce: ${nonce}\r\nx-siskin-signature: ${signature}\r\n\r\n{`,
    );
    // Not before it had its time.
    await eventually(async () => expect((await ask(url)).status).toBe(503));
    await eventually(async () => expect((await ask(url)).status).toBe(200));
    await eventually(() => expect(answer).toMatch(/^HTTP\/1\.1 408 /));
    expect(log).toContainEqual(expect.objectContaining({ event: "refused", status: 408 }));
    socket.destroy();
  });

  it("a reader that takes nothing is cut after a while, and its statement ends", async () => {
    const { fake, port, log } = await start({ stalledMs: 200 });
    const wide = Array.from({ length: 1000 }, (_, i) => [i]);
    fake.next = () => wide;
    const bytes = new TextEncoder().encode(BODY);
    const { timestamp, nonce, signature } = await sign(
      SECRET,
      { method: "POST", path: "/v1/query", query: "", body: bytes },
      Date.now(),
    );
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined).pause();
    socket.write(
      `POST /v1/query HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes.length}\r\nx-siskin-protocol: ${PROTOCOL_VERSION}\r\nx-siskin-timestamp: ${timestamp}\r\nx-siskin-nonce: ${nonce}\r\nx-siskin-signature: ${signature}\r\n\r\n${BODY}`,
    );
    await eventually(() => expect(log).toMatchObject([{ event: "call", outcome: "cancelled" }]));
    expect(fake.closes).toBe(1);
    socket.destroy();
  });
});

describe("a caller that goes", () => {
  it("ends the call on the source", async () => {
    const { fake, connector, log } = await start();
    fake.next = (pull) => (pull === 0 ? [[1]] : new Promise(() => undefined));
    const result = await connector().query(STATEMENT, calling());
    await result.batches.next();
    await result.close();
    await eventually(() => expect(log).toMatchObject([{ event: "call", outcome: "cancelled" }]));
    expect(fake.signal?.aborted).toBe(true);
    expect(fake).toMatchObject({ closes: 1, streamCloses: 1 });
  });

  it("before the source answered, too", async () => {
    const { fake, connector, log } = await start();
    fake.begin = () => new Promise(() => undefined);
    const caller = new AbortController();
    const failing = failureOf(connector().query(STATEMENT, calling({ signal: caller.signal })));
    await eventually(() => expect(fake.signal).toBeDefined());
    caller.abort();
    expect((await failing).reason).toBe("CANCELLED");
    await eventually(() => expect(log).toMatchObject([{ event: "call", outcome: "cancelled" }]));
    expect(fake.signal?.aborted).toBe(true);
  });
});

describe("the end of the server", () => {
  it("waits for what runs, takes nothing new, and says so", async () => {
    const { fake, connector, sidecar } = await start();
    const release = Promise.withResolvers<void>();
    fake.begin = () => release.promise;
    fake.next = (pull) => (pull === 0 ? [[1]] : undefined);
    const asked = connector().query(STATEMENT, calling()).then(drain);
    await eventually(() => expect(fake.signal).toBeDefined());
    let isDrained = false;
    const drained = sidecar.drain(60_000).then(() => {
      isDrained = true;
    });
    expect(await failureOf(connector().dryRun(STATEMENT, calling()))).toMatchObject({ reason: "SIDECAR_UNREACHABLE" });
    expect(isDrained).toBe(false);
    release.resolve();
    expect(await asked).toEqual([[1]]);
    await drained;
  });

  it.each<[what: string, delayMs: number, answer: RegExp]>([
    ["refuses in words", 0, /HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*"SIDECAR_REFUSED"/i],
    // Judged as ever: it is not signed.
    ["after a delay still answers", 1, /HTTP\/1\.1 401 [\s\S]*connection: close/i],
  ])("%s what comes on a connection that was kept", async (_, delayMs, answer) => {
    const { fake, connector, sidecar, port } = await start();
    const release = Promise.withResolvers<void>();
    fake.begin = () => release.promise;
    const asked = connector().query(STATEMENT, calling());
    const kept = connect(port, "127.0.0.1");
    let answers = "";
    kept.on("data", (chunk) => {
      answers += String(chunk);
    });
    kept.write("GET /health HTTP/1.1\r\nhost: x\r\n\r\n");
    await eventually(() => expect(answers).toContain('{"status":"up"}'));
    await eventually(() => expect(fake.signal).toBeDefined());
    const drained = sidecar.drain(60_000, delayMs);
    await eventually(() => expect(sidecar.server.listening).toBe(false));
    kept.write(
      `POST /v1/query HTTP/1.1\r\nhost: x\r\nx-siskin-protocol: ${PROTOCOL_VERSION}\r\ncontent-length: 2\r\n\r\n{}`,
    );
    await once(kept, "close");
    expect(answers).toMatch(answer);
    release.resolve();
    await (await asked).close();
    await drained;
  });

  it("goes on until balancers have looked, on connections that end with the answer", async () => {
    const { fake, connector, sidecar, url } = await start();
    fake.next = (pull) => (pull === 0 ? [[1]] : undefined);
    const drained = sidecar.drain(60_000, 1000);
    const ready = await fetch(`${url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: "draining" }]);
    expect(await drain(await connector().query(STATEMENT, calling()))).toEqual([[1]]);
    await drained;
    expect(await failureOf(connector().query(STATEMENT, calling()))).toMatchObject({ reason: "SIDECAR_UNREACHABLE" });
  });

  it("cuts what does not end in its time", async () => {
    const { fake, connector, sidecar, log } = await start();
    fake.next = (pull) => (pull === 0 ? [[1]] : new Promise(() => undefined));
    const result = await connector().query(STATEMENT, calling());
    await result.batches.next();
    const cut = failureOf(result.batches.next());
    await sidecar.drain(50);
    expect(await cut).toMatchObject({ reason: "UPSTREAM_PROTOCOL" });
    await eventually(() => expect(log).toMatchObject([{ event: "call", outcome: "cancelled" }]));
  });
});

describe("the log", () => {
  it("says how calls ended, and nothing that they were about", async () => {
    const { fake, connector, log } = await start();
    fake.next = (pull) => (pull === 0 ? [[1], [2]] : undefined);
    await drain(await connector().query({ ...STATEMENT, sql: "SELECT 'hunter2'" }, calling()));
    fake.begin = () =>
      Promise.reject(new ConnectorFailure("SOURCE_ERROR", "value hunter2 is wrong", { engineCode: "22000" }));
    await failureOf(connector().dryRun(STATEMENT, calling()));
    fake.begin = () => Promise.reject(new TypeError("cannot read hunter2"));
    await failureOf(connector().catalog({ kind: "version" }, calling()));
    await eventually(() => expect(log).toHaveLength(3));
    expect(log).toMatchObject([
      {
        level: "info",
        event: "call",
        correlationId: "c-1",
        operation: "query",
        source: "postgres",
        outcome: "complete",
        rows: 2,
      },
      {
        level: "info",
        event: "call",
        operation: "dry-run",
        outcome: "failed",
        reason: "SOURCE_ERROR",
        engineCode: "22000",
      },
      {
        level: "error",
        event: "call",
        operation: "catalog",
        outcome: "failed",
        fault: expect.stringContaining("TypeError at"),
      },
    ]);
    expect(JSON.stringify(log)).not.toContain("hunter2");
  });
});
