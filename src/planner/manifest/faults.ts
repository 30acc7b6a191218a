/** Faults in text of the manifest, reported at the position where a query uses it. */
import { PlannerError, type PlannerReason } from "../diagnostics.ts";
import type { Span } from "../syntax/tree.ts";

/** Errors that are the caller's in a query and the modeller's in the manifest. */
const MODELLERS: ReadonlySet<PlannerReason> = new Set([
  "SYNTAX",
  "SEVERAL_STATEMENTS",
  "UNSUPPORTED_STATEMENT",
  "MODEL_NOT_FOUND",
  "COLUMN_NOT_FOUND",
  "AMBIGUOUS_COLUMN",
  "UNGROUPED_COLUMN",
  "INVALID_QUERY",
  "TYPE_MISMATCH",
]);

/** `error` in the text of `owner`, which the caller uses at `use`; `place` is the position in that text. */
export function modellersFault(
  owner: string,
  error: PlannerError,
  { place, use }: { readonly place: string | undefined; readonly use: Span | undefined },
): PlannerError {
  return new PlannerError(
    MODELLERS.has(error.reason) ? "MANIFEST_EXPRESSION" : error.reason,
    `${owner}: ${error.message}${place === undefined ? "" : ` (${place})`}`,
    {
      ...(use === undefined ? {} : { span: use }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      suggestions: error.suggestions,
      quotesManifest: true,
    },
  );
}

/** Runs `work`; errors with a position in the manifest's expression name `owner` and that position. */
export function inExpression<T>(owner: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PlannerError ? faultOf(owner, error) : error;
  }
}

/** `error` attributed to `owner`, if it has a position in the owner's text. */
export function faultOf(owner: string, error: PlannerError): PlannerError {
  const { reason, message, span, hint, suggestions } = error;
  if (span === undefined) return error;
  return new PlannerError(
    KEPT.has(reason) ? reason : "MANIFEST_EXPRESSION",
    `${owner}: ${message} (at character ${span.start + 1} of its expression)`,
    { ...(hint === undefined ? {} : { hint }), suggestions, quotesManifest: true },
  );
}

/** Reasons that are more specific than MANIFEST_EXPRESSION. */
const KEPT: ReadonlySet<PlannerError["reason"]> = new Set([
  "NOT_IMPLEMENTED",
  "FANOUT",
  "PRIMARY_KEY_REQUIRED",
  "MANIFEST_CYCLE",
  "MANIFEST_RELATIONSHIP",
  "LIMIT_SIZE",
  "LIMIT_DEPTH",
  "UNSUPPORTED_ON_SOURCE",
]);
