/** Facts about a column, derived from the expressions behind it. */
import type { PrintableColumn } from "../syntax/tree.ts";

/**
 * Computes each fact once per column. A column of a common table leads to columns of the previous one: with `x + x` in each of
 * thirty common tables, computing both sides every time would need a billion steps.
 */
export class ColumnFacts<T> {
  readonly #known = new WeakMap<PrintableColumn, { readonly fact: T }>();

  of(column: PrintableColumn, find: () => T): T {
    let known = this.#known.get(column);
    if (known === undefined) {
      known = { fact: find() };
      this.#known.set(column, known);
    }
    return known.fact;
  }
}
