/** Values of a source without a canonical form, or not in the form of their type. */
import { ConnectorFailure } from "./failure.ts";

/** The message names what cannot be represented and nothing of the value. `hint` replaces the advice to cast the column to a text. */
export class UnreadableValue extends Error {
  override readonly name = "UnreadableValue";
  readonly hint: string | undefined;

  constructor(message: string, details: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.hint = details.hint;
  }
}

/** The failure of the statement: `SOURCE_ERROR` with the column's name and a way out. Any other error is passed on. */
export function failureOfColumn(name: string, error: unknown, textType: string): unknown {
  if (!(error instanceof UnreadableValue)) return error;
  const message = `Column "${name}" holds a value that cannot be represented: ${error.message}.`;
  return new ConnectorFailure("SOURCE_ERROR", message, {
    hint: error.hint ?? `Cast the column to ${textType}.`,
    cause: error,
  });
}
