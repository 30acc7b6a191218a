import { describe, expect, test } from "vitest";
import { ChunkReader } from "../../../src/result/stream/chunk-reader.ts";

type MakeStream = (chunks: readonly Uint8Array[], failure?: Error) => ReadableStream<Uint8Array>;

const STREAMS: readonly (readonly [string, MakeStream])[] = [
  [
    "that takes buffers",
    (chunks, failure) => {
      const left = [...chunks];
      return new ReadableStream({
        type: "bytes",
        pull(controller) {
          const chunk = left.shift();
          if (chunk !== undefined) return controller.enqueue(chunk.slice());
          if (failure !== undefined) return controller.error(failure);
          controller.close();
          // A reader that waits with its buffer learns of the end only when the buffer is given back.
          const waiting: unknown = controller.byobRequest;
          (waiting as { respond(bytes: number): void } | null)?.respond(0);
        },
      });
    },
  ],
  [
    "of finished chunks",
    (chunks, failure) => {
      const left = [...chunks];
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          const chunk = left.shift();
          if (chunk !== undefined) return controller.enqueue(chunk.slice());
          if (failure !== undefined) controller.error(failure);
          else controller.close();
        },
      });
    },
  ],
];

/** Reads until the end, and only then looks at what was read. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = new ChunkReader(stream);
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = await reader.read();
    if (chunk === undefined) return new Uint8Array(Buffer.concat(chunks));
    chunks.push(chunk);
  }
}

function bytes(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + seed) % 256);
}

describe.each(STREAMS)("a stream %s", (_what, stream) => {
  test.each([
    ["nothing", []],
    ["one byte", [1]],
    ["small chunks", [10, 20, 30]],
    ["a chunk of the buffer's size", [65_536]],
    ["chunks larger than the buffer", [200_000, 1, 65_537]],
  ])("gives %s as it came", async (_name, lengths) => {
    const chunks = lengths.map(bytes);
    expect(await readAll(stream(chunks))).toEqual(new Uint8Array(Buffer.concat(chunks)));
  });

  test("fails as it does, after what came before", async () => {
    const reader = new ChunkReader(stream([bytes(3, 0)], new Error("torn")));
    expect(await reader.read()).toEqual(bytes(3, 0));
    await expect(reader.read()).rejects.toThrow("torn");
    await expect(reader.closed).rejects.toThrow("torn");
  });

  test("is cancelled, and can be handed on", async () => {
    const handed = stream([bytes(3, 0), bytes(4, 1)]);
    const first = new ChunkReader(handed);
    await first.read();
    first.closed.catch(() => {});
    first.releaseLock();
    const second = new ChunkReader(handed);
    expect(await second.read()).toEqual(bytes(4, 1));
    await second.cancel();
    expect(await second.read()).toBeUndefined();
  });
});

test("a stream that somebody else reads is refused", () => {
  const stream = new ReadableStream<Uint8Array>();
  stream.getReader();
  expect(() => new ChunkReader(stream)).toThrow(TypeError);
});
