/** Reading a request's body within bounds: each has its own, and all that are being read share one. */
import type { IncomingMessage } from "node:http";
import type { Arrivals } from "../src/guard/arrivals.ts";

export type BodyReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly because: "too large" | "too many" | "too slow" };

/** Rejects when the sender goes away. How long it may take at most is the server's `requestTimeout`. */
export async function readBody(request: IncomingMessage, most: number, arrivals: Arrivals): Promise<BodyReading> {
  if (Number(request.headers["content-length"] ?? 0) > most) return { ok: false, because: "too large" };
  const arrival = arrivals.begin();
  if (arrival === undefined) return { ok: false, because: "too many" };
  const chunks: Buffer[] = [];
  let length = 0;
  const stopped = arrival.stopped.then(() => "stopped" as const);
  const iterator = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const reading = iterator.next() as Promise<IteratorResult<Buffer>>;
      const next = await Promise.race([reading, stopped]);
      if (next === "stopped") {
        // It ends with the connection, which is closed after the refusal.
        reading.catch(() => undefined);
        return { ok: false, because: "too slow" };
      }
      if (next.done) return { ok: true, bytes: Buffer.concat(chunks) };
      const chunk = next.value;
      if (length + chunk.length > most) return { ok: false, because: "too large" };
      if (!arrival.received(chunk.length, true)) return { ok: false, because: "too many" };
      length += chunk.length;
      chunks.push(chunk);
    }
  } finally {
    arrival.end();
  }
}
