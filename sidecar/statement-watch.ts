/** Ends a statement when its caller has gone or its time is up. */
import type { CallOptions } from "../src/connectors/connector.ts";
import { ConnectorFailure, cancelled } from "../src/connectors/failure.ts";
import { Watch } from "../src/connectors/watch.ts";

/** Calls `stop` at most once, `graceMs` after the statement's time at the latest. */
export function watchStatement(
  { signal, timeoutMs }: CallOptions,
  stop: (failure: ConnectorFailure) => void,
  graceMs = 0,
): Watch {
  return new Watch({ signal, milliseconds: timeoutMs + graceMs }, (ending) => {
    const late = () => new ConnectorFailure("STATEMENT_TIMEOUT", `The statement ran longer than ${timeoutMs} ms.`);
    stop(ending === "aborted" ? cancelled(signal) : late());
  });
}
