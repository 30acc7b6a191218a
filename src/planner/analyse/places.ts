/** Positions of nodes as line and column numbers, which clients of the analysis compare. */
import type { Expression, TableExpression } from "../syntax/tree.ts";
import type { Location } from "./records.ts";

/** Line starts of a text, found once: an analysis needs a location for each word of the text. */
export class Places {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
    this.#starts = starts;
  }

  at(offset: number): Location {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

/** The leftmost operand, without the parentheses around it. */
export function startOfExpression(expression: Expression): number {
  let current = expression;
  for (;;) {
    switch (current.kind) {
      case "binary":
        current = current.left;
        break;
      case "logical": {
        const [first] = current.operands;
        if (first === undefined) return current.span.start;
        current = first;
        break;
      }
      case "like":
      case "between":
      case "in-list":
      case "in-query":
      case "quantified":
      case "is":
      case "collate":
      case "at-time-zone":
      case "subscript":
      case "slice":
        current = current.operand;
        break;
      default:
        return current.span.start;
    }
  }
}

/** A join begins at its left side, whatever parentheses are around it. */
export function startOfTable(table: TableExpression): number {
  let current = table;
  for (;;) {
    if (current.kind === "join") current = current.left;
    else if (current.kind === "aliased-join") current = current.join;
    else return current.span.start;
  }
}
