/** Failures between a connector and its source, as one typed family. */

/** `service/errors.ts` maps each to an error code, phase and HTTP status (docs/spec/contract.md#error-codes). */
export type FailureReason =
  /** Name not resolved, refused, reset, or no route. */
  | "HOST_UNREACHABLE"
  /** The certificate is not trusted, or the server does not offer the requested TLS. */
  | "TLS_UNTRUSTED"
  /** Wrong user, password, token or database. */
  | "AUTHENTICATION"
  /** Only a sidecar can serve this connection, and none is configured. */
  | "NEEDS_SIDECAR"
  /** The egress rules forbid the host (docs/decisions/0026-placement.md). */
  | "EGRESS_DENIED"
  /** Connection fields missing, wrong, or contradictory; values are never echoed. */
  | "INVALID_CONNECTION"
  | "SIDECAR_UNREACHABLE"
  /** The sidecar rejected the request: signature, clock, replay, version, draining. */
  | "SIDECAR_REFUSED"
  /** The Worker of the connectors did not answer. */
  | "CONNECTORS_UNREACHABLE"
  /** The source broke its own protocol, or the stream broke off. */
  | "UPSTREAM_PROTOCOL"
  /** The server is not one that the statement was planned for. */
  | "ANOTHER_VARIANT"
  /** The statement has fences, which are not proven on the server. */
  | "UNPROVEN_FENCE"
  /** The statement exceeded its time limit. */
  | "STATEMENT_TIMEOUT"
  /** The source reports an error in the SQL: syntax, unknown object, type. */
  | "SOURCE_INVALID_SQL"
  /** The source refused or failed for another reason: permissions, division by zero. */
  | "SOURCE_ERROR"
  /** The statement needed more memory than a statement may have in an engine of the service. */
  | "SOURCE_OUT_OF_MEMORY"
  /** The engine's process ended during the statement; the sidecar and other statements continue. */
  | "SOURCE_CRASHED"
  /** The caller disconnected; nobody receives this error. */
  | "CANCELLED"
  /** Too much load; try later. */
  | "OVERLOADED"
  /** A file or directory of a file source does not exist or cannot be read as its format. */
  | "FILE_NOT_FOUND"
  | "FILE_INVALID"
  /** A column that the manifest declares and the statement reads is in none of the files. */
  | "COLUMN_NOT_FOUND"
  /** An object of a store changed after its reading began. */
  | "OBJECT_CHANGED"
  /** The files of a statement exceed the size limit of one statement. */
  | "FILES_TOO_LARGE"
  | "DUCKDB_FILE_NOT_FOUND"
  | "ATTACH_DUCKDB_ERROR"
  /** The requested object contains no tables, or none that the user may see. */
  | "NO_TABLES"
  | "NOT_IMPLEMENTED";

export interface FailureDetails {
  /** The remedy, in one sentence. */
  readonly hint?: string;
  /** The engine's own code: SQLSTATE, error number. */
  readonly engineCode?: string;
  /** 0-based UTF-16 offset in the sent SQL, if the engine reports one. */
  readonly position?: number;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number;
  /** Whether the source requested this delay: it must not be contacted earlier. */
  readonly isRetryAfterSaid?: boolean;
  readonly cause?: unknown;
}

/** `message` may contain the engine's text; it passes the redactor before it leaves the service. */
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

/** The failure of a call whose signal has fired. A deadline that aborts with its own failure keeps that failure. */
export function cancelled(signal: AbortSignal): ConnectorFailure {
  if (signal.reason instanceof ConnectorFailure) return signal.reason;
  return new ConnectorFailure("CANCELLED", "The caller has gone.", { cause: signal.reason });
}
