/** The calls of one connector that asks over HTTP. Each ends with its caller, with its time, or with the connector. */
import type { CallOptions } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { within } from "../watch.ts";

export class HttpCalls {
  readonly #closing = new AbortController();

  /**
   * Fails with `CANCELLED` when the caller goes or the connector is closed, and with what `late` says after so many
   * milliseconds. The signal that `work` gets has fired by then.
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
