/** A web stream into a Node stream, at the pace of whoever reads it at the other end. */
import { once } from "node:events";
import type { Writable } from "node:stream";

/** Resolves when all of it is on its way; rejects when either end breaks. */
export async function writeAll(stream: ReadableStream<Uint8Array>, target: Writable): Promise<void> {
  for await (const chunk of stream) {
    if (!target.write(chunk)) await once(target, "drain");
  }
  target.end();
}
