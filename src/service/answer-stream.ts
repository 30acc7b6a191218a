/** The stream of a source's rows to the caller: renames columns as planned, applies limits, and ends with the call. */
import type { PlanColumn } from "../planner/plan.ts";
import { limitStream } from "../result/stream/limit.ts";
import type { Batch, ResultStream } from "../result/types.ts";
import type { Call } from "./call.ts";
import { ServiceError } from "./failure.ts";

export interface AnswerStreamOptions {
  readonly call: Call;
  /** The names that the caller sees (docs/decisions/0003-names-of-columns.md). */
  readonly columns: readonly PlanColumn[];
  /** Row limit; exceeding it is an error. */
  readonly refuseAbove: number | undefined;
  /** Byte limit, counted by the size of the values; exceeding it is an error. */
  readonly mostBytes: number | undefined;
  /** Keeps the platform from ending work that no request awaits. */
  readonly defer: (work: Promise<unknown>) => void;
  /** Wraps the rows within the limits, under the source's names: the cache collects them. */
  readonly through?: ((rows: ResultStream) => ResultStream) | undefined;
}

/**
 * Takes ownership of `source`. It is closed when the rows are read, when reading fails, when the caller stops, when the deadline
 * of the call passes and when the client disconnects, even if nobody pulls. `batches` throws only `ServiceError`.
 */
export function answerStream(source: ResultStream, options: AnswerStreamOptions): ResultStream {
  const { call, columns } = options;
  if (source.columns.length !== columns.length) {
    options.defer(source.close());
    const counts = `${source.columns.length} columns where the plan has ${columns.length}`;
    throw new ServiceError("UPSTREAM_PROTOCOL", `The data source answered ${counts}.`, { operation: call.operation });
  }
  const limited = limitStream(source, { rows: options.refuseAbove, bytes: options.mostBytes }, (which, limit) =>
    which === "rows" ? tooManyRows(limit, call) : tooManyBytes(limit, call),
  );
  const rows = options.through?.(limited) ?? limited;

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    // The answer is already decided; a source that fails to close cannot change it.
    closing ??= rows.close().then(call.end, call.end);
    return closing;
  };
  call.onAbort(() => options.defer(close()));

  async function* read(): AsyncGenerator<Batch, void, undefined> {
    try {
      for (;;) {
        const step = await call.race(rows.batches.next());
        if (step.done === true) return;
        yield step.value;
      }
    } catch (error) {
      throw call.failure(error);
    } finally {
      await close();
    }
  }

  return {
    columns: source.columns.map((column, index) => ({ ...column, name: columns[index]?.name ?? column.name })),
    warnings: source.warnings,
    batches: read(),
    close,
  };
}

function tooManyRows(cap: number, call: Call): ServiceError {
  const message = `The answer has more than ${cap} rows, the most this service returns.`;
  const metadata = { hint: "Add a LIMIT or pass limit." };
  return new ServiceError("ROW_LIMIT_EXCEEDED", message, { operation: call.operation, metadata });
}

function tooManyBytes(cap: number, call: Call): ServiceError {
  const message = `The values of the answer take more than ${cap} bytes, the most an answer to this caller may have.`;
  const metadata = { hint: "Ask for fewer rows or columns." };
  return new ServiceError("BYTE_LIMIT_EXCEEDED", message, { operation: call.operation, metadata });
}
