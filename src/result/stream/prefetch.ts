import type { Batch, ResultStream } from "../types.ts";
import { Batches } from "./batches.ts";

/**
 * The same stream with its first rows already here, so that a source that fails early is answered with an error status
 * and not with a broken body (decisions W12). Empty batches are passed over: they say nothing about what follows.
 * When the source throws it is closed, and the error is this function's. Closing works as on the source itself.
 */
export async function prefetch(source: ResultStream): Promise<ResultStream> {
  let first = await pullFirst(source);
  const next = async (): Promise<IteratorResult<Batch>> => {
    const held = first;
    if (held === undefined) return source.batches.next();
    first = undefined;
    return held;
  };
  const batches = new Batches(next, () => {
    first = undefined;
    return source.batches.return?.();
  });
  return {
    columns: source.columns,
    batches,
    close() {
      first = undefined;
      return source.close();
    },
  };
}

async function pullFirst(source: ResultStream): Promise<IteratorResult<Batch> | undefined> {
  try {
    for (;;) {
      const next = await source.batches.next();
      if (next.done || next.value.length > 0) return next;
    }
  } catch (error) {
    await source.close();
    throw error;
  }
}
