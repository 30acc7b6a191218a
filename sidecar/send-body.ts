/** A web stream as the body of a Node answer, at the reader's pace. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";

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
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value)) await once(response, "drain", { signal: closed.signal });
    }
    response.end();
  } catch (error) {
    // The stream itself never fails (its last frame tells), so this is the connection, or it would be a fault of ours.
    if (!closed.signal.aborted) throw error;
  } finally {
    response.off("close", onClose);
  }
}
