import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { nodeDial } from "../../sidecar/dial.ts";
import { failureOf } from "../connectors/contract.ts";
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
