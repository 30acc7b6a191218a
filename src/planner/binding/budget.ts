/** What one planning run may spend: texts that are written again, nodes of the manifest, levels inside each other, joins. */
import { PlannerError } from "../diagnostics.ts";
import { MAX_PLACED_NODES } from "../limits.ts";
import type { Span } from "../syntax/tree.ts";

/** Of putting any text in place of a name, apart from its nodes. */
const NODES_OF_TEXT = 20;
/** Levels of calculated columns inside of each other: binding recurses, and every platform's stack has to bear it. */
const MAX_EXPANDED_DEPTH = 1_000;
/** What resolving a name takes of the stack, in levels of an expression. */
const LEVELS_OF_NAME = 2;
/** UTF-16 units of select items that may be written again. */
const MAX_REPEATED_LENGTH = 500_000;

export class BindingBudget {
  joins = 0;
  readonly maxJoins: number;
  #spent = 0;
  #depth = 0;
  #repeated = 0;

  constructor(maxJoins: number) {
    this.maxJoins = maxJoins;
  }

  /**
   * A select item is written again where its alias or position stands. A few kilobytes of `ORDER BY a, a, …` over one
   * long item would otherwise become megabytes.
   */
  countRepetition(item: Span, at: Span): void {
    this.#repeated += item.end - item.start;
    if (this.#repeated <= MAX_REPEATED_LENGTH) return;
    throw new PlannerError("LIMIT_SIZE", "aliases and positions repeat too much of the select list", {
      span: at,
      hint: "Compute the long expressions in a subquery first.",
    });
  }

  /**
   * Text of the manifest of so many nodes is put in place of a name. It stands wherever it is named: two names in each of
   * thirty columns make a billion.
   */
  spend(nodes: number): void {
    this.#spent += nodes + NODES_OF_TEXT;
    if (this.#spent > MAX_PLACED_NODES) {
      throw new PlannerError(
        "LIMIT_SIZE",
        `stars and what the manifest defines come to more than ${MAX_PLACED_NODES} nodes`,
      );
    }
  }

  /** Runs `work` while a calculated column whose tree has `depth` levels and `size` nodes stands in place of its name. */
  expanding<T>({ depth, size }: { readonly depth: number; readonly size: number }, work: () => T): T {
    this.spend(size);
    const levels = depth + LEVELS_OF_NAME;
    this.#depth += levels;
    try {
      if (this.#depth > MAX_EXPANDED_DEPTH) {
        throw new PlannerError("LIMIT_DEPTH", `calculated columns expand to more than ${MAX_EXPANDED_DEPTH} levels`);
      }
      return work();
    } finally {
      this.#depth -= levels;
    }
  }

  /** Nodes of the manifest's texts that were put in place of names so far. */
  get spent(): number {
    return this.#spent;
  }

  /** A join that a relationship path adds to the plan. */
  countJoin(): void {
    this.joins++;
    if (this.joins > this.maxJoins) {
      throw new PlannerError("LIMIT_SIZE", `relationship paths need more than ${this.maxJoins} joins`);
    }
  }
}
