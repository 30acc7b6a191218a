/**
 * Keeps the facts of the last query that they were asked of: a step returns the same query where it replaces nothing. `known`: a query
 * whose facts were known before.
 */
import type { Query } from "../syntax/tree.ts";

export function keptFacts<T extends object>(
  factsOf: (query: Query) => T,
  known?: { readonly query: Query; readonly facts: T },
): (query: Query) => T {
  let last = known?.query;
  let facts = known?.facts;
  return (query) => {
    if (facts === undefined || last !== query) {
      last = query;
      facts = factsOf(query);
    }
    return facts;
  };
}
