/** Faults in text of the manifest, told to whoever uses it. */
import { PlannerError, type PlannerReason } from "../diagnostics.ts";
import type { Span } from "../syntax/tree.ts";

/** What would be the caller's mistake in a query is the modeller's in the manifest. */
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

/** `error` in the text of `owner`, which the caller uses at `use`; `place` says where in that text. */
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
    },
  );
}
