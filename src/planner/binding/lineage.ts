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
  const collect = (expression: Expression): void => {
    someExpression(expression, (each) => {
      if (each.kind !== "bound") return false;
      const source = each.column as RelationColumn;
      if (visited.has(source)) return false;
      visited.add(source);
      if (source.relation instanceof ModelRelation) sources.add(`${source.relation.model.name}.${source.name}`);
      else for (const origin of source.origins) collect(origin);
      return false;
    });
  };
  for (const origin of column.origins) collect(origin);
  return [...sources];
}
