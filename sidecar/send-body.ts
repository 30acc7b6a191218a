/** Bytes as the body of a Node answer, at the reader's pace. */
import type { ServerResponse } from "node:http";
import type { ByteSource } from "../src/result/stream/chunk-reader.ts";

/** Bytes within this time are sent in one piece, with headers and end: both sides pay per piece more than per byte. */
const GATHER_MS = 4;
/** The first bytes of an answer alone only show that the server is alive. */
const GREETING_MS = 50;
/** No piece waits for more. */
const GATHER_BYTES = 64 * 1024;

/**
 * An answer that is complete in its first piece gets a Content-Length, so that it is read in one piece as well. `body`
 * is not pulled while the connection accepts nothing; when the connection ends first, `body` is cancelled. Resolves
 * when either has ended.
 */
export async function sendBody(body: ByteSource, response: ServerResponse): Promise<void> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let wake: (() => void) | undefined;
  const onClose = (): void => {
    isClosed = true;
    wake?.();
    body.cancel().catch(() => undefined);
  };
  const gathered = (): Uint8Array => {
    clearTimeout(gathering);
    gathering = undefined;
    const [first = new Uint8Array(), ...others] = pieces;
    const whole = others.length === 0 ? first : Buffer.concat(pieces, length);
    pieces = [];
    length = 0;
    return whole;
  };
  const send = (): void => void response.write(gathered());
  const sendIn = (milliseconds: number): void => {
    clearTimeout(gathering);
    gathering = setTimeout(send, milliseconds);
  };

  if (response.destroyed) onClose();
  else response.once("close", onClose);
  try {
    for (let bytes = await body.read(); bytes !== undefined; bytes = await body.read()) {
      pieces.push(bytes);
      length += bytes.length;
      if (pieces.length === 1) sendIn(response.headersSent ? GATHER_MS : GREETING_MS);
      else if (pieces.length === 2 && !response.headersSent) sendIn(GATHER_MS);
      if (length >= GATHER_BYTES) send();
      if (!response.writableNeedDrain || isClosed) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        response.once("drain", resolve);
      });
    }
    if (isClosed) return;
    if (!response.headersSent) response.setHeader("content-length", length);
    response.end(length === 0 ? undefined : gathered());
  } finally {
    clearTimeout(gathering);
    response.off("close", onClose);
  }
}
