/** A result that gives what is put into it, when it is put. */
import type { Batch, Column, ResultStream, Row } from "../../src/result/types.ts";

const COLUMNS: readonly Column[] = [{ name: "n", type: { kind: "int32" } }];
export const rows = (...numbers: number[]): Batch => numbers.map((n) => [n]);

export class Source implements ResultStream {
  readonly columns: readonly Column[];
  pulls = 0;
  closed = false;
  readonly #steps: (() => IteratorResult<Batch>)[] = [];
  #wake = Promise.withResolvers<void>();

  constructor(columns = COLUMNS) {
    this.columns = columns;
  }

  give(...batches: Batch[]): this {
    for (const value of batches) this.#steps.push(() => ({ done: false, value }));
    this.#wake.resolve();
    return this;
  }

  finish(): this {
    this.#steps.push(() => ({ done: true, value: undefined }));
    this.#wake.resolve();
    return this;
  }

  fail(error: unknown): this {
    this.#steps.push(() => {
      throw error;
    });
    this.#wake.resolve();
    return this;
  }

  readonly batches: AsyncIterableIterator<Batch> = {
    [Symbol.asyncIterator]: () => this.batches,
    next: async () => {
      this.pulls++;
      for (;;) {
        const step = this.#steps.shift();
        if (step !== undefined) return step();
        if (this.closed) return { done: true, value: undefined };
        await this.#wake.promise;
        this.#wake = Promise.withResolvers();
      }
    },
  };

  async close(): Promise<void> {
    this.closed = true;
    this.#wake.resolve();
  }
}

export async function allOf(stream: ResultStream): Promise<Row[]> {
  const all: Row[] = [];
  for await (const batch of stream.batches) all.push(...batch);
  return all;
}
