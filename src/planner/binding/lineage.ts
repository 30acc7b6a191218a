/** Which model columns an output column is computed from. */

import type { Expression } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import type { RelationColumn } from "./relation.ts";
import { ModelRelation } from "./relation.ts";
import type { OutputColumn } from "./scope.ts";

/** `model.column` names, each once, in the order of the expression. */
export function lineageOf(column: OutputColumn): readonly string[] {
  const sources = new Set<string>();
  const visited = new Set<RelationColumn>();
  // A stack of our own: common tables that read each other are a chain of any length.
  const pending: Expression[] = column.origins.toReversed();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const found: Expression[] = [];
    someExpression(next, (each) => {
      if (each.kind !== "bound") return false;
      const source = each.column as RelationColumn;
      if (visited.has(source)) return false;
      visited.add(source);
      if (source.path !== undefined) sources.add(`${source.path.model.name}.${source.path.column.name}`);
      else if (source.relation instanceof ModelRelation) sources.add(`${source.relation.model.name}.${source.name}`);
      else found.push(...source.origins);
      return false;
    });
    pending.push(...found.reverse());
  }
  return [...sources];
}
