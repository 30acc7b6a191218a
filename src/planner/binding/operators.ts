/** Types of operators: what arithmetic, concatenation and JSON access give, and which operands they take. */

import { areDays, commonType, daysBetween, isNumberOfDays } from "../common-type.ts";
import { PlannerError } from "../diagnostics.ts";
import { binary, cast, interval } from "../syntax/build.ts";
import type { Binary, BinaryOperator, Expression } from "../syntax/tree.ts";
import {
  BOOLEAN,
  DATE,
  DOUBLE,
  describeType,
  INTEGER,
  INTERVAL,
  isNumeric,
  isPartOfDate,
  isUnknown,
  JSONB_TYPE,
  NUMERIC,
  partOfJson,
  type SqlType,
  TEXT,
  TIME,
  TIMESTAMP,
  UNKNOWN,
} from "../types.ts";
import { convertTo, toCommonType, typeOf, widenReal } from "./coercion.ts";

/** Binds a binary operator over bound operands: operands converted, result typed. Throws TYPE_MISMATCH. */
export function bindBinary(node: Binary, left: Expression, right: Expression): Expression {
  const { operator, span } = node;
  switch (operator) {
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "is distinct from":
    case "is not distinct from": {
      const [a, b] = toCommonType(left, right, span);
      return { ...node, left: a, right: b, type: BOOLEAN };
    }
    case "-":
      // Takes members and elements away.
      if (typeOf(left).kind === "json") return { ...node, left, right, type: JSONB_TYPE };
      return bindArithmetic(node, left, right);
    case "+":
    case "*":
    case "/":
    case "//":
    case "%":
    case "^":
      return bindArithmetic(node, left, right);
    case "||":
      return bindConcatenation(node, left, right);
    case "&":
    case "|":
    case "#":
    case "<<":
    case ">>":
      return { ...node, left, right, type: commonType([typeOf(left), typeOf(right)]) ?? UNKNOWN };
    case "->":
    case "#>":
      return { ...node, left, right, type: partOfJson([typeOf(left)]) };
    case "->>":
    case "#>>":
      return { ...node, left, right, type: TEXT };
    case "#-":
      return { ...node, left, right, type: JSONB_TYPE };
    case "~":
    case "~*":
    case "!~":
    case "!~*":
    case "^@":
      requireText(left, operator);
      requireText(right, operator);
      return { ...node, left, right, type: BOOLEAN };
    case "@>":
    case "<@":
    case "&&":
      return { ...node, left: besideArray(left, right), right: besideArray(right, left), type: BOOLEAN };
    case "?":
    case "?|":
    case "?&":
    case "overlaps":
      return { ...node, left, right, type: BOOLEAN };
    default:
      return operator satisfies never;
  }
}

function besideArray(operand: Expression, other: Expression): Expression {
  const type = typeOf(other);
  // A text that was cast is an element.
  if (operand.kind === "string" && operand.isText && type.kind === "array" && type.element.kind === "text") {
    return { kind: "array", elements: [operand], span: operand.span, type: { kind: "array", element: type.element } };
  }
  return type.kind === "array" ? convertTo(operand, type) : operand;
}

function requireText(operand: Expression, operator: BinaryOperator): void {
  const type = typeOf(operand);
  if (type.kind === "text" || type.kind === "opaque" || type.kind === "null") return;
  throw new PlannerError("TYPE_MISMATCH", `operator ${operator} takes text, not ${describeType(type)}`, {
    span: operand.span,
    hint: "Write CAST(… AS text).",
  });
}

function bindArithmetic(written: Binary, dividend: Expression, right: Expression): Expression {
  const { dividesAs, operator } = written;
  const node = dividesAs === undefined ? written : withoutDeclaredDivision(written);
  const areIntegers = typeOf(dividend).kind === "integer" && typeOf(right).kind === "integer";
  const dividesParts =
    (operator === "/" || operator === "^") && (isPartOfDate(typeOf(dividend)) || isPartOfDate(typeOf(right)));
  const fraction = dividesAs ?? (dividesParts ? NUMERIC : undefined);
  const left = fraction === undefined || !areIntegers ? dividend : asFraction(dividend, fraction);
  // A string literal takes the type of the other operand (number, date or interval); next to a date in `-` it is a
  // date.
  const [x, y] = [
    convertTo(left, literalTarget(operator, typeOf(right))),
    convertTo(right, literalTarget(operator, typeOf(left))),
  ];
  const a = besideTime(widenReal(x, typeOf(y)), typeOf(y), operator === "+");
  const b = besideTime(widenReal(y, typeOf(x)), typeOf(x), operator === "+" || operator === "-");
  const type = arithmeticType(operator, typeOf(a), typeOf(b));
  if (type === undefined) {
    const types = `${describeType(typeOf(a))} and ${describeType(typeOf(b))}`;
    throw new PlannerError("TYPE_MISMATCH", `operator ${operator} does not apply to ${types}`, {
      span: node.span,
      hint: arithmeticHint(operator, typeOf(a), typeOf(b)),
    });
  }
  return { ...node, left: a, right: b, type: isMovedByTime(type, x, y) ? TIMESTAMP : type };
}

const withoutDeclaredDivision = ({ dividesAs: _, ...node }: Binary): Binary => node;

/** Whether an interval is added to Oracle's DATE: the sum may have a fraction of a second, which DATE has not. */
function isMovedByTime(type: SqlType, ...operands: readonly Expression[]): boolean {
  if (type.kind !== "timestamp" || type.isDate !== true) return false;
  return !operands.some((operand) => typeOf(operand).kind === "integer");
}

/** A dividend that makes the quotient a fraction. Doubles keep more digits than reals, bare numerics than a declared scale. */
function asFraction(dividend: Expression, { kind }: SqlType): Expression {
  const [name, type] = kind === "float" ? (["double precision", DOUBLE] as const) : (["numeric", NUMERIC] as const);
  return cast(dividend, name, { span: dividend.span, type });
}

/**
 * An integer beside a date or a time. PostgreSQL adds 32 bits to a date, and refuses the 64 of `row_number()` and `count(*)`.
 * Where it is added to a column of Oracle's DATE, which is a timestamp, it is a number of days as well.
 */
function besideTime(expression: Expression, other: SqlType, isAdded: boolean): Expression {
  const type = typeOf(expression);
  if (type.kind !== "integer") return expression;
  const { span } = expression;
  if (other.kind === "date" && type.bits === 64) return cast(expression, "integer", { span, type: INTEGER });
  if (!isAdded || other.kind !== "timestamp" || other.isDate !== true) return expression;
  return binary(expression, "*", interval("1 day", expression), { span, type: INTERVAL });
}

function literalTarget(operator: BinaryOperator, other: SqlType): SqlType {
  if ((other.kind === "date" || other.kind === "timestamp") && operator === "+") return INTERVAL;
  return other;
}

function arithmeticHint(operator: BinaryOperator, a: SqlType, b: SqlType): string {
  if (a.kind === "text" || b.kind === "text") {
    return operator === "+" ? "Texts are joined with ||; numbers in text need a CAST." : "Numbers in text need a CAST.";
  }
  if (areDays(a, b)) return "Write x::date - y::date for whole days, or CAST(… AS numeric) for a fraction.";
  if (a.kind === "timestamp" || b.kind === "timestamp") return "Add an interval, for example INTERVAL '1 day'.";
  return "Write a CAST.";
}

/** PostgreSQL's result types; `undefined` if it has no such operator. */
function arithmeticType(operator: BinaryOperator, a: SqlType, b: SqlType): SqlType | undefined {
  if (isUnknown(a) || isUnknown(b)) return UNKNOWN;
  if (a.kind === "null") return b.kind === "null" ? INTEGER : arithmeticType(operator, nullPartner(operator, b), b);
  if (b.kind === "null") return arithmeticType(operator, a, nullPartner(operator, a));
  if (isNumeric(a) && isNumeric(b)) return numericResult(operator, a, b);
  if (operator === "+") return sumOfTimes(a, b) ?? sumOfTimes(b, a);
  if (operator === "-") return differenceOfTimes(a, b);
  if (operator === "*") return intervalTimes(a, b) ?? intervalTimes(b, a);
  return operator === "/" ? intervalTimes(a, b) : undefined;
}

/** The type that NULL takes next to a date or a number. */
function nullPartner(operator: BinaryOperator, other: SqlType): SqlType {
  if (isNumeric(other)) return other;
  if (operator === "*" || operator === "/") return DOUBLE;
  return operator === "-" && other.kind !== "interval" ? other : INTERVAL;
}

function numericResult(operator: BinaryOperator, a: SqlType, b: SqlType): SqlType | undefined {
  if (operator === "//") return areDays(a, b) ? undefined : commonType([a, b]);
  // PostgreSQL's quotient of these has no fraction, which a number of days may have.
  if (operator === "/" && areDays(a, b)) return undefined;
  if (operator === "^") return a.kind === "decimal" || b.kind === "decimal" ? NUMERIC : DOUBLE;
  const common = commonType([a, b]);
  // Sums and products of decimals outgrow their operands; only "some decimal" is promised.
  return common?.kind === "decimal" && !isNumberOfDays(common) ? NUMERIC : common;
}

function sumOfTimes(a: SqlType, b: SqlType): SqlType | undefined {
  if (a.kind === "date" && b.kind === "integer") return DATE;
  if (a.kind === "date" && b.kind === "interval") return TIMESTAMP;
  if (a.kind === "date" && b.kind === "time") return TIMESTAMP;
  if (a.kind === "timestamp" && (b.kind === "interval" || isPlainTime(b))) return a;
  if (a.kind === "time" && b.kind === "interval") return TIME;
  return a.kind === "interval" && b.kind === "interval" ? INTERVAL : undefined;
}

function isPlainTime(type: SqlType): boolean {
  return type.kind === "time" && !type.zoned;
}

function differenceOfTimes(a: SqlType, b: SqlType): SqlType | undefined {
  if (a.kind === "date" && b.kind === "date") return INTEGER;
  if (a.kind === "date" && b.kind === "integer") return DATE;
  if (a.kind === "date" && (b.kind === "interval" || isPlainTime(b))) return TIMESTAMP;
  if (a.kind === "timestamp" && (b.kind === "interval" || isPlainTime(b))) return a;
  const days = daysBetween(a, b);
  if (days !== undefined) return days;
  if ((a.kind === "timestamp" || a.kind === "date") && (b.kind === "timestamp" || b.kind === "date")) return INTERVAL;
  if (a.kind === "time" && b.kind === "interval") return TIME;
  if (a.kind === "time" && b.kind === "time") return INTERVAL;
  return a.kind === "interval" && b.kind === "interval" ? INTERVAL : undefined;
}

function intervalTimes(a: SqlType, b: SqlType): SqlType | undefined {
  return a.kind === "interval" && isNumeric(b) ? INTERVAL : undefined;
}

/** `||` joins texts and arrays. One side must be text (or array); the other becomes text by PostgreSQL's rules. */
function bindConcatenation(node: Binary, left: Expression, right: Expression): Expression {
  const [a, b] = [typeOf(left), typeOf(right)];
  if (a.kind === "array" || b.kind === "array") {
    // A text is an array in this position, as in PostgreSQL, and never an element.
    return {
      ...node,
      left: besideArray(left, right),
      right: besideArray(right, left),
      type: a.kind === "array" ? a : b,
    };
  }
  // A text next to jsonb becomes jsonb; json concatenates as text only.
  const isJsonb = (type: SqlType): boolean => type.kind === "json" && type.binary === true;
  if ((isJsonb(a) && (isJsonb(b) || right.kind === "string")) || (isJsonb(b) && left.kind === "string")) {
    return { ...node, left: convertTo(left, JSONB_TYPE), right: convertTo(right, JSONB_TYPE), type: JSONB_TYPE };
  }
  const textual = (type: SqlType): boolean => type.kind === "text" || type.kind === "null" || isUnknown(type);
  if (!textual(a) && !textual(b)) {
    throw new PlannerError("TYPE_MISMATCH", `operator || does not apply to ${describeType(a)} and ${describeType(b)}`, {
      span: node.span,
      hint: "Write CAST(… AS text) on one side.",
    });
  }
  return { ...node, left: asText(left), right: asText(right), type: TEXT };
}

/** An explicit cast, so that every target prints the value the way PostgreSQL would. */
export function asText(expression: Expression): Expression {
  const type = typeOf(expression);
  if (type.kind === "text" || type.kind === "null" || isUnknown(type)) return expression;
  return cast(expression, "text", { span: expression.span, type: TEXT });
}
