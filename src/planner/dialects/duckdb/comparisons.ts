/** Comparisons that DuckDB decides otherwise: over rows with NULLs, and over decimals that it computes as doubles. */
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { rowsCompared } from "../../lowering/queries/row-comparisons.ts";
import {
  binary,
  call,
  cases,
  columnOf,
  comparison,
  exactName,
  isNull,
  logical,
  not,
  queryOf,
  selectItem,
  selectOf,
  typed,
} from "../../syntax/build.ts";
import type {
  Between,
  Binary,
  BinaryOperator,
  Call,
  Expression,
  InList,
  InQuery,
  Is,
  Quantified,
  Query,
  Row,
  TableExpression,
} from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN } from "../../types.ts";
import { refuseJson } from "./json.ts";
import { jsonEquality } from "./json-constants.ts";
import { isWord, plainMember } from "./json-texts.ts";
import { knownToExists } from "./quirks/distinct-in-exists.ts";
import { lengthOf, mayBeMixed } from "./quirks/interval-lengths.ts";
import { nearestDigits } from "./significant-digits.ts";

/** A quotient or average of decimals is compared by its digits: `0.7 / 7 = 0.1` holds, and does not for doubles. */
export function lowerComparison(written: Binary): Expression | undefined {
  const { operator } = written;
  const left = isWord(written.right) ? plainMember(written.left) : written.left;
  const right = isWord(written.left) ? plainMember(written.right) : written.right;
  const node = left === written.left && right === written.right ? written : { ...written, left, right };
  if (left.kind === "row" && right.kind === "row" && !operator.startsWith("is ")) return compareRows(node, left, right);
  if (left.kind === "row" && right.kind === "scalar-query") return rowOfQuery(node, left, right.query);
  const equal = jsonEquality(node);
  if (equal !== undefined) return equal;
  refuseJson(left);
  refuseJson(right);
  return knownToExists({ ...node, ...comparable(node) });
}

function comparable({ left, right }: Binary): { readonly left: Expression; readonly right: Expression } {
  if (isInexactDecimal(left) || isInexactDecimal(right)) {
    return { left: nearestDigits(left), right: nearestDigits(right) };
  }
  return mayBeMixed(left) || mayBeMixed(right) ? { left: lengthOf(left), right: lengthOf(right) } : { left, right };
}

const compareRows = (node: Binary, left: Row, right: Row): Expression =>
  rowsCompared(node, left, right, (each) => lowerComparison(each) ?? each);

const ROWS = "_r";

/** The columns of `query` as a row of the derived table that it becomes. */
function rowOf(query: Query, row: Row): { readonly from: TableExpression; readonly columns: Row } {
  const names = row.elements.map((_, index) => exactName(`c${index + 1}`, row.span));
  const elements = names.map(({ name }, index) => {
    const type = row.elements[index]?.type;
    return columnOf(ROWS, name, { span: row.span, type });
  });
  const alias = { name: exactName(ROWS, row.span), columns: names };
  return {
    from: { kind: "derived", query, lateral: false, alias, span: row.span },
    columns: { ...row, elements },
  };
}

/** A subquery of several columns is no row there: the comparison moves into it. */
function rowOfQuery(node: Binary, left: Row, query: Query): Expression {
  const { from, columns } = rowOf(query, left);
  const item = selectItem(compareRows(node, left, columns), undefined, node);
  return {
    kind: "scalar-query",
    query: queryOf(selectOf({ items: [item], from: [from] }, node)),
    span: node.span,
    type: BOOLEAN,
  };
}

/**
 * A row beside the rows of a subquery. DuckDB takes a row with a NULL for unknown whatever its other elements say: the
 * comparisons are counted instead, but for an IN of which only truth counts.
 */
export function lowerRowInQuery(node: InQuery): Expression | undefined {
  const { operand, query, negated } = node;
  if (operand.kind !== "row" || (node.onlyTruth === true && !negated)) return undefined;
  return amongRows(comparison(operand, negated ? "<>" : "=", operand, node), operand, query, negated ? "all" : "any");
}

export function lowerQuantifiedRow(node: Quantified): Expression | undefined {
  const { operand, query, operator, quantifier } = node;
  if (operand.kind !== "row" || query === undefined) return undefined;
  return amongRows(
    binary(operand, operator as BinaryOperator, operand, typed(BOOLEAN, node)),
    operand,
    query,
    quantifier,
  );
}

/** `(SELECT CASE WHEN bool_or(c) THEN TRUE WHEN count(*) > count(c) THEN NULL ELSE FALSE END FROM (SELECT … AS c …))` */
function amongRows(comparison: Binary, operand: Row, query: Query, quantifier: "any" | "all"): Expression {
  const at = { span: comparison.span, type: BOOLEAN };
  const { from, columns } = rowOf(query, operand);
  const compared = exactName("c", at.span);
  const rows = selectOf(
    { items: [selectItem(compareRows(comparison, operand, columns), compared, at)], from: [from] },
    at,
  );
  const outcome = columnOf(ROWS, "c", at);
  const truth = (value: boolean): Expression => ({ kind: "boolean", value, ...at });
  const count = (values: readonly Expression[]): Call => {
    const counted = call("count", values, { span: at.span, type: BIGINT });
    return { ...counted, star: values.length === 0 };
  };
  const unknown = binary(count([]), ">", count([outcome]), at);
  const decided = quantifier === "any" ? call("bool_or", [outcome], at) : not(call("bool_and", [outcome], at));
  const result = cases(
    [
      { when: decided, then: truth(quantifier === "any") },
      { when: unknown, then: { kind: "null", ...at } },
    ],
    truth(quantifier === "all"),
    at,
  );
  const derived: TableExpression = {
    kind: "derived",
    query: queryOf(rows),
    lateral: false,
    alias: { name: exactName(ROWS, at.span), columns: [] },
    span: at.span,
  };
  const summary = selectOf({ items: [selectItem(result, undefined, at)], from: [derived] }, at);
  return { kind: "scalar-query", query: queryOf(summary), ...at };
}

/** Without SYMMETRIC, which DuckDB does not know. */
export function lowerBetween(node: Between): Expression | undefined {
  const { operand, low, high } = node;
  if (node.symmetric) {
    const range = (from: Expression, to: Expression): Expression => {
      const plain: Between = { ...node, low: from, high: to, symmetric: false, negated: false };
      return lowerBetween(plain) ?? plain;
    };
    const either = logical("or", [range(low, high), range(high, low)], node);
    return node.negated ? not(either) : either;
  }
  if ([operand, low, high].some(mayBeMixed)) {
    return { ...node, operand: lengthOf(operand), low: lengthOf(low), high: lengthOf(high) };
  }
  if (!isInexactDecimal(operand) && !isInexactDecimal(low) && !isInexactDecimal(high)) return undefined;
  return { ...node, operand: nearestDigits(operand), low: nearestDigits(low), high: nearestDigits(high) };
}

export function lowerInList(node: InList): Expression | undefined {
  const { list, span } = node;
  const operand = list.every(isWord) ? plainMember(node.operand) : node.operand;
  if (operand.kind === "row") {
    const equal = list.map((item) => {
      const comparison = binary(operand, "=", item, { span, type: BOOLEAN });
      return lowerComparison(comparison) ?? comparison;
    });
    const any = logical("or", equal, node);
    return node.negated ? not(any) : any;
  }
  if (operand.type?.kind === "json") {
    const equal = list.map((item) => lowerComparison(binary(operand, "=", item, { span, type: BOOLEAN })) ?? item);
    const any = logical("or", equal, node);
    return node.negated ? not(any) : any;
  }
  if ([operand, ...list].some(mayBeMixed)) {
    return { ...node, operand: lengthOf(operand), list: list.map(lengthOf) };
  }
  if (!isInexactDecimal(operand) && !list.some(isInexactDecimal)) {
    return operand === node.operand ? undefined : { ...node, operand };
  }
  return { ...node, operand: nearestDigits(operand), list: list.map(nearestDigits) };
}

/** A row IS NULL when all of it is, and IS NOT NULL when none of it is. */
export function lowerIs(node: Is): Expression | undefined {
  const { operand, negated } = node;
  if (node.test !== "null") return undefined;
  if (operand.kind !== "row") {
    const plain = plainMember(operand);
    return plain === operand ? undefined : { ...node, operand: plain };
  }
  return logical(
    "and",
    operand.elements.map((element) => isNull(element, negated)),
    node,
  );
}
