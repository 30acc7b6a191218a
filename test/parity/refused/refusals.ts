/** What an engine is known to refuse of the corpus: query (`schema/topic/slug`) → the reason and its justification. */
import type { PlannerReason } from "../../../src/planner/diagnostics.ts";

export interface Refusal {
  readonly reason: PlannerReason;
  /** Why no exact plan exists, in a line. */
  readonly why: string;
}

export type Refusals = Readonly<Record<string, Refusal>>;
