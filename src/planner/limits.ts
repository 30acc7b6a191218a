/** The limits of the planner (decisions C11); the service may lower them, never raise them past what the stack bears. */
export interface PlannerLimits {
  /** UTF-16 units of SQL text. */
  readonly sqlLength: number;
  /** Nesting of expressions, queries and left-deep chains of binary operators; parser and printer both enforce it. */
  readonly depth: number;
  readonly tokens: number;
  readonly identifierLength: number;
  readonly joins: number;
  /** Nodes of the tree that is printed: what the caller wrote, what the manifest adds, and what rewrites make of both. */
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

/** What stars and texts of the manifest may come to where they are put in place of names, in nodes of the tree. */
export const MAX_PLACED_NODES = 200_000;
