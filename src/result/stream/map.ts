import type { Batch, Column, ResultStream } from "../types.ts";

/**
 * A stream whose batches go through `map` as they are pulled. When `map` throws, the source is closed and the error is
 * what the reader gets; `for await` would not close it, because it trusts an iterator that throws to be finished.
 */
export function mapBatches(
  source: ResultStream,
  columns: readonly Column[],
  map: (batch: Batch) => Batch,
): ResultStream {
  const batches: AsyncIterableIterator<Batch> = {
    [Symbol.asyncIterator]: () => batches,
    async next() {
      const next = await source.batches.next();
      if (next.done) return next;
      try {
        return { done: false, value: map(next.value) };
      } catch (error) {
        await source.close();
        throw error;
      }
    },
    async return() {
      await source.batches.return?.();
      return { done: true, value: undefined };
    },
  };
  return { columns, batches, close: () => source.close() };
}
