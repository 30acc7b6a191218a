/** The id that links an answer, its error body and its log line (docs/spec/contract.md#parameters-and-headers). */

const UUID_V4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;

/** The caller's id if it is a UUID of version 4, otherwise a new one: any other text could forge log lines. */
export function correlationIdOf(header: string | null): string {
  return header !== null && UUID_V4.test(header) ? header : crypto.randomUUID();
}
