/**
 * How long decimals are by their types. A product or a choice of several may be too long for 38 digits and would silently lose
 * digits after the point: a decimal of unknown length is refused in it.
 */

import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { ColumnFacts } from "../../lowering/column-facts.ts";
import { LONG_DIGITS, LONG_NUMERIC, MAX_PRECISION } from "../../lowering/long-decimals.ts";
import { countOf } from "../../lowering/written-counts.ts";
import { countStep } from "../../plan-budget.ts";
import { cast, typed } from "../../syntax/build.ts";
import { digitsOf } from "../../syntax/number-parts.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type { Binary, Expression, Query, QueryBody } from "../../syntax/tree.ts";
import { type SyntaxNode, walk } from "../../syntax/walk.ts";
import { NUMERIC, type SqlType, typeOrUnknown } from "../../types.ts";

/** Digits before the point and behind it, at most. */
export interface DecimalLength {
  readonly whole: number;
  readonly scale: number;
}

/**
 * So many digits behind the point are kept by whatever is computed, though it is longer than 38 digits
 * (`DecimalType.adjustPrecisionScale`).
 */
export const KEPT_DIGITS = 6;

const DEEPEST = 50;
const INTEGERS: Readonly<Record<number, number>> = { 16: 5, 32: 10, 64: 20 };

const longest = (lengths: readonly (DecimalLength | undefined)[]): DecimalLength | undefined => {
  if (lengths.length === 0 || lengths.some((each) => each === undefined)) return undefined;
  const known = lengths.filter((each) => each !== undefined);
  return { whole: Math.max(...known.map((each) => each.whole)), scale: Math.max(...known.map((each) => each.scale)) };
};

/** A sum is never longer than the longest type. */
const withRoom = ({ whole, scale }: DecimalLength, by: number): DecimalLength => ({
  whole: Math.min(whole + by, MAX_PRECISION - scale),
  scale,
});

const COLUMN_LENGTHS = new ColumnFacts<DecimalLength | undefined>();

/** The length of an expression, lowered or, behind a column, as it was bound: no shorter than the result. NULL has none. */
export function lengthOf(expression: Expression, depth = 0): DecimalLength | undefined {
  countStep();
  const type = typeOrUnknown(expression);
  if (type.kind === "null") return { whole: 0, scale: 0 };
  if (type.kind === "integer" && expression.kind !== "number") return { whole: INTEGERS[type.bits] ?? 20, scale: 0 };
  if ((type.kind !== "decimal" && type.kind !== "integer") || depth > DEEPEST) return undefined;
  const of = (each: Expression): DecimalLength | undefined => lengthOf(each, depth + 1);
  switch (expression.kind) {
    case "number": {
      const digits = digitsOf(expression.text);
      return digits && { whole: digits.whole.length, scale: digits.fraction.length };
    }
    case "bound": {
      const { origins = [] } = expression.column;
      return origins.length === 0
        ? declared(type)
        : COLUMN_LENGTHS.of(expression.column, () => longest(origins.map(of)));
    }
    case "cast": {
      const { name, parameters } = expression.typeName;
      const [precision, scale = 0] = parameters;
      if (name === LONG_NUMERIC) return { whole: MAX_PRECISION - LONG_DIGITS, scale: LONG_DIGITS };
      if (name === "numeric" && precision !== undefined) return { whole: precision - scale, scale };
      return undefined;
    }
    case "extract":
      return /^(second|milliseconds|microseconds|epoch)$/.test(expression.field)
        ? { whole: 19, scale: 6 }
        : { whole: 10, scale: 0 };
    case "unary":
      return of(expression.operand);
    case "binary":
      return ofBinary(expression.operator, of(expression.left), of(expression.right));
    case "case":
      return longest(
        [...expression.branches.map(({ then }) => then), ...(expression.otherwise ? [expression.otherwise] : [])].map(
          of,
        ),
      );
    case "call":
      return ofCall(expression, of);
    case "spelled": {
      const { precision, scale } = expression.template;
      return precision === undefined || typeof scale !== "number" ? undefined : { whole: precision - scale, scale };
    }
    case "scalar-query":
      return longest((columnsOf(expression.query.body)[0] ?? []).map(of));
    default:
      return undefined;
  }
}

function declared(type: SqlType): DecimalLength | undefined {
  if (type.kind !== "decimal" || type.precision === undefined) return undefined;
  return { whole: type.precision - (type.scale ?? 0), scale: type.scale ?? 0 };
}

/** Valid if no value is longer. */
function computed(operator: "*" | "+" | "-", left: DecimalLength, right: DecimalLength): DecimalLength {
  return operator === "*"
    ? { whole: left.whole + right.whole + 1, scale: left.scale + right.scale }
    : { whole: Math.max(left.whole, right.whole) + 1, scale: Math.max(left.scale, right.scale) };
}

function ofBinary(
  operator: string,
  left: DecimalLength | undefined,
  right: DecimalLength | undefined,
): DecimalLength | undefined {
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case "*":
    case "+":
    case "-":
      return withRoom(computed(operator, left, right), 0);
    case "%":
      return longest([left, right]);
    case "/": {
      // The dividend is given all the digits that there is room for (`decimal-operations.ts`).
      const whole = left.whole + right.scale;
      return { whole, scale: Math.max(MAX_PRECISION - whole, KEPT_DIGITS) };
    }
    default:
      return undefined;
  }
}

function ofCall(node: Expression & { readonly kind: "call" }, of: (each: Expression) => DecimalLength | undefined) {
  const [value, ...others] = node.arguments.map((each) => each.value);
  if (value === undefined) return undefined;
  const name = functionName(node);
  const first = of(value);
  if (name === "sum") return first && withRoom(first, 10);
  // The value is cast to DECIMAL(34, 14).
  if (name === "avg") return { whole: 20, scale: 18 };
  if (name === "floor" || name === "ceil") {
    const scale = others[0] === undefined ? 0 : countOf(others[0]);
    return first && scale !== undefined ? withRoom({ whole: first.whole, scale: Math.max(scale, 0) }, 1) : undefined;
  }
  const digits = findFunction(name)?.digits;
  if (digits === "of the first") return first;
  return digits === "of all" || digits === "of value and default" ? longest([first, ...others.map(of)]) : undefined;
}

export const TOO_LONG = {
  refused: "decimals that may be longer than 38 digits together",
  hint: "Write CAST(… AS numeric(18, 4)), or as many digits as there are.",
};

const isDecimal = (value: Expression): boolean => typeOrUnknown(value).kind === "decimal";

/** Whether values that come to one type keep their digits. */
function fitTogether(list: readonly Expression[]): boolean {
  const kinds = list.map((each) => typeOrUnknown(each).kind);
  // Beside a double they are doubles.
  if (!kinds.includes("decimal") || kinds.includes("float") || list.length < 2) return true;
  const length = longest(list.map((each) => lengthOf(each)));
  return length !== undefined && length.whole + length.scale <= MAX_PRECISION;
}

function fits(operation: Binary): boolean {
  const { left, right, operator } = operation;
  if (!isDecimal(left) && !isDecimal(right)) return true;
  if ([left, right].some((side) => typeOrUnknown(side).kind === "float")) return true;
  if (operator === "/" || operator === "//") return true;
  if (operator !== "*" && operator !== "+" && operator !== "-") return fitTogether([left, right]);
  const [first, second] = [lengthOf(left), lengthOf(right)];
  if (first === undefined || second === undefined) return false;
  const { whole, scale } = computed(operator, first, second);
  // Digits before the point that there is no room for raise.
  return scale <= KEPT_DIGITS || whole + scale <= MAX_PRECISION;
}

/** The statement, in which no decimal loses digits by its type; or a refusal. */
export function wholeDecimals(statement: Query): Query {
  const fitted = transformQuery(statement, {
    expression: (node) => (node.kind === "binary" ? withNarrowSides(node) : node),
  });
  walk(fitted, (node) => {
    if (!isWhole(node)) throw unsupported(TOO_LONG.refused, node.span, TOO_LONG.hint);
    return true;
  });
  return fitted;
}

/**
 * Digits before the point that sums and what is computed of them keep where all digits of their types have no room: as many as an average
 * has. Larger values raise an error, because Databricks is asked to be in ANSI mode.
 */
const NARROW_DIGITS = MAX_PRECISION - LONG_DIGITS;

/** A sum of decimals has ten digits more than they, whatever its rows; columns and casts have the digits that somebody declared. */
export function narrowed(value: Expression): DecimalLength | undefined {
  const length = isDecimal(value) ? lengthOf(value) : undefined;
  const isDeclared = value.kind === "cast" || (value.kind === "bound" && (value.column.origins?.length ?? 0) === 0);
  return length === undefined || isDeclared || length.whole <= NARROW_DIGITS || length.scale > LONG_DIGITS
    ? undefined
    : { whole: NARROW_DIGITS, scale: length.scale };
}

export const ofLength = (value: Expression, { whole, scale }: DecimalLength): Expression =>
  cast(value, "numeric", typed(NUMERIC, value), [whole + scale, scale]);

/** A comparison, sum or product of which one side, or both, have fewer digits, if they fit then. */
function withNarrowSides(node: Binary): Binary {
  if (fits(node)) return node;
  const [left, right] = [narrow(node.left), narrow(node.right)];
  const made = [
    { ...node, left },
    { ...node, right },
    { ...node, left, right },
  ];
  return made.find(fits) ?? node;
}

function narrow(side: Expression): Expression {
  const length = narrowed(side);
  return length === undefined ? side : ofLength(side, length);
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
    case "spelled":
      return node.template.scale !== "computed" || !isDecimal(node);
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

/** The expressions of each column of a body. */
function columnsOf(body: QueryBody): readonly (readonly Expression[])[] {
  switch (body.kind) {
    case "select":
      return body.items.map((item) => (item.kind === "item" ? [item.expression] : []));
    case "values":
      return (body.rows[0] ?? []).map((_, index) => body.rows.flatMap((row) => row[index] ?? []));
    case "nested":
      return columnsOf(body.query.body);
    case "set": {
      const right = columnsOf(body.right);
      return columnsOf(body.left).map((column, index) => [...column, ...(right[index] ?? [])]);
    }
    default:
      return body satisfies never;
  }
}
