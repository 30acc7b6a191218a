/** Reading a request's body within bounds: each has its own, and all that are being read share one. */
import type { IncomingMessage } from "node:http";
import type { Arrivals } from "../src/guard/arrivals.ts";

export type BodyReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly because: "too large" | "too many" | "too slow" };

/**
 * Rejects when the sender goes away. How long it may take at most is the server's `requestTimeout`. By events: an iterator
 * over the request takes as long as all else that is done with a short body.
 */
export async function readBody(request: IncomingMessage, most: number, arrivals: Arrivals): Promise<BodyReading> {
  if (Number(request.headers["content-length"] ?? 0) > most) return { ok: false, because: "too large" };
  const arrival = arrivals.begin();
  if (arrival === undefined) return { ok: false, because: "too many" };
  try {
    return await new Promise<BodyReading>((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const refuse = (because: Extract<BodyReading, { ok: false }>["because"]): void => {
        // The rest of the body is dropped: the connection is closed after the error response.
        request.off("data", take).pause();
        resolve({ ok: false, because });
      };
      const take = (chunk: Buffer): void => {
        if (length + chunk.length > most) refuse("too large");
        else if (!arrival.received(chunk.length, true)) refuse("too many");
        else {
          length += chunk.length;
          chunks.push(chunk);
        }
      };
      void arrival.stopped.then(() => refuse("too slow"));
      // This listener stays: later errors of the connection are reported with the response.
      request.on("error", reject);
      request.once("close", () => reject(new Error("The connection ended before the body did.")));
      request.once("end", () => resolve({ ok: true, bytes: Buffer.concat(chunks, length) }));
      request.on("data", take);
    });
  } finally {
    arrival.end();
  }
}
