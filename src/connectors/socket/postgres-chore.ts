/** A command between the statements of a session's users; it returns no rows. */
import type pg from "pg";
import type { PostgresStream } from "./postgres-stream.ts";

export class PostgresChore implements pg.Submittable {
  /** Resolves when the server has run the command and is ready for more. Rejects with the driver's error. */
  readonly done: Promise<void>;
  readonly #stream: PostgresStream;
  readonly #ask: (connection: pg.Connection) => void;
  readonly #settled = Promise.withResolvers<void>();

  constructor(stream: PostgresStream, ask: (connection: pg.Connection) => void) {
    this.#stream = stream;
    this.#ask = ask;
    this.done = this.#settled.promise;
    // The caller may have stopped waiting.
    this.done.catch(() => {});
  }

  submit(connection: pg.Connection): void {
    // The previous statement may have left rows that were not pulled.
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
