/** Maps Spark's errors to typed failures: errors of the engine, and of the connection to it. */
import { type ServiceError, status } from "@grpc/grpc-js";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { EngineError } from "../../src/connectors/spark/failures.ts";
import type { ErrorDetails } from "./protocol.ts";

/** Texts end up in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;

/** The Java class of errors found before a statement runs. */
const OF_THE_STATEMENT = "org.apache.spark.sql.AnalysisException";

/** Java's wrapper around an error in another thread; Scala's message for it is only "Boxed Exception". */
const WRAPPER = "java.util.concurrent.ExecutionException";
/** Spark's message if several parts of a statement fail: the first one is its cause. */
const SEVERAL = "Multiple failures in stage materialization.";

/** The error itself, not its cause, which is mostly Java's; for a wrapper, the wrapped error. */
export function engineErrorOf({ rootErrorIdx, errors }: ErrorDetails): EngineError | undefined {
  const error = unwrapped(errors, rootErrorIdx);
  if (error === undefined) return undefined;
  const { errorClass, sqlState, queryContexts = [] } = error.sparkThrowable ?? {};
  // A context with an object type is a position in a view's text.
  const context = queryContexts.find(({ objectType }) => objectType === "");
  return {
    // Java's own errors may have a name alone.
    message: error.message === "" ? (error.errorTypeHierarchy[0] ?? "") : error.message,
    isOfTheStatement: error.errorTypeHierarchy.includes(OF_THE_STATEMENT),
    errorClass,
    sqlState,
    startIndex: context?.startIndex,
  };
}

function unwrapped(
  errors: ErrorDetails["errors"],
  root: number | undefined,
): ErrorDetails["errors"][number] | undefined {
  let error = root === undefined ? undefined : errors[root];
  // A server may name errors in a circle.
  for (let left = errors.length; left > 0; left--) {
    const isWrapper = error?.errorTypeHierarchy[0] === WRAPPER || error?.message === SEVERAL;
    const cause = isWrapper ? errors[error?.causeIdx ?? -1] : undefined;
    if (cause === undefined) break;
    error = cause;
  }
  return error;
}

/** The error as far as the call's trailer has it; `metadata` is that of `ErrorInfo`. */
export function engineErrorOfTrailer(message: string, metadata: Readonly<Record<string, string>>): EngineError {
  const { classes, errorClass, sqlState } = metadata;
  return {
    message,
    isOfTheStatement: [...(classes ?? "").matchAll(/[\w.$]+/g)].some(([name]) => name === OF_THE_STATEMENT),
    errorClass,
    sqlState,
    startIndex: undefined,
  };
}

/** A call without an engine's answer: the server is down, is another kind of server, or rejects the login. */
export function callFailure(error: ServiceError, hasAnswered: boolean): ConnectorFailure {
  const { code, details } = error;
  const message = `The call of Spark Connect failed: ${details.slice(0, MAX_TEXT)}`;
  switch (code) {
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return new ConnectorFailure("AUTHENTICATION", message, {
        hint: "Check the token of the connection.",
        cause: error,
      });
    case status.UNAVAILABLE:
      if (hasAnswered) break;
      return new ConnectorFailure("HOST_UNREACHABLE", message, { hint: NOT_SPARK, cause: error });
    case status.RESOURCE_EXHAUSTED:
      return new ConnectorFailure("SOURCE_ERROR", message, {
        hint: "Select fewer or shorter values: an answer's parts have to fit into memory.",
        cause: error,
      });
  }
  return new ConnectorFailure("UPSTREAM_PROTOCOL", message, { hint: NOT_SPARK, cause: error });
}

const NOT_SPARK = "Check that host and port are those of a Spark Connect server.";

/** An answer that is none of Spark's. */
export function notSpark(cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer is not that of Spark Connect.", {
    hint: NOT_SPARK,
    cause,
  });
}

/** The connector, or what was to be read, is closed. */
export function closed(): ConnectorFailure {
  return new ConnectorFailure("CANCELLED", "The connector is closed.");
}
