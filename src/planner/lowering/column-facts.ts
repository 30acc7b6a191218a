/** Facts about a column that follow from the expressions behind it. */
import type { PrintableColumn } from "../syntax/tree.ts";

/**
 * Each fact is found once per column. A column of a common table leads to columns of the one before: with `x + x` in each of
 * thirty common tables, asking both sides anew every time is a billion questions.
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
