/** Casts. Spark's own raise where a value does not fit (ANSI); of a decimal or double that becomes whole they cut the fraction. */

import { unsupported } from "../../diagnostics.ts";
import { type Casts, castRules } from "../../lowering/casts.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/numbers/inexact.ts";
import { isDouble, javaDoubleText } from "../../lowering/numbers/java-doubles.ts";
import { asNearestDouble, digitsOfReal, isReal } from "../../lowering/numbers/java-reals.ts";
import { LONG_DIGITS, MAX_PRECISION } from "../../lowering/numbers/long-decimals.ts";
import { plain } from "../../lowering/numbers/named-casts.ts";
import { scaleOf } from "../../lowering/numbers/scales.ts";
import { cutText } from "../../lowering/texts/cut-texts.ts";
import {
  booleanOfText,
  checkedPrecision,
  floatOfText,
  matching,
  timeOfText,
  trimmed,
} from "../../lowering/texts/text-casts.ts";
import { binary, call, cast, inPlaceOf, integer, text, typed } from "../../syntax/build.ts";
import { digitsOfText } from "../../syntax/number-parts.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BINARY, COLLATED, DOUBLE, NUMERIC, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";

/** A double as Java writes it. */
export const JAVA_TEXT = "text by java";

export const sparkCasts = (): Casts =>
  castRules({
    text: {
      null: plain,
      opaque: uncollated,
      "text integer boolean date uuid decimal float timestamp": (node) => cutText(textOf(node.operand, node), node),
    },
    integer: {
      "null boolean integer text": plain,
      decimal: (node) =>
        plain({ ...node, operand: call("round", [node.operand, integer(0, node)], typed(NUMERIC, node)) }),
      float: (node) => plain({ ...node, operand: call("rint", [node.operand], typed(DOUBLE, node)) }),
    },
    decimal: { null: plain, "integer decimal float": toDecimal, text: decimalOfText },
    float: { "null integer decimal float": plain, text: floatOfText },
    boolean: { "null boolean integer": plain, text: booleanOfText },
    date: { "null date": plain, timestamp: toMoment, text: timeOfText("date") },
    timestamp: { null: plain, "date timestamp": toMoment, text: timeOfText("timestamp") },
    time: {},
    json: { null: plain, opaque: uncollated, json: ({ operand }) => operand, text: jsonOfText },
    uuid: { null: plain, opaque: uncollated, uuid: ({ operand }) => operand, text: uuidOfText },
    binary: { "null binary": plain, text: bytesOfText },
    interval: {},
    array: { "null array": toArray, opaque: uncollated },
    row: {},
    opaque: {},
  });

/** A column of texts: STRING is in the order of bytes, and a name with a collation is another type. */
function uncollated(node: Cast): Expression {
  if (typeOrUnknown(node.operand) === COLLATED) return plain(node);
  throw unsupported(`a cast from opaque to ${typeOrUnknown(node).kind}`, node.span);
}

function checkedShape({ type, span }: Cast): void {
  if (type?.kind !== "decimal" || type.precision === undefined) return;
  const { precision, scale = 0 } = type;
  if (precision <= MAX_PRECISION && scale >= 0 && scale <= precision) return;
  const hint = `At most ${MAX_PRECISION} digits, some of them after the point.`;
  throw unsupported(`numeric(${precision}, ${scale})`, span, hint);
}

const DIGITS_OF_REAL = digitsOfReal("format_string");

/** A bare `numeric` keeps what it is given; of a double it stays one, and what needs its digits casts it again. */
function toDecimal(node: Cast): Expression {
  const { operand, type } = node;
  const from = typeOrUnknown(operand);
  checkedShape(node);
  if (isReal(from)) return toDecimal({ ...node, operand: asNearestDouble(DIGITS_OF_REAL, operand) });
  if (type?.kind === "decimal" && type.precision !== undefined) return plain(node);
  if (from.kind === "integer") return cast(operand, "numeric", inPlaceOf(node), [19, 0]);
  if (from.kind !== "float") return { ...operand, ...(type && { type }) };
  return cast(operand, "double precision", inPlaceOf(node));
}

/** Digits behind the point beyond those of the cast are rounded; beyond eighteen nobody would see them go. */
function decimalOfText(node: Cast): Expression {
  const { operand } = node;
  checkedShape(node);
  const scale = node.type?.kind === "decimal" && node.type.precision !== undefined ? undefined : LONG_DIGITS;
  const read = plain({ ...node, operand: trimmed(operand) });
  if (operand.kind === "string" && !node.safe) {
    const [whole, fraction] = writtenDigits(operand.value, node, scale);
    // With the digits that it has, the text of the number is its own.
    if (scale === undefined) return read;
    return cast(read.operand, "numeric", inPlaceOf(node), [Math.max(whole + fraction, 1), fraction]);
  }
  const pattern = `\\A\\s*[-+]?([0-9]+[.]?[0-9]${scale === undefined ? "*" : `{0,${scale}}`}|[.][0-9]+)\\s*\\z`;
  return matching(node, pattern, read);
}

/** How many digits a written decimal has in front of the point and behind it. */
function writtenDigits(written: string, { span }: Cast, scale: number | undefined): readonly [number, number] {
  const { whole = "", fraction = "" } = digitsOfText(written) ?? {};
  const isLong = scale !== undefined && fraction.length > scale;
  if (whole + fraction !== "" && !isLong && whole.length + fraction.length <= MAX_PRECISION)
    return [whole.length, fraction.length];
  throw unsupported(`'${written.slice(0, 40)}' as a decimal`, span, "Write digits, and not too many.");
}

/** PostgreSQL's text of a value, also for functions that take any. */
export function textOf(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  const type = typeOrUnknown(value);
  switch (type.kind) {
    case "text":
      return value;
    case "uuid":
    case "null":
    case "integer":
    case "date":
    case "boolean":
      return cast(value, "text", place);
    case "decimal":
      if (isInexactDecimal(value) || isReadFromText(value) || scaleOf(value) === undefined) {
        throw noText("a quotient, an average or decimals of several scales", at);
      }
      return cast(value, "text", place);
    case "float":
      if (!isDouble(value)) throw unsupported("the text of a real", at.span, "Cast it to double precision first.");
      return javaDoubleText(value, call(JAVA_TEXT, [value], place), "Spark");
    case "timestamp": {
      const shown = cast(cast(value, "timestamp", typed(type, at)), "text", place);
      return type.zoned ? binary(shown, "||", text("+00", at), place) : shown;
    }
    default:
      throw noText(`a value of type ${type.kind}`, at);
  }
}

function noText(what: string, at: Expression) {
  return unsupported(`the text of ${what}`, at.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
}

/** PostgreSQL's hex form, or the text's own bytes. */
function bytesOfText(node: Cast): Expression {
  const { operand, span, type } = node;
  if (operand.kind !== "string") throw unsupported("the bytes of a computed text", span, "Use decode(x, 'hex').");
  const { value } = operand;
  if (/^\\x(?:[0-9a-fA-F]{2})*$/.test(value))
    return { kind: "bits", base: 16, digits: value.slice(2), span, ...(type && { type }) };
  if (!value.includes("\\")) return cast(operand, "bytea", typed(BINARY, node));
  throw unsupported("escapes in bytes", span, "Write the bytes in hexadecimal: '\\x…'.");
}

/** There is no type of them: they are texts in small letters. */
function uuidOfText(node: Cast): Expression {
  const { operand } = node;
  const pattern = "\\A[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\z";
  return matching(node, pattern, plain({ ...node, operand: call("lower", [operand], typed(TEXT, node)) }));
}

function toMoment(node: Cast): Expression {
  checkedPrecision(node);
  const [from, to] = [typeOrUnknown(node.operand), typeOrUnknown(node)];
  if (from.kind === "timestamp" && to.kind === "timestamp" && from.zoned === to.zoned) return node.operand;
  return plain(node);
}

/** A text of json is kept as it is; whether one that is computed is json at all nobody would say. */
function jsonOfText(node: Cast): Expression {
  const { operand, type } = node;
  if (operand.kind !== "string") throw unsupported("json that is computed", node.span, "Use a column of type json.");
  if (type?.kind === "json" && type.binary) throw unsupported("jsonb", node.span, "Use json.");
  try {
    JSON.parse(operand.value);
  } catch {
    throw unsupported("a text that is no json", node.span);
  }
  return plain(node);
}

function toArray(node: Cast): Expression {
  const [from, to] = [typeOrUnknown(node.operand), typeOrUnknown(node)];
  if (from.kind === "null") return plain(node);
  const [own, wanted] = [innermost(from), innermost(to)];
  const isPlain =
    own.kind === "null" || own.kind === wanted.kind || (own.kind === "integer" && wanted.kind === "decimal");
  if (!isPlain || ["float", "timestamp", "time", "json"].includes(wanted.kind)) {
    throw unsupported(`a cast from ${own.kind} to ${wanted.kind} of each element`, node.span);
  }
  return plain(node);
}

const innermost = (type: SqlType): SqlType => (type.kind === "array" ? innermost(type.element) : type);
