/** Relationships as pairs of equal columns, for clients that know foreign keys. */
import { DEFAULT_LIMITS } from "../limits.ts";
import type { RelationshipData } from "../manifest/data.ts";
import { parseExpression } from "../syntax/parser.ts";
import type { Expression } from "../syntax/tree.ts";
import { conjuncts } from "../syntax/walk.ts";

export type EqualColumns = readonly (readonly [first: string, second: string])[];

/**
 * Columns of the first model with the columns of the second that they equal. Undefined for a condition that is more than such
 * equalities, or that names a column that `shows` does not list. Throws PlannerError for a condition that cannot be parsed.
 */
export function equalColumns(
  { models: [first, second], condition }: RelationshipData,
  shows: (model: string) => ReadonlySet<string> | undefined,
): EqualColumns | undefined {
  const pairs: (readonly [string, string])[] = [];
  for (const each of conjuncts(parseExpression(condition, { limits: DEFAULT_LIMITS }))) {
    if (each.kind !== "binary" || each.operator !== "=") return undefined;
    const left = columnOf(each.left);
    const right = columnOf(each.right);
    if (left === undefined || right === undefined) return undefined;
    // In a model that is related to itself the left operand belongs to the first row.
    const isTurned = first !== second && same(left.model, second) && same(right.model, first);
    const [from, to] = isTurned ? [right, left] : [left, right];
    if (!same(from.model, first) || !same(to.model, second)) return undefined;
    const pair = [shown(from.column, shows(first)), shown(to.column, shows(second))] as const;
    if (pair[0] === undefined || pair[1] === undefined) return undefined;
    pairs.push([pair[0], pair[1]]);
  }
  return pairs;
}

function columnOf(expression: Expression): { readonly model: string; readonly column: string } | undefined {
  if (expression.kind !== "column" || expression.parts.length !== 2) return undefined;
  const [model, column] = expression.parts;
  return model && column && { model: model.name, column: column.name };
}

const same = (name: string, model: string): boolean => name.toLowerCase() === model.toLowerCase();

function shown(column: string, names: ReadonlySet<string> | undefined): string | undefined {
  if (names?.has(column)) return column;
  return [...(names ?? [])].find((name) => same(name, column));
}
