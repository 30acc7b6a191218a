/** A web stream as the body of a Node answer, at the reader's pace. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** An answer that is complete by then leaves in one piece, its headers too; reading it in five costs both ends five times. */
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
  let gathering: { readonly cancel: () => void } | undefined;
  const send = (): void => {
    gathering = undefined;
    socket?.uncork();
  };
  try {
    for (let isFirst = true; ; isFirst = false) {
      const { done, value } = await reader.read();
      if (done) break;
      if (gathering === undefined) {
        socket?.cork();
        gathering = isFirst ? after(GATHER_MS, send) : atEndOfTurn(send);
      }
      if (!response.write(value)) await once(response, "drain", { signal: closed.signal });
    }
    // Sends what has been gathered, too.
    response.end();
  } catch (error) {
    // The stream itself never fails (its last frame tells), so this is the connection, or it would be a fault of ours.
    if (!closed.signal.aborted) throw error;
  } finally {
    gathering?.cancel();
    if (gathering !== undefined) socket?.uncork();
    response.off("close", onClose);
  }
}

function after(milliseconds: number, work: () => void): { readonly cancel: () => void } {
  const timer = setTimeout(work, milliseconds);
  return { cancel: () => clearTimeout(timer) };
}

function atEndOfTurn(work: () => void): { readonly cancel: () => void } {
  const immediate = setImmediate(work);
  return { cancel: () => clearImmediate(immediate) };
}
