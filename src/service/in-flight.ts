/**
 * How many requests one isolate works on at once: past the cap, waiting a little and then refusing beats running out of
 * memory for everyone.
 *
 * Requests share numbers and nothing else: a Worker forbids that one touches the timers and streams of another. So whoever
 * waits looks by itself whether its turn has come, and whoever runs looks by itself whether it has to make way.
 */
import { ServiceError } from "./failure.ts";

export interface Place {
  /**
   * Why the request has to end, once the place is needed by others and nothing has moved for too long. Whoever waits for a
   * source asks now and then; who never asks is never in the way of the others for long.
   */
  makeWay(): ServiceError | undefined;
  /** The source has answered, or the client has taken some of the answer. */
  moved(): void;
  /** Idempotent. */
  release(): void;
}

export interface InFlightGate {
  /**
   * A place, at once or after waiting for one. Freed places go to the caller that holds the fewest. Fails with `OVERLOADED`
   * when none gets free in time or too many wait already, with `CANCELLED` when the client goes, and with
   * `CONCURRENCY_LIMITED` when the caller has `most` already that run or wait.
   */
  enter(caller: string, client: AbortSignal, most?: number): Promise<Place>;
  readonly inFlight: number;
  readonly waiting: number;
}

export interface InFlightLimits {
  readonly places: number;
  /** Longest wait for a place. */
  readonly waitMs: number;
  /** A request keeps its place for so long without anything moving while others wait. */
  readonly holdMs: number;
}

interface Running {
  readonly caller: string;
  movedAt: number;
  /** Told to end, and not ended yet. */
  isLeaving: boolean;
}

interface Waiting {
  readonly caller: string;
  seenAt: number;
}

const TURN_MS = 25;
/** Who waits and has not looked for so long is gone: nobody waits behind it. */
const GONE_MS = 1000;
/** Seconds: whoever had to make way would meet the same crowd at once. */
const RETRY_AFTER_MAKING_WAY = 10;

export function createInFlightGate(limits: InFlightLimits, now: () => number = Date.now): InFlightGate {
  const running = new Set<Running>();
  const queue = new Set<Waiting>();

  const held = (caller: string): number => [...running].filter((each) => each.caller === caller).length;
  /** Of those that wait: first who holds the fewest places, then who came first. */
  const next = (): Waiting | undefined => {
    const present = [...queue].filter(({ seenAt }) => now() - seenAt < GONE_MS);
    return present.reduce<Waiting | undefined>(
      (first, each) => (first === undefined || held(each.caller) < held(first.caller) ? each : first),
      undefined,
    );
  };
  /** Of those that run and had their time: first whose caller holds the most places, then who has been still the longest. */
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
