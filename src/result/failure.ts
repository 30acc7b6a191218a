/** The errors of the result layer, as one typed family. */

export type ResultErrorCode =
  /** A value does not have the representation of its column's type: a defect of a connector or a frame. */
  | "VALUE_MISMATCH"
  /** A column cannot be shown as the type the caller listed for it (`columnDtypes`). */
  | "CONVERSION"
  /** A text is not a decimal, date, time or timestamp. */
  | "INVALID_TEXT"
  /** A row does not fit into one frame. */
  | "ROW_TOO_LARGE";

export interface ResultErrorDetails {
  /** Name of the column that contains the value. */
  readonly column?: string;
  readonly cause?: unknown;
}

/**
 * Messages name the column and its type. They never contain the value, which may belong to a row that an access rule excludes.
 */
export class ResultError extends Error {
  override readonly name = "ResultError";
  readonly code: ResultErrorCode;
  readonly column: string | undefined;

  constructor(code: ResultErrorCode, message: string, details: ResultErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.column = details.column;
  }
}
