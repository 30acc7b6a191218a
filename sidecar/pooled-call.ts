/**
 * One call over a pooled connection: its progress keeps the slot, and the call ends when it must make way for others.
 */
import type { CatalogAnswers, CatalogRequest } from "../src/connectors/catalog/types.ts";
import type { CallOptions, Connector, Statement } from "../src/connectors/connector.ts";
import type { ConnectionPool } from "../src/connectors/pooling.ts";
import { mapBatches } from "../src/result/stream/map.ts";
import type { Pool } from "./pool.ts";
import type { PoolUser } from "./pool-users.ts";

export class PooledCall {
  /** Aborted when the call is, and when it has to make way. */
  readonly signal: AbortSignal;
  readonly pool: ConnectionPool;
  readonly #user: PoolUser;
  readonly #stop = new AbortController();

  constructor(pool: Pool, caller: string | undefined, signal: AbortSignal) {
    this.#user = { caller, movedAt: Date.now(), makeWay: (failure) => this.#stop.abort(failure) };
    this.signal = AbortSignal.any([signal, this.#stop.signal]);
    this.pool = pool.for(this.#user);
  }

  /** Wraps `connector` so that its answers and readers count as progress. */
  watched(connector: Connector): Connector {
    const bounded = (options: CallOptions): CallOptions => ({ ...options, signal: this.signal });
    const moved = <T>(answer: T): T => {
      this.#user.movedAt = Date.now();
      return answer;
    };
    return {
      capabilities: connector.capabilities,
      query: async (statement: Statement, options) => {
        const answer = moved(await connector.query(statement, bounded(options)));
        return mapBatches(answer, answer.columns, moved);
      },
      dryRun: (statement: Statement, options) => connector.dryRun(statement, bounded(options)),
      catalog: <K extends CatalogRequest["kind"]>(
        request: Extract<CatalogRequest, { kind: K }>,
        options: CallOptions,
      ): Promise<CatalogAnswers[K]> => connector.catalog(request, bounded(options)),
      close: () => connector.close(),
    };
  }
}
