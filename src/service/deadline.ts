/** The end of a call, whichever comes first: its own end, the application time-out, the client's departure, others in need of its place. */
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

export interface DeadlineOptions {
  readonly client: AbortSignal;
  readonly milliseconds: number;
  /** `Place.makeWay`, of a request that has a place. */
  readonly makeWay?: (() => ServiceError | undefined) | undefined;
}

/** How often a place is looked at. */
const LOOK_MS = 250;

/** One timer for the clock and the place: in workerd, one more costs a request more than looking at both. */
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
    // Timers may go off a little early.
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
        // Also attached when the race is lost already: a rejection that nobody handles would end the isolate's request.
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
