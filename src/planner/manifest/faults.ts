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
