/** Bytes of files that are looked at beside the engine: compressed ones by the platform's own gzip. */
import { ConnectorFailure } from "../failure.ts";
import { beyond } from "./needs-sidecar.ts";
import type { FoundFile } from "./view.ts";

const CHUNK_BYTES = 256 * 1024;

/** As the engine takes it: `.GZ` is none to it. */
export const isCompressed = (name: string): boolean => name.endsWith(".gz");

/** All of its plain bytes. Fails as `assertWhole` where it is compressed and not whole. */
export async function* plainBytes(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  if (!isCompressed(file.name)) return yield* chunksOf(file, signal);
  try {
    yield* unpacked(file, signal);
  } catch (error) {
    throw notWhole(file, error, signal);
  }
}

/** The engine takes what there is of one that is cut off for all of it, and does not look at checksums. */
export async function assertWhole(file: FoundFile, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of unpacked(file, signal)) signal.throwIfAborted();
  } catch (error) {
    throw notWhole(file, error, signal);
  }
}

function notWhole({ name }: FoundFile, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ConnectorFailure) return error;
  // It may be in order: several members behind each other are none to the platform.
  return beyond(name, "what is packed in it: it is cut off, damaged, or of several members");
}

/** Its plain bytes from the beginning. Fails with `FILE_INVALID`. */
export async function* beginningOf(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* isCompressed(file.name) ? unpacked(file, signal) : chunksOf(file, signal);
  } catch (error) {
    if (error instanceof ConnectorFailure) throw error;
    throw new ConnectorFailure("FILE_INVALID", `"${file.name}" cannot be read.`, { cause: error });
  }
}

async function* chunksOf(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    yield await file.read(at, Math.min(at + CHUNK_BYTES, file.size), signal);
  }
}

/** Fails with the platform's error where the file is none of gzip, or not whole. */
async function* unpacked(file: FoundFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = chunksOf(file, signal);
  const source = new ReadableStream<BufferSource>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
  });
  const reader = source.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever has seen enough reads no more of it.
    await reader.cancel().catch(() => undefined);
  }
}
