/**
 * Limits the number of concurrent requests of one isolate. Beyond the limit, a short wait and then a refusal is better than
 * running out of memory for all requests.
 *
 * Requests share only numbers: a Worker forbids one request to use timers and streams of another. So each waiting request polls
 * for its turn, and each running request polls whether it must release its slot.
 */
import { ServiceError } from "./failure.ts";

export interface Place {
  /**
   * The error with which the request must end, when others need its slot and it has made no progress for too long. Requests that
   * wait for a source poll this; a request that never polls does not run for long.
   */
  makeWay(): ServiceError | undefined;
  /** Progress: the source has answered, or the client has read a part of the answer. */
  moved(): void;
  /** Idempotent. */
  release(): void;
}

export interface InFlightGate {
  /**
   * Takes a slot, at once or after a wait. Free slots go to the caller with the fewest slots. Rejects with `OVERLOADED` when no
   * slot becomes free in time or too many requests wait, with `CANCELLED` when the client disconnects, and with
   * `CONCURRENCY_LIMITED` when the caller already has `most` running or waiting requests.
   */
  enter(caller: string, client: AbortSignal, most?: number): Promise<Place>;
  readonly inFlight: number;
  readonly waiting: number;
}

export interface InFlightLimits {
  readonly places: number;
  /** Maximum wait for a slot. */
  readonly waitMs: number;
  /** How long a request may keep its slot without progress while others wait. */
  readonly holdMs: number;
}

interface Running {
  readonly caller: string;
  movedAt: number;
  /** The request was asked to end, and has not ended yet. */
  isLeaving: boolean;
}

interface Waiting {
  readonly caller: string;
  seenAt: number;
}

const TURN_MS = 25;
/** A waiting request that has not polled for this long is gone, and blocks no other. */
const GONE_MS = 1000;
/** Seconds: a preempted request that retried at once would find the same load. */
const RETRY_AFTER_MAKING_WAY = 10;

export function createInFlightGate(limits: InFlightLimits, now: () => number = Date.now): InFlightGate {
  const running = new Set<Running>();
  const queue = new Set<Waiting>();

  const held = (caller: string): number => [...running].filter((each) => each.caller === caller).length;
  /** The next waiting request: the caller with the fewest slots first, then by arrival. */
  const next = (): Waiting | undefined => {
    const present = [...queue].filter(({ seenAt }) => now() - seenAt < GONE_MS);
    return present.reduce<Waiting | undefined>(
      (first, each) => (first === undefined || held(each.caller) < held(first.caller) ? each : first),
      undefined,
    );
  };
  /** Chooses among running requests without progress: the caller with the most slots first, then the longest idle time. */
  const mustLeave = (place: Running): boolean => {
    const leaving = [...running].filter(({ isLeaving }) => isLeaving).length;
    if (queue.size <= leaving || now() - place.movedAt < limits.holdMs) return false;
    const precedes = (a: Running, b: Running): boolean =>
      held(a.caller) > held(b.caller) || (held(a.caller) === held(b.caller) && a.movedAt < b.movedAt);
    return [...running].every((each) => each === place || each.isLeaving || !precedes(each, place));
  };

  function take(caller: string): Place {
    const place: Running = { caller, movedAt: now(), isLeaving: false };
    running.add(place);
    return {
      makeWay() {
        place.isLeaving ||= mustLeave(place);
        if (!place.isLeaving) return undefined;
        const message = `Nothing came from the data source for ${limits.holdMs / 1000} seconds, and other requests wait.`;
        return new ServiceError("OVERLOADED", message, { retryAfter: RETRY_AFTER_MAKING_WAY });
      },
      moved() {
        place.movedAt = now();
      },
      release() {
        running.delete(place);
      },
    };
  }

  async function wait(caller: string, client: AbortSignal): Promise<Place> {
    const until = now() + limits.waitMs;
    const turn: Waiting = { caller, seenAt: now() };
    queue.add(turn);
    try {
      while (now() < until) {
        await new Promise((resolve) => setTimeout(resolve, TURN_MS));
        if (client.aborted) throw new ServiceError("CANCELLED", "The client closed the request.");
        turn.seenAt = now();
        if (running.size < limits.places && next() === turn) return take(caller);
      }
      throw full();
    } finally {
      queue.delete(turn);
    }
  }

  return {
    get inFlight() {
      return running.size;
    },
    get waiting() {
      return queue.size;
    },
    async enter(caller, client, most = Number.POSITIVE_INFINITY) {
      const waiting = [...queue].filter((each) => each.caller === caller).length;
      if (held(caller) + waiting >= most) {
        const message = `The caller has ${most} requests that run or wait already, the most it may have at once.`;
        throw new ServiceError("CONCURRENCY_LIMITED", message);
      }
      if (running.size < limits.places && next() === undefined) return take(caller);
      if (queue.size >= limits.places || limits.waitMs === 0) throw full();
      return wait(caller, client);
    },
  };
}

function full(): ServiceError {
  return new ServiceError("OVERLOADED", "The service is at its limit of concurrent requests; try again shortly.");
}
