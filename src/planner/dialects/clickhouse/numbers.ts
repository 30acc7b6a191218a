/**
 * Numbers, whose arithmetic silently wraps around on ClickHouse: 9223372036854775807 + 1 is negative, and products of Decimal(38)
 * lose their first digits. So integers are computed in 128 bits and decimals in 256, and every result is cast to the range of its
 * type, by a cast that raises if the value does not fit. Seen on ClickHouse 26.7.
 */

import type { RelationColumn } from "../../binding/relation.ts";
import { unsupported } from "../../diagnostics.ts";
import { ColumnFacts } from "../../lowering/column-facts.ts";
import { asReal, isExact, isReal, sumOfReals } from "../../lowering/numbers/reals.ts";
import { scaleOf as shownScale } from "../../lowering/numbers/scales.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { countStep } from "../../plan-budget.ts";
import { binary, call, cast, inPlaceOf, integer, typed } from "../../syntax/build.ts";
import { digitsOf } from "../../syntax/number-parts.ts";
import type { Binary, BinaryOperator, Call, Expression, Span } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, NUMERIC, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";

/** Precision of every decimal value. */
export const PRECISION = 38;
/** Scale of a quotient. */
export const QUOTIENT_SCALE = 20;
/** Maximum scale of a product, which leaves eight digits before the point. */
const MAX_SCALE = 30;

export const isWhole = (node: Expression): boolean => typeOrUnknown(node).kind === "integer";
export const isDecimal = (node: Expression): boolean => typeOrUnknown(node).kind === "decimal";
const isFloat = (node: Expression): boolean => typeOrUnknown(node).kind === "float";
const isNothing = (node: Expression): boolean => typeOrUnknown(node).kind === "null";

const IN_128_BITS = words("toInt128($1)", { type: BIGINT });
const IN_256_BITS = words("toDecimal256($1, $2)", { type: NUMERIC });
const WHOLE_QUOTIENT = words("intDiv($1, $2)", { scale: 0 });
const REMAINDER = words("modulo($1, $2)");
export const DIGITS_OF_DOUBLE = words("toDecimal256(printf('%.15g', $1), 30)", { type: NUMERIC });
const ANY_SCALE = words("$1", { scale: "of the first" });

/** Counts are unsigned on ClickHouse. */
export const SIGNED_COUNT = words("toInt64($1)", { nulls: "unknown" });

/** Raises if the value does not fit. */
export const IN_BITS = {
  8: words("accurateCast($1, 'Int8')"),
  16: words("accurateCast($1, 'Int16')"),
  32: words("accurateCast($1, 'Int32')"),
  64: words("accurateCast($1, 'Int64')"),
} as const;

export const wide = (node: Expression): Expression => spelled(IN_128_BITS, [node], node);

/** In 64 bits, or an error. */
export const checked = (node: Expression, at: Expression): Expression => spelled(IN_BITS[64], [node], at);

export const counted = (
  node: Expression,
  at: { readonly span: Span; readonly type?: SqlType | undefined },
): Expression => spelled(SIGNED_COUNT, [node], at);

export const wholeQuotient = (left: Expression, right: Expression, at: Expression): Expression =>
  spelled(WHOLE_QUOTIENT, [left, right], at);

/**
 * Rounded to this scale with at most 38 digits, or an error. `of` contains the operands: if each has a fixed number of digits,
 * PostgreSQL's value has this scale too, and its text is supported.
 */
export function roundedToScale(
  node: Expression,
  scale: number,
  at: Expression,
  of: readonly Expression[] = [],
): Expression {
  const value = cast(node, "numeric", { span: at.span, type: typeOrUnknown(at) }, [PRECISION, scale]);
  return of.every((each) => isNothing(each) || shownScale(each) !== undefined) ? value : anyScale(value, at);
}

/** Marks a value whose scale may differ from PostgreSQL's. */
export const anyScale = (value: Expression, at: Expression): Expression => spelled(ANY_SCALE, [value], at);

/** In 256 bits. */
const broad = (node: Expression, scale: number): Expression => spelled(IN_256_BITS, [node, integer(scale, node)], node);

/** With the maximum scale of any decimal. */
export const inAllDigits = (node: Expression): Expression => broad(node, PRECISION);

/** Whether a common type would truncate one of the values to the scale of another: decimals, and integers mixed with them. */
export function areCut(nodes: readonly Expression[]): boolean {
  if (!nodes.some(isDecimal) || !nodes.every((each) => isDecimal(each) || isWhole(each) || isNothing(each)))
    return false;
  const [first, ...others] = nodes.filter((each) => !isNothing(each));
  if (first === undefined) return false;
  return others.some((each) => isDecimal(each) !== isDecimal(first) || scaleOf(each) !== scaleOf(first));
}

/** `+`, `-`, `*`, `%` and `/` of numbers. Operands of unknown type could be integers. */
export function arithmetic(node: Binary): Expression | undefined {
  const { operator, left, right } = node;
  if ([left, right].every((side) => isFloat(side) || isWhole(side) || isDecimal(side) || isNothing(side))) {
    if (isFloat(left) || isFloat(right)) return ofFloats(node);
    if (isDecimal(left) || isDecimal(right)) return ofDecimals(node);
    // Below an aggregate in a subquery ClickHouse folds `k + NULL` into a constant, and then does not find it.
    if (isNullLiteral(left) || isNullLiteral(right)) {
      return cast({ kind: "null", span: node.span, type: BIGINT }, "bigint", inPlaceOf(node));
    }
    return wholeOf(operator, left, right, node);
  }
  throw unsupported(
    `${operator} of types that are not known`,
    node.span,
    "Write CAST(… AS bigint) or CAST(… AS numeric(12, 2)).",
  );
}

const isNullLiteral = (node: Expression): boolean =>
  node.kind === "null" || (node.kind === "cast" && isNullLiteral(node.operand));

function ofFloats(node: Binary): Expression | undefined {
  if (node.operator === "%") throw unsupported("% of doubles", node.span);
  return undefined;
}

export function wholeOf(operator: BinaryOperator, left: Expression, right: Expression, at: Expression): Expression {
  if (operator === "/" || operator === "//") return checked(wholeQuotient(wide(left), wide(right), at), at);
  return checked(binary(wide(left), operator, wide(right), inPlaceOf(at)), at);
}

function ofDecimals(node: Binary): Expression {
  const { operator, left, right } = node;
  const [a, b] = [scaleOf(left), scaleOf(right)];
  if (a === undefined || b === undefined) {
    throw unsupported(
      "arithmetic whose digits are not known",
      node.span,
      "Write CAST(… AS numeric(18, 2)) on both sides.",
    );
  }
  switch (operator) {
    case "+":
    case "-": {
      const scale = Math.max(a, b);
      return roundedToScale(binary(broad(left, scale), operator, broad(right, scale), inPlaceOf(node)), scale, node, [
        left,
        right,
      ]);
    }
    case "*":
      if (a + b > MAX_SCALE)
        throw unsupported(`a product of ${a + b} digits behind the point`, node.span, "Round one side.");
      return roundedToScale(binary(broad(left, a), "*", broad(right, b), inPlaceOf(node)), a + b, node, [left, right]);
    case "/":
      return quotient(left, right, node);
    case "%": {
      const scale = Math.max(a, b);
      const remainder = spelled(REMAINDER, [broad(left, scale), broad(right, scale)], node);
      return roundedToScale(remainder, scale, node, [left, right]);
    }
    default:
      throw unsupported(`${operator} of decimals`, node.span);
  }
}

/** On ClickHouse a quotient has the scale of its left operand. */
function quotient(left: Expression, right: Expression, at: Expression): Expression {
  const scale = scaleOf(right) ?? 0;
  // ClickHouse truncates and does not round: sums of thirds would be too small.
  const value = binary(broad(left, QUOTIENT_SCALE + 2), "/", broad(right, scale), inPlaceOf(at));
  const near = call("round", [value, integer(QUOTIENT_SCALE, at)], inPlaceOf(at));
  return anyScale(roundedToScale(near, QUOTIENT_SCALE, at), at);
}

/** Converts an exact number to a double; returns other values unchanged. */
export const asDouble = (node: Expression): Expression =>
  isExact(node.type) ? cast(digitsBefore(node, 64), "double precision", typed(DOUBLE, node)) : node;

/**
 * The operand of a cast to double or real: ClickHouse divides a decimal with more digits than the result by its power of ten, and
 * so rounds twice. Therefore such a decimal is cast through its text.
 */
export function digitsBefore(node: Expression, bits: 32 | 64): Expression {
  const type = typeOrUnknown(node);
  const digits = bits === 64 ? 15 : 6;
  if (type.kind !== "decimal" || (type.precision !== undefined && type.precision <= digits)) return node;
  // A decimal literal (`rewrites.ts`).
  const written = node.kind === "cast" && node.operand.kind === "string" ? node.operand : undefined;
  const fraction = written?.value.split(".")[1] ?? "";
  return written !== undefined && fraction.length === type.scale ? written : cast(node, "text", typed(TEXT, node));
}

/** Converts a double to a decimal by its fifteen digits, where PostgreSQL has a decimal. */
export function asDecimal(node: Expression, at: Expression): Expression {
  if (typeOrUnknown(at).kind !== "decimal") return node;
  const digits = spelled(DIGITS_OF_DOUBLE, [node], at);
  return anyScale(
    roundedToScale(call("round", [digits, integer(QUOTIENT_SCALE, at)], typed(NUMERIC, at)), QUOTIENT_SCALE, at),
    at,
  );
}

export function negated(operand: Expression, at: Expression): Expression | undefined {
  if (operand.kind === "number" || isFloat(operand) || isDecimal(operand)) return undefined;
  if (isWhole(operand)) return wholeOf("-", integer(0, at), operand, at);
  throw unsupported("- of a type that is not known", at.span);
}

/** A sum in more bits than its values have. */
export function sum(node: Call): Expression {
  const [value] = node.arguments.map((each) => each.value);
  if (value === undefined) return node;
  // A sum of reals is a real.
  if (isFloat(value)) return node.type?.kind === "float" && node.type.bits === 32 ? sumOfReals(node) : node;
  const of = (each: Expression): Call => ({ ...node, arguments: [{ name: undefined, value: each }] });
  if (isWhole(value)) {
    // 128-bit sums are too small for decimals.
    return typeOrUnknown(node).kind === "integer"
      ? checked(of(wide(value)), node)
      : roundedToScale(of(broad(value, 0)), 0, node);
  }
  const scale = isDecimal(value) ? scaleOf(value) : undefined;
  if (scale === undefined)
    throw unsupported("a sum whose digits are not known", node.span, "Write CAST(… AS numeric(18, 2)).");
  return roundedToScale(of(broad(value, scale)), scale, node, [value]);
}

/** ClickHouse's own average is a double. */
export function average(node: Call): Expression {
  const [value] = node.arguments.map((each) => each.value);
  if (value === undefined || isFloat(value)) return node;
  if (!isWhole(value) && !isDecimal(value)) throw unsupported("an average of this type", node.span);
  const named = (name: string): Call => ({ ...node, name: [{ name, quoted: false, span: node.span }] });
  const total = sum({ ...named("sum"), type: NUMERIC });
  const count = call("nullif", [{ ...named("count"), type: BIGINT }, integer(0, node)], typed(BIGINT, node));
  return quotient(total, count, node);
}

const COLUMN_SCALES = new ColumnFacts<number | undefined>();

/** The maximum scale of a value, if its expression determines it. */
export function scaleOf(node: Expression): number | undefined {
  countStep();
  const type = typeOrUnknown(node);
  if (type.kind === "integer" || type.kind === "null") return 0;
  if (type.kind !== "decimal") return undefined;
  switch (node.kind) {
    case "number":
      return digitsOf(node.text)?.fraction.length;
    case "cast": {
      const [precision, scale = 0] = node.typeName.parameters;
      return precision === undefined ? scaleOf(node.operand) : scale;
    }
    case "unary":
      return scaleOf(node.operand);
    case "case":
      return greatest([...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])]);
    case "binary":
      return scaleOfBinary(node);
    case "scalar-query": {
      const [item] = node.query.body.kind === "select" ? node.query.body.items : [];
      return item?.kind === "item" ? scaleOf(item.expression) : undefined;
    }
    case "extract":
      return SCALES[node.field] ?? 0;
    case "call":
      return scaleOfCall(node);
    case "spelled": {
      const { scale } = node.template;
      if (typeof scale !== "string") return scale;
      return greatest(node.parts.slice(...(scale === "of the first" ? [0, 1] : [1, 2])));
    }
    case "bound": {
      const { column } = node;
      const { origins = [] } = column as Partial<RelationColumn>;
      if (type.scale === undefined && origins.length > 0) return COLUMN_SCALES.of(column, () => greatest(origins));
      break;
    }
    default:
  }
  return type.precision !== undefined && type.precision <= PRECISION ? type.scale : undefined;
}

/** Covers expressions of earlier tables in their written form, and lowered expressions. */
function scaleOfBinary({ operator, left, right }: Binary): number | undefined {
  const [a, b] = [scaleOf(left), scaleOf(right)];
  if (a === undefined || b === undefined) return undefined;
  if (operator === "*") return a + b;
  if (operator === "/") return QUOTIENT_SCALE;
  return /^[-+%]$/.test(operator) ? Math.max(a, b) : undefined;
}

/** Fields with a fraction. */
const SCALES: Readonly<Record<string, number>> = { epoch: 6, second: 6, milliseconds: 3 };

/** Quotients, and functions computed in double precision. */
const BY_DOUBLES = new Set("avg stddev_samp stddev_pop var_samp var_pop sqrt ln log log10".split(" "));
const OF_THEIR_VALUES = new Set(
  "coalesce nullif min max greatest least abs sum round ceil floor any_value tonullable ifnull".split(" "),
);
const OF_THE_FIRST = new Set(["lag", "lead", "first_value", "last_value", "nth_value"]);

function scaleOfCall(node: Call): number | undefined {
  const name = node.name[0]?.name ?? "";
  const parts = node.arguments.map(({ value }) => value);
  if (BY_DOUBLES.has(name)) return QUOTIENT_SCALE;
  // Later arguments specify digits.
  if (OF_THE_FIRST.has(name) || name === "round") return greatest(parts.slice(0, 1));
  return OF_THEIR_VALUES.has(name) ? greatest(parts) : undefined;
}

export const WITHIN_DIGITS = words(
  "($1 + toDecimal128(throwIf(ifNull(abs($1) >= toDecimal256($2, 0), 0), 'numeric field overflow'), 0))",
  { scale: "of the first" },
);

/** The scale that a template declares: a number equals PostgreSQL's. */
export const declaredScale = (node: Expression): number | undefined =>
  node.kind === "spelled" && typeof node.template.scale === "number" ? node.template.scale : undefined;

/**
 * ClickHouse has no common type for decimals of different scale or for decimal and float, and combines reals and exact numbers to
 * doubles: casts all alternatives.
 */
export function castToCommonType(nodes: readonly Expression[], at: Expression): readonly Expression[] {
  if (isReal(at.type)) return nodes.map(asReal);
  if (isFloat(at)) return nodes.map(asDouble);
  if (!isDecimal(at)) return nodes;
  const scale = greatest(nodes);
  if (scale === undefined)
    throw unsupported("decimals whose digits are not known", at.span, "Write CAST(… AS numeric(18, 2)).");
  const told = new Set(nodes.filter((each) => !isNothing(each)).map(shownScale));
  const isOne = told.size === 1 && !told.has(undefined);
  const same = (each: Expression): Expression => {
    const value = roundedToScale(each, scale, at);
    return isOne ? value : anyScale(value, at);
  };
  return nodes.map((each) => (isNothing(each) ? each : same(each)));
}

function greatest(nodes: readonly Expression[]): number | undefined {
  return nodes.map(scaleOf).reduce((a, b) => (a === undefined || b === undefined ? undefined : Math.max(a, b)), 0);
}
