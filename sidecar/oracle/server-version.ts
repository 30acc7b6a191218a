/** Whether statements are written for the server that answers. */
import { ConnectorFailure } from "../../src/connectors/failure.ts";

/** The driver's way to write 19.3: 1903000000. */
const FLOOR = 19_00_00_00_00;

/** Fails with `SOURCE_ERROR` for what is too old. */
export function checkServer(version: number): void {
  if (version >= FLOOR) return;
  throw new ConnectorFailure("SOURCE_ERROR", "Oracle Database before 19c is not supported.", {
    hint: "Use Oracle Database 19c or later.",
  });
}
