/** A real beside an exact number is a real in PostgreSQL, and both are doubles to other engines: 0.1 is another number then. */

import { type RelationColumn, relationColumn } from "../binding/relation.ts";
import type { ModelColumn } from "../manifest/model.ts";
import { cast, inPlaceOf, typed, values, withArguments } from "../syntax/build.ts";
import type { ArrayLiteral, Call, Case, Expression, Values } from "../syntax/tree.ts";
import { children } from "../syntax/walk.ts";
import { DOUBLE, REAL, type SqlType } from "../types.ts";

export const isReal = (type: SqlType | undefined): boolean => type?.kind === "float" && type.bits === 32;

export const isExact = (type: SqlType | undefined): boolean => type?.kind === "decimal" || type?.kind === "integer";

/** What is exact is made a real, for a whole that is one. */
export function asReal(value: Expression): Expression {
  return isExact(value.type) ? cast(value, "real", typed(REAL, value)) : value;
}

/** Whether values of these types are reals together. */
export const areReals = (types: readonly (SqlType | undefined)[]): boolean =>
  types.some(isReal) && !types.some((type) => type?.kind === "float" && !isReal(type));

export const arrayOfReals = (node: ArrayLiteral): ArrayLiteral | undefined =>
  node.type?.kind === "array" && isReal(node.type.element)
    ? { ...node, elements: node.elements.map(asReal) }
    : undefined;

/** Of values one of which is the result. */
export const chosenOfReals = (node: Call, made = asReal): Call =>
  isReal(node.type) ? withArguments(node, values(node).map(made)) : node;

/** A row's neighbour, or what stands for one that is not there; how far it is stays a whole number. */
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

/** The rows with each column of one type: what is exact beside a real is one. */
export function rowsOfReals(rows: Values["rows"]): Values["rows"] {
  const [first = []] = rows;
  const types = first.map((_, index) => rows.map((row) => row[index]?.type));
  const wanted = types.map(areReals);
  if (!wanted.includes(true)) return rows;
  return rows.map((row) => row.map((value, index) => (wanted[index] ? asReal(value) : value)));
}

/**
 * A sum that the engine computes in double precision, of values that are typed as reals. It is rounded to a real, as PostgreSQL's
 * is, but for columns that the manifest calls `float`: they may be doubles or decimals in their table, and the sum keeps all digits.
 */
export function sumOfReals(node: Call): Expression {
  const [value] = values(node);
  const isCertain = value !== undefined && !holdsFloat(value, new Set());
  return isCertain ? cast(node, "real", inPlaceOf(node)) : { ...node, type: DOUBLE };
}

/** Whether `value` has the type of a column that the manifest calls `float`, without a size. */
function holdsFloat(value: Expression, visited: Set<RelationColumn>): boolean {
  if (value.kind === "cast") return false;
  if (value.kind !== "bound") return children(value).some((child) => holdsFloat(child, visited));
  const column = relationColumn(value);
  if (visited.has(column)) return false;
  visited.add(column);
  // Columns that expansion makes have `column` for `modelColumn`.
  const made: Partial<RelationColumn> & { readonly column?: ModelColumn } = column;
  const { modelColumn = made.column, origins = [] } = made;
  if (modelColumn?.kind === "plain" || modelColumn?.kind === "source")
    return /^\s*float\s*$/i.test(modelColumn.typeText);
  return origins.some((origin) => holdsFloat(origin, visited));
}
