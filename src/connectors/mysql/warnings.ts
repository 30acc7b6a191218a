/**
 * Warnings of a server that are errors to us: what it answers then is not the statement's answer (MySQL's reference of server
 * errors, and MariaDB's list of error codes).
 */
import { ConnectorFailure } from "../failure.ts";

/** For the session's `SHOW WARNINGS`: number and text are its second and third column. */
export const WARNINGS = { sql: "SHOW WARNINGS", columns: 3, kept: 1024 } as const;

const CUT = "The server cut a value that is longer than it allows, or left it out.";
const LONGER = "Raise max_allowed_packet of the server, or make shorter texts.";

const INCOMPLETE: ReadonlyMap<string, readonly [message: string, hint: string]> = new Map([
  // A list of GROUP_CONCAT's: of texts that are joined, or of numbers that a percentile is taken from.
  ["1260", [CUT, LONGER]],
  // NULL in the place of a text that is longer than max_allowed_packet.
  ["1301", [CUT, LONGER]],
  // MariaDB's limits on recursion and on rows that are examined.
  [
    "1931",
    ["The server ended the statement early, and its rows are not all.", "Raise the limit that the server is set to."],
  ],
]);

/** `undefined` where the answer is whole. */
export function incompleteBy(warnings: readonly (readonly (string | null)[])[]): ConnectorFailure | undefined {
  for (const [, number] of warnings) {
    const [message, hint] = INCOMPLETE.get(number ?? "") ?? [];
    if (message === undefined || hint === undefined) continue;
    return new ConnectorFailure("SOURCE_ERROR", message, { hint, engineCode: number ?? "" });
  }
  return undefined;
}
