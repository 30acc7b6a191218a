/** Structural equality of trees: spans do not count, nor quotes that printing may add or leave out. */
import { isReservedAsName, isWord } from "../../../src/planner/syntax/keywords.ts";
import type { Expression, Query } from "../../../src/planner/syntax/tree.ts";

/** The tree as text, without spans and whatever the order of members; two trees that mean the same have the same text. */
export function shape(tree: Query | Expression): string {
  return JSON.stringify(tree, (key, value: unknown) => {
    if (key === "span") {
      return undefined;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return value;
    }
    if (isIdentifier(value)) {
      return { name: value.name, quoted: quotesCount(value.name) && value.quoted };
    }
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function isIdentifier(value: object): value is { name: string; quoted: boolean } {
  return "name" in value && "quoted" in value;
}

/** Quotes mean nothing around plain lower-case names; reserved words and odd names get them whether written or not. */
function quotesCount(name: string): boolean {
  return isWord(name) && !/^[a-z_][a-z0-9_$]*$/.test(name) && !isReservedAsName(name);
}
