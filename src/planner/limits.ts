/**
 * The limits of the planner (docs/decisions/0033-limits.md); the service may lower them, but not raise them beyond the stack's
 * capacity.
 */
export interface PlannerLimits {
  /** UTF-16 units of SQL text. */
  readonly sqlLength: number;
  /** Nesting of expressions, queries and left-deep chains of binary operators; parser and printer both enforce it. */
  readonly depth: number;
  readonly tokens: number;
  readonly identifierLength: number;
  readonly joins: number;
  /** Nodes of the printed tree: the caller's, the manifest's, and those that rewrites add. */
  readonly nodes: number;
  /** Visits and copies of nodes, over all passes of one plan. */
  readonly steps: number;
}

export const DEFAULT_LIMITS: PlannerLimits = {
  sqlLength: 1024 * 1024,
  depth: 500,
  tokens: 500_000,
  identifierLength: 1024,
  joins: 256,
  nodes: 200_000,
  steps: 2_000_000,
};

/** Columns of one select list: stars over stars double, and no engine takes as many. */
export const MAX_COLUMNS = 50_000;

/** Limit on nodes that stars and texts of the manifest may add where they replace names. */
export const MAX_PLACED_NODES = 200_000;
