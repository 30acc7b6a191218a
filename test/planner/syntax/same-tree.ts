/** Structural equality of trees: spans do not count, nor quotes that printing may add or leave out. */
import { isReservedAsName } from "../../../src/planner/syntax/keywords.ts";
import type { Expression, Query } from "../../../src/planner/syntax/tree.ts";

/** The tree as text, without spans; two trees that mean the same have the same text. */
export function shape(tree: Query | Expression): string {
  return JSON.stringify(tree, (key, value: unknown) => {
    if (key === "span") {
      return undefined;
    }
    return isIdentifier(value) ? { name: value.name, quoted: quotesCount(value.name) && value.quoted } : value;
  });
}

function isIdentifier(value: unknown): value is { name: string; quoted: boolean } {
  return typeof value === "object" && value !== null && "name" in value && "quoted" in value;
}

/** Quotes mean nothing around plain lower-case names, and reserved words get them whether written or not. */
function quotesCount(name: string): boolean {
  return !/^[a-z_][a-z0-9_$]*$/.test(name) && !isReservedAsName(name);
}
