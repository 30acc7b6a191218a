import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { guardedFetch, KeptConnections } from "../../sidecar/guarded-fetch.ts";
import { sidecarSources } from "../../sidecar/sources.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { failureOf, patient, plain } from "../connectors/contract.ts";
import { FIXTURES, TEST_CA_PATH } from "../support/postgres-server.ts";

/** For `localhost`, signed by the authority of the tests. */
let server: Server;
let port: number;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let connections = 0;
const certificateAuthority = readFileSync(TEST_CA_PATH, "utf8");

beforeAll(async () => {
  const read = (name: string): Buffer => readFileSync(join(FIXTURES, name));
  server = createServer({ cert: read("test-only-server.crt"), key: read("test-only-server.key") }, (...both) =>
    answer(...both),
  );
  server.on("connection", () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());
beforeEach(() => {
  connections = 0;
  answer = (_, response) => response.end("hello");
});

const open = (): Promise<number> => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

const own = guardedFetch({ allowedHosts: ["127.0.0.1"], certificateAuthority });
const at = (host: string): string => `https://${host}:${port}/sql`;

describe("fetch in the sidecar", () => {
  it("sends and receives, by the caller's own authority", async () => {
    answer = async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(400, { "x-answer": "yes" });
      response.end(`${request.method} ${request.url} ${request.headers["x-question"]} ${body}`);
    };
    const response = await own(at("localhost"), { method: "POST", body: "é", headers: { "x-question": "why" } });
    expect([response.status, response.headers.get("x-answer")]).toEqual([400, "yes"]);
    expect(await response.text()).toBe("POST /sql why é");
  });

  it.each<[what: string, host: string, allowed: readonly string[], reason: string, seen: boolean]>([
    ["a name whose address is not allowed", "localhost", [], "EGRESS_DENIED", false],
    ["an address that is not allowed", "127.0.0.1", ["10.0.0.0/8"], "EGRESS_DENIED", false],
    ["a metadata service, whatever is allowed", "169.254.169.254", ["*"], "EGRESS_DENIED", false],
    ["a certificate for another name", "127.0.0.1", ["127.0.0.1"], "TLS_UNTRUSTED", true],
  ])("refuses %s", async (_, host, allowedHosts, reason, seen) => {
    const guarded = guardedFetch({ allowedHosts, certificateAuthority });
    expect((await failureOf(guarded(at(host)))).reason).toBe(reason);
    expect(connections > 0).toBe(seen);
  });

  it("refuses an authority that neither caller nor Node trusts", async () => {
    const guarded = guardedFetch({ allowedHosts: ["127.0.0.1"] });
    expect((await failureOf(guarded(at("localhost")))).reason).toBe("TLS_UNTRUSTED");
  });

  it("follows no redirect", async () => {
    answer = (_, response) => response.writeHead(307, { location: "https://169.254.169.254/" }).end();
    const response = await own(at("localhost"), { redirect: "manual" });
    expect([response.status, connections]).toEqual([307, 1]);
  });

  it("ends with its signal, before the answer and within it", async () => {
    const before = new AbortController();
    answer = () => before.abort(new Error("enough"));
    await expect(own(at("localhost"), { signal: before.signal })).rejects.toThrow("enough");
    const within = new AbortController();
    answer = (_, response) => void response.write("half");
    const response = await own(at("localhost"), { signal: within.signal });
    within.abort();
    await expect(response.text()).rejects.toThrow();
  });

  it("takes a connection of the same call again, where the call keeps them, and no other's", async () => {
    const ask = async (kept: KeptConnections): Promise<void> => {
      const guarded = guardedFetch({ allowedHosts: ["127.0.0.1"], certificateAuthority, kept });
      for (let i = 0; i < 12; i++) expect(await (await guarded(at("localhost"))).text()).toBe("hello");
    };
    const warned = vi.spyOn(process, "emitWarning");
    const calls = [new KeptConnections(), new KeptConnections()];
    for (const kept of calls) await ask(kept);
    expect(connections).toBe(2);
    // Node warns when listeners of each request stay on the connection.
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
    // Trust is judged before a connection is there, and for every call.
    const other = guardedFetch({ allowedHosts: ["127.0.0.1"], kept: new KeptConnections() });
    expect((await failureOf(other(at("localhost")))).reason).toBe("TLS_UNTRUSTED");
    for (const kept of calls) kept.close();
    await vi.waitFor(async () => expect(await open()).toBe(0));
  });

  it("asks over a new connection where the server has given up the one that was kept", async () => {
    const kept = new KeptConnections();
    const guarded = guardedFetch({ allowedHosts: ["127.0.0.1"], certificateAuthority, kept });
    await (await guarded(at("localhost"))).text();
    let asked = 0;
    answer = (request, response) => (asked++ === 0 ? request.socket.destroy() : response.end("again"));
    expect(await (await guarded(at("localhost"))).text()).toBe("again");
    // Requests that may change something are not repeated.
    asked = 0;
    expect((await failureOf(guarded(at("localhost"), { method: "POST", body: "x" }))).reason).toBe("HOST_UNREACHABLE");
    expect(asked).toBe(1);
    kept.close();
  });

  it("does not ask again for what has begun to be answered", async () => {
    const kept = new KeptConnections();
    let asked = 0;
    const plainServer = createPlainServer((request, response) => {
      if (asked++ === 0) return response.end("hello");
      response.writeHead(200, { "content-length": "1000" });
      response.write("begun", () => setTimeout(() => request.socket.resetAndDestroy(), 20));
    });
    await new Promise<void>((resolve) => plainServer.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(plainServer.address() as AddressInfo).port}/`;
    try {
      const guarded = guardedFetch({ allowedHosts: ["127.0.0.1"], kept });
      await (await guarded(url)).text();
      const begun = await guarded(url);
      await expect(begun.text()).rejects.toThrow();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(asked).toBe(2);
    } finally {
      kept.close();
      plainServer.close();
    }
  });

  it("is the one that connectors get", async () => {
    const raw = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("unguarded"));
    const open = sidecarSources({
      allowedHosts: [],
      awsCredentials: undefined,
      connectTimeoutMs: 1000,
      pool: undefined,
      engines: undefined,
    });
    const host = "ep-quiet-123.eu-central-1.aws.neon.tech";
    const connection = { host, port: 5432, database: "d", user: "u", password: "p" };
    const call = { name: "dry-run", statement: plain("SELECT 1"), timeoutMs: 1000, correlationId: "test" } as const;
    const connector = (await open({ ...call, source: "postgres", connection }, patient())) as Connector;
    await failureOf(connector.query(plain("SELECT 1"), patient()));
    expect(raw).not.toHaveBeenCalled();
    raw.mockRestore();
  });
});
