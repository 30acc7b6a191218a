/** Small TCP servers on loopback for playing servers that misbehave, and for standing between a client and a real one. */
import type { Server } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpServer {
  readonly host: string;
  readonly port: number;
  /** Connections accepted so far. */
  connections(): number;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

/** Whether this machine has a loopback of that version; containers often lack the sixth. */
export async function hasLoopback(address: "127.0.0.1" | "::1"): Promise<boolean> {
  const server = await startTcpServer(() => {}, address).catch(() => undefined);
  await server?.close();
  return server !== undefined;
}

export async function startTcpServer(serve: (socket: Socket) => void, address = "127.0.0.1"): Promise<TcpServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, address, resolve);
  });
  return {
    host: address,
    port: (server.address() as AddressInfo).port,
    connections: () => accepted,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes bytes both ways; `fromServer` may change what comes back, or end both sides by returning undefined. */
export function startTcpProxy(
  target: { readonly host: string; readonly port: number },
  hooks: {
    /** Returns bytes to answer at once instead of passing the chunk on. */
    readonly fromClient?: (chunk: Buffer) => Buffer | undefined;
    readonly fromServer?: (chunk: Buffer) => Buffer | undefined;
  } = {},
  address = "127.0.0.1",
): Promise<TcpServer> {
  return startTcpServer((client) => {
    const server = connect(target.port, target.host);
    server.on("error", () => client.destroy());
    client.on("close", () => server.destroy());
    server.on("close", () => client.end());
    client.on("data", (chunk) => {
      const answer = hooks.fromClient?.(chunk);
      if (answer === undefined) server.write(chunk);
      else client.write(answer);
    });
    server.on("data", (chunk) => {
      const passed = hooks.fromServer === undefined ? chunk : hooks.fromServer(chunk);
      if (passed === undefined) {
        client.resetAndDestroy();
        server.destroy();
      } else if (!client.write(passed)) {
        server.pause();
        client.once("drain", () => server.resume());
      }
    });
  }, address);
}

/** A server of HTTP, at a port of its own. */
export async function listenOnLoopback(
  server: Server,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
