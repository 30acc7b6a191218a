/**
 * The DuckDB settings that a plan may set: those that the meaning of SQL depends on, and none that grants access or weakens a
 * limit.
 */

import type { SessionSetting } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";

const MEANING: ReadonlySet<string> = new Set([
  "timezone",
  "calendar",
  "default_collation",
  "default_null_order",
  "default_order",
  "ieee_floating_point_ops",
  "integer_division",
  "old_implicit_casting",
  "order_by_non_integer_literal",
  "preserve_insertion_order",
  "scalar_subquery_error_on_multiple_rows",
]);

/** A setting that the meaning depends on is applied or refused, never ignored. Throws `SOURCE_ERROR`. */
export function assertSettable(session: readonly SessionSetting[]): void {
  const refused = session.find(({ name }) => !MEANING.has(name.toLowerCase()));
  if (refused === undefined) return;
  throw new ConnectorFailure("SOURCE_ERROR", `The session setting "${refused.name}" cannot be set on DuckDB.`);
}
