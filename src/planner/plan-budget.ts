/**
 * The budget of one plan: its maximum nodes, and the steps that planning may take.
 *
 * A rewrite that uses its operand twice doubles everything inside it, so a short statement could make a tree that is
 * too large to walk: six nested casts took 1.6 GB. The tree is small in memory, because both positions hold the same
 * object, but every pass visits it twice. So each visit and each copy of a node costs a step (`syntax/walk.ts`,
 * `syntax/rewrite.ts`, lowering, the printer), and planning stops at the limit.
 *
 * The counters are module state and not an argument: planning is synchronous, so at most one plan is made at a time,
 * and the two functions below are called some dozen times for each node. `withinBudget` sets and restores them.
 */
import { PlannerError } from "./diagnostics.ts";
import type { PlannerLimits } from "./limits.ts";
import { NOWHERE } from "./syntax/spans.ts";
import type { Span } from "./syntax/tree.ts";

export type PlanLimits = Pick<PlannerLimits, "nodes" | "steps">;

/** The part of the budget that a plan has used. */
export interface PlanCost {
  readonly nodes: number;
  readonly steps: number;
}

/** Outside of a plan nothing is counted: manifests are read under limits of their own. A small integer for V8. */
const UNCOUNTED = 2 ** 30 - 1;

let limits: PlanLimits | undefined;
let nodesLeft = UNCOUNTED;
let stepsLeft = UNCOUNTED;
/** Span in the caller's SQL of the current work. */
let place: Span = NOWHERE;

/**
 * Runs `work` under a budget of its own. A plan inside a plan would use the outer one's budget; this does not occur
 * today. @throws PlannerError LIMIT_SIZE; `work` cannot continue after it, because every further step throws again
 */
export function withinBudget<T>(most: PlanLimits, work: () => T): T {
  if (limits !== undefined) return work();
  limits = most;
  nodesLeft = most.nodes;
  stepsLeft = most.steps;
  place = NOWHERE;
  try {
    return work();
  } finally {
    limits = undefined;
    nodesLeft = UNCOUNTED;
    stepsLeft = UNCOUNTED;
  }
}

/**
 * Runs `work` outside the budget: data that the manifest keeps for later plans is not charged to the first plan that
 * needs it.
 */
export function uncounted<T>(work: () => T): T {
  const [most, nodes, steps] = [limits, nodesLeft, stepsLeft];
  limits = undefined;
  nodesLeft = UNCOUNTED;
  stepsLeft = UNCOUNTED;
  try {
    return work();
  } finally {
    limits = most;
    nodesLeft = nodes;
    stepsLeft = steps;
  }
}

/** Counts one visit or one copy of a node. */
export function countStep(): void {
  if (--stepsLeft < 0) overdrawn();
}

/** Counts work that goes through `steps` parts. */
export function countSteps(steps: number): void {
  stepsLeft -= steps;
  if (stepsLeft < 0) overdrawn();
}

/** Counts one node of the plan, which is printed: a step as well. */
export function countNode(): void {
  if (--nodesLeft < 0 || --stepsLeft < 0) overdrawn();
}

/** Records the current span for errors. */
export function workingAt(span: Span): void {
  if (span !== NOWHERE) place = span;
}

/** Cost of the current plan so far; zero outside a plan. */
export function costSoFar(): PlanCost {
  if (limits === undefined) return { nodes: 0, steps: 0 };
  return { nodes: limits.nodes - nodesLeft, steps: limits.steps - stepsLeft };
}

function overdrawn(): void {
  if (limits === undefined) {
    nodesLeft = UNCOUNTED;
    stepsLeft = UNCOUNTED;
    return;
  }
  const what = nodesLeft < 0 ? `has more than ${limits.nodes} nodes` : `takes more than ${limits.steps} steps`;
  throw new PlannerError("LIMIT_SIZE", `the plan of this statement ${what}`, {
    ...(place.end > place.start && { span: place }),
    hint: "Nest fewer casts and functions inside each other: compute the inner ones in a subquery.",
  });
}
