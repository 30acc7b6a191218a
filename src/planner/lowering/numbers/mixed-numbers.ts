/**
 * Mixed numeric types: a comparison that includes a double compares doubles, as in PostgreSQL, whatever type the target would
 * choose for an exact number and a double, or for a table's key. Beyond 2^53 several integers are one double, and 0.1 is another
 * number as a decimal.
 */
import { unsupported } from "../../diagnostics.ts";
import type { Expression, InQuery, Quantified, Query, QueryBody } from "../../syntax/tree.ts";
import type { KeyOf } from "../queries/keys.ts";
import { isReal } from "./reals.ts";

/** How a target compares numbers by default. */
export interface MixedNumbersOfTarget {
  /** Whether this value makes the others doubles: it is a double or a real. */
  readonly counts: (value: Expression) => boolean;
  /** How many values must count; by default one. */
  readonly least?: number;
  /** Converts a value to a double if the target would compare it as another type; returns others unchanged. */
  readonly made: KeyOf;
  /** Refusal of a row of such values among the rows of a query. */
  readonly refusal?: { readonly what: string; readonly hint: string };
  /** The query with `made` applied to its columns. */
  readonly columns: (query: Query, made: KeyOf) => Query;
}

const AMONG_DOUBLES = {
  what: "a row of exact numbers among doubles",
  hint: "Write CAST(… AS double precision) on both sides.",
};

export class MixedNumbers {
  readonly #target: MixedNumbersOfTarget;

  constructor(target: MixedNumbersOfTarget) {
    this.#target = target;
  }

  /** Values that are compared with each other, converted where necessary. */
  together(values: readonly Expression[]): readonly Expression[] {
    return this.#are(values) ? values.map(this.#target.made) : values;
  }

  /** The operand, and the rows of the query that it is compared with. Throws UNSUPPORTED_ON_SOURCE for rows of several values. */
  among<Node extends InQuery | Quantified>(node: Node): Node {
    const { operand, query, span } = node;
    if (query === undefined) return node;
    if (operand.kind !== "row") {
      if (!this.#are([operand, ...expressionsOfColumn(query.body, 0)])) return node;
      return { ...node, operand: this.#target.made(operand), query: this.#target.columns(query, this.#target.made) };
    }
    for (const [index, element] of operand.elements.entries()) {
      const values = [element, ...expressionsOfColumn(query.body, index)];
      if (!this.#are(values) || values.every((each) => this.#target.made(each) === each)) continue;
      const { what, hint } = this.#target.refusal ?? AMONG_DOUBLES;
      throw unsupported(what, span, hint);
    }
    return node;
  }

  /** Not if all are reals. */
  #are(values: readonly Expression[]): boolean {
    const { counts, least = 1 } = this.#target;
    return values.filter(counts).length >= least && !values.every(({ type }) => isReal(type) || type?.kind === "null");
  }
}

/** The expressions of one column of a query, one for each of its branches. */
export function expressionsOfColumn(body: QueryBody, index: number): readonly Expression[] {
  switch (body.kind) {
    case "select": {
      const item = body.items[index];
      return item?.kind === "item" ? [item.expression] : [];
    }
    case "set":
      return [...expressionsOfColumn(body.left, index), ...expressionsOfColumn(body.right, index)];
    case "nested":
      return expressionsOfColumn(body.query.body, index);
    case "values":
      return body.rows.flatMap((row) => row[index] ?? []);
    default:
      return body satisfies never;
  }
}
