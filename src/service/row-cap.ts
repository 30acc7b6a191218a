/**
 * The operator's row limit (docs/decisions/0009-no-silent-caps.md): a warning if the request's limit exceeds it, an error if the
 * answer does.
 */
import type { PlannerWarning } from "../planner/diagnostics.ts";

export interface RowCap {
  /** The row limit to add to the SQL. */
  readonly limit: number | undefined;
  /** A larger LIMIT in the SQL is lowered to this, with a warning. */
  readonly mostRows: number | undefined;
  /** More rows than this are an error. */
  readonly refuseAbove: number | undefined;
  readonly warnings: readonly PlannerWarning[];
}

export function rowCapOf(requested: number | undefined, maxRows: number | undefined): RowCap {
  if (maxRows === undefined) return { limit: requested, mostRows: undefined, refuseAbove: undefined, warnings: [] };
  if (requested === undefined) {
    // One more row than allowed is enough to detect that the answer is incomplete, and the source need not send the rest.
    return { limit: maxRows + 1, mostRows: maxRows, refuseAbove: maxRows, warnings: [] };
  }
  if (requested <= maxRows) return { limit: requested, mostRows: undefined, refuseAbove: undefined, warnings: [] };
  const warning: PlannerWarning = {
    code: "LIMIT_APPLIED",
    message: `The limit ${requested} was lowered to ${maxRows}, the most rows this service returns.`,
    hint: `Ask for at most ${maxRows} rows at a time.`,
  };
  return { limit: maxRows, mostRows: undefined, refuseAbove: undefined, warnings: [warning] };
}
