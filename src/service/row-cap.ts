/** The operator's cap on rows (decisions W13): announced when it is known to bite, an error when it turns out to. */
import type { PlannerWarning } from "../planner/diagnostics.ts";

export interface RowCap {
  /** The row limit to push into the SQL. */
  readonly limit: number | undefined;
  /** A LIMIT of the SQL above this is lowered to it, with a warning. */
  readonly mostRows: number | undefined;
  /** More rows than this are an error. */
  readonly refuseAbove: number | undefined;
  readonly warnings: readonly PlannerWarning[];
}

export function rowCapOf(requested: number | undefined, maxRows: number | undefined): RowCap {
  if (maxRows === undefined) return { limit: requested, mostRows: undefined, refuseAbove: undefined, warnings: [] };
  if (requested === undefined) {
    // One row more than allowed is enough to tell a full answer from a cut one, and the source need not send the rest.
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
