/** Failures after the first byte, in a form that may be seen by whoever looks at a broken stream (decisions W12). */
import { Batches } from "../result/stream/batches.ts";
import type { Batch, ResultStream } from "../result/types.ts";
import type { ServiceError } from "../service/failure.ts";
import { toServiceError } from "../service/translate.ts";

/**
 * What the body of a broken answer errors with. Runtimes write that error's text into logs which no redactor of ours
 * reaches, so it says nothing; what happened is in `failure`, out of the way of printers.
 */
class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
  readonly #failure: ServiceError;

  constructor(failure: ServiceError) {
    super("The answer broke off; the request's log line says why.");
    this.#failure = failure;
  }

  get failure(): ServiceError {
    return this.#failure;
  }
}

/** The same rows; what they throw is a `BrokenAnswer`. */
export function withLateFailures(rows: ResultStream): ResultStream {
  const next = async (): Promise<IteratorResult<Batch>> => {
    try {
      return await rows.batches.next();
    } catch (error) {
      throw new BrokenAnswer(toServiceError(error, { operation: "query" }));
    }
  };
  const batches = new Batches(next, () => rows.batches.return?.());
  return { columns: rows.columns, batches, close: () => rows.close() };
}

/** What happened, of anything that an encoder reports. */
export function lateFailureOf(error: unknown): ServiceError {
  return error instanceof BrokenAnswer ? error.failure : toServiceError(error, { operation: "query" });
}
