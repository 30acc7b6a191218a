/** Keeps the facts of the last query that they were asked of: a step returns the same query where it replaces nothing. */
import type { Query } from "../syntax/tree.ts";

export function keptFacts<T extends object>(factsOf: (query: Query) => T): (query: Query) => T {
  let last: Query | undefined;
  let facts: T | undefined;
  return (query) => {
    if (facts === undefined || last !== query) {
      last = query;
      facts = factsOf(query);
    }
    return facts;
  };
}
