/** A real beside a decimal is a real in PostgreSQL, and both are doubles there: 0.1 is another number then. */

import { unsupported } from "../../diagnostics.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { cast, typed, values, withArguments } from "../../syntax/build.ts";
import type { ArrayLiteral, Call, Case, Expression, SetOperation, Values } from "../../syntax/tree.ts";
import { REAL, type SqlType } from "../../types.ts";

const isReal = (type: SqlType | undefined): boolean => type?.kind === "float" && type.bits === 32;

const isExact = (type: SqlType | undefined): boolean => type?.kind === "decimal" || type?.kind === "integer";

/** What is exact is made a real where the whole is one. */
function asReal(value: Expression): Expression {
  return isExact(value.type) ? cast(value, "real", typed(REAL, value)) : value;
}

export const chosenOfReals = (node: Call): Call =>
  isReal(node.type) ? withArguments(node, values(node).map(asReal)) : node;

export function caseOfReals(node: Case): Case | undefined {
  if (!isReal(node.type)) return undefined;
  const branches = node.branches.map((each) => ({ ...each, then: asReal(each.then) }));
  return { ...node, branches, otherwise: node.otherwise && asReal(node.otherwise) };
}

export const arrayOfReals = (node: ArrayLiteral): ArrayLiteral | undefined =>
  node.type?.kind === "array" && isReal(node.type.element)
    ? { ...node, elements: node.elements.map(asReal) }
    : undefined;

/** The rows with each column of one type. */
export function rowsOfReals({ rows }: Values): Values["rows"] {
  const [first = []] = rows;
  const types = first.map((_, index) => rows.map((row) => row[index]?.type));
  const areReals = types.map(
    (column) => column.some(isReal) && !column.some((type) => type?.kind === "float" && !isReal(type)),
  );
  if (!areReals.includes(true)) return rows;
  return rows.map((row) => row.map((value, index) => (areReals[index] ? asReal(value) : value)));
}

export function setOfReals(node: SetOperation): SetOperation {
  const [left, right] = [outputColumnsOf(node.left), outputColumnsOf(node.right)];
  const mixed = left.some(({ type }, index) => {
    const other = right[index]?.type;
    return (isReal(type) && isExact(other)) || (isExact(type) && isReal(other));
  });
  if (!mixed) return node;
  throw unsupported("a real beside an exact number in a set operation", node.span, "Cast both to double precision.");
}
