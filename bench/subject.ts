/**
 * Input and output of a benchmark. Each runs in a process of its own, so that none inherits another's heap or compiled
 * code.
 */
import type { QuerySet } from "./rig/queries.ts";
import type { WorkerBundle } from "./rig/worker-bundle.ts";

export interface Budget {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
  /** Why it may be missed, and what to do about it. */
  readonly reason: string;
}

/** Names a budget as a ratio of two measurements of one run, so that it holds on every machine. */
export function ratioBudget(what: string, ratio: number, most: number, reason: string): Budget {
  return { what, target: `≤ ${most} times`, measured: `${ratio.toFixed(2)} times`, met: ratio <= most, reason };
}

/** One section of `docs/evidence/benchmarks.md`. */
export interface Section {
  readonly title: string;
  readonly budgets: readonly Budget[];
  /** Markdown: method, tables, and what the numbers do not show. */
  readonly text: string;
}

/** Data made once for all benchmarks. */
export interface Material {
  /** The Worker as `wrangler deploy` would upload it. */
  readonly bundle: WorkerBundle;
  readonly standard: QuerySet;
}

export interface Run extends Material {
  /** An empty directory that goes with the benchmark. */
  readonly directory: string;
  /** Called in reverse order when the benchmark ends, however it ends. */
  onEnd(end: () => unknown): void;
}

export type Subject = (run: Run) => Promise<Section>;
