/** Parses a failure from the other end; the input is untrusted. */
import * as z from "zod/mini";
import { once } from "../../once.ts";
import { ConnectorFailure, type FailureReason } from "../failure.ts";
import type { FailureJson } from "./failure-json.ts";

/** The compiler checks that the table is complete; an unknown reason is a protocol error. */
const REASONS = {
  HOST_UNREACHABLE: true,
  TLS_UNTRUSTED: true,
  AUTHENTICATION: true,
  NEEDS_SIDECAR: true,
  EGRESS_DENIED: true,
  INVALID_CONNECTION: true,
  SIDECAR_UNREACHABLE: true,
  SIDECAR_REFUSED: true,
  CONNECTORS_UNREACHABLE: true,
  UPSTREAM_PROTOCOL: true,
  ANOTHER_VARIANT: true,
  UNPROVEN_FENCE: true,
  STATEMENT_TIMEOUT: true,
  SOURCE_INVALID_SQL: true,
  SOURCE_ERROR: true,
  SOURCE_OUT_OF_MEMORY: true,
  SOURCE_CRASHED: true,
  CANCELLED: true,
  OVERLOADED: true,
  FILE_NOT_FOUND: true,
  FILE_INVALID: true,
  COLUMN_NOT_FOUND: true,
  OBJECT_CHANGED: true,
  FILES_TOO_LARGE: true,
  DUCKDB_FILE_NOT_FOUND: true,
  ATTACH_DUCKDB_ERROR: true,
  NO_TABLES: true,
  NOT_IMPLEMENTED: true,
} as const satisfies Record<FailureReason, true>;

const failure = once(() =>
  z.object({
    reason: z.enum(Object.keys(REASONS) as [FailureReason, ...FailureReason[]]),
    message: z.string(),
    hint: z.exactOptional(z.string()),
    engineCode: z.exactOptional(z.string()),
    position: z.exactOptional(z.int().check(z.minimum(0))),
    retryAfter: z.exactOptional(z.number().check(z.minimum(0))),
  }),
);
/** Undefined for JSON that is not a failure of this protocol. */
export function failureFromJson(json: unknown): ConnectorFailure | undefined {
  const parsed = failure().safeParse(json);
  if (!parsed.success) return undefined;
  const { reason, message, ...details }: FailureJson = parsed.data;
  return new ConnectorFailure(reason, message, details);
}
