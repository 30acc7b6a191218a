/** The end of a call, whichever comes first: its own end, the application time-out, or the client's departure. */
import { ServiceError } from "./failure.ts";
import { OPERATIONS, type Operation } from "./operations.ts";

export interface Deadline {
  /** Aborted with a `ServiceError`: `APPLICATION_TIMEOUT`, `CANCELLED`, or `OVERLOADED` where the request has to make way. */
  readonly signal: AbortSignal;
  /**
   * `work`, unless the signal fires first. The signal is also passed to whoever does the work; racing as well keeps a
   * source that does not listen from holding the caller.
   */
  race<T>(work: Promise<T>): Promise<T>;
  /** Stops the clock; the signal will not fire any more. Idempotent. */
  clear(): void;
}

export function startDeadline(operation: Operation, client: AbortSignal, milliseconds: number): Deadline {
  const controller = new AbortController();
  const onClientGone = (): void => {
    clear();
    const { reason } = client;
    const gone = new ServiceError("CANCELLED", "The client closed the request.", { operation });
    controller.abort(reason instanceof ServiceError ? reason : gone);
  };
  const timer = setTimeout(() => {
    clear();
    const label = OPERATIONS[operation].label;
    const message = `${label} timeout after ${milliseconds / 1000} seconds. The data source did not finish in time.`;
    controller.abort(new ServiceError("APPLICATION_TIMEOUT", message, { operation }));
  }, milliseconds);
  const clear = (): void => {
    clearTimeout(timer);
    client.removeEventListener("abort", onClientGone);
  };
  if (client.aborted) onClientGone();
  else client.addEventListener("abort", onClientGone);

  const { signal } = controller;
  return {
    signal,
    race: (work) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => reject(signal.reason);
        if (signal.aborted) onAbort();
        else signal.addEventListener("abort", onAbort, { once: true });
        // Also attached when the race is lost already: a rejection that nobody handles would end the isolate's request.
        work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
      }),
    clear,
  };
}
