/** Converts the engine's errors about a statement or a file to the connectors' failures. */
import { ArrowError } from "../arrow/stream.ts";
import type { CallOptions } from "../connector.ts";
import { type ErrorContext, engineFailure, readEngineError } from "../duckdb/engine-error.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import type { Ending } from "../watch.ts";
import { EngineMessage } from "./instance.ts";
import { needsSidecar, tooMuch } from "./needs-sidecar.ts";

/** The failure of a wait that ended because the caller disconnected or the time was over. */
export function endedBy(ending: Ending, { signal, timeoutMs }: CallOptions): ConnectorFailure {
  if (ending === "aborted") return cancelled(signal);
  return new ConnectorFailure("STATEMENT_TIMEOUT", `The statement ran longer than ${timeoutMs} ms.`);
}

/** Nothing has been answered yet, so the sidecar, which can use a disk, may run the statement. */
export function roomElsewhere(error: unknown): never {
  if (!(error instanceof ConnectorFailure) || error.reason !== "SOURCE_OUT_OF_MEMORY") throw error;
  throw needsSidecar("The statement takes more than the memory of the files Worker.", {
    instead: "Read less at once",
    why: ", which has its disk for it",
    cause: error,
  });
}

/** The engine rejects rows, although native DuckDB reads them from the file. */
export function notInserted(error: unknown): never {
  if (!(error instanceof ConnectorFailure)) throw error;
  if (error.reason === "SOURCE_OUT_OF_MEMORY") throw tooMuch("more values than it has memory for");
  if (error.reason !== "SOURCE_ERROR" || !error.message.includes("Arrow map contains duplicate key")) throw error;
  throw needsSidecar("The files Worker does not read a map that has a key twice.", {
    why: ": its DuckDB reads it",
    cause: error,
  });
}

/** An error while reading a file is a failure of the file and not of the statement. */
export function unreadable(name: string): (error: unknown) => never {
  return (error) => {
    const isOfTheFile =
      error instanceof ConnectorFailure && (error.reason === "SOURCE_ERROR" || error.reason === "SOURCE_INVALID_SQL");
    if (!isOfTheFile) throw error;
    throw new ConnectorFailure("FILE_INVALID", `"${name}" cannot be read: ${error.message}`, {
      ...(error.engineCode !== undefined && { engineCode: error.engineCode }),
      cause: error,
    });
  };
}

export function readFailure(error: unknown): ConnectorFailure | undefined {
  if (error === undefined || error instanceof ConnectorFailure) return error;
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "A file could not be read.", { cause: error });
}

const HAS_TO_LOAD = /^(?:Extension Autoloading|Missing Extension|Autoload)$/;

/** Timestamp features that need the time zone extension have other error messages: overloads of functions, and casts. */
const NEEDS_ZONES =
  /^(?:Binder Error: |Conversion Error: )?(?:No function matches .*WITH TIME ZONE|Unimplemented type for cast \(.*WITH TIME ZONE)|has a timestamp that is not UTC|Could not convert string "[^"]*" to 'TIMESTAMP WITH TIME ZONE'/s;

/** TRY_CAST turns a failure into NULL without an error: without time zones, it would reject more texts. */
export function assertNoTryCastToTimestamp(sql: string): void {
  if (!/\bTRY_CAST\b/i.test(sql) || !/TIMESTAMPTZ|WITH TIME ZONE/i.test(sql)) return;
  throw needsSidecar("The statement tries which texts are moments, which takes time zones.");
}

const FAILED_BEFORE = "Attempting to execute an unsuccessful or closed pending query result\nError: ";

/** An error after the first rows is wrapped in the error of the fetch. */
function ofLaterRows(error: EngineMessage): EngineMessage {
  const { message } = readEngineError(error);
  return message.startsWith(FAILED_BEFORE)
    ? new EngineMessage(message.slice(FAILED_BEFORE.length), { cause: error })
    : error;
}

export function failureOf(error: unknown, context: ErrorContext): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  if (error instanceof ArrowError) {
    const message = `The engine's rows cannot be read: ${error.message}.`;
    return new ConnectorFailure("UPSTREAM_PROTOCOL", message, { cause: error });
  }
  // A trap, or an uncaught exception in the engine: its state is unknown.
  if (!(error instanceof EngineMessage)) {
    return new ConnectorFailure("SOURCE_CRASHED", "The engine broke down under the statement.", { cause: error });
  }
  const told = ofLaterRows(error);
  const { type, message } = readEngineError(told);
  if (HAS_TO_LOAD.test(type) || /exists in the \w+ extension/.test(message)) {
    const [, extension = "one"] = /extension '(\w+)'|in the (\w+) extension/.exec(message)?.filter(Boolean) ?? [];
    return needsSidecar(`The statement needs DuckDB's extension "${extension}", which the files Worker has not.`, {
      why: ": its DuckDB has it",
      engineCode: type,
    });
  }
  if (NEEDS_ZONES.test(message)) {
    return needsSidecar("The statement does with moments what takes time zones.", {
      why: ": its DuckDB has them",
      engineCode: type,
    });
  }
  if (message.startsWith("Values were not provided for the following prepared statement parameters")) {
    return new ConnectorFailure("SOURCE_INVALID_SQL", "The statement has parameters, and nothing gives them values.");
  }
  const failure = engineFailure(told, context);
  if (failure.reason !== "SOURCE_OUT_OF_MEMORY") return failure;
  return new ConnectorFailure(failure.reason, failure.message, {
    hint: "Read less at once, or configure a sidecar (SIDECAR_URL).",
    ...(failure.engineCode !== undefined && { engineCode: failure.engineCode }),
    cause: error,
  });
}
