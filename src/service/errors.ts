/**
 * The one table of errors (docs/spec/contract.md#error-codes): reason → error code, phase and HTTP status.
 *
 * Every reason of the planner, of the connectors and of the service has exactly one row. The compiler checks that the table is
 * complete, and the tests of the API iterate over it.
 */
import type { FailureReason } from "../connectors/failure.ts";
import type { CallerReason } from "../guard/caller.ts";
import type { PlannerReason } from "../planner/diagnostics.ts";
import { OPERATIONS, type Operation, type Phase } from "./operations.ts";

/** The codes in error bodies (docs/spec/contract.md#error-codes). */
export type ErrorCode =
  | "GENERIC_USER_ERROR"
  | "NOT_FOUND"
  | "INVALID_SQL"
  | "INVALID_MDL"
  | "DUCKDB_FILE_NOT_FOUND"
  | "ATTACH_DUCKDB_ERROR"
  | "VALIDATION_RULE_NOT_FOUND"
  | "VALIDATION_ERROR"
  | "VALIDATION_PARAMETER_ERROR"
  | "GET_CONNECTION_ERROR"
  | "INVALID_CONNECTION_INFO"
  | "GENERIC_INTERNAL_ERROR"
  | "NOT_IMPLEMENTED"
  | "GENERIC_EXTERNAL_ERROR"
  | "DATABASE_TIMEOUT";

/** Refusals by the service itself, before or around planner and connector. */
type ServiceReason =
  /** The body is larger than the limit of the deployment, compressed or not. */
  | "BODY_TOO_LARGE"
  /** The body did not arrive in time. */
  | "BODY_TIMEOUT"
  /** A content encoding other than gzip. */
  | "UNSUPPORTED_ENCODING"
  /** No format that the caller accepts is available. */
  | "NOT_ACCEPTABLE"
  /** Neither `connectionInfo` nor `connectionFilePath` is given. */
  | "CONNECTION_MISSING"
  /** `connectionFilePath` is given, but no connection files are configured. */
  | "CONNECTION_FILE_UNAVAILABLE"
  /** No connection of the operator has this name, or the caller may not use it. */
  | "CONNECTION_NOT_FOUND"
  /** The named connection belongs to another kind of source than the path. */
  | "CONNECTION_OF_ANOTHER_SOURCE"
  /**
   * The request contains connection fields, but the caller may only use named connections
   * (docs/decisions/0030-named-connections.md).
   */
  | "CONNECTION_NOT_ALLOWED"
  /** The request sets a session property that the caller's credentials fix (docs/decisions/0010-session-properties.md). */
  | "SESSION_PROPERTY_BOUND"
  /** The project does not exist, or the caller may not use it: one reason for both. */
  | "PROJECT_NOT_FOUND"
  /** The project's manifest, pointer or connection has a fault that only its operator can repair. */
  | "PROJECT_BROKEN"
  /** The store of projects does not answer. */
  | "PROJECT_UNAVAILABLE"
  /** The request sets what the project fixes: manifest, connection, or a session property. */
  | "PROJECT_FIXES_THIS"
  /** Without authentication, projects are served on loopback only. */
  | "PROJECTS_CLOSED"
  /** The project does not show the SQL for its source. */
  | "SQL_NOT_SHOWN"
  /** The project does not list the values of the column. */
  | "VALUES_NOT_LISTED"
  /** The project has no stored question of the name, or not in the format. */
  | "QUESTION_NOT_FOUND"
  /** The credentials lack the scope `siskin:operator`. */
  | "OPERATOR_REQUIRED"
  /** Agents need a token with the scope siskin:query. */
  | "SCOPE_REQUIRED"
  /** The credentials lack the scope `siskin:view-as`. */
  | "VIEW_AS_NOT_ALLOWED"
  /** The request comes from a web page whose origin is not in ALLOWED_ORIGINS. */
  | "ORIGIN_NOT_ALLOWED"
  | "RULE_NOT_FOUND"
  | "RULE_PARAMETER"
  /** The result of a validation rule: the checked property does not hold. */
  | "RULE_VIOLATED"
  /** More rows than the operator's limit (docs/decisions/0009-no-silent-caps.md). */
  | "ROW_LIMIT_EXCEEDED"
  /** More bytes than the caller's limit. */
  | "BYTE_LIMIT_EXCEEDED"
  /** A value does not convert to the type in `columnDtypes`. */
  | "CONVERSION"
  /** The application time-out: planning, connecting and running together. */
  | "APPLICATION_TIMEOUT"
  /** The settings of this deployment are wrong; the log has the details. */
  | "MISCONFIGURED"
  /** A defect of the service. */
  | "INTERNAL";

export type Reason = PlannerReason | FailureReason | CallerReason | ServiceReason;

interface ErrorRow {
  readonly code: ErrorCode;
  readonly status: number;
  /** `operation`: the phase of the current operation. */
  readonly phase: Phase | "operation" | null;
  /** Seconds in `Retry-After`, unless the failure has a better value. */
  readonly retryAfter?: number;
}

const syntax = { code: "INVALID_SQL", status: 422, phase: "SQL_PARSING" } as const;
const meaning = { code: "INVALID_SQL", status: 422, phase: "SQL_PLANNING" } as const;
const unreadableManifest = { code: "INVALID_MDL", status: 422, phase: "MDL_EXTRACTION" } as const;
const wrongManifest = { code: "INVALID_MDL", status: 422, phase: "SQL_PLANNING" } as const;
const connection = { code: "GET_CONNECTION_ERROR", status: 422, phase: null } as const;
const connectionInfo = { code: "INVALID_CONNECTION_INFO", status: 422, phase: null } as const;
const source = { code: "GENERIC_USER_ERROR", status: 422, phase: "operation" } as const;
const upstream = { code: "GENERIC_EXTERNAL_ERROR", status: 502, phase: "operation" } as const;
const timeout = { code: "DATABASE_TIMEOUT", status: 504, phase: "operation" } as const;
const request = { code: "GENERIC_USER_ERROR", phase: "REQUEST_RECEIVED" } as const;

export const ERRORS = {
  SYNTAX: syntax,
  SEVERAL_STATEMENTS: syntax,
  UNSUPPORTED_STATEMENT: syntax,
  LIMIT_DEPTH: syntax,
  LIMIT_SIZE: syntax,
  MODEL_NOT_FOUND: meaning,
  AMBIGUOUS_MODEL: { code: "GENERIC_USER_ERROR", status: 422, phase: "SQL_SUBSTITUTE" },
  COLUMN_NOT_FOUND: meaning,
  AMBIGUOUS_COLUMN: meaning,
  UNGROUPED_COLUMN: meaning,
  INVALID_QUERY: meaning,
  TYPE_MISMATCH: meaning,
  FANOUT: meaning,
  PRIMARY_KEY_REQUIRED: meaning,
  ACCESS_DENIED: meaning,
  SESSION_PROPERTY_REQUIRED: meaning,
  SESSION_PROPERTY_INVALID: meaning,
  FUNCTION_NOT_FOUND: meaning,
  FUNCTION_NOT_ALLOWED: meaning,
  ENUM_VALUE_NOT_FOUND: meaning,
  PARAMETER_INVALID: meaning,
  CUBE_NOT_FOUND: meaning,
  CUBE_FIELD_NOT_FOUND: meaning,
  CUBE_INVALID_QUERY: meaning,
  STRICT_WARNING: meaning,
  UNSUPPORTED_ON_SOURCE: { code: "INVALID_SQL", status: 422, phase: "SQL_TRANSPILE" },
  TIME_ZONE_UNSUPPORTED: { code: "INVALID_SQL", status: 422, phase: "SQL_TRANSPILE" },
  MANIFEST_BASE64: unreadableManifest,
  MANIFEST_JSON: unreadableManifest,
  MANIFEST_SCHEMA: unreadableManifest,
  MANIFEST_LAYOUT_VERSION: unreadableManifest,
  MANIFEST_DUPLICATE: wrongManifest,
  MANIFEST_SOURCE: wrongManifest,
  MANIFEST_EXPRESSION: wrongManifest,
  MANIFEST_RELATIONSHIP: wrongManifest,
  MANIFEST_CYCLE: wrongManifest,

  HOST_UNREACHABLE: connection,
  TLS_UNTRUSTED: connection,
  AUTHENTICATION: connection,
  NEEDS_SIDECAR: connection,
  EGRESS_DENIED: connection,
  INVALID_CONNECTION: connectionInfo,
  CONNECTION_MISSING: connectionInfo,
  CONNECTION_FILE_UNAVAILABLE: connectionInfo,
  CONNECTION_NOT_FOUND: connectionInfo,
  CONNECTION_OF_ANOTHER_SOURCE: connectionInfo,
  SIDECAR_UNREACHABLE: upstream,
  SIDECAR_REFUSED: upstream,
  CONNECTORS_UNREACHABLE: upstream,
  UPSTREAM_PROTOCOL: upstream,
  ANOTHER_VARIANT: upstream,
  STATEMENT_TIMEOUT: timeout,
  APPLICATION_TIMEOUT: timeout,
  SOURCE_INVALID_SQL: source,
  SOURCE_ERROR: source,
  // Not 5xx: the same statement would fail again.
  SOURCE_OUT_OF_MEMORY: source,
  SOURCE_CRASHED: source,
  FILE_NOT_FOUND: source,
  FILE_INVALID: source,
  OBJECT_CHANGED: source,
  FILES_TOO_LARGE: source,
  ROW_LIMIT_EXCEEDED: source,
  BYTE_LIMIT_EXCEEDED: source,
  CONVERSION: { code: "GENERIC_USER_ERROR", status: 422, phase: "RESPONSE_GENERATION" },
  DUCKDB_FILE_NOT_FOUND: { code: "DUCKDB_FILE_NOT_FOUND", status: 422, phase: "operation" },
  ATTACH_DUCKDB_ERROR: { code: "ATTACH_DUCKDB_ERROR", status: 422, phase: "operation" },
  NO_TABLES: { code: "NOT_FOUND", status: 404, phase: "operation" },
  // 499 is the status that proxies log when the client has disconnected; no client receives it.
  CANCELLED: { code: "GENERIC_USER_ERROR", status: 499, phase: "operation" },

  RULE_NOT_FOUND: { code: "VALIDATION_RULE_NOT_FOUND", status: 404, phase: "VALIDATION" },
  RULE_PARAMETER: { code: "VALIDATION_PARAMETER_ERROR", status: 422, phase: "VALIDATION" },
  RULE_VIOLATED: { code: "VALIDATION_ERROR", status: 422, phase: "VALIDATION" },
  BODY_TOO_LARGE: { ...request, status: 413 },
  BODY_TIMEOUT: { ...request, status: 408 },
  UNSUPPORTED_ENCODING: { ...request, status: 415 },
  NOT_ACCEPTABLE: { ...request, status: 406 },
  CREDENTIALS_MISSING: { ...request, status: 401 },
  CREDENTIALS_INVALID: { ...request, status: 401 },
  CREDENTIALS_EXPIRED: { ...request, status: 401 },
  CLAIM_REQUIRED: { ...request, status: 403 },
  CLAIM_INVALID: { ...request, status: 403 },
  ISSUER_UNAVAILABLE: { code: "GENERIC_EXTERNAL_ERROR", status: 503, phase: "REQUEST_RECEIVED", retryAfter: 30 },
  RATE_LIMITED: { ...request, status: 429, retryAfter: 10 },
  CONCURRENCY_LIMITED: { ...request, status: 429, retryAfter: 1 },
  CONNECTION_NOT_ALLOWED: { ...request, status: 403 },
  SESSION_PROPERTY_BOUND: { ...request, status: 403 },
  PROJECT_NOT_FOUND: { code: "NOT_FOUND", status: 404, phase: "REQUEST_RECEIVED" },
  PROJECT_BROKEN: { code: "GENERIC_INTERNAL_ERROR", status: 503, phase: "REQUEST_RECEIVED", retryAfter: 30 },
  PROJECT_UNAVAILABLE: { code: "GENERIC_EXTERNAL_ERROR", status: 503, phase: "REQUEST_RECEIVED", retryAfter: 1 },
  PROJECT_FIXES_THIS: { ...request, status: 422 },
  PROJECTS_CLOSED: { ...request, status: 403 },
  SQL_NOT_SHOWN: { ...request, status: 403 },
  VALUES_NOT_LISTED: { ...request, status: 403 },
  QUESTION_NOT_FOUND: { code: "NOT_FOUND", status: 404, phase: "REQUEST_RECEIVED" },
  OPERATOR_REQUIRED: { ...request, status: 403 },
  SCOPE_REQUIRED: { ...request, status: 403 },
  VIEW_AS_NOT_ALLOWED: { ...request, status: 403 },
  ORIGIN_NOT_ALLOWED: { ...request, status: 403 },
  NOT_IMPLEMENTED: { code: "NOT_IMPLEMENTED", status: 501, phase: null },
  UNPROVEN_FENCE: { code: "NOT_IMPLEMENTED", status: 501, phase: null },
  OVERLOADED: { code: "GENERIC_INTERNAL_ERROR", status: 503, phase: "REQUEST_RECEIVED", retryAfter: 1 },
  MISCONFIGURED: { code: "GENERIC_INTERNAL_ERROR", status: 503, phase: null },
  INTERNAL: { code: "GENERIC_INTERNAL_ERROR", status: 500, phase: null },
} as const satisfies Record<Reason, ErrorRow>;

export interface ErrorOutcome {
  readonly code: ErrorCode;
  readonly status: number;
  readonly phase: Phase | null;
  readonly retryAfter: number | undefined;
}

/** The row of a reason for an operation. `operation` is undefined when the request failed before its operation was known. */
export function outcomeOf(reason: Reason, operation: Operation | undefined): ErrorOutcome {
  const row: ErrorRow = ERRORS[reason];
  // A validation rule is a question about the model, so every defect of model or SQL is the answer of the rule
  // (docs/spec/contract.md#validation-rules).
  if (operation === "validate" && judgesTheModel(row)) {
    return { code: "GENERIC_USER_ERROR", status: 422, phase: "VALIDATION", retryAfter: undefined };
  }
  if (operation === "substitute") {
    // No SQL is planned yet: the request looks up a model in the manifest, which may not exist
    // (docs/spec/contract.md#substitution-errors).
    if (reason === "MODEL_NOT_FOUND") return { ...MODEL_OF_TABLE, retryAfter: undefined };
    if (row.phase === "SQL_PARSING") return { ...row, phase: MODEL_OF_TABLE.phase, retryAfter: undefined };
  }
  const phase = row.phase !== "operation" ? row.phase : operation === undefined ? null : OPERATIONS[operation].phase;
  return { code: row.code, status: row.status, phase, retryAfter: row.retryAfter };
}

const MODEL_OF_TABLE = { code: "NOT_FOUND", status: 404, phase: "SQL_SUBSTITUTE" } as const;

function judgesTheModel(row: ErrorRow): boolean {
  const aboutSql = row.code === "INVALID_SQL" || (row.code === "GENERIC_USER_ERROR" && row.phase === "operation");
  return row.status === 422 && (aboutSql || (row.code === "INVALID_MDL" && row.phase === "SQL_PLANNING"));
}
