/** Whether the server is new enough for the planned statements. */
import { ConnectorFailure } from "../../src/connectors/failure.ts";

/** The driver's way to write 19.3: 1903000000. */
const FLOOR = 19_00_00_00_00;

/** Fails with `SOURCE_ERROR` if the server is too old. */
export function checkServer(version: number): void {
  if (version >= FLOOR) return;
  throw new ConnectorFailure("SOURCE_ERROR", "Oracle Database before 19c is not supported.", {
    hint: "Use Oracle Database 19c or later.",
  });
}
