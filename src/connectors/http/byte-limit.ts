/** Limits the size of HTTP responses that must fit into memory. */
import { ConnectorFailure } from "../failure.ts";

/** The same bytes; fails with `SOURCE_ERROR` after `maxBytes`, counted after decompression. */
export function byteLimited(body: ReadableStream<Uint8Array> | null, maxBytes: number): ReadableStream | null {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        throw new ConnectorFailure("SOURCE_ERROR", `The answer is larger than the ${maxBytes} bytes that fit.`, {
          hint: "Select fewer rows or columns, or use a limit.",
        });
      }
      controller.enqueue(chunk);
    },
  });
  return body?.pipeThrough(counter) ?? null;
}
