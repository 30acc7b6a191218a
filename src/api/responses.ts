/** Answers without rows: JSON values and error bodies. */

import { redactDeep } from "../guard/redactor.ts";
import { faultOf } from "../guard/request-log.ts";
import type { ServiceError } from "../service/failure.ts";
import { provesByHandshake } from "../service/login-by-handshake.ts";
import { challengeOf } from "./callers.ts";
import type { Exchange } from "./exchange.ts";
import type { RequestProblems } from "./problems.ts";

export function jsonResponse(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json", ...headers } });
}

/** The six keys of docs/spec/contract.md#error-bodies. Secrets are removed from texts that other systems wrote. */
export function errorBody(
  failure: ServiceError,
  exchange: Pick<Exchange, "correlationId" | "redactor" | "dataSource" | "shownFailure">,
): object {
  const error = exchange.shownFailure(failure);
  const { hint, plannedSql, dialectSql } = error.metadata;
  const { redactor, dataSource } = exchange;
  const source = {
    statements: [plannedSql, dialectSql].filter((statement) => statement !== undefined),
    isWithoutSecrets: error.answersStatement && provesByHandshake(dataSource),
  };
  const said = (text: string): string => {
    if (error.ownWords) return text;
    return error.quotesSource ? redactor.redact(text, source) : redactor.redactName(text);
  };
  return {
    errorCode: error.outcome.code,
    message: said(error.message),
    metadata: { reason: error.reason, ...error.metadata, ...(hint !== undefined && { hint: said(hint) }) },
    phase: error.outcome.phase,
    timestamp: timestamp(),
    correlationId: exchange.correlationId,
  };
}

export function errorResponse(failure: ServiceError, exchange: Exchange): Response {
  noteFailure(failure, exchange);
  const error = exchange.shownFailure(failure);
  const { status, retryAfter } = error.outcome;
  return new Response(JSON.stringify(errorBody(failure, exchange)), {
    status,
    headers: {
      "Content-Type": "application/json",
      ...(retryAfter !== undefined && { "Retry-After": String(Math.ceil(retryAfter)) }),
      ...challengeOf(error.reason, exchange.challenge),
      ...(error.reason === "UNSUPPORTED_ENCODING" && { "Accept-Encoding": "gzip" }),
    },
  });
}

export function problemsResponse(error: RequestProblems, exchange: Exchange): Response {
  exchange.outcome = { ...exchange.outcome, errorCode: "REQUEST_SHAPE", reason: error.problems[0]?.type ?? "" };
  const detail = redactDeep(error.problems, exchange.redactor);
  return new Response(JSON.stringify({ detail }), { status: 422, headers: { "Content-Type": "application/json" } });
}

/** Answers in the form that the reference's web framework uses: `{"detail":"Not Found"}`. */
export function plainDetail(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify({ detail }), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** The failure as the log line reports it. */
export function noteFailure(error: ServiceError, exchange: Exchange): void {
  exchange.outcome = {
    ...exchange.outcome,
    errorCode: error.outcome.code,
    reason: error.reason,
    ...(error.reason === "INTERNAL" && { fault: faultOf(error.cause) }),
  };
}

/** ISO without zone and with microseconds, as existing clients parse it. */
function timestamp(): string {
  return `${new Date().toISOString().slice(0, -1)}000`;
}
