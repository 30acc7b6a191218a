/** Shared by checks: a bounded list of warnings, and excerpts of the caller's SQL in them. */
import type { PlannerWarning, WarningCode } from "../diagnostics.ts";
import type { Span } from "../syntax/tree.ts";

/** The same limit as for unknown functions (docs/decisions/0033-limits.md#decision). */
const MAX_WARNINGS = 100;

/** Adds a warning about the caller's text at `span`, once. */
export function addWarning(
  warnings: PlannerWarning[],
  code: WarningCode,
  span: Span,
  describe: () => { readonly message: string; readonly hint: string },
): void {
  if (warnings.length >= MAX_WARNINGS) return;
  const { message, hint } = describe();
  const isSame = (each: Span | undefined): boolean => each?.start === span.start && each.end === span.end;
  if (warnings.some((each) => each.code === code && each.message === message && isSame(each.span))) return;
  warnings.push({ code, message, span, hint });
}

/** The caller's text at the span, on one line of at most 60 characters. */
export function excerpt(sql: string, { start, end }: Span): string {
  const text = sql.slice(start, Math.min(end, start + 500)).replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
