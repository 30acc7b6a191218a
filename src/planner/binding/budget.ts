/** Limits of one planning run: repeated texts, nodes of the manifest, nesting levels, joins. */
import { PlannerError } from "../diagnostics.ts";
import { MAX_PLACED_NODES } from "../limits.ts";
import type { Span } from "../syntax/tree.ts";

/** Fixed cost of replacing a name with any text, in addition to its nodes. */
const NODES_OF_TEXT = 20;
/** Levels of calculated columns inside of each other: binding recurses, and every platform's stack has to bear it. */
const MAX_EXPANDED_DEPTH = 1_000;
/** Stack use of resolving a name, in levels of an expression. */
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
   * A select item is repeated wherever its alias or position is used. A few kilobytes of `ORDER BY a, a, …` over one
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
   * Charges for manifest text of so many nodes that replaces a name. It is repeated at every use: two names in each of
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

  /** Runs `work` while a calculated column whose tree has `depth` levels and `size` nodes replaces its name. */
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

  /** Nodes of manifest text that have replaced names so far. */
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
