/** A web stream as the body of a Node answer, at the reader's pace. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** What comes within this time leaves in one piece, headers and end too: both ends pay for pieces more than for bytes. */
const GATHER_MS = 4;

/**
 * Nothing is pulled from `body` while the connection takes nothing. When the connection ends first, `body` is cancelled.
 * Resolves when either has ended.
 */
export async function sendBody(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const closed = new AbortController();
  const onClose = (): void => {
    closed.abort();
    reader.cancel().catch(() => undefined);
  };
  if (response.destroyed) onClose();
  else response.once("close", onClose);
  // Not `response.cork`: its end would overtake what it holds back.
  const { socket } = response;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const send = (): void => {
    if (gathering === undefined) return;
    clearTimeout(gathering);
    gathering = undefined;
    socket?.uncork();
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (gathering === undefined) {
        socket?.cork();
        gathering = setTimeout(send, GATHER_MS);
      }
      if (response.write(value)) continue;
      send();
      await once(response, "drain", { signal: closed.signal });
    }
    // Sends what has been gathered, too.
    response.end();
  } catch (error) {
    // The stream itself never fails (its last frame tells), so this is the connection, or it would be a fault of ours.
    if (!closed.signal.aborted) throw error;
  } finally {
    send();
    response.off("close", onClose);
  }
}
