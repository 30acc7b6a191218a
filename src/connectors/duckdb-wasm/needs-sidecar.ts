/** What the files Worker leaves to native DuckDB, which the sidecar has. */
import { ConnectorFailure } from "../failure.ts";

interface Details {
  /** Behind `Configure a sidecar (SIDECAR_URL)`, with the sign that comes first. */
  readonly why?: string;
  /** What would do instead, as the beginning of a sentence. */
  readonly instead?: string;
  readonly engineCode?: string;
  readonly cause?: unknown;
}

export function needsSidecar(message: string, { why = "", instead, ...details }: Details = {}): ConnectorFailure {
  const configure = "configure a sidecar (SIDECAR_URL)";
  const hint = instead === undefined ? `C${configure.slice(1)}${why}.` : `${instead}, or ${configure}${why}.`;
  return new ConnectorFailure("NEEDS_SIDECAR", message, { hint, ...details });
}

/** `what` of a file it does not read, as an object. */
export function beyond(name: string, what: string): ConnectorFailure {
  return needsSidecar(`The files Worker does not read of "${name}": ${what}.`, { why: ": its DuckDB reads it" });
}

/** Of what a statement reads, as an object. */
export function tooMuch(what: string): ConnectorFailure {
  return needsSidecar(`The statement reads of files, in the files Worker, ${what}.`, {
    instead: "Name fewer columns or rows",
    why: ", which has its disk for them",
  });
}

/** Whether a directory's name has what means something else in a name of the engine: it is not looked into. */
export function isStrange(step: string): boolean {
  return !/^[\w=%:+ .-]*$/.test(step) || step.includes("..");
}
