/** Which columns have equal values wherever a condition is true. */

import { type RelationColumn, relationColumn } from "../binding/relation.ts";
import { findFunction } from "../functions/catalogue.ts";
import { countStep } from "../plan-budget.ts";
import type { Expression } from "../syntax/tree.ts";
import { children, forEachChild, walk } from "../syntax/walk.ts";

/** The columns of one level that a value is made of; everything else in it is the same for every row of that level. */
export interface Operands {
  readonly columns: readonly RelationColumn[];
  /** The value is one column, possibly under a cast that keeps its values distinct. */
  readonly isColumn: boolean;
}

/** Wherever the condition holds, `column` has the value that is made of `operands`; no columns: a constant. */
export interface Equality {
  readonly column: RelationColumn;
  readonly operands: Operands;
  /** `IS NOT DISTINCT FROM`: holds for two NULLs as well. */
  readonly holdsForNull: boolean;
  /**
   * The column is inside an expression (`lower(code) = …`, `coalesce(a.k, b.k) = …`): whether the equality settles it
   * is undecided. It proves nothing, and clears the column of suspicion.
   */
  readonly isUncertain: boolean;
}

/** Whether a column belongs to the current query level; columns of outer levels are constants. */
export type IsLocal = (column: RelationColumn) => boolean;

/** Adds the equalities that hold wherever `condition` is true. */
export function readCondition(condition: Expression, isLocal: IsLocal, found: Equality[]): void {
  countStep();
  switch (condition.kind) {
    case "logical":
      if (condition.operator === "and") {
        for (const operand of condition.operands) readCondition(operand, isLocal, found);
      } else readAlternatives(condition.operands, isLocal, found);
      return;
    case "binary":
      if (condition.operator === "=") readEquality(condition.left, condition.right, false, isLocal, found);
      else if (condition.operator === "is not distinct from") {
        readEquality(condition.left, condition.right, true, isLocal, found);
      }
      return;
    case "in-list": {
      const [only] = condition.list;
      if (condition.negated || only === undefined || condition.list.length > 1) return;
      readEquality(condition.operand, only, false, isLocal, found);
      return;
    }
    case "bound":
      // A boolean column as a condition is a column that is true.
      addEquality(condition, NO_OPERANDS, false, false, isLocal, found);
      return;
    case "is":
      if (!condition.negated && (condition.test === "true" || condition.test === "false")) {
        addEquality(condition.operand, NO_OPERANDS, false, false, isLocal, found);
      }
      return;
    case "unary":
      if (condition.operator === "not") addEquality(condition.operand, NO_OPERANDS, false, false, isLocal, found);
      return;
    default:
      return;
  }
}

const NO_OPERANDS: Operands = { columns: [], isColumn: false };

/** An equality in every alternative holds for the whole condition: `(a.k = b.k AND …) OR (a.k = b.k AND …)`. */
function readAlternatives(alternatives: readonly Expression[], isLocal: IsLocal, found: Equality[]): void {
  const [first, ...others] = alternatives;
  if (first === undefined) return;
  let common = read(first, isLocal);
  for (const other of others) {
    if (common.length === 0) break;
    const theirs = read(other, isLocal);
    common = common.filter((one) => theirs.some((each) => saysTheSame(one, each)));
  }
  found.push(...common);
}

function read(condition: Expression, isLocal: IsLocal): readonly Equality[] {
  const found: Equality[] = [];
  readCondition(condition, isLocal, found);
  return found;
}

/** Constants may differ from alternative to alternative: only equalities of columns are the same by their columns. */
function saysTheSame(a: Equality, b: Equality): boolean {
  const [x, y] = [a.operands, b.operands];
  return (
    a.column === b.column &&
    a.holdsForNull === b.holdsForNull &&
    a.isUncertain === b.isUncertain &&
    x.isColumn &&
    y.isColumn &&
    x.columns[0] === y.columns[0] &&
    x.columns.length > 0
  );
}

function readEquality(
  left: Expression,
  right: Expression,
  holdsForNull: boolean,
  isLocal: IsLocal,
  found: Equality[],
): void {
  if (left.kind === "row" && right.kind === "row") {
    for (const [index, element] of left.elements.entries()) {
      const other = right.elements[index];
      if (other !== undefined) readEquality(element, other, holdsForNull, isLocal, found);
    }
    return;
  }
  const a = operandsOf(left, isLocal);
  const b = operandsOf(right, isLocal);
  if (a === undefined || b === undefined) return;
  addEquality(left, b, holdsForNull, isInexact(left, right), isLocal, found);
  addEquality(right, a, holdsForNull, isInexact(right, left), isLocal, found);
  if (!a.isColumn) addUncertain(a, b, found);
  if (!b.isColumn) addUncertain(b, a, found);
}

function addEquality(
  side: Expression,
  operands: Operands,
  holdsForNull: boolean,
  isUncertain: boolean,
  isLocal: IsLocal,
  found: Equality[],
): void {
  const column = columnOf(side);
  if (column === undefined || !isLocal(column)) return;
  found.push({ column, operands, holdsForNull, isUncertain });
}

/** Engines compare with a double as doubles, and several 64-bit integers or decimals equal one double. */
function isInexact(side: Expression, other: Expression): boolean {
  const [a, b] = [side.type, other.type];
  return b?.kind === "float" && (a?.kind === "decimal" || (a?.kind === "integer" && a.bits === 64));
}

function addUncertain(inside: Operands, operands: Operands, found: Equality[]): void {
  for (const column of inside.columns) {
    found.push({ column, operands, holdsForNull: false, isUncertain: true });
  }
}

/** The column that an expression is, casts that keep all its values apart looked through. */
export function columnOf(expression: Expression): RelationColumn | undefined {
  if (expression.kind === "bound") return relationColumn(expression);
  if (expression.kind !== "cast") return undefined;
  return isInjective(expression.operand, expression) ? columnOf(expression.operand) : undefined;
}

/** Casts under which different values stay different. */
function isInjective(from: Expression, to: Expression): boolean {
  const [a, b] = [from.type, to.type];
  if (a === undefined || b === undefined) return false;
  switch (a.kind) {
    case "integer":
      return (
        (b.kind === "integer" && b.bits >= a.bits) ||
        (b.kind === "decimal" && b.precision === undefined) ||
        (b.kind === "float" && b.bits === 64 && a.bits < 64)
      );
    case "date":
      return b.kind === "timestamp" && !b.zoned;
    case "uuid":
      return b.kind === "text";
    default:
      return false;
  }
}

/** The local columns of a value; `undefined` when it may differ between two rows that agree in them. */
export function operandsOf(expression: Expression, isLocal: IsLocal): Operands | undefined {
  const column = columnOf(expression);
  if (column !== undefined) return isLocal(column) ? { columns: [column], isColumn: true } : NO_OPERANDS;
  const columns: RelationColumn[] = [];
  return collect(expression, isLocal, columns) ? { columns, isColumn: false } : undefined;
}

/** `false` for what chance or an unknown function has a part in. */
function collect(expression: Expression, isLocal: IsLocal, columns: RelationColumn[]): boolean {
  countStep();
  switch (expression.kind) {
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "bits":
    case "typed":
      return true;
    case "bound": {
      const column = relationColumn(expression);
      if (isLocal(column) && !columns.includes(column)) columns.push(column);
      return true;
    }
    case "binary":
      return collect(expression.left, isLocal, columns) && collect(expression.right, isLocal, columns);
    case "call":
      if (isUnsteady(expression.name[expression.name.length - 1]?.name ?? "") || expression.over !== undefined) {
        return false;
      }
      break;
    case "column":
    case "opaque":
      return false;
    default:
      break;
  }
  collectFromQueries(expression, isLocal, columns);
  return children(expression).every((child) => collect(child, isLocal, columns));
}

/** A function with one value per statement is steady (`now()`); random and unknown functions are not. */
function isUnsteady(name: string): boolean {
  const specification = findFunction(name);
  return specification === undefined || specification.kind !== "scalar" || specification.safety === "random";
}

/** A subquery has one value for all rows that agree in the columns it borrows. */
function collectFromQueries(expression: Expression, isLocal: IsLocal, columns: RelationColumn[]): void {
  forEachChild(expression, (child) => {
    if (child.kind !== "query") return;
    walk(child, (node) => {
      if (node.kind === "bound") {
        const column = relationColumn(node);
        if (isLocal(column) && !columns.includes(column)) columns.push(column);
      }
      return true;
    });
  });
}
