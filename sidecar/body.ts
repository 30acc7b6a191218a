/** Reading a request's body within bounds: each has its own, and all that are being read share one. */
import type { IncomingMessage } from "node:http";

/** Bytes of bodies that are held while nobody knows yet who sent them. */
export class BodyBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

export type BodyReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly because: "too large" | "too many" };

/** Rejects when the sender goes away. How long it may take is the server's `requestTimeout`. */
export async function readBody(request: IncomingMessage, most: number, budget: BodyBudget): Promise<BodyReading> {
  if (Number(request.headers["content-length"] ?? 0) > most) return { ok: false, because: "too large" };
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (length + chunk.length > most) return { ok: false, because: "too large" };
      if (!budget.take(chunk.length)) return { ok: false, because: "too many" };
      length += chunk.length;
      chunks.push(chunk);
    }
    return { ok: true, bytes: Buffer.concat(chunks) };
  } finally {
    budget.giveBack(length);
  }
}
