/** The calls of one HTTP connector. Each ends with its caller, its time limit, or the connector. */
import type { CallOptions } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { within } from "../watch.ts";

export class HttpCalls {
  readonly #closing = new AbortController();

  /**
   * Rejects with `CANCELLED` when the caller disconnects or the connector is closed, and with the result of `late` after
   * `milliseconds`. The signal that `work` gets has then fired.
   */
  run<T>(
    { signal }: Pick<CallOptions, "signal">,
    milliseconds: number | undefined,
    late: () => ConnectorFailure,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const given = AbortSignal.any([signal, this.#closing.signal]);
    return within(
      { signal: given, milliseconds },
      (ending) => (ending === "aborted" ? cancelled(given) : late()),
      work,
    );
  }

  close(): void {
    this.#closing.abort(new ConnectorFailure("CANCELLED", "The connector is closed."));
  }
}
