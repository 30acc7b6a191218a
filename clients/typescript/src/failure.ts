/** The one error class, and how answers of any kind become it. */
import type { Position } from "./types.ts";

interface Details {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly position?: Position | undefined;
  readonly suggestions?: readonly string[] | undefined;
  readonly hint?: string | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

export class SiskinError extends Error {
  override readonly name = "SiskinError";
  /**
   * The service's reason, such as `COLUMN_NOT_FOUND`; or one of the client: `NETWORK`, `TIMEOUT`, `BROKEN_OFF`, `REDIRECTED`,
   * `UNEXPECTED_ANSWER`, `REQUEST_SHAPE`, `PARAMETER_INVALID`, `DUPLICATE_COLUMN`.
   */
  readonly reason: string;
  /** HTTP status; undefined where no answer arrived. */
  readonly status: number | undefined;
  /** The service's error code, such as `INVALID_SQL`. */
  readonly code: string | undefined;
  /** Where in the statement. */
  readonly position: Position | undefined;
  readonly suggestions: readonly string[];
  readonly hint: string | undefined;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(reason: string, message: string, { cause, ...details }: Details = {}) {
    super(message, { cause });
    this.reason = reason;
    this.status = details.status;
    this.code = details.code;
    this.position = details.position;
    this.suggestions = details.suggestions ?? [];
    this.hint = details.hint;
    this.requestId = details.requestId;
  }
}

interface ErrorBody {
  readonly errorCode?: string;
  readonly message?: string;
  readonly metadata?: Pick<Details, "position" | "suggestions" | "hint"> & { readonly reason?: string };
  readonly correlationId?: string;
  readonly detail?: string | readonly { readonly loc: readonly unknown[]; readonly msg: string }[];
}

/** An error body of the service, or undefined for any other text. */
export function failureIn(text: string, status: number, requestId?: string): SiskinError | undefined {
  const body = parsed(text) as ErrorBody | undefined;
  const { errorCode: code, message, metadata, correlationId, detail } = body ?? {};
  if (typeof message === "string") {
    return new SiskinError(metadata?.reason ?? code ?? "UNKNOWN", message, {
      ...metadata,
      status,
      code,
      requestId: correlationId ?? requestId,
    });
  }
  if (detail === undefined) return undefined;
  const problems = Array.isArray(detail)
    ? detail.map(({ loc, msg }) => `${loc?.join(".")}: ${msg}`).join("; ")
    : detail;
  return new SiskinError(status === 404 ? "NOT_FOUND" : "REQUEST_SHAPE", String(problems), { status, requestId });
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
