/** Holders of a pool's slots, and the choice of those that must make way. */
import { ConnectorFailure } from "../src/connectors/failure.ts";

/** A request that uses the pool. */
export interface PoolUser {
  /** The caller's name in the API; undefined if callers are not distinguished, and then share all slots. */
  readonly caller: string | undefined;
  /** Time of the source's last answer, or of the last read of it; milliseconds since 1970. */
  movedAt: number;
  /** Called at most once; the request ends with the failure and gives its connection back. */
  readonly makeWay: (failure: ConnectorFailure) => void;
}

/** A slot in use. */
export interface Lent {
  readonly key: string;
  readonly user: PoolUser | undefined;
  isLeaving: boolean;
}

/** Idle connections count as free. */
export interface UsedPlaces {
  readonly freeOfKey: number;
  readonly perIdentity: number;
  readonly free: number;
  readonly total: number;
}

/** Seconds: a caller that had to make way would meet the same load if it returned at once. */
const RETRY_AFTER_MAKING_WAY = 10;
/** Callers whose last turn is remembered. */
const REMEMBERED = 1000;

const turnOf = (key: string, user: PoolUser | undefined): string => JSON.stringify([key, user?.caller ?? null]);

export class PoolUsers {
  readonly #holdMs: number;
  /** In the order they came. */
  readonly #lent = new Set<Lent>();

  /** The turns of callers that had places last, oldest first. */
  readonly #served = new Map<string, number>();
  #turns = 0;

  constructor(holdMs: number) {
    this.#holdMs = holdMs;
  }

  begin(key: string, user: PoolUser | undefined): Lent {
    const lent: Lent = { key, user, isLeaving: false };
    this.#lent.add(lent);
    this.#remember(lent);
    return lent;
  }

  /** Idempotent. */
  end(lent: Lent): void {
    this.#lent.delete(lent);
  }

  /**
   * The last free slot of an identity, and of the pool, is for a caller that holds none. A pool with one slot has no
   * such rule.
   */
  mayTake(key: string, user: PoolUser | undefined, { freeOfKey, perIdentity, free, total }: UsedPlaces): boolean {
    if (user?.caller === undefined) return true;
    if (perIdentity > 1 && freeOfKey <= 1 && this.#held(user, key) > 0) return false;
    return total === 1 || free > 1 || this.#held(user) === 0;
  }

  /**
   * Chooses from the waiting requests, in order of arrival: the first whose caller holds the fewest slots of its
   * identity; among several such callers, the one served longest ago.
   */
  next<W extends { readonly key: string; readonly user: PoolUser | undefined }>(waiting: readonly W[]): W {
    const [first, ...others] = waiting;
    if (first === undefined) throw new RangeError("nobody waits");
    const rank = ({ user, key }: W) => ({
      held: this.#held(user, key),
      served: this.#served.get(turnOf(key, user)) ?? 0,
    });
    let [found, best] = [first, rank(first)];
    for (const waiter of others) {
      const own = rank(waiter);
      if (own.held < best.held || (own.held === best.held && own.served < best.served)) [found, best] = [waiter, own];
    }
    return found;
  }

  /**
   * `waiting` requests wait for a slot of `key`. The same number of requests without recent progress must make way:
   * first those whose caller holds the most slots, then those idle the longest.
   */
  askForWay(key: string, waiting: number, { freeOfKey }: UsedPlaces): void {
    // If the identity has free slots, the whole pool is full.
    const holders = [...this.#lent].filter((lent) => freeOfKey > 1 || lent.key === key);
    const leaving = holders.filter(({ isLeaving }) => isLeaving).length;
    const still = holders.flatMap((lent) => {
      const { user, isLeaving } = lent;
      const isStill = user !== undefined && !isLeaving && Date.now() - user.movedAt >= this.#holdMs;
      return isStill ? [{ lent, user, held: this.#held(user, lent.key) }] : [];
    });
    still.sort((a, b) => b.held - a.held || a.user.movedAt - b.user.movedAt);
    for (const { lent, user } of still.slice(0, Math.max(0, waiting - leaving))) {
      lent.isLeaving = true;
      const message = `Nothing came of the statement for ${this.#holdMs / 1000} seconds, and other requests wait for its connection.`;
      user.makeWay(new ConnectorFailure("OVERLOADED", message, { retryAfter: RETRY_AFTER_MAKING_WAY }));
    }
  }

  #remember({ key, user }: Lent): void {
    if (user?.caller === undefined) return;
    const turn = turnOf(key, user);
    this.#served.delete(turn);
    this.#served.set(turn, ++this.#turns);
    const [oldest] = this.#served.keys();
    if (this.#served.size > REMEMBERED && oldest !== undefined) this.#served.delete(oldest);
  }

  #held(user: PoolUser | undefined, key?: string): number {
    const caller = user?.caller;
    if (caller === undefined) return 0;
    let held = 0;
    for (const lent of this.#lent) if (lent.user?.caller === caller && (key === undefined || lent.key === key)) held++;
    return held;
  }
}
