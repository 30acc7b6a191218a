/** What goes wrong with a Spark, as the connectors' typed failures: errors of the engine, and of the way to it. */
import { type ServiceError, status } from "@grpc/grpc-js";
import { ConnectorFailure, type FailureReason } from "../../src/connectors/failure.ts";
import type { ErrorDetails } from "./protocol.ts";

/** Texts end up in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;

/** An error of the engine; what it says may come whole, or with the call's trailer alone. */
export interface EngineError {
  readonly message: string;
  /** Of Java, the most special first. */
  readonly classes: readonly string[];
  /** `TABLE_OR_VIEW_NOT_FOUND` (https://spark.apache.org/docs/4.0.1/sql-error-conditions.html). */
  readonly errorClass: string | undefined;
  readonly sqlState: string | undefined;
  /** 0-based, in characters of the text that was sent. */
  readonly startIndex: number | undefined;
}

/** The error itself, not what caused it, which is of Java mostly. */
export function engineErrorOf({ rootErrorIdx, errors }: ErrorDetails): EngineError | undefined {
  const error = rootErrorIdx === undefined ? undefined : errors[rootErrorIdx];
  if (error === undefined) return undefined;
  const { errorClass, sqlState, queryContexts = [] } = error.sparkThrowable ?? {};
  // Of a view it is a place in the view's text.
  const context = queryContexts.find(({ objectType }) => objectType === "");
  return {
    message: error.message,
    classes: error.errorTypeHierarchy,
    errorClass,
    sqlState,
    startIndex: context?.startIndex,
  };
}

/** As much as the trailer of the call says; `metadata` is that of `ErrorInfo`. */
export function engineErrorOfTrailer(message: string, metadata: Readonly<Record<string, string>>): EngineError {
  const { classes, errorClass, sqlState } = metadata;
  return {
    message,
    classes: [...(classes ?? "").matchAll(/[\w.$]+/g)].map(([name]) => name),
    errorClass,
    sqlState,
    startIndex: undefined,
  };
}

/** What is found before anything runs: syntax, names, types. */
const OF_THE_STATEMENT = "org.apache.spark.sql.AnalysisException";
/** Which is of the statement too, by its class. */
const INSUFFICIENT_PRIVILEGE = "42501";

/** `sql` was sent behind `before` characters of ours, on their line. */
export function statementFailure(error: EngineError, sql: string, before: number): ConnectorFailure {
  const { message, classes, errorClass, sqlState, startIndex } = error;
  const reason: FailureReason =
    classes.includes(OF_THE_STATEMENT) && sqlState !== INSUFFICIENT_PRIVILEGE ? "SOURCE_INVALID_SQL" : "SOURCE_ERROR";
  const text = said(message);
  // 3.5 writes the class before the message alone.
  const engineCode = errorClass ?? sqlState ?? /^\[([A-Z][\w.]*)\]/.exec(text)?.[1];
  const position = offsetOf(startIndex ?? indexOfLine(message, sql, before), sql, before);
  return new ConnectorFailure(reason, text, {
    ...(engineCode !== undefined && { engineCode }),
    ...(position !== undefined && { position }),
  });
}

/** Without what the engine makes of the statement, where it is, which task it was (3.5), and where in Java. */
function said(message: string): string {
  const text = message
    .trim()
    .replace(/\n\s*at [\s\S]*$/, "")
    .replace(/^Job aborted due to stage failure: .*?\): (?:[\w$]+\.)+[\w$]+: /, "")
    .replace(/\n+== SQL\b[\s\S]*$/, "")
    .replace(/;? ?\(?\bline \d+,? pos \d+\)?(?:;[\s\S]*)?$/, "");
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

/** `line 1, pos 27`, lines from 1 and characters from 0: what a syntax error has in place of an index. */
function indexOfLine(message: string, sql: string, before: number): number | undefined {
  const [, line, pos] = /\bline (\d+),? pos (\d+)\b/.exec(message) ?? [];
  if (line === undefined) return undefined;
  const lines = sql.split("\n").slice(0, Number(line) - 1);
  return lines.reduce((sum, text) => sum + [...text].length + 1, lines.length > 0 ? before : 0) + Number(pos);
}

/** From characters to UTF-16 units; undefined for what lies outside of the statement. */
function offsetOf(index: number | undefined, sql: string, before: number): number | undefined {
  let offset = 0;
  for (let characters = (index ?? -1) - before; characters !== 0; characters--) {
    if (characters < 0 || offset >= sql.length) return undefined;
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** A call that no engine answered: the server is not there, is something else, or does not let us in. */
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
