/**
 * Collects an answer for the cache while its caller reads it.
 *
 * The source is read at its own speed and the rows are kept as frames, so a slow reader blocks neither the source nor the
 * requests that wait for the same answer. Only an answer that the source completes is cached. If the answer exceeds its budget,
 * collecting stops and the caller reads on at its own speed, as if there were no cache.
 */
import { Batches } from "../result/stream/batches.ts";
import type { Batch, ResultStream } from "../result/types.ts";
import type { Frames } from "./frames.ts";
import type { MemoryBudget } from "./memory-budget.ts";

export type CollectionEnd =
  /** The complete result in frames. They count in the budget until `release`. */
  | { readonly kind: "complete"; readonly frames: Uint8Array<ArrayBuffer>; readonly release: () => void }
  /** The answer exceeds the size of an entry, the budget has no room, or a frame cannot hold a value. */
  | { readonly kind: "too large" | "no room" | "unfit" }
  /** The source failed. */
  | { readonly kind: "failed" }
  /** The reader stopped, or the call timed out. */
  | { readonly kind: "cancelled" };

export interface CollectionOptions {
  readonly frames: Frames;
  readonly maxBytes: number;
  readonly budget: MemoryBudget;
  /** Signal of the call: the source's end counts only if it has not fired. */
  readonly signal: AbortSignal;
}

export interface Collection {
  readonly rows: ResultStream;
  readonly end: Promise<CollectionEnd>;
}

/** Takes ownership of `source` and starts to read it. */
export function collect(source: ResultStream, options: CollectionOptions): Collection {
  const collecting = new Collecting(source, options);
  return { rows: collecting.rows(), end: collecting.end };
}

/** In the order of the answer. Frames are kept until the end; a batch that is not in frames is kept until it has been read. */
type Item = { readonly frame: Uint8Array } | { readonly batch: Batch };

/** Placeholder for an item that will not be read again. */
const READ: Item = { batch: [] };

class Collecting {
  readonly #source: ResultStream;
  readonly #options: CollectionOptions;
  readonly #framer: ReturnType<Frames["framer"]>;
  readonly #decode: (frame: Uint8Array) => Batch;
  readonly #end = Promise.withResolvers<CollectionEnd>();
  readonly #opening: Uint8Array;
  #items: Item[] = [];
  /** Index of the next item to read. */
  #next = 0;
  /** The newest batch with the items that contain it: a reader that keeps up need not decode what was just encoded. */
  #newest: { readonly from: number; readonly to: number; readonly batch: Batch } | undefined;
  #taken = 0;
  #state: "collecting" | "given up" | "ended" | "closed" = "collecting";
  #failure: { readonly error: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(source: ResultStream, options: CollectionOptions) {
    this.#source = source;
    this.#options = options;
    this.#framer = options.frames.framer(source.columns, source.warnings);
    this.#decode = options.frames.batchReader(source.columns);
    this.#opening = this.#framer.opening();
    if (this.#take(this.#opening.length)) void this.#readAhead();
  }

  get end(): Promise<CollectionEnd> {
    return this.#end.promise;
  }

  rows(): ResultStream {
    const close = async (): Promise<void> => {
      this.#close();
      await this.#source.close();
    };
    return { columns: this.#source.columns, batches: new Batches(() => this.#pull(), close), close };
  }

  async #readAhead(): Promise<void> {
    try {
      while (this.#state === "collecting") {
        const step = await this.#source.batches.next();
        if (this.#state !== "collecting") return;
        if (step.done !== true) {
          this.#keep(step.value);
        } else if (this.#options.signal.aborted) {
          this.#finish("ended", { kind: "cancelled" });
        } else {
          this.#complete();
        }
        this.#wake();
      }
    } catch (error) {
      if (this.#state !== "collecting") return;
      this.#failure = { error };
      this.#finish("ended", { kind: this.#options.signal.aborted ? "cancelled" : "failed" });
      this.#wake();
    }
  }

  #keep(batch: Batch): void {
    const from = this.#items.length;
    try {
      for (const frame of this.#framer.batch(batch)) {
        if (!this.#take(frame.length)) break;
        this.#items.push({ frame });
      }
    } catch {
      // A value does not match its column's type. The encoder of the answer reports it, if its format cannot write the value.
      this.#finish("given up", { kind: "unfit" });
    }
    if (this.#state === "collecting") {
      const to = this.#items.length;
      if (to > from) this.#newest = { from, to, batch };
      return;
    }
    // Part of the batch is not in frames, so the whole batch is kept undecoded.
    this.#items.length = from;
    this.#items.push({ batch });
  }

  /** Reserves budget; stops collecting when there is no room. */
  #take(bytes: number): boolean {
    if (this.#taken + bytes > this.#options.maxBytes) this.#finish("given up", { kind: "too large" });
    else if (!this.#options.budget.take(bytes)) this.#finish("given up", { kind: "no room" });
    else {
      this.#taken += bytes;
      return true;
    }
    return false;
  }

  #complete(): void {
    const last = this.#framer.end();
    if (!this.#take(last.length)) return;
    const whole = new Uint8Array(this.#taken);
    let at = 0;
    const append = (bytes: Uint8Array): void => {
      whole.set(bytes, at);
      at += bytes.length;
    };
    append(this.#opening);
    // Unread items now refer to the same memory.
    this.#items = this.#items.map((item) => {
      if (!("frame" in item)) return item;
      const from = at;
      append(item.frame);
      return { frame: whole.subarray(from, at) };
    });
    append(last);
    const bytes = this.#taken;
    this.#taken = 0;
    this.#finish("ended", { kind: "complete", frames: whole, release: () => this.#options.budget.give(bytes) });
  }

  async #pull(): Promise<IteratorResult<Batch>> {
    for (;;) {
      if (this.#state === "closed") return { done: true, value: undefined };
      const item = this.#items[this.#next];
      if (item !== undefined) return { done: false, value: this.#read(item) };
      if (this.#state === "given up") return this.#source.batches.next();
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#state === "ended") return { done: true, value: undefined };
      await this.#changed.promise;
    }
  }

  #read(item: Item): Batch {
    const newest = this.#newest;
    const from = this.#next;
    this.#next = newest?.from === from ? newest.to : from + 1;
    const batch = newest?.from === from ? newest.batch : "batch" in item ? item.batch : this.#decode(item.frame);
    if (newest?.from === from) this.#newest = undefined;
    if ("batch" in item) this.#items[from] = READ;
    // The frames of an answer that will not be cached are released once read.
    if (this.#state === "given up") this.#forget(from, this.#next);
    return batch;
  }

  #forget(from: number, to: number): void {
    for (let index = from; index < to; index++) {
      const item = this.#items[index];
      if (item === undefined || !("frame" in item)) continue;
      this.#giveBack(item.frame.length);
      this.#items[index] = READ;
    }
  }

  #finish(state: "given up" | "ended" | "closed", end: CollectionEnd): void {
    this.#state = state;
    this.#end.resolve(end);
    if (state === "given up") {
      this.#giveBack(Math.min(this.#taken, this.#opening.length));
      this.#forget(0, this.#next);
    }
  }

  #close(): void {
    if (this.#state === "closed") return;
    this.#finish("closed", { kind: "cancelled" });
    this.#giveBack(this.#taken);
    this.#items = [];
    this.#newest = undefined;
    this.#wake();
  }

  #giveBack(bytes: number): void {
    this.#taken -= bytes;
    this.#options.budget.give(bytes);
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
