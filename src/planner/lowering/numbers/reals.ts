/**
 * PostgreSQL combines a real and an exact number to a real. Other engines combine them to doubles, where 0.1 is another number.
 */

import { type RelationColumn, relationColumn } from "../../binding/relation.ts";
import type { ModelColumn } from "../../manifest/model.ts";
import { cast, inPlaceOf, typed, values, withArguments } from "../../syntax/build.ts";
import type { ArrayLiteral, Call, Case, Expression, Values } from "../../syntax/tree.ts";
import { children } from "../../syntax/walk.ts";
import { DOUBLE, REAL, type SqlType } from "../../types.ts";

export const isReal = (type: SqlType | undefined): boolean => type?.kind === "float" && type.bits === 32;

export const isExact = (type: SqlType | undefined): boolean => type?.kind === "decimal" || type?.kind === "integer";

/** Converts exact values to reals, for an expression whose type is real. */
export function asReal(value: Expression): Expression {
  return isExact(value.type) ? cast(value, "real", typed(REAL, value)) : value;
}

/** Whether the common type of these types is real. */
export const areReals = (types: readonly (SqlType | undefined)[]): boolean =>
  types.some(isReal) && !types.some((type) => type?.kind === "float" && !isReal(type));

export const arrayOfReals = (node: ArrayLiteral): ArrayLiteral | undefined =>
  node.type?.kind === "array" && isReal(node.type.element)
    ? { ...node, elements: node.elements.map(asReal) }
    : undefined;

/** For functions that return one of their arguments. */
export const chosenOfReals = (node: Call, made = asReal): Call =>
  isReal(node.type) ? withArguments(node, values(node).map(made)) : node;

/** `lag` and `lead`: converts the value and its default, and keeps the distance an integer. */
export function neighbourOfReals(node: Call): Call {
  if (!isReal(node.type)) return node;
  return withArguments(
    node,
    values(node).map((value, index) => (index === 1 ? value : asReal(value))),
  );
}

export function caseOfReals(node: Case, made = asReal): Case | undefined {
  if (!isReal(node.type)) return undefined;
  const branches = node.branches.map((each) => ({ ...each, then: made(each.then) }));
  return { ...node, branches, otherwise: node.otherwise && made(node.otherwise) };
}

/** The rows with one type per column: an exact value in a column of reals becomes a real. */
export function rowsOfReals(rows: Values["rows"]): Values["rows"] {
  const [first = []] = rows;
  const types = first.map((_, index) => rows.map((row) => row[index]?.type));
  const wanted = types.map(areReals);
  if (!wanted.includes(true)) return rows;
  return rows.map((row) => row.map((value, index) => (wanted[index] ? asReal(value) : value)));
}

/**
 * A sum over reals that the engine computes in double precision. It is rounded to a real, as in PostgreSQL, except for columns
 * with the manifest type `float`: they may be doubles or decimals in their table, and the sum keeps all digits.
 */
export function sumOfReals(node: Call): Expression {
  const [value] = values(node);
  const isCertain = value !== undefined && !holdsFloat(value, new Set());
  return isCertain ? cast(node, "real", inPlaceOf(node)) : { ...node, type: DOUBLE };
}

/** Whether `value` comes from a column with the manifest type `float`, without a size. */
function holdsFloat(value: Expression, visited: Set<RelationColumn>): boolean {
  if (value.kind === "cast") return false;
  if (value.kind !== "bound") return children(value).some((child) => holdsFloat(child, visited));
  const column = relationColumn(value);
  if (visited.has(column)) return false;
  visited.add(column);
  // Columns that expansion creates have `column` in place of `modelColumn`.
  const made: Partial<RelationColumn> & { readonly column?: ModelColumn } = column;
  const { modelColumn = made.column, origins = [] } = made;
  if (modelColumn?.kind === "plain" || modelColumn?.kind === "source")
    return /^\s*float\s*$/i.test(modelColumn.typeText);
  return origins.some((origin) => holdsFloat(origin, visited));
}
