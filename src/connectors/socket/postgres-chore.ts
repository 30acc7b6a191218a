/** What a session is asked between the statements of its users: an answer without rows. */
import type pg from "pg";
import type { PostgresStream } from "./postgres-stream.ts";

export class PostgresChore implements pg.Submittable {
  /** Resolves when the server has done it and is ready for more. Rejects with whatever the driver tells. */
  readonly done: Promise<void>;
  readonly #stream: PostgresStream;
  readonly #ask: (connection: pg.Connection) => void;
  readonly #settled = Promise.withResolvers<void>();

  constructor(stream: PostgresStream, ask: (connection: pg.Connection) => void) {
    this.#stream = stream;
    this.#ask = ask;
    this.done = this.#settled.promise;
    // Whoever waits has perhaps given up.
    this.done.catch(() => {});
  }

  submit(connection: pg.Connection): void {
    // The statement before may have been left with rows that nobody pulled.
    this.#stream.resume();
    this.#ask(connection);
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handleRowDescription(): void {}

  handleDataRow(): void {}

  handleError(error: unknown): void {
    this.#settled.reject(error);
  }

  handleReadyForQuery(): void {
    this.#settled.resolve();
  }
}
