import type { Batch, ResultStream } from "../types.ts";
import { Batches } from "./batches.ts";

/**
 * Reads the first rows in advance, so that an early failure of the source gives an error status and not a broken body
 * (docs/decisions/0008-failure-behind-the-first-byte.md). Empty batches are skipped: they do not show whether the source works.
 * When the source throws, it is closed and this function throws the error. Closing works as on the source.
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
