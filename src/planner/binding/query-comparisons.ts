/**
 * Comparisons with elements of a subquery or an array: IN, ANY, ALL, and rows compared with a subquery of several
 * columns.
 */

import { PlannerError } from "../diagnostics.ts";
import { countStep } from "../plan-budget.ts";
import { logical } from "../syntax/build.ts";
import { isComparison } from "../syntax/comparisons.ts";
import type {
  Binary,
  Expression,
  InQuery,
  PatternOperator,
  Quantified,
  Query,
  Row,
  ScalarQuery,
  Span,
} from "../syntax/tree.ts";
import { BOOLEAN, describeType, isUnknown, type SqlType } from "../types.ts";
import { type BoundQuery, bindSubquery, type ExpressionBinding } from "./binding.ts";
import { convertTo, toCommonType, typeOf, widenReal, widenReals } from "./coercion.ts";
import { textOperand, wellFormed } from "./patterns.ts";
import type { OutputColumn } from "./scope.ts";
import { besideColumn } from "./session-zone.ts";

type Bind = (child: Expression) => Expression;

export function singleColumn(bound: BoundQuery, span: Span): OutputColumn {
  const [column, ...others] = bound.columns;
  if (column === undefined || others.length > 0) {
    throw new PlannerError(
      "INVALID_QUERY",
      `a subquery used as a value must have one column, not ${bound.columns.length}`,
      { span, hint: "Select one column, or compare rows: (a, b) IN (SELECT …)." },
    );
  }
  return column;
}

/** The operand, or the elements of a row, as they meet the columns of a subquery, and the subquery bound. */
function beside(
  operand: Expression,
  query: Query,
  what: string,
  span: Span,
  binding: ExpressionBinding,
): { readonly operand: Expression; readonly query: BoundQuery } {
  const bound = bindSubquery(query, binding);
  const operands = operand.kind === "row" ? operand.elements : [operand];
  if (operands.length !== bound.columns.length) {
    throw new PlannerError(
      "INVALID_QUERY",
      `${what} compares ${operands.length} value(s) with ${bound.columns.length} column(s)`,
      { span, hint: "Select as many columns as there are values." },
    );
  }
  const converted = operands.map((each, index) => {
    const column = bound.columns[index];
    // Something of the column's type to compare with.
    if (column === undefined) return each;
    const [met] = toCommonType(each, { kind: "null", span, type: column.type }, span);
    return besideColumn(widenReals(met, column.type), column.type, binding.binder.context);
  });
  const [single] = converted;
  return { operand: operand.kind === "row" ? { ...operand, elements: converted } : (single ?? operand), query: bound };
}

export function bindInQuery(node: InQuery, bind: Bind, binding: ExpressionBinding): Expression {
  const { operand, query } = beside(bind(node.operand), node.query, "IN", node.span, binding);
  return { ...node, operand, query: query.query, type: BOOLEAN };
}

/** `(a, b) = (SELECT x, y …)`: the only position where a subquery is a row. */
export function bindRowAndQuery(node: Binary, bind: Bind, binding: ExpressionBinding): Expression | undefined {
  const { left, right, operator, span } = node;
  if (left.kind !== "row" || right.kind !== "scalar-query" || left.elements.length < 2) return undefined;
  if (!isComparison(operator)) return undefined;
  const met = beside(bind(left) as Row, right.query, operator, span, binding);
  const fields = met.query.columns.map(({ type }) => ({ name: undefined, type }));
  const row: ScalarQuery = { ...right, query: met.query.query, type: { kind: "row", fields } };
  return { ...node, left: met.operand, right: row, type: BOOLEAN };
}

export function bindQuantified(node: Quantified, bind: Bind, binding: ExpressionBinding): Expression {
  const { operator } = node;
  if (!isComparison(operator)) return bindPatterns(node, operator, bind, binding);
  const operand = bind(node.operand);
  if (node.query !== undefined) {
    const met = beside(operand, node.query, node.quantifier.toUpperCase(), node.span, binding);
    return { ...node, operand: met.operand, query: met.query.query, type: BOOLEAN };
  }
  if (node.array === undefined) return { ...node, operand, type: BOOLEAN };
  binding.binder.context.hasSpecialValues = true;
  const array = arrayOf(bind(node.array), typeOf(operand));
  const type = typeOf(array);
  if (type.kind === "array") {
    return { ...node, operand: widenReal(convertTo(operand, type.element), type.element), array, type: BOOLEAN };
  }
  if (isUnknown(type)) return { ...node, operand, array, type: BOOLEAN };
  throw new PlannerError(
    "TYPE_MISMATCH",
    `${node.quantifier.toUpperCase()} takes an array or a subquery, not ${describeType(type)}`,
    { span: array.span, hint: "Write = ANY (ARRAY[…]) or IN (…)." },
  );
}

/** A text becomes an array of the other operand's type. */
function arrayOf(array: Expression, element: SqlType): Expression {
  return array.kind === "string" ? convertTo(array, { kind: "array", element }) : array;
}

/**
 * `x LIKE ANY (ARRAY[…])` is one LIKE per pattern, joined with OR, and with AND for ALL: each pattern is then looked at as
 * any other is. Patterns of a computed array or of rows would be looked at by the source alone.
 */
function bindPatterns(
  node: Quantified,
  operator: PatternOperator,
  bind: Bind,
  { binder: { context } }: ExpressionBinding,
): Expression {
  const { span, quantifier } = node;
  const array = node.array === undefined ? undefined : arrayOf(bind(node.array), { kind: "text" });
  const literal = array?.kind === "cast" ? array.operand : array;
  if (literal?.kind !== "array" || literal.elements.length === 0) {
    const shown = `${operator.toUpperCase()} ${quantifier.toUpperCase()}`;
    throw new PlannerError("INVALID_QUERY", `${shown} takes its patterns as ARRAY['…', '…']`, {
      span: array?.span ?? span,
      hint: "For computed patterns write EXISTS (SELECT 1 FROM unnest(array) AS p(pattern) WHERE x LIKE p.pattern).",
    });
  }
  const operand = textOperand(bind(node.operand), operator);
  const operands = literal.elements.map((pattern) => {
    context.budget.countRepetition(node.operand.span, span);
    return matched(operator, operand, textOperand(pattern, operator), span);
  });
  return logical(quantifier === "any" ? "or" : "and", operands, { span });
}

function matched(operator: PatternOperator, operand: Expression, pattern: Expression, span: Span): Expression {
  switch (operator) {
    case "like":
    case "ilike":
    case "not like":
    case "not ilike": {
      const negated = operator.startsWith("not ");
      const own = operator.endsWith("ilike") ? "ilike" : "like";
      return wellFormed({
        kind: "like",
        operator: own,
        negated,
        operand,
        pattern,
        escape: undefined,
        span,
        type: BOOLEAN,
      });
    }
    case "~":
    case "~*":
    case "!~":
    case "!~*":
      return { kind: "binary", operator, left: operand, right: pattern, span, type: BOOLEAN };
    default:
      return operator satisfies never;
  }
}

/** A condition of which only truth counts: rows IN a subquery need not distinguish false from unknown. */
export function onlyTruth(condition: Expression): Expression {
  countStep();
  switch (condition.kind) {
    case "logical": {
      const operands = condition.operands.map(onlyTruth);
      const isSame = operands.every((operand, index) => operand === condition.operands[index]);
      return isSame ? condition : { ...condition, operands };
    }
    case "in-query":
      return condition.operand.kind === "row" ? { ...condition, onlyTruth: true } : condition;
    default:
      return condition;
  }
}
