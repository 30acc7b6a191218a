/**
 * Queries whose answer is PostgreSQL's own to the text as it is written: nothing of ours stands between. What is planned
 * for an engine gives the same rows, or is refused there. Each subject says what was searched.
 */
import type { DataSource } from "../../../src/planner/plan.ts";

export interface Original {
  readonly sql: string;
  /** Where it is refused with a position. */
  readonly refused: readonly DataSource[];
}

export interface Subject {
  readonly name: string;
  readonly queries: readonly (string | Original)[];
}

export const refusedOnDuckDb = (sql: string): Original => ({ sql, refused: ["local_file"] });
