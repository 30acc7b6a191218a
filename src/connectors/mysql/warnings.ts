/**
 * Server warnings that the connector treats as errors, because the result is then not the statement's result (MySQL's reference
 * of server errors, and MariaDB's list of error codes).
 */
import { ConnectorFailure } from "../failure.ts";

/** `SHOW WARNINGS` of the session: the second and third column are number and text. */
export const WARNINGS = { sql: "SHOW WARNINGS", columns: 3, kept: 1024 } as const;

const CUT = "The server cut a value that is longer than it allows, or left it out.";
const LONGER = "Raise max_allowed_packet of the server, or make shorter texts.";

const INCOMPLETE: ReadonlyMap<string, readonly [message: string, hint: string]> = new Map([
  // A result of GROUP_CONCAT was cut: joined texts, or the numbers of a percentile.
  ["1260", [CUT, LONGER]],
  // NULL replaced a text that is longer than max_allowed_packet.
  ["1301", [CUT, LONGER]],
  // MariaDB's limits on recursion and on examined rows.
  [
    "1931",
    ["The server ended the statement early, and its rows are not all.", "Raise the limit that the server is set to."],
  ],
]);

/** `undefined` if the result is complete. */
export function incompleteBy(warnings: readonly (readonly (string | null)[])[]): ConnectorFailure | undefined {
  for (const [, number] of warnings) {
    const [message, hint] = INCOMPLETE.get(number ?? "") ?? [];
    if (message === undefined || hint === undefined) continue;
    return new ConnectorFailure("SOURCE_ERROR", message, { hint, engineCode: number ?? "" });
  }
  return undefined;
}
