/** Exit codes, and the errors that lead to them. */

/** 0: nothing is wrong. 1: the command found something wrong. 2: an option, a file or the environment is wrong. */
export type ExitCode = 0 | 1 | 2;

/** An option, a file or the environment is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A position in a file. Line and column are 1-based. */
export interface FilePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line that a caret is drawn below. */
  readonly text: string;
  readonly length?: number;
}

/** A fault in a text, with its position if it has one. */
export interface Fault {
  readonly message: string;
  readonly at?: FilePosition | undefined;
  readonly hint?: string | undefined;
}

/** The faults of files, all of them at once. */
export class FaultsInFiles extends Error {
  override readonly name = "FaultsInFiles";
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ message }) => message).join("; "));
    this.faults = faults;
  }
}
