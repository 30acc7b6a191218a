/** What can go wrong in the result layer, as one typed family. */

export type ResultErrorCode =
  /** A value is not of the representation its column's type demands: a defect of a connector or a frame. */
  | "VALUE_MISMATCH"
  /** A column cannot be shown as the type the caller listed for it (`columnDtypes`). */
  | "CONVERSION"
  /** A decimal, date, time or timestamp text is not one. */
  | "INVALID_TEXT"
  /** A row does not fit into one frame. */
  | "ROW_TOO_LARGE";

export interface ResultErrorDetails {
  /** Name of the column the value belongs to. */
  readonly column?: string;
  readonly cause?: unknown;
}

/** Messages name the column and its type and never hold the value, which may be a row nobody should see. */
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
