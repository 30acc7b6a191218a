/** Ends a statement when its caller has gone or its time is up. */
import type { CallOptions } from "../src/connectors/connector.ts";
import { ConnectorFailure } from "../src/connectors/failure.ts";

/** Calls `stop` at most once, `graceMs` after the statement's time at the latest. The returned function ends the watch. */
export function watchStatement(
  { signal, timeoutMs }: CallOptions,
  stop: (failure: ConnectorFailure) => void,
  graceMs = 0,
): () => void {
  const cancelled = (): void =>
    stop(new ConnectorFailure("CANCELLED", "The caller has gone.", { cause: signal.reason }));
  if (signal.aborted) {
    cancelled();
    return () => undefined;
  }
  const timer = setTimeout(() => {
    stop(new ConnectorFailure("STATEMENT_TIMEOUT", `The statement ran longer than ${timeoutMs} ms.`));
  }, timeoutMs + graceMs);
  signal.addEventListener("abort", cancelled, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancelled);
  };
}
