/**
 * How long decimals are by their types. A product or a choice of several may be too long for 38 digits and would silently lose
 * digits after the point: a decimal of unknown length is refused in it.
 */

import { functionName } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { ColumnFacts } from "../../lowering/column-facts.ts";
import { LONG_DIGITS, LONG_NUMERIC, MAX_PRECISION } from "../../lowering/numbers/long-decimals.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { countStep } from "../../plan-budget.ts";
import { cast, typed } from "../../syntax/build.ts";
import { digitsOf } from "../../syntax/number-parts.ts";
import type { Binary, Call, Cast, Expression, QueryBody } from "../../syntax/tree.ts";
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
/** An average casts its values to DECIMAL(34, 14). */
const AVERAGED: DecimalLength = { whole: 20, scale: 18 };
/** `date_part('SECOND', …)` is a DECIMAL(8, 6). */
const SECONDS: DecimalLength = { whole: 2, scale: 6 };
const INTEGERS: Readonly<Record<number, number>> = { 16: 5, 32: 10, 64: 20 };

const longest = (lengths: readonly Length[]): DecimalLength | undefined => {
  if (lengths.length === 0 || lengths.some((each) => each === undefined)) return undefined;
  const known = lengths.filter((each) => each !== undefined);
  return { whole: Math.max(...known.map((each) => each.whole)), scale: Math.max(...known.map((each) => each.scale)) };
};

/** A sum is never longer than the longest type. */
const withRoom = ({ whole, scale }: DecimalLength, by: number): DecimalLength => ({
  whole: Math.min(whole + by, MAX_PRECISION - scale),
  scale,
});

type Length = DecimalLength | undefined;
type LengthOf = (expression: Expression) => Length;

const COLUMN_LENGTHS = new ColumnFacts<Length>();
const VALUE_LENGTHS = new ColumnFacts<Length>();

/** The length of an expression's type, lowered or, behind a column, as it was bound: no shorter than the result. NULL has none. */
export const lengthOf: LengthOf = (expression) => lengthAt(expression, 0, "type");

/** The length of an expression's values: an average and a cast have no more digits before the point than their operand. */
export const valueLengthOf: LengthOf = (expression) => lengthAt(expression, 0, "value");

function lengthAt(expression: Expression, depth: number, mode: "type" | "value"): Length {
  countStep();
  const type = typeOrUnknown(expression);
  if (type.kind === "null") return { whole: 0, scale: 0 };
  if (type.kind === "integer" && expression.kind !== "number") return { whole: INTEGERS[type.bits] ?? 20, scale: 0 };
  if ((type.kind !== "decimal" && type.kind !== "integer") || depth > DEEPEST) return undefined;
  const of: LengthOf = (each) => lengthAt(each, depth + 1, mode);
  switch (expression.kind) {
    case "number": {
      const digits = digitsOf(expression.text);
      return digits && { whole: digits.whole.length, scale: digits.fraction.length };
    }
    case "bound": {
      const { origins = [] } = expression.column;
      return origins.length === 0
        ? declared(type)
        : (mode === "type" ? COLUMN_LENGTHS : VALUE_LENGTHS).of(expression.column, () => longest(origins.map(of)));
    }
    case "cast": {
      const length = lengthOfCast(expression);
      const operand = mode === "value" && length !== undefined ? of(expression.operand) : undefined;
      // A value that is rounded may have one digit more.
      return operand && length ? { ...length, whole: Math.min(length.whole, operand.whole + 1) } : length;
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
      return ofCall(expression, of, mode);
    case "spelled": {
      const { precision, scale } = expression.template;
      return precision === undefined || typeof scale !== "number" ? undefined : { whole: precision - scale, scale };
    }
    case "scalar-query":
      return ofQuery(expression.query.body, of);
    default:
      return undefined;
  }
}

function lengthOfCast({ typeName: { name, parameters } }: Cast): Length {
  const [precision, scale = 0] = parameters;
  if (name === LONG_NUMERIC) return { whole: MAX_PRECISION - LONG_DIGITS, scale: LONG_DIGITS };
  return name === "numeric" && precision !== undefined ? { whole: precision - scale, scale } : undefined;
}

/** The first column of a query: also the least or greatest value of a derived table's only column. */
function ofQuery(body: QueryBody, of: LengthOf): Length {
  const column = columnsOf(body)[0] ?? [];
  const [only] = column;
  const [table] = body.kind === "select" ? body.from : [];
  if (only?.kind === "call" && /^(min|max)$/.test(functionName(only)) && table?.kind === "derived") {
    const rows = columnsOf(table.query.body);
    if (only.arguments[0]?.value.kind === "column" && rows.length === 1) return longest((rows[0] ?? []).map(of));
  }
  return longest(column.map(of));
}

function declared(type: SqlType): Length {
  if (type.kind !== "decimal" || type.precision === undefined) return undefined;
  return { whole: type.precision - (type.scale ?? 0), scale: type.scale ?? 0 };
}

/** Valid if no value is longer. */
function computed(operator: "*" | "+" | "-", left: DecimalLength, right: DecimalLength): DecimalLength {
  return operator === "*"
    ? { whole: left.whole + right.whole + 1, scale: left.scale + right.scale }
    : { whole: Math.max(left.whole, right.whole) + 1, scale: Math.max(left.scale, right.scale) };
}

function ofBinary(operator: string, left: Length, right: Length): Length {
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

function ofCall(node: Call, of: LengthOf, mode: "type" | "value"): Length {
  const [value, ...others] = node.arguments.map((each) => each.value);
  if (value === undefined) return undefined;
  const name = functionName(node);
  // It returns nothing.
  if (name === "fail") return { whole: 0, scale: 0 };
  if (name === "date_part") return /^second/i.test(value.kind === "string" ? value.value : "") ? SECONDS : undefined;
  const first = of(value);
  if (name === "sum") return first && withRoom(first, 10);
  if (name === "avg") {
    const operand = value.kind === "cast" && mode === "value" ? of(value.operand) : first;
    const whole = mode === "value" ? Math.min(operand?.whole ?? AVERAGED.whole, AVERAGED.whole) : AVERAGED.whole;
    return { ...AVERAGED, whole };
  }
  if (name === "round" || name === "trunc") return ofRounded(others);
  if (name === "floor" || name === "ceil") {
    const scale = others[0] === undefined ? 0 : countOf(others[0]);
    return first && scale !== undefined ? withRoom({ whole: first.whole, scale: Math.max(scale, 0) }, 1) : undefined;
  }
  const digits = findFunction(name)?.digits;
  if (digits === "of the first") return first;
  return digits === "of all" || digits === "of value and default" ? longest([first, ...others.map(of)]) : undefined;
}

/** `round(x, n)` is cast to DECIMAL(38, n) (`decimals.ts`). */
function ofRounded([digits]: readonly Expression[]): Length {
  const count = digits === undefined ? 0 : countOf(digits);
  if (count === undefined) return undefined;
  const scale = Math.max(count, 0);
  return { whole: MAX_PRECISION - scale, scale };
}

export const TOO_LONG = {
  refused: "decimals that may be longer than 38 digits together",
  hint: "Write CAST(… AS numeric(18, 4)), or as many digits as there are.",
};

const isDecimal = (value: Expression): boolean => typeOrUnknown(value).kind === "decimal";

/** Whether values that come to one type keep their digits. */
export function fitTogether(list: readonly Expression[]): boolean {
  const kinds = list.map((each) => typeOrUnknown(each).kind);
  // Beside a double they are doubles.
  if (!kinds.includes("decimal") || kinds.includes("float") || list.length < 2) return true;
  const length = longest(list.map((each) => lengthOf(each)));
  return length !== undefined && length.whole + length.scale <= MAX_PRECISION;
}

export function fits(operation: Binary): boolean {
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

/**
 * Digits before the point that sums and what is computed of them keep where all digits of their types have no room: as many as an average
 * has. Larger values raise an error, because Databricks is asked to be in ANSI mode.
 */
const NARROW_DIGITS = MAX_PRECISION - LONG_DIGITS;

/** A sum of decimals has ten digits more than they, whatever its rows; columns and casts have the digits that somebody declared. */
export function narrowed(value: Expression): Length {
  const length = isDecimal(value) ? lengthOf(value) : undefined;
  const isDeclared = value.kind === "cast" || (value.kind === "bound" && (value.column.origins?.length ?? 0) === 0);
  return length === undefined || isDeclared || length.whole <= NARROW_DIGITS || length.scale > LONG_DIGITS
    ? undefined
    : { whole: NARROW_DIGITS, scale: length.scale };
}

export const ofLength = (value: Expression, { whole, scale }: DecimalLength): Expression =>
  cast(value, "numeric", typed(NUMERIC, value), [whole + scale, scale]);

/** A comparison, sum or product of which one side, or both, have fewer digits, if they fit then. */
export function withNarrowSides(node: Binary): Binary {
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

/** The expressions of each column of a body. */
export function columnsOf(body: QueryBody): readonly (readonly Expression[])[] {
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
