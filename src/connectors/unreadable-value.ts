/** Values of a source that have no canonical form, or are not what their type is written as. */
import { ConnectorFailure } from "./failure.ts";

/** Its message says what was not to be had, and nothing of the value. */
export class UnreadableValue extends Error {
  override readonly name = "UnreadableValue";
}

/** What the statement fails with: `SOURCE_ERROR` with the column's name and a way out. Any other error is passed on. */
export function failureOfColumn(name: string, error: unknown, textType: string): unknown {
  if (!(error instanceof UnreadableValue)) return error;
  const message = `Column "${name}" holds a value that cannot be represented: ${error.message}.`;
  return new ConnectorFailure("SOURCE_ERROR", message, { hint: `Cast the column to ${textType}.`, cause: error });
}
