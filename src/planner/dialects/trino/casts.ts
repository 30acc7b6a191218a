/** Casts. Trino's own raise where a value does not fit; where they read more texts than PostgreSQL, a pattern is tested first. */

import { unsupported } from "../../diagnostics.ts";
import { type Casts, castRules } from "../../lowering/casts.ts";
import { literalJson } from "../../lowering/json/json-members.ts";
import { halfToEven } from "../../lowering/numbers/half-to-even.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/numbers/inexact.ts";
import { isDouble, javaDoubleText } from "../../lowering/numbers/java-doubles.ts";
import { asNearestDouble, digitsOfReal, isReal } from "../../lowering/numbers/java-reals.ts";
import { asLong, LONG_DIGITS, MAX_PRECISION } from "../../lowering/numbers/long-decimals.ts";
import { plain } from "../../lowering/numbers/named-casts.ts";
import { scaleOf } from "../../lowering/numbers/scales.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
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
import { BIGINT, type SqlType, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { timeOfDay } from "./quirks/early-times.ts";
import { inUtc } from "./zones.ts";

export const trinoCasts = (): Casts =>
  castRules({
    text: {
      null: plain,
      "text integer boolean date uuid decimal float time timestamp": (node) =>
        cutText(textOf(node.operand, node), node),
    },
    integer: {
      "null boolean integer text": plain,
      decimal: (node) => plain({ ...node, operand: settled(node.operand) }),
      float: (node) => plain({ ...node, operand: halfToEven(node.operand) }),
    },
    decimal: { null: plain, "integer decimal float": toDecimal, text: decimalOfText },
    float: { "null integer decimal": plain, float: plain, text: floatOfText },
    boolean: { "null boolean integer": plain, text: booleanOfText },
    date: { "null date": plain, timestamp: localOf, text: timeOfText("date") },
    timestamp: { null: plain, "date timestamp": toTimestamp, text: timeOfText("timestamp") },
    time: { "null time": plain, timestamp: (node) => timeOfDay(localOf(node)), text: timeOfText("time") },
    json: { null: plain, json: ({ operand }) => operand, text: jsonOfText },
    uuid: { "null uuid text": plain },
    binary: { "null binary": plain, text: bytesOfText },
    interval: {},
    array: { "null array": toArray },
    row: {},
    opaque: {},
  });

// ------------------------------------------------------------------------------------------------------- numbers

/** A root or a logarithm is a double here. */
function settled(operand: Expression): Expression {
  return isInexactDecimal(operand) ? asLong(operand) : operand;
}

function checkedShape({ type, span }: Cast): void {
  if (type?.kind !== "decimal" || type.precision === undefined) return;
  const { precision, scale = 0 } = type;
  if (precision <= MAX_PRECISION && scale >= 0 && scale <= precision) return;
  throw unsupported(
    `numeric(${precision}, ${scale})`,
    span,
    `At most ${MAX_PRECISION} digits, some of them after the point.`,
  );
}

const DIGITS_OF_REAL = digitsOfReal("format");

/** A bare `numeric` keeps the type of its operand; a double stays a double, and a rewrite that needs digits casts it. */
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
  const pattern = `\\A\\s*[-+]?([0-9]+[.]?[0-9]${scale === undefined ? "*" : `{0,${scale}}`}|[.][0-9]+)\\s*\\z`;
  if (operand.kind === "string" && !node.safe) {
    const { whole = "", fraction = "" } = digitsOfText(operand.value) ?? {};
    const isLong = scale !== undefined && fraction.length > scale;
    if (isLong || whole + fraction === "") {
      throw unsupported(`'${operand.value.slice(0, 40)}' as a decimal`, node.span, "Write digits, and not too many.");
    }
    // With the digits that it has, the text of the number is its own.
    if (scale === undefined) return read;
    return cast(read.operand, "numeric", inPlaceOf(node), [
      Math.max(whole.length + fraction.length, 1),
      fraction.length,
    ]);
  }
  return matching(node, pattern, read);
}

// --------------------------------------------------------------------------------------------------------- texts

/** PostgreSQL's text of a value, also for functions that take any. */
export function textOf(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  const type = typeOrUnknown(value);
  switch (type.kind) {
    case "text":
      return value;
    case "null":
    case "uuid":
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
      return javaDoubleText(value, call("format", [text("%s", at), value], place), "Trino");
    case "timestamp": {
      const shown = withoutZeros(cast(cast(inUtc(value), "timestamp", typed(TIMESTAMP, at)), "text", place));
      return type.zoned ? binary(shown, "||", text("+00", at), place) : shown;
    }
    case "time":
      if (type.zoned) throw noText("a time of day with a zone", at);
      return withoutZeros(cast(cast(value, "time", typed(type, at)), "text", place));
    default:
      throw noText(`a value of type ${type.kind}`, at);
  }
}

function noText(what: string, at: Expression) {
  return unsupported(`the text of ${what}`, at.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
}

/** PostgreSQL shows six digits of a second without the zeros at the end. */
function withoutZeros(shown: Expression): Expression {
  return call("regexp_replace", [shown, text("[.]?0+$", shown), text("", shown)], typed(TEXT, shown));
}

/** PostgreSQL's hex form, or the text's own bytes. */
function bytesOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind !== "string") throw unsupported("the bytes of a computed text", node.span, "Use decode(x, 'hex').");
  const { value } = operand;
  if (/^\\x(?:[0-9a-fA-F]{2})*$/.test(value))
    return { kind: "bits", base: 16, digits: value.slice(2), ...inPlace(node) };
  if (!value.includes("\\")) return call("to_utf8", [operand], inPlaceOf(node));
  throw unsupported("escapes in bytes", node.span, "Write the bytes in hexadecimal: '\\x…'.");
}

const inPlace = ({ span, type }: Cast) => ({ span, ...(type && { type }) });

// ------------------------------------------------------------------------------------------------ dates and others

/** An instant has a zone of its own here, and the hands of a clock are those in UTC. */
function localOf(node: Cast): Expression {
  checkedPrecision(node);
  if (node.type?.kind === "time" && node.type.zoned) throw unsupported("a time of day with a zone", node.span);
  return plain({ ...node, operand: inUtc(node.operand) });
}

function toTimestamp(node: Cast): Expression {
  checkedPrecision(node);
  const [from, to] = [typeOrUnknown(node.operand), typeOrUnknown(node)];
  if (from.kind === "timestamp" && to.kind === "timestamp" && from.zoned === to.zoned) return node.operand;
  return plain({ ...node, operand: inUtc(node.operand) });
}

const jsonOfText = (node: Cast): Expression => call("json_parse", [literalJson(node.operand, node)], inPlaceOf(node));

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

const MICROSECONDS = sql("CAST(substr(CAST($1 AS text), -6) AS bigint)", { type: BIGINT });

/** The fraction of a second in microseconds. */
export function microsecondsOf(value: Expression): Expression {
  const type = typeOrUnknown(value);
  if (type.kind === "date") return integer(0, value);
  return spelled(MICROSECONDS, [cast(value, type.kind === "time" ? "time" : "timestamp", typed(type, value))], value);
}
