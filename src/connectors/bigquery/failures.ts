/**
 * Converts BigQuery's errors, by their reasons, to the connectors' typed failures
 * (https://cloud.google.com/bigquery/docs/error-messages).
 */
import { ConnectorFailure, type FailureReason } from "../failure.ts";
import { type ApiError, MAX_TEXT } from "./answers.ts";

interface Meaning {
  readonly reason: FailureReason;
  readonly hint?: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

const AGAIN: Meaning = { reason: "OVERLOADED", retryAfter: 5 };

/** All other reasons are `SOURCE_ERROR`. Reasons in capitals are Google's names for whole classes of errors. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["authError", { reason: "AUTHENTICATION" }],
  ["backendError", AGAIN],
  ["internalError", AGAIN],
  ["jobBackendError", AGAIN],
  ["jobInternalError", AGAIN],
  ["tableUnavailable", AGAIN],
  ["rateLimitExceeded", AGAIN],
  ["jobRateLimitExceeded", AGAIN],
  ["INTERNAL", AGAIN],
  ["UNAVAILABLE", AGAIN],
  ["RESOURCE_EXHAUSTED", AGAIN],
  // Some quotas are per minute and some per day, and the error does not say which.
  ["quotaExceeded", { reason: "OVERLOADED", retryAfter: 60, hint: "A quota of the project is used up." }],
  ["notFound", { reason: "SOURCE_INVALID_SQL" }],
  ["timeout", { reason: "STATEMENT_TIMEOUT" }],
  [
    "responseTooLarge",
    {
      reason: "SOURCE_ERROR",
      hint: "Select fewer rows or columns, or use a limit: BigQuery does not keep so large a result.",
    },
  ],
  [
    "resourcesExceeded",
    { reason: "SOURCE_ERROR", hint: "Read less at once: the statement needs more than BigQuery gives it." },
  ],
  [
    "bytesBilledLimitExceeded",
    { reason: "SOURCE_ERROR", hint: "Read less, or raise maximum_bytes_billed or MAX_BYTES_BILLED." },
  ],
  [
    "billingTierLimitExceeded",
    { reason: "SOURCE_ERROR", hint: "Read less: the statement computes too much for what it reads." },
  ],
]);

/** `at [3:14]`: line and column, both from 1. */
const PLACE = /\bat \[(\d+):(\d+)\]/;

/** `sql` is the sent text. `isChecked`: nothing ran, so the error is in the statement. */
export function bigQueryFailure({ reason, message }: ApiError, sql: string, isChecked: boolean): ConnectorFailure {
  const [, line, column] = PLACE.exec(message) ?? [];
  const position = line === undefined ? undefined : offsetOf(sql, Number(line), Number(column));
  const meaning = meaningOf(reason, message, isChecked || line !== undefined);
  return new ConnectorFailure(meaning.reason, message.length <= MAX_TEXT ? message : `${message.slice(0, MAX_TEXT)}…`, {
    ...(reason !== undefined && /^\w{1,64}$/.test(reason) && { engineCode: reason }),
    ...(position !== undefined && { position }),
    ...(meaning.hint !== undefined && { hint: meaning.hint }),
    ...(meaning.retryAfter !== undefined && { retryAfter: meaning.retryAfter }),
  });
}

/** Errors found before a run have a position; a division by zero is an `invalidQuery` too, but has none. */
function meaningOf(reason: string | undefined, message: string, isOfTheStatement: boolean): Meaning {
  switch (reason) {
    case "invalidQuery":
      return { reason: isOfTheStatement || message.startsWith("Syntax error") ? "SOURCE_INVALID_SQL" : "SOURCE_ERROR" };
    case "stopped":
      return { reason: /timed out/i.test(message) ? "STATEMENT_TIMEOUT" : "SOURCE_ERROR" };
    case "accessDenied":
      // The billing project refuses the job: the connection cannot run anything.
      return { reason: message.includes("bigquery.jobs.create") ? "AUTHENTICATION" : "SOURCE_ERROR" };
    default:
      return MEANINGS.get(reason ?? "") ?? { reason: "SOURCE_ERROR" };
  }
}

const TAB_STOP = 8;

/**
 * Converts to a 0-based UTF-16 offset; undefined outside the statement. GoogleSQL's lines end in any of three ways, its columns
 * count characters, and a tab advances to the next multiple of eight: measured with its analyser.
 */
function offsetOf(sql: string, line: number, column: number): number | undefined {
  let offset = 0;
  const end = /\r\n|\n|\r/g;
  for (let left = line - 1; left > 0; left--) {
    const found = end.exec(sql);
    if (found === null) return undefined;
    offset = end.lastIndex;
  }
  for (let at = 1; at < column; ) {
    if (offset >= sql.length) return undefined;
    const character = sql.codePointAt(offset) ?? 0;
    at += character === 0x09 ? TAB_STOP - ((at - 1) % TAB_STOP) : 1;
    offset += character > 0xffff ? 2 : 1;
  }
  return line >= 1 && column >= 1 ? offset : undefined;
}
