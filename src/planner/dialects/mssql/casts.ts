/**
 * Casts. SQL Server's own fail where PostgreSQL's do, but for texts without a digit, some of which are 0 or the first day of 1900,
 * for dates in the form of the session, and for fractions, which it cuts off.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/cast-and-convert-transact-sql
 */
import { isInexactDecimal } from "../../lowering/inexact.ts";
import { unsupported } from "../../lowering/target.ts";
import {
  call,
  cases,
  cast,
  concatenation,
  inPlaceOf,
  integer,
  not,
  text,
  typed,
  typeName,
  when,
} from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, isNumeric, type SqlType, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { MAX_PRECISION } from "./decimals.ts";
import { clock, MOMENT, zoned } from "./times.ts";

export function lowerCast(node: Cast): Expression {
  const [from, to] = [typeOrUnknown(node.operand), typeOrUnknown(node)];
  if (from.kind === "null") return typedNull(node, to);
  switch (to.kind) {
    case "text":
      return toText(node);
    case "integer":
      return toInteger(node);
    case "decimal":
      return toDecimal(node, to);
    case "float":
      if (from.kind === "text") return { ...node, operand: withDigits(node.operand, node.safe) };
      if (isNumeric(from)) return node;
      throw foreign(node);
    case "boolean":
      if (from.kind === "boolean") return node.operand;
      throw foreign(node);
    case "date":
    case "timestamp":
      return toTime(node, to);
    case "uuid":
      if (from.kind === "uuid") return node.operand;
      throw foreign(node);
    default:
      throw foreign(node);
  }
}

function foreign(node: Cast) {
  const [from, to] = [typeOrUnknown(node.operand).kind, typeOrUnknown(node).kind];
  return unsupported(`a cast from ${from} to ${to}`, node.span);
}

function typedNull(node: Cast, to: SqlType): Expression {
  const isOwn = ["text", "integer", "float", "boolean", "date", "timestamp", "time"].includes(to.kind);
  if (to.kind === "timestamp" && !to.zoned) return cast(node.operand, MOMENT, inPlaceOf(node));
  if (isOwn || (to.kind === "decimal" && node.typeName.parameters.length > 0)) return { ...node, safe: false };
  return { kind: "null", span: node.span, type: to };
}

/** `+` and the empty text would be 0. */
function withDigits(operand: Expression, safe: boolean): Expression {
  return shaped(operand, "%[0-9]%", safe);
}

/** The text where it has the form; else one that cannot be cast, or NULL. */
function shaped(operand: Expression, pattern: string, safe: boolean): Expression {
  const { span } = operand;
  const has: Expression = {
    kind: "like",
    operator: "like",
    negated: false,
    operand,
    pattern: text(pattern, operand),
    escape: undefined,
    span,
    type: BOOLEAN,
  };
  const otherwise = safe ? undefined : concatenation(operand, text("!", operand), operand);
  return when(has, operand, otherwise, typed(TEXT, operand));
}

function toInteger(node: Cast): Expression {
  const { operand } = node;
  const from = typeOrUnknown(operand);
  switch (from.kind) {
    case "integer":
    case "boolean":
      return node;
    case "decimal":
      return { ...node, operand: call("round", [operand, integer(0, node)], inPlaceOf(operand)) };
    case "float":
      if (operand.kind === "call" && /^(round|floor|ceiling)$/.test(operand.name[0]?.name ?? "")) return node;
      throw unsupported("a cast from a double to a whole number", node.span, "Round it first: round(x).");
    case "text":
      return { ...node, operand: withDigits(operand, node.safe) };
    default:
      throw foreign(node);
  }
}

function toDecimal(node: Cast, { precision, scale = 0 }: SqlType & { kind: "decimal" }): Expression {
  const from = typeOrUnknown(node.operand);
  if (precision === undefined) {
    if (from.kind === "integer" || from.kind === "decimal")
      return { ...node.operand, ...(node.type && { type: node.type }) };
    const hint = "Write CAST(… AS numeric(18, 6)).";
    throw unsupported(`a ${from.kind} as a number of any length`, node.span, hint);
  }
  if (precision > MAX_PRECISION || scale < 0 || scale > precision) {
    throw unsupported(`numeric(${precision}, ${scale})`, node.span, `At most ${MAX_PRECISION} digits.`);
  }
  if (from.kind === "text") return { ...node, operand: withDigits(node.operand, node.safe) };
  if (isNumeric(from)) return node;
  throw foreign(node);
}

function toTime(node: Cast, to: SqlType): Expression {
  const { operand } = node;
  const from = typeOrUnknown(operand);
  const [precision] = node.typeName.parameters;
  if (precision !== undefined && precision < 6) throw unsupported(`a time of ${precision} digits`, node.span);
  if (from.kind === "text") {
    if (to.kind === "timestamp" && to.zoned) throw foreign(node);
    const name = to.kind === "date" ? node.typeName : typeName(MOMENT, node);
    const operandOfShape = shaped(operand, "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]%", node.safe);
    return { ...node, typeName: name, operand: operandOfShape };
  }
  if (from.kind !== "date" && from.kind !== "timestamp") throw foreign(node);
  if (to.kind === "date") return from.kind === "date" ? operand : { ...node, operand: clock(operand) };
  const plain = from.kind === "date" ? cast(operand, MOMENT, typed(TIMESTAMP, node)) : clock(operand);
  return to.kind === "timestamp" && to.zoned ? zoned(plain, node) : plain;
}

// --------------------------------------------------------------------------------------------------------- texts

/** A text of any length: others are cut at 8000 bytes where they grow. */
export function wide(value: Expression): Expression {
  const isWide = value.kind === "binary" && value.operator === "||";
  return isWide || value.kind === "cast" ? value : cast(value, "text", typed(TEXT, value));
}

function toText(node: Cast): Expression {
  const [length] = node.typeName.parameters;
  const whole = textOf(node.operand, node);
  return length === undefined ? whole : call("left", [whole, integer(length, node)], inPlaceOf(node));
}

/** PostgreSQL's text of a value. */
export function textOf(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  switch (typeOrUnknown(value).kind) {
    case "text":
    case "null":
      return value;
    case "integer":
      return cast(value, "text", place);
    case "uuid":
      return call("lower", [cast(value, "text", place)], place);
    case "date":
      return call("iso day", [value], place);
    case "decimal":
      // The digits of others are not PostgreSQL's: 12.30 rounded to 12.300000.
      if (value.kind === "bound" && !isInexactDecimal(value) && hasScale(value)) return cast(value, "text", place);
      if (value.kind === "cast" && value.typeName.parameters.length > 0) return cast(value, "text", place);
      throw noText("a number that is computed", at);
    case "boolean":
      return cases(
        [
          { when: value, then: text("true", at) },
          { when: not(value), then: text("false", at) },
        ],
        undefined,
        place,
      );
    default:
      throw noText(`a value of type ${typeOrUnknown(value).kind}`, at);
  }
}

function hasScale({ type }: Expression): boolean {
  return type?.kind === "decimal" && type.precision !== undefined;
}

function noText(what: string, at: Expression) {
  return unsupported(`the text of ${what}`, at.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
}
