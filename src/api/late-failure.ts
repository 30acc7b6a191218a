/**
 * Failures after the first byte, in a form that any reader of a broken stream may see
 * (docs/decisions/0008-failure-behind-the-first-byte.md).
 */
import { Batches } from "../result/stream/batches.ts";
import type { Batch, ResultStream } from "../result/types.ts";
import type { ServiceError } from "../service/failure.ts";
import { toServiceError } from "../service/translate.ts";

/**
 * The error of a broken answer's body. Runtimes write its text into logs that our redactor does not reach, so the text contains
 * no details. The actual error is in `failure`, a private member that is not printed.
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

/** The same rows; their errors are wrapped in `BrokenAnswer`. */
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

/** The actual failure behind an error that an encoder reports. */
export function lateFailureOf(error: unknown): ServiceError {
  return error instanceof BrokenAnswer ? error.failure : toServiceError(error, { operation: "query" });
}
