/** Which model columns an output column is computed from. */

import type { ModelColumn } from "../manifest/model.ts";
import type { Expression } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import { ModelRelation, type RelationColumn, relationColumn } from "./relation.ts";
import type { OutputColumn } from "./scope.ts";

/** `model.column` names of the columns that `shows` lets through, each once, in the order of the expression. */
export function lineageOf(column: OutputColumn, shows: (column: ModelColumn) => boolean): readonly string[] {
  const sources = new Set<string>();
  const add = (model: string, column: ModelColumn): void => {
    if (shows(column)) sources.add(`${model}.${column.name}`);
  };
  const visited = new Set<RelationColumn>();
  // A stack of our own: common tables that read each other are a chain of any length.
  const pending: Expression[] = column.origins.toReversed();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const found: Expression[] = [];
    someExpression(next, (each) => {
      if (each.kind !== "bound") return false;
      const source = relationColumn(each);
      if (visited.has(source)) return false;
      visited.add(source);
      const { path, relation, modelColumn } = source;
      if (path !== undefined) add(path.model.name, path.column);
      else if (relation instanceof ModelRelation && modelColumn !== undefined) add(relation.model.name, modelColumn);
      else found.push(...source.origins);
      return false;
    });
    pending.push(...found.reverse());
  }
  return [...sources];
}
