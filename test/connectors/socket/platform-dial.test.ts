/** Dialling over a platform's sockets. The socket is a fake: what a real one does when its host hangs takes minutes. */
import { expect, it } from "vitest";
import { type PlatformSocket, platformDial } from "../../../src/connectors/socket/platform-dial.ts";

/** A socket like workerd's: `opened` hangs as long as the network does, also after `close`, which waits for it. */
function hangingSocket(): { readonly socket: PlatformSocket; readonly isClosed: () => boolean } {
  let closed = false;
  const never = new Promise<never>(() => {});
  const socket: PlatformSocket = {
    readable: new ReadableStream({ type: "bytes" }),
    writable: new WritableStream(),
    opened: never,
    closed: never,
    startTls: () => socket,
    close: () => {
      closed = true;
      return never;
    },
  };
  return { socket, isClosed: () => closed };
}

it("who gives up while a host hangs waits for nothing: the request's work is over, and what it holds can go", async () => {
  const { socket, isClosed } = hangingSocket();
  const caller = new AbortController();
  const reason = new Error("The client has gone.");
  const dialling = platformDial(() => socket)({ host: "db.test", port: 5432 }, { signal: caller.signal });
  caller.abort(reason);
  await expect(dialling).rejects.toBe(reason);
  expect(isClosed()).toBe(true);
});
