/** Maps the end of a process during its statement to a failure of that statement. */

import { MEMORY_HINT } from "../../src/connectors/duckdb/engine-error.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of its standard error: the last messages of runtime and engine. */
  readonly complaint: string;
}

/** The words of V8, of C++ and of the C library. */
const NO_MEMORY = /out of memory|bad_alloc|allocation failed|cannot allocate/i;

export function failureOfEnd({ code, signal, complaint }: ProcessEnd): ConnectorFailure {
  const engineCode = signal ?? `exit ${code}`;
  // Only the system sends SIGKILL to a working engine process, to get memory back.
  if (signal === "SIGKILL" || NO_MEMORY.test(complaint)) return outOfMemory(engineCode);
  return new ConnectorFailure("SOURCE_CRASHED", "The engine crashed over the statement; only this statement is lost.", {
    engineCode,
    hint: "The same statement would do it again: leave out values that are nested thousands deep or very long.",
  });
}

export function outOfMemory(engineCode?: string): ConnectorFailure {
  return new ConnectorFailure("SOURCE_OUT_OF_MEMORY", "The statement needed more memory than it may have.", {
    ...(engineCode !== undefined && { engineCode }),
    hint: MEMORY_HINT,
  });
}
