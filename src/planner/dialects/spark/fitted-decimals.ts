/**
 * Databricks gives a result that needs more than 38 digits fewer digits behind the point, without an error. Operands whose types are
 * longer than their values are cast to fewer digits before the point. A value that has more raises an error, because ANSI mode is on.
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { LONG_DIGITS, MAX_PRECISION } from "../../lowering/numbers/long-decimals.ts";
import { withArguments } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type { Binary, Call, Case, Expression, Query, QueryBody } from "../../syntax/tree.ts";
import type { SyntaxNode } from "../../syntax/walk.ts";
import { typeOrUnknown } from "../../types.ts";
import {
  columnsOf,
  type DecimalLength,
  fits,
  fitTogether,
  lengthOf,
  ofLength,
  TOO_LONG,
  valueLengthOf,
  withNarrowSides,
} from "./decimal-lengths.ts";

/** One factor of a product keeps at least so many digits before the point, as many as a double has. */
const FEWEST_DIGITS = 15;
/** A sum of two values has one digit more than they. */
const SUMMED = MAX_PRECISION - 1;

interface Side {
  readonly value: Expression;
  /** Digits of the type. */
  readonly type: DecimalLength | undefined;
  /** Digits that the value can have: a quotient, root or logarithm is cut to eighteen digits behind the point. */
  readonly whole: number;
  readonly scale: number;
}

/** Digits beyond the eighteenth are no part of PostgreSQL's value: a quotient, which may have been cut before. */
function isCut(value: Expression): boolean {
  if (isInexactDecimal(value)) return true;
  switch (value.kind) {
    case "cast":
      return (value.typeName.parameters[1] ?? 0) > LONG_DIGITS && isCut(value.operand);
    case "binary":
      return isCut(value.left) || isCut(value.right);
    case "unary":
      return isCut(value.operand);
    default:
      return false;
  }
}

function sideOf(value: Expression): Side | undefined {
  const type = lengthOf(value);
  if (type === undefined) {
    // A double by Databricks: a root, a logarithm, a standard deviation.
    const whole = MAX_PRECISION - LONG_DIGITS;
    return isInexactDecimal(value) ? { value, type, whole, scale: LONG_DIGITS } : undefined;
  }
  const known = valueLengthOf(value) ?? type;
  const whole = Math.min(known.whole, type.whole);
  if (type.scale <= LONG_DIGITS) return { value, type, whole, scale: type.scale };
  return isCut(value) ? { value, type, whole, scale: LONG_DIGITS } : undefined;
}

function sidesOf(list: readonly Expression[]): readonly Side[] | undefined {
  const sides = list.map(sideOf).filter((side) => side !== undefined);
  return sides.length === list.length ? sides : undefined;
}

function castTo({ value, type, scale }: Side, whole: number): Expression {
  if (typeOrUnknown(value).kind === "null") return value;
  return type !== undefined && type.whole <= whole && type.scale <= scale ? value : ofLength(value, { whole, scale });
}

/** The values in one type, if all have at most eighteen digits behind the point. */
function together(list: readonly Expression[]): readonly Expression[] {
  if (fitTogether(list)) return list;
  const sides = sidesOf(list);
  if (sides === undefined) return list;
  const room = MAX_PRECISION - Math.max(...sides.map(({ scale }) => scale));
  return sides.map((side) => castTo(side, room));
}

/** A sum, difference, product, remainder or comparison whose sides are cast to fewer digits; the node if they cannot be. */
function withFittedSides(found: Binary): Binary {
  const node = withNarrowSides(found);
  if (fits(node)) return node;
  if (node.operator === "*") return fittedProduct(node);
  if (node.operator !== "+" && node.operator !== "-") {
    const [left = node.left, right = node.right] = together([node.left, node.right]);
    return { ...node, left, right };
  }
  const [left, right] = sidesOf([node.left, node.right]) ?? [];
  if (left === undefined || right === undefined) return node;
  const room = SUMMED - Math.max(left.scale, right.scale);
  return { ...node, left: castTo(left, room), right: castTo(right, room) };
}

function fittedProduct(node: Binary): Binary {
  const [left, right] = sidesOf([node.left, node.right]) ?? [];
  if (left === undefined || right === undefined) return node;
  const room = SUMMED - left.scale - right.scale;
  const [first, second] = wholeDigits(left.whole, right.whole, room);
  if (first === undefined || second === undefined) return node;
  return { ...node, left: castTo(left, first), right: castTo(right, second) };
}

/** The factor with fewer digits keeps all of them. */
function wholeDigits(left: number, right: number, room: number): readonly number[] {
  if (left + right <= room) return [left, right];
  const rest = room - Math.min(left, right);
  if (rest < FEWEST_DIGITS) return [];
  return left < right ? [left, rest] : [rest, right];
}

/** Values that come to one type, and arithmetic, cast to digits that fit where their types do not. */
function withFittedValues(node: Expression): Expression {
  switch (node.kind) {
    case "binary":
      return withFittedSides(node);
    case "between": {
      const [operand = node.operand, low = node.low, high = node.high] = together([node.operand, node.low, node.high]);
      const isSame = operand === node.operand && low === node.low && high === node.high;
      return isSame ? node : { ...node, operand, low, high };
    }
    case "in-list": {
      const [operand = node.operand, ...list] = together([node.operand, ...node.list]);
      const isSame = operand === node.operand && list.every((value, index) => value === node.list[index]);
      return isSame ? node : { ...node, operand, list };
    }
    case "case":
      return fittedCase(node);
    case "call":
      return fittedCall(node);
    default:
      return node;
  }
}

function fittedCase(node: Case): Case {
  if (node.operand !== undefined) return node;
  const { branches, otherwise } = node;
  const values = [...branches.map(({ then }) => then), ...(otherwise === undefined ? [] : [otherwise])];
  const results = together(values);
  if (results.every((value, index) => value === values[index])) return node;
  return {
    ...node,
    branches: branches.map((branch, index) => ({ ...branch, then: results[index] ?? branch.then })),
    otherwise: otherwise === undefined ? undefined : (results[branches.length] ?? otherwise),
  };
}

function fittedCall(node: Call): Call {
  const digits = findFunction(functionName(node))?.digits;
  if (digits !== "of all") return node;
  const values = node.arguments.map(({ value }) => value);
  const fitted = together(values);
  return fitted === values ? node : withArguments(node, fitted);
}

/** The columns of a UNION, INTERSECT or EXCEPT, if their digits fit by casts in each SELECT. */
function withFittedColumns(body: QueryBody): QueryBody {
  if (body.kind !== "set") return body;
  const columns = columnsOf(body).map(together);
  return withColumns(body, columns, { next: 0 });
}

function withColumns(body: QueryBody, columns: readonly (readonly Expression[])[], at: { next: number }): QueryBody {
  if (body.kind === "set") {
    const left = withColumns(body.left, columns, at);
    return { ...body, left, right: withColumns(body.right, columns, at) };
  }
  if (body.kind === "nested") {
    return { ...body, query: { ...body.query, body: withColumns(body.query.body, columns, at) } };
  }
  if (body.kind === "values") {
    const rows = body.rows.map((row) => {
      const index = at.next++;
      return row.map((value, column) => columns[column]?.[index] ?? value);
    });
    return { ...body, rows };
  }
  const row = at.next++;
  const items = body.items.map((item, index) =>
    item.kind === "item" ? { ...item, expression: columns[index]?.[row] ?? item.expression } : item,
  );
  return { ...body, items };
}

/** The statement, in which no decimal loses digits by its type; or a refusal. */
export function wholeDecimals(statement: Query): Query {
  return transformQuery(statement, {
    expression: (node) => whole(withFittedValues(node)),
    body: (node) => whole(withFittedColumns(node)),
  });
}

function whole<N extends SyntaxNode>(node: N): N {
  if (!isWhole(node)) throw unsupported(TOO_LONG.refused, node.span, TOO_LONG.hint);
  return node;
}

function isWhole(node: SyntaxNode): boolean {
  switch (node.kind) {
    case "binary":
      return fits(node);
    case "between":
      return fitTogether([node.operand, node.low, node.high]);
    case "in-list":
      return fitTogether([node.operand, ...node.list]);
    case "in-query":
      return fitTogether([node.operand, ...(columnsOf(node.query.body)[0] ?? [])]);
    case "case": {
      const results = node.branches.map(({ then }) => then);
      const asked = node.operand === undefined ? [] : [node.operand, ...node.branches.map((each) => each.when)];
      return fitTogether([...results, ...(node.otherwise ? [node.otherwise] : [])]) && fitTogether(asked);
    }
    case "array":
      return fitTogether(node.elements);
    case "call": {
      const digits = findFunction(functionName(node))?.digits;
      const list = node.arguments.map(({ value }) => value);
      if (digits === "of all") return fitTogether(list);
      return digits !== "of value and default" || fitTogether(list.filter((_, index) => index !== 1));
    }
    case "set":
      return columnsOf(node).every(fitTogether);
    case "values":
      return columnsOf(node).every(fitTogether);
    default:
      return true;
  }
}
