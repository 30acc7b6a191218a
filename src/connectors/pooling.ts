/**
 * Connections that serve one request after another. A runtime that can keep them lends a pool to the connectors; a Worker,
 * whose sockets end with the request that opened them, has none. Nothing here knows what kind of connection it is.
 */

/** An open connection to a source. */
export interface Reusable {
  /** False from the moment on from which it must not serve anybody: it is broken, or somebody's work may go on in it. */
  readonly isUsable: boolean;
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<unknown>;
  /** Takes back whatever its user changed. Rejects where that cannot be done: it is closed then. */
  reset(): Promise<void>;
  /** Resolves when the other side still answers. */
  check(): Promise<void>;
  /** Idempotent, never throws. */
  close(): Promise<void>;
}

/** A connection, for one request. */
export interface Loan<T extends Reusable> {
  readonly connection: T;
  /** It has served somebody before, and may have broken since without anybody noticing. */
  readonly isReused: boolean;
  /** Closes the connection, which has turned out broken, and opens another in its place. Fails as `open` does. */
  replace(): Promise<Loan<T>>;
  /** The request is over. Idempotent, never throws; resolves when the request need not be kept alive for it any more. */
  end(): Promise<void>;
}

export interface ConnectionPool {
  /**
   * `identity` is equal for two connections exactly when they are the same, secrets included; then what `open` resolves
   * with is of the same kind. Fails with `OVERLOADED`, as `open` does, or with the signal's reason.
   */
  borrow<T extends Reusable>(identity: string, open: () => Promise<T>, signal: AbortSignal): Promise<Loan<T>>;
}

/** For a runtime without a pool: opened for this request and closed after it. */
export async function openForOne<T extends Reusable>(open: () => Promise<T>): Promise<Loan<T>> {
  const connection = await open();
  return {
    connection,
    isReused: false,
    replace: async () => {
      await connection.close();
      return openForOne(open);
    },
    end: () => connection.close(),
  };
}
