import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import tls, { type TLSSocket, type TlsOptions } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { nodeDial } from "../../sidecar/dial.ts";
import type { Wire } from "../../src/connectors/socket/wire.ts";
import { failureOf } from "../connectors/contract.ts";
import { TEST_CA_PATH } from "../support/postgres-server.ts";
import { hasLoopback, startTcpServer, type TcpServer } from "../support/tcp.ts";

const versionSix = await hasLoopback("::1");

const servers: (TcpServer | { close(): Promise<void> })[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const signal = (): AbortSignal => new AbortController().signal;

async function server(serve: Parameters<typeof startTcpServer>[0], address = "127.0.0.1"): Promise<TcpServer> {
  const started = await startTcpServer(serve, address);
  servers.push(started);
  return started;
}

describe("where it may dial", () => {
  it.each<[string, readonly string[], boolean]>([
    ["localhost", ["localhost"], true],
    ["localhost", ["127.0.0.0/8"], true],
    ["localhost", ["*"], true],
    ["localhost", [], false],
    ["localhost", ["10.0.0.0/8", "127.0.0.1.example.com"], false],
    ["127.0.0.1", ["localhost"], false],
  ])("%s with %j", async (host, allowed, expected) => {
    const { port } = await server(() => {});
    const dialled = nodeDial(allowed)({ host, port }, { signal: signal() });
    if (expected) {
      const wire = await dialled;
      expect(wire.peer).toBe("127.0.0.1");
      wire.close();
    } else expect((await failureOf(dialled)).reason).toBe("EGRESS_DENIED");
  });

  it.skipIf(!versionSix)("an address of version 6", async () => {
    const { port } = await server(() => {}, "::1");
    const wire = await nodeDial(["::/96"])({ host: "::1", port }, { signal: signal() });
    expect(wire.peer).toBe("::1");
    wire.close();
  });

  it("judges the address of an earlier connection again", async () => {
    const { port } = await server(() => {});
    const dial = nodeDial(["10.0.0.0/8"]);
    const failure = await failureOf(dial({ host: "db.internal", port, peer: "127.0.0.1" }, { signal: signal() }));
    expect(failure.reason).toBe("EGRESS_DENIED");
  });

  it("never dials a metadata service", async () => {
    const dial = nodeDial(["*", "169.254.169.254"]);
    for (const host of ["169.254.169.254", "::ffff:a9fe:a9fe"]) {
      expect((await failureOf(dial({ host, port: 80 }, { signal: signal() }))).reason).toBe("EGRESS_DENIED");
    }
  });

  it("connects nowhere after the signal", async () => {
    const listening = await server(() => {});
    await expect(
      nodeDial(["*"])({ host: "127.0.0.1", port: listening.port }, { signal: AbortSignal.abort("gone") }),
    ).rejects.toBe("gone");
    const late = new AbortController();
    const dialled = nodeDial(["*"])({ host: "localhost", port: listening.port }, { signal: late.signal });
    late.abort("gone");
    await expect(dialled).rejects.toBe("gone");
    expect(listening.connections()).toBe(0);
  });
});

describe("TLS", () => {
  const certificateAuthority = readFileSync(TEST_CA_PATH, "utf8");
  async function secured(options: TlsOptions, serve: (socket: TLSSocket) => void): Promise<Wire> {
    const key = readFileSync(new URL("../fixtures/tls/test-only-server.key", import.meta.url));
    const cert = readFileSync(new URL("../fixtures/tls/test-only-server.crt", import.meta.url));
    const listening = tls.createServer({ key, cert, ...options }, serve);
    listening.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    servers.push({ close: () => new Promise((resolve) => listening.close(() => resolve())) });
    const { port } = listening.address() as AddressInfo;
    const wire = await nodeDial(["*"])({ host: "127.0.0.1", port }, { signal: signal() });
    const secure = await wire.startTls({ serverName: "localhost", verify: "name", certificateAuthority });
    servers.unshift({ close: async () => secure.close() });
    return secure;
  }

  it("is of version 1.2 or later, whatever Node would take", async () => {
    const before = { DEFAULT_MIN_VERSION: tls.DEFAULT_MIN_VERSION, DEFAULT_CIPHERS: tls.DEFAULT_CIPHERS };
    Object.assign(tls, { DEFAULT_MIN_VERSION: "TLSv1", DEFAULT_CIPHERS: "DEFAULT:@SECLEVEL=0" });
    try {
      const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" } as const;
      expect((await failureOf(secured(old, (socket) => socket.end("here")))).reason).toBe("TLS_UNTRUSTED");
    } finally {
      Object.assign(tls, before);
    }
  });

  it("is negotiated once: what a server begins anew ends the connection", async () => {
    const wire = await secured({ maxVersion: "TLSv1.2" }, (socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.renegotiate({}, () => socket.end("renegotiated")));
    });
    await wire.write(Buffer.from("x"));
    expect((await failureOf(wire.read())).reason).toBe("UPSTREAM_PROTOCOL");
    wire.close();
  });
});

describe("the wire", () => {
  it("carries bytes both ways and ends with the other side", async () => {
    const { port } = await server((socket) =>
      socket.once("data", (bytes) => socket.end(bytes.toString().toUpperCase())),
    );
    const wire = await nodeDial(["*"])({ host: "127.0.0.1", port }, { signal: signal() });
    await wire.write(Buffer.from("hello"));
    expect(Buffer.from((await wire.read()) ?? []).toString()).toBe("HELLO");
    expect(await wire.read()).toBeUndefined();
    wire.close();
    wire.close();
  });

  it("holds the sender back while nobody reads", async () => {
    let sent = 0;
    let blocked = false;
    const { port } = await server((socket) => {
      const chunk = Buffer.alloc(1024 * 1024);
      const more = () => {
        while (!socket.destroyed && sent < 512 * chunk.length) {
          sent += chunk.length;
          if (!socket.write(chunk)) {
            blocked = true;
            socket.once("drain", more);
            return;
          }
        }
      };
      more();
    });
    const wire = await nodeDial(["*"])({ host: "127.0.0.1", port }, { signal: signal() });
    await wire.read();
    await expect.poll(() => blocked).toBe(true);
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBeLessThan(256 * 1024 * 1024);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    wire.close();
  });

  it("tells a reset as a failure, also while it waits", async () => {
    const { port } = await server((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const wire = await nodeDial(["*"])({ host: "127.0.0.1", port }, { signal: signal() });
    const reading = failureOf(wire.read());
    await wire.write(Buffer.from("x"));
    expect((await reading).reason).toBe("UPSTREAM_PROTOCOL");
    wire.close();
  });

  it("ends a read that waits when it is closed", async () => {
    const { port } = await server(() => {});
    const wire = await nodeDial(["*"])({ host: "127.0.0.1", port }, { signal: signal() });
    const reading = wire.read();
    wire.close();
    expect(await reading).toBeUndefined();
  });

  it("tries the next address when one refuses", async () => {
    // Listening on one family only: `localhost` may name both.
    const onlyFour: Server = createServer((socket) => socket.end("here"));
    await new Promise<void>((resolve) => onlyFour.listen(0, "127.0.0.1", resolve));
    servers.push({ close: () => new Promise((resolve) => onlyFour.close(() => resolve())) });
    const { port } = onlyFour.address() as { port: number };
    const wire = await nodeDial(["*"])({ host: "localhost", port }, { signal: signal() });
    expect(Buffer.from((await wire.read()) ?? []).toString()).toBe("here");
    wire.close();
  });
});
