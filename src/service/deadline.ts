/**
 * The end of a call, by the first of these: its regular end, the application time-out, a disconnect, or preemption of its slot.
 */
import { ServiceError } from "./failure.ts";
import { OPERATIONS, type Operation } from "./operations.ts";

export interface Deadline {
  /** Aborts with a `ServiceError`: `APPLICATION_TIMEOUT`, `CANCELLED`, or `OVERLOADED` when the request must release its slot. */
  readonly signal: AbortSignal;
  /**
   * Settles as `work`, or rejects when the signal fires first. The signal is also passed to the code that does the work; the race
   * frees the caller from a source that ignores the signal.
   */
  race<T>(work: Promise<T>): Promise<T>;
  /** Stops the timer; the signal no longer fires. Idempotent. */
  clear(): void;
}

export interface DeadlineOptions {
  readonly client: AbortSignal;
  readonly milliseconds: number;
  /** `Place.makeWay` of a request that has a slot. */
  readonly makeWay?: (() => ServiceError | undefined) | undefined;
}

/** Interval between checks of the slot. */
const LOOK_MS = 250;

/** One timer serves deadline and slot: in workerd, a second timer costs a request more than checking both. */
export function startDeadline(operation: Operation, { client, milliseconds, makeWay }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  /** Not listeners of the signal: a request races several times, and each listener is a call into the platform. */
  const racing = new Set<(reason: unknown) => void>();
  const ends = Date.now() + milliseconds;
  let timer: ReturnType<typeof setTimeout>;
  const fire = (reason: ServiceError): void => {
    clear();
    controller.abort(reason);
    for (const reject of racing) reject(reason);
    racing.clear();
  };
  const onClientGone = (): void => fire(new ServiceError("CANCELLED", "The client closed the request.", { operation }));
  const overdue = (): ServiceError | undefined => {
    if (Date.now() < ends) return undefined;
    const label = OPERATIONS[operation].label;
    const message = `${label} timeout after ${milliseconds / 1000} seconds. The data source did not finish in time.`;
    return new ServiceError("APPLICATION_TIMEOUT", message, { operation });
  };
  const look = (): void => {
    const reason = overdue() ?? makeWay?.();
    if (reason === undefined) wait();
    else fire(reason);
  };
  const wait = (): void => {
    // Timers may fire slightly early.
    const left = Math.max(1, ends - Date.now());
    timer = setTimeout(look, makeWay === undefined ? left : Math.min(LOOK_MS, left));
  };
  const clear = (): void => {
    clearTimeout(timer);
    client.removeEventListener("abort", onClientGone);
  };
  wait();
  if (client.aborted) onClientGone();
  else client.addEventListener("abort", onClientGone);

  return {
    signal,
    race: (work) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        else racing.add(reject);
        // Also attached when the race is already lost: an unhandled rejection would end the isolate's request.
        work.then(
          (value) => {
            racing.delete(reject);
            resolve(value);
          },
          (error) => {
            racing.delete(reject);
            reject(error);
          },
        );
      }),
    clear,
  };
}
