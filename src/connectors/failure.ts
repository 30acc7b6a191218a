/** What can go wrong between a connector and its source, as one typed family. */

/** Mapped onto error code, phase and HTTP status by `service/errors.ts` (decisions E). */
export type FailureReason =
  /** Name not resolved, refused, reset, or no route. */
  | "HOST_UNREACHABLE"
  /** The certificate is not trusted, or the server does not offer the TLS that was asked for. */
  | "TLS_UNTRUSTED"
  /** Wrong user, password, token or database. */
  | "AUTHENTICATION"
  /** Only a sidecar can serve this connection, and none is configured. */
  | "NEEDS_SIDECAR"
  /** The egress rules forbid the host (decisions C3). */
  | "EGRESS_DENIED"
  /** Connection fields missing, wrong, or contradictory; values are never echoed. */
  | "INVALID_CONNECTION"
  | "SIDECAR_UNREACHABLE"
  /** The sidecar answered that it will not: signature, clock, replay, version, draining. */
  | "SIDECAR_REFUSED"
  /** The Worker that the connectors run in did not answer. */
  | "CONNECTORS_UNREACHABLE"
  /** The source broke its own protocol, or the stream broke off. */
  | "UPSTREAM_PROTOCOL"
  /** The server is none of those that the statement was planned for. */
  | "ANOTHER_VARIANT"
  /** The statement ran out of its time. */
  | "STATEMENT_TIMEOUT"
  /** The source says that the SQL is wrong: syntax, unknown object, type. */
  | "SOURCE_INVALID_SQL"
  /** The source refused or failed for another reason: rights, division by zero. */
  | "SOURCE_ERROR"
  /** The statement needed more memory than one may have in an engine of ours. */
  | "SOURCE_OUT_OF_MEMORY"
  /** The engine's process ended under the statement; the sidecar and other statements go on. */
  | "SOURCE_CRASHED"
  /** The caller went away; nobody reads this one. */
  | "CANCELLED"
  /** Too much at once; try later. */
  | "OVERLOADED"
  /** A file or directory of a file source does not exist or cannot be read as its format. */
  | "FILE_NOT_FOUND"
  | "FILE_INVALID"
  /** An object of a store is another than it was when its reading began. */
  | "OBJECT_CHANGED"
  /** The files of a statement are larger than what may be read for one. */
  | "FILES_TOO_LARGE"
  | "DUCKDB_FILE_NOT_FOUND"
  | "ATTACH_DUCKDB_ERROR"
  /** What was asked for holds no tables, or none that may be seen. */
  | "NO_TABLES"
  | "NOT_IMPLEMENTED";

export interface FailureDetails {
  /** What to do about it, in one sentence. */
  readonly hint?: string;
  /** The engine's own code: SQLSTATE, error number. */
  readonly engineCode?: string;
  /** 0-based UTF-16 offset in the SQL that was sent, where the engine gives one. */
  readonly position?: number;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number;
  /** Whether the source has named those seconds: it is not asked before they are over. */
  readonly isRetryAfterSaid?: boolean;
  readonly cause?: unknown;
}

/** `message` may hold the engine's text; it passes the redactor before anyone outside sees it. */
export class ConnectorFailure extends Error {
  override readonly name = "ConnectorFailure";
  readonly reason: FailureReason;
  readonly hint: string | undefined;
  readonly engineCode: string | undefined;
  readonly position: number | undefined;
  readonly retryAfter: number | undefined;
  readonly isRetryAfterSaid: boolean;

  constructor(reason: FailureReason, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.hint = details.hint;
    this.engineCode = details.engineCode;
    this.position = details.position;
    this.retryAfter = details.retryAfter;
    this.isRetryAfterSaid = details.isRetryAfterSaid ?? false;
  }
}

/** What a call fails with when its signal has fired. A deadline that aborts with a failure of its own keeps it. */
export function cancelled(signal: AbortSignal): ConnectorFailure {
  if (signal.reason instanceof ConnectorFailure) return signal.reason;
  return new ConnectorFailure("CANCELLED", "The caller has gone.", { cause: signal.reason });
}
