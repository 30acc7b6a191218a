/** Failures for features that only native DuckDB in the sidecar has. */
import { ConnectorFailure } from "../failure.ts";

interface Details {
  /** Follows `Configure a sidecar (SIDECAR_URL)`, including the punctuation. */
  readonly why?: string;
  /** An alternative, as the beginning of a sentence. */
  readonly instead?: string;
  readonly engineCode?: string;
  readonly cause?: unknown;
}

export function needsSidecar(message: string, { why = "", instead, ...details }: Details = {}): ConnectorFailure {
  const configure = "configure a sidecar (SIDECAR_URL)";
  const hint = instead === undefined ? `C${configure.slice(1)}${why}.` : `${instead}, or ${configure}${why}.`;
  return new ConnectorFailure("NEEDS_SIDECAR", message, { hint, ...details });
}

/** `what`: the unsupported part of the file, as an object of the sentence. */
export function beyond(name: string, what: string): ConnectorFailure {
  return needsSidecar(`The files Worker does not read of "${name}": ${what}.`, { why: ": its DuckDB reads it" });
}

/** `what` completes the sentence "The statement reads of files, in the files Worker, …". */
export function tooMuch(what: string): ConnectorFailure {
  const failure = needsSidecar(`The statement reads of files, in the files Worker, ${what}.`, {
    instead: "Name fewer columns or rows",
    why: ", which has its disk for them",
  });
  ABOUT_AMOUNTS.add(failure);
  return failure;
}

const ABOUT_AMOUNTS = new WeakSet<Error>();

/** Under a row rule the message must not contain numbers that depend on excluded rows. */
export function withoutAmounts(error: unknown): unknown {
  if (!(error instanceof ConnectorFailure) || !ABOUT_AMOUNTS.has(error)) return error;
  return needsSidecar("The access rule leaves more of the files than the files Worker has room for.", {
    instead:
      "Partition the files by the column that the rule compares (directories called column=value), name fewer columns",
    why: ", which has its disk for them",
    cause: error,
  });
}

/** Whether a directory's name contains characters with a meaning in the engine's file names: such directories are not read. */
export function isStrange(step: string): boolean {
  return !/^[\w=%:+ .-]*$/.test(step) || step.includes("..");
}
