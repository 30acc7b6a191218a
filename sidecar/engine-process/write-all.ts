/** Writes a web stream to a Node stream with backpressure. */
import { once } from "node:events";
import type { Writable } from "node:stream";

/** Resolves to the number of bytes when all of them are on their way; rejects when either end breaks. */
export async function writeAll(stream: ReadableStream<Uint8Array>, target: Writable): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (!target.write(chunk)) await once(target, "drain");
  }
  return bytes;
}
