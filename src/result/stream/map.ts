import type { Batch, Column, ResultStream } from "../types.ts";
import { Batches } from "./batches.ts";

/**
 * A stream whose batches pass through `map` as they are pulled. When `map` throws, the source is closed and the reader gets the
 * error. `for await` would not close the source, because it assumes that an iterator that throws has finished.
 */
export function mapBatches(
  source: ResultStream,
  columns: readonly Column[],
  map: (batch: Batch) => Batch,
): ResultStream {
  const next = async (): Promise<IteratorResult<Batch>> => {
    const next = await source.batches.next();
    if (next.done) return next;
    try {
      return { done: false, value: map(next.value) };
    } catch (error) {
      await source.close();
      throw error;
    }
  };
  const batches = new Batches(next, () => source.batches.return?.());
  return { columns, batches, close: () => source.close() };
}
