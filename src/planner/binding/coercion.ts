/**
 * Types that match without a cast, and conversion of literals to the type of the other operand (docs/spec/language.md: "literals
 * take the column's type; two columns of different families: TYPE_MISMATCH"). Conversions are explicit in the tree, so
 * that no engine's implicit conversion applies (MySQL compares `'abc' = 0` as numbers).
 */

import { type ArrayText, parseArrayText } from "../array-texts.ts";
import { commonType, isNumberOfDays } from "../common-type.ts";
import { isDayShaped, isUtc, parseDateTime, parseTimeOfDay } from "../datetimes.ts";
import { PlannerError } from "../diagnostics.ts";
import { parseInterval } from "../intervals.ts";
import { cast, comparison, integer, typeName } from "../syntax/build.ts";
import type { ArrayLiteral, Expression, Row, Span, StringLiteral } from "../syntax/tree.ts";
import { BOOLEAN, DOUBLE, describeType, INTERVAL, type SqlType, TEXT, TIMESTAMP, TIMESTAMPTZ } from "../types.ts";

/** Converts two operands of a comparison to a common type; throws TYPE_MISMATCH. */
export function toCommonType(
  left: Expression,
  right: Expression,
  span: Span,
): readonly [left: Expression, right: Expression] {
  if (left.kind === "row" && right.kind === "row") return rowsToCommonType(left, right, span);
  const beside = (operand: Expression, other: Expression): Expression =>
    typeOf(other).kind === "interval" ? intervalOfDays(operand) : flagBeside(operand, typeOf(other));
  const [x, y] = [beside(left, right), beside(right, left)];
  const converted = [convertTo(x, typeOf(y)), convertTo(y, typeOf(x))] as const;
  const [a, b] = [typeOf(converted[0]), typeOf(converted[1])];
  if (!comparable(a, b)) {
    throw new PlannerError("TYPE_MISMATCH", `cannot compare ${describeType(a)} with ${describeType(b)}`, {
      span,
      hint: comparisonHint(a, b),
    });
  }
  return [widenReal(converted[0], b), widenReal(converted[1], a)];
}

/** `flag <> 0` of a column of integers that are booleans, where `wanted` is boolean; any other expression as it is. */
export function flagBeside(expression: Expression, wanted: SqlType): Expression {
  const type = typeOf(expression);
  if (wanted.kind !== "boolean" || type.kind !== "integer" || type.isFlag !== true) return expression;
  return comparison(expression, "<>", integer(0, expression), expression);
}

/** The difference of two values of Oracle's DATE as an interval, where one is wanted; any other expression as it is. */
export function intervalOfDays(expression: Expression): Expression {
  const isDifference = expression.kind === "binary" && expression.operator === "-";
  if (!isDifference || !isNumberOfDays(typeOf(expression))) return expression;
  const ends = [expression.left, expression.right].map((end) => typeOf(end).kind);
  return ends.every((kind) => kind === "date" || kind === "timestamp") ? { ...expression, type: INTERVAL } : expression;
}

function comparisonHint(a: SqlType, b: SqlType): string {
  if (a.kind === "row" || b.kind === "row") return "Write rows on both sides: (a, b) IN ((1, 2), (3, 4)).";
  if (a.kind === "boolean" || b.kind === "boolean") return "Compare it with TRUE or FALSE, or write it alone.";
  return "Write a CAST on one side.";
}

function rowsToCommonType(left: Row, right: Row, span: Span): readonly [left: Expression, right: Expression] {
  if (left.elements.length !== right.elements.length) {
    throw new PlannerError(
      "INVALID_QUERY",
      `a row of ${left.elements.length} values cannot be compared with one of ${right.elements.length}`,
      { span },
    );
  }
  const pairs = left.elements.map((element, index) => toCommonType(element, right.elements[index] ?? element, span));
  const row = (original: Row, elements: readonly Expression[]): Expression => ({
    ...original,
    elements,
    type: { kind: "row", fields: elements.map((element) => ({ name: undefined, type: typeOf(element) })) },
  });
  return [
    row(
      left,
      pairs.map(([a]) => a),
    ),
    row(
      right,
      pairs.map(([, b]) => b),
    ),
  ];
}

/**
 * A `real` with a number of another type is computed in double precision, as in PostgreSQL. DuckDB would convert the
 * other operand to `real`, so that `0.1` the real equals `0.1` the decimal.
 */
export function widenReal(expression: Expression, other: SqlType): Expression {
  const type = typeOf(expression);
  const isReal = type.kind === "float" && type.bits === 32;
  const isWider = other.kind === "integer" || other.kind === "decimal" || (other.kind === "float" && other.bits === 64);
  return isReal && isWider ? cast(expression, "double precision", { span: expression.span, type: DOUBLE }) : expression;
}

/** The same where the real is a subquery's column, which cannot be cast: the other operand becomes a double. */
export function widenReals(expression: Expression, column: SqlType): Expression {
  const { kind } = typeOf(expression);
  const isReal = column.kind === "float" && column.bits === 32;
  const isExact = kind === "integer" || kind === "decimal";
  return isReal && isExact ? cast(expression, "double precision", { span: expression.span, type: DOUBLE }) : expression;
}

function comparable(a: SqlType, b: SqlType): boolean {
  return commonType([a, b]) !== undefined || (a.kind === "row" && b.kind === "row");
}

/** The common type of alternatives (CASE, COALESCE, UNION …) with literals converted; throws TYPE_MISMATCH. */
export function unify(
  expressions: readonly Expression[],
  what: string,
): { readonly expressions: readonly Expression[]; readonly type: SqlType } {
  const typed = expressions.filter((expression) => expression.kind !== "string").map(typeOf);
  const target = typed.length === 0 ? TEXT : commonType(typed);
  if (target === undefined) throw mismatch(expressions, what);
  const wanted = target.kind === "null" ? undefined : target;
  const converted =
    wanted === undefined ? expressions : expressions.map((each) => convertAlternative(each, wanted, what));
  const type = commonType(converted.map(typeOf));
  if (type === undefined) throw mismatch(converted, what);
  return { expressions: converted, type };
}

/** A text that is none of the others' type is an alternative of another type, not a badly written number. */
export function convertAlternative(expression: Expression, target: SqlType, what: string): Expression {
  try {
    return convertTo(expression, target);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    throw new PlannerError("TYPE_MISMATCH", `${what} mixes ${describeType(target)} and text: ${error.message}`, {
      span: expression.span,
      hint: "Write a CAST so that all alternatives have one type.",
    });
  }
}

function mismatch(expressions: readonly Expression[], what: string): PlannerError {
  const types = [...new Set(expressions.map((expression) => describeType(typeOf(expression))))];
  const last = expressions[expressions.length - 1];
  return new PlannerError("TYPE_MISMATCH", `${what} mixes ${types.join(" and ")}`, {
    ...(last === undefined ? {} : { span: last.span }),
    hint: "Write a CAST so that all alternatives have one type.",
  });
}

export function typeOf(expression: Expression): SqlType {
  if (expression.type === undefined) throw new TypeError(`unbound ${expression.kind}`);
  return expression.type;
}

/**
 * A string literal becomes a literal of the other operand's type, a number next to a double becomes a double;
 * everything else stays. Throws TYPE_MISMATCH.
 */
export function convertTo(expression: Expression, target: SqlType): Expression {
  if (expression.kind === "number" && target.kind === "float" && target.bits === 64)
    return { ...expression, type: target };
  if (expression.kind !== "string") return expression;
  return convertLiteral(expression, target);
}

const NUMBER = /^\s*([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d+))?\s*$/;
const SPECIAL_FLOAT = /^\s*([+-]?)(nan|inf|infinity)\s*$/i;
const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ...["t", "true", "y", "yes", "on", "1"].map((text) => [text, true] as const),
  ...["f", "false", "n", "no", "off", "0"].map((text) => [text, false] as const),
]);

/** True for a text that PostgreSQL reads as a boolean. */
export function isTruth(text: string): boolean {
  return TRUTH.has(text.trim().toLowerCase());
}

/**
 * Reads the text as PostgreSQL would, where every reader would read the same (`datetimes.ts`); the rest is refused.
 */
function convertLiteral(literal: StringLiteral, target: SqlType): Expression {
  const { span } = literal;
  const text = literal.value.trim();
  switch (target.kind) {
    case "integer":
    case "decimal":
    case "float":
      return numberLiteral(literal, target);
    case "boolean": {
      const value = TRUTH.get(text.toLowerCase());
      if (value === undefined) throw unreadable(literal, "boolean", "'true' or 'false'");
      return { kind: "boolean", value, span, type: BOOLEAN };
    }
    case "date":
      return dateLiteral(literal, target);
    case "timestamp":
      return timestampLiteral(literal, target);
    case "time":
      return timeLiteral(literal, target);
    case "interval":
      if (parseInterval(text) === undefined) throw unreadable(literal, "interval", "'3 days' or '1 month'");
      return { kind: "interval", value: literal, unit: undefined, toUnit: undefined, span, type: target };
    case "uuid":
    case "json":
    case "binary":
      return {
        kind: "cast",
        operand: literal,
        typeName: typeName(target.kind === "binary" ? "bytea" : describeType(target), { span }),
        safe: false,
        span,
        type: target,
      };
    case "array":
      return arrayLiteral(literal, target.element);
    case "text":
    case "null":
    case "opaque":
    case "row":
      return literal;
    default:
      return target satisfies never;
  }
}

/** Beside a date, `1 day` was meant as an interval. */
function dateHint(text: string): string {
  const shown = text.length <= 40 && /[a-z]/i.test(text) && parseInterval(text) !== undefined;
  return shown ? `'YYYY-MM-DD', or INTERVAL '${text}'` : "'YYYY-MM-DD'";
}

/** `'{1,2}'` compared with an array. */
function arrayLiteral(literal: StringLiteral, element: SqlType): Expression {
  const { span } = literal;
  const elements = parseArrayText(literal.value);
  if (elements === undefined) throw unreadable(literal, "an array", "ARRAY['…', '…']");
  let innermost = element;
  while (innermost.kind === "array") innermost = innermost.element;
  const arrayOf = (texts: ArrayText): Expression => {
    const values = texts.map((text): Expression => {
      if (text === null) return { kind: "null", span, type: innermost };
      if (typeof text !== "string") return arrayOf(text);
      return convertTo({ ...literal, value: text }, innermost);
    });
    const [first] = values;
    const own = first?.kind === "array" ? typeOf(first) : innermost;
    return { kind: "array", elements: values, span, type: { kind: "array", element: own } };
  };
  const array = arrayOf(elements) as ArrayLiteral;
  // Written as text, its timestamps would be in the session's time zone.
  const isPlaced = literal.zone !== undefined && innermost.kind === "timestamp" && innermost.zoned;
  return isPlaced ? array : { ...array, written: literal.value };
}

/** A number as the text of a type: `'7.5'` is no integer, and a real is the nearest real, not the decimal. */
function numberLiteral(
  literal: StringLiteral,
  target: SqlType & { kind: "integer" | "decimal" | "float" },
): Expression {
  const { span } = literal;
  const match = NUMBER.exec(literal.value);
  if (match === null) {
    const special = target.kind === "float" ? SPECIAL_FLOAT.exec(literal.value) : null;
    if (special === null) throw unreadable(literal, describeType(target), "a number");
    const value = /^n/i.test(special[2] ?? "") ? "NaN" : `${special[1] === "-" ? "-" : ""}Infinity`;
    return cast({ ...literal, value }, describeType(target), { span, type: target });
  }
  const [, sign, digits = "", exponent] = match;
  if (target.kind === "integer" && (exponent !== undefined || !fitsInteger(sign ?? "", digits, target.bits))) {
    throw unreadable(literal, describeType(target), "a whole number of that size, or a CAST of the other side");
  }
  const text = exponent === undefined ? exactReal(digits, target) : `${digits}e${exponent}`;
  const number: Expression = { kind: "number", text, span, type: target };
  const signed: Expression =
    sign === "-" ? { kind: "unary", operator: "-", operand: number, span, type: target } : number;
  return target.kind === "float" && target.bits === 32 ? cast(signed, "real", { span, type: target }) : signed;
}

/** Trino has no whole numbers of more than 64 bits, and an engine that reads one first may round twice: an exponent makes it a real. */
const exactReal = (digits: string, target: SqlType): string =>
  target.kind === "float" && digits.length > 15 ? `${digits}e0` : digits;

function fitsInteger(sign: string, digits: string, bits: number): boolean {
  if (!/^\d{1,30}$/.test(digits)) return false;
  const value = BigInt(digits) * (sign === "-" ? -1n : 1n);
  return BigInt.asIntN(bits, value) === value;
}

/** A time of day after the date is dropped, as in PostgreSQL: a text compared with a date is a date. */
function dateLiteral(literal: StringLiteral, target: SqlType): Expression {
  const text = literal.value.trim();
  const endless = infinity(text);
  if (endless !== undefined) return typedLiteral("date", endless, literal.span, target);
  const read = parseDateTime(text);
  if (read === undefined) {
    throw unreadable(literal, "date", isDayShaped(text) ? "a day of the calendar as 'YYYY-MM-DD'" : dateHint(text));
  }
  if (read.zone !== undefined && !isUtc(read.zone)) throw unreadable(literal, "date", "the date alone");
  return typedLiteral("date", read.day, literal.span, target);
}

/** Later than all dates, or earlier than all. */
function infinity(text: string): string | undefined {
  const sign = /^([+-]?)infinity$/i.exec(text)?.[1];
  return sign === undefined ? undefined : sign === "-" ? "-infinity" : "infinity";
}

function timeLiteral(literal: StringLiteral, target: SqlType & { kind: "time" }): Expression {
  const read = parseTimeOfDay(literal.value);
  if (read === undefined || (read.zone !== undefined && (target.zoned || !isUtc(read.zone))))
    throw unreadable(literal, "time", "'HH:MM:SS'");
  return typedLiteral("time", read.time, literal.span, target);
}

/** `TIMESTAMP '…'` for local times; zoned ones carry an offset or are placed in their zone by AT TIME ZONE. */
function timestampLiteral(literal: StringLiteral, target: SqlType): Expression {
  const { span } = literal;
  const read = parseDateTime(literal.value);
  const zoned = target.kind === "timestamp" && target.zoned;
  const endless = infinity(literal.value.trim());
  if (endless !== undefined)
    return zoned ? zonedLiteral(endless, span) : typedLiteral("timestamp", endless, span, target);
  if (read === undefined) throw unreadable(literal, describeType(target), "'YYYY-MM-DD HH:MM:SS'");
  const { date, time = "00:00:00", zone } = read;
  const local = typedLiteral("timestamp", `${date} ${time}`, span, TIMESTAMP);
  if (!zoned) {
    if (zone === undefined || isUtc(zone)) return local;
    // PostgreSQL drops the zone, DuckDB converts to UTC: one text would be two timestamps.
    throw unreadable(literal, "timestamp", "a timestamp without a zone, or TIMESTAMP WITH TIME ZONE '…'");
  }
  const named = zone ?? literal.zone ?? "UTC";
  if (isUtc(named)) return zonedLiteral(`${date} ${time}+00`, span);
  if (/^[+-]/.test(named)) return zonedLiteral(`${date} ${time}${named}`, span);
  return {
    kind: "at-time-zone",
    operand: local,
    zone: { kind: "string", value: named, span, type: { kind: "text" } },
    span,
    type: TIMESTAMPTZ,
  };
}

function zonedLiteral(value: string, span: Span): Expression {
  return typedLiteral("timestamp with time zone", value, span, TIMESTAMPTZ);
}

function typedLiteral(name: string, value: string, span: Span, type: SqlType): Expression {
  return { kind: "typed", typeName: typeName(name, { span }), value, span, type };
}

function unreadable(literal: StringLiteral, type: string, wanted: string): PlannerError {
  const shown = literal.value.length > 40 ? `${literal.value.slice(0, 40)}…` : literal.value;
  return new PlannerError("TYPE_MISMATCH", `'${shown}' cannot be read as ${type}`, {
    span: literal.span,
    hint: `Write ${wanted}.`,
  });
}
