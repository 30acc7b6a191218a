/**
 * Connections that serve several requests in turn. A runtime that can keep them passes a pool to the connectors; a Worker, whose
 * sockets end with the request that opened them, has none. The pool is independent of the kind of connection.
 */

/** An open connection to a source. */
export interface Reusable {
  /** False once the connection must not be reused: it is broken, or work may still run in it. */
  readonly isUsable: boolean;
  /** Resolves when the connection has ended for any reason. */
  readonly ended: Promise<unknown>;
  /** Resets all state of the last user. Rejects if that is impossible; the connection is then closed. */
  reset(): Promise<void>;
  /** Resolves if the other side still answers. */
  check(): Promise<void>;
  /** Idempotent, never throws. */
  close(): Promise<void>;
}

/** A connection lent to one request. */
export interface Loan<T extends Reusable> {
  readonly connection: T;
  /** The connection has served another request, and may have broken unnoticed since then. */
  readonly isReused: boolean;
  /** Closes the connection, which is broken, and opens another in its place. Rejects as `open` does. */
  replace(): Promise<Loan<T>>;
  /** Ends the loan. Idempotent, never throws; resolves when the request need not be kept alive for it any more. */
  end(): Promise<void>;
}

export interface ConnectionPool {
  /**
   * `identity` is equal for two connections exactly when the connections are equal, secrets included; `open` must then resolve
   * with connections of the same kind. Rejects with `OVERLOADED`, as `open` does, or with the signal's reason.
   */
  borrow<T extends Reusable>(identity: string, open: () => Promise<T>, signal: AbortSignal): Promise<Loan<T>>;
}

/** For a runtime without a pool: the connection is opened for this request and closed after it. */
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
