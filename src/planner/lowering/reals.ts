/** A real beside an exact number is a real in PostgreSQL, and both are doubles to other engines: 0.1 is another number then. */

import { cast, typed, values, withArguments } from "../syntax/build.ts";
import type { ArrayLiteral, Call, Case, Expression, Values } from "../syntax/tree.ts";
import { REAL, type SqlType } from "../types.ts";

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
