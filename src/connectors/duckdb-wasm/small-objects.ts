/**
 * Small objects of a bucket, fetched whole by their first read. The reads of one object (footer, columns, the first line, the engine's)
 * would otherwise be a request each, and a Worker may make six at a time.
 */
import { ConnectorFailure } from "../failure.ts";
import type { ObjectStore, StoredObject } from "../files/object-store.ts";
import type { FoundFile } from "./view.ts";

/** Fetching an object of this size whole costs less than two requests. */
export const MOST_SMALL_BYTES = 128 * 1024;
/** Held for one statement; further objects are read by ranges. */
const MOST_HELD_BYTES = 8 * 1024 * 1024;

export class SmallObjects {
  readonly #held = new Map<StoredObject, Promise<Uint8Array>>();
  #bytes = 0;

  /** A store whose small objects are fetched once. Requests end with the signal of the first read. */
  over(store: ObjectStore): ObjectStore {
    return {
      root: store.root,
      head: store.head.bind(store),
      list: store.list.bind(store),
      read: async (object, start, end, signal) => {
        const whole = this.#whole(store, object, signal);
        if (whole === undefined) return store.read(object, start, end, signal);
        const bytes = await whole;
        signal.throwIfAborted();
        return streamOf(bytes.subarray(start, end));
      },
    };
  }

  #whole(store: ObjectStore, object: StoredObject, signal: AbortSignal): Promise<Uint8Array> | undefined {
    const known = this.#held.get(object);
    if (known !== undefined) return known;
    if (object.size === 0 || object.size > MOST_SMALL_BYTES) return undefined;
    if (this.#bytes + object.size > MOST_HELD_BYTES) return undefined;
    this.#bytes += object.size;
    const fetched = wholeOf(store, object, signal);
    this.#held.set(object, fetched);
    // A failed request is repeated by the next read.
    fetched.catch(() => {
      this.#held.delete(object);
      this.#bytes -= object.size;
    });
    return fetched;
  }
}

async function wholeOf(store: ObjectStore, object: StoredObject, signal: AbortSignal): Promise<Uint8Array> {
  const stream = await store.read(object, 0, object.size, signal);
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length === object.size) return bytes;
  throw new ConnectorFailure("OBJECT_CHANGED", `"${object.key}" is shorter than it was.`);
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** Cloudflare lets a Worker have six open connections for each request. */
const REQUESTS_AT_ONCE = 6;

/** Begins with the small files of a view before they are read one after the other. */
export async function fetchSmall(files: readonly FoundFile[], signal: AbortSignal): Promise<void> {
  const small: FoundFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (file.size === 0 || file.size > MOST_SMALL_BYTES) continue;
    bytes += file.size;
    if (bytes > MOST_HELD_BYTES) break;
    small.push(file);
  }
  if (small.length < 2) return;
  const waiting = small.values();
  const work = async (): Promise<void> => {
    for (const file of waiting) await file.read(0, 1, signal);
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
}
