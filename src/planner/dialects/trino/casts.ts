/** Casts. Trino's own raise where a value does not fit; where they read more texts than PostgreSQL, a pattern is tested first. */

import { parseDateTime, parseTimeOfDay } from "../../datetimes.ts";
import { type Casts, castSayings } from "../../lowering/casts.ts";
import { cutText } from "../../lowering/cut-texts.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/inexact.ts";
import { unsupported } from "../../lowering/target.ts";
import { typedLiteral } from "../../lowering/typed-literals.ts";
import { binary, call, cast, decimal, inPlaceOf, integer, text, typed, when } from "../../syntax/build.ts";
import type { Cast, Expression, Span, TypeName } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, NUMERIC, type SqlType, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { asLong, halfToEven, LONG_DIGITS, LONG_NUMERIC, MAX_PRECISION } from "./decimals.ts";
import { orRaise } from "./raising.ts";
import { scaleOf } from "./scales.ts";
import { inUtc } from "./zones.ts";

export const trinoCasts = (): Casts =>
  castSayings({
    text: {
      null: plain,
      "text integer boolean date uuid decimal time timestamp": (node) => cutText(textOf(node.operand, node), node),
    },
    integer: {
      "null boolean integer text": plain,
      decimal: (node) => plain({ ...node, operand: settled(node.operand) }),
      float: (node) => plain({ ...node, operand: halfToEven(node.operand) }),
    },
    decimal: { null: plain, "integer decimal float": toDecimal, text: decimalOfText },
    float: { "null integer decimal": plain, float: plain, text: floatOfText },
    boolean: { "null boolean integer": plain, text: booleanOfText },
    date: { "null date": plain, timestamp: localOf, text: ofMoment("date") },
    timestamp: { null: plain, "date timestamp": toTimestamp, text: ofMoment("timestamp") },
    time: { "null time": plain, timestamp: localOf, text: ofMoment("time") },
    json: { null: plain, json: ({ operand }) => operand, text: jsonOfText },
    uuid: { "null uuid text": plain },
    binary: { "null binary": plain, text: bytesOfText },
    interval: {},
    array: { "null array": toArray },
    row: {},
    opaque: {},
  });

/** The cast as it is, of the name that the type has here; a text of any length, and times of six digits. */
function plain(node: Cast): Cast {
  const type = typeOrUnknown(node);
  return { ...node, typeName: { ...nameOf(type, node.typeName), span: node.typeName.span } };
}

function nameOf(type: SqlType, { span }: TypeName): TypeName {
  const named = (name: string, parameters: readonly number[] = []): TypeName => ({
    name,
    parameters,
    dimensions: 0,
    members: [],
    span,
  });
  switch (type.kind) {
    case "integer":
      return named(type.bits === 64 ? "bigint" : type.bits === 32 ? "integer" : "smallint");
    case "float":
      return named(type.bits === 32 ? "real" : "double precision");
    case "decimal":
      return type.precision === undefined ? named(LONG_NUMERIC) : named("numeric", [type.precision, type.scale ?? 0]);
    case "timestamp":
      return named(type.zoned ? "timestamp with time zone" : "timestamp");
    case "time":
      return named(type.zoned ? "time with time zone" : "time");
    case "binary":
      return named("bytea");
    case "array":
      return { ...nameOf(type.element, named("")), dimensions: dimensionsOf(type) };
    case "boolean":
    case "date":
    case "uuid":
    case "json":
      return named(type.kind);
    default:
      return named("text");
  }
}

/** Without elements, or of NULLs alone, it would be of no type. */
export function arrayOf(type: SqlType, at: { readonly span: Span }, elements: readonly Expression[] = []): Expression {
  const operand: Expression = { kind: "array", elements, span: at.span, type };
  return plain(cast(operand, "", typed(type, at)));
}

const dimensionsOf = (type: SqlType): number => (type.kind === "array" ? 1 + dimensionsOf(type.element) : 0);

/** `then` where the text matches; else an error, or NULL for TRY_CAST. */
function matching(node: Cast, pattern: string, then: Expression): Expression {
  const { operand, safe } = node;
  const found = call("regexp_like", [operand, text(pattern, node)], typed(BOOLEAN, node));
  if (safe) return when(found, then, undefined, inPlaceOf(node));
  return orRaise(found, then, operand, "A text cannot be read as a value of another type");
}

const trimmed = (operand: Expression): Expression =>
  operand.kind === "string"
    ? { ...operand, value: operand.value.trim() }
    : call("trim", [operand], typed(TEXT, operand));

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

/** A bare `numeric` keeps what it is given; of a double it stays one, and what needs its digits casts it again. */
function toDecimal(node: Cast): Expression {
  const { operand, type } = node;
  const from = typeOrUnknown(operand);
  checkedShape(node);
  if (type?.kind === "decimal" && type.precision !== undefined) return plain(node);
  if (from.kind === "integer") return cast(operand, "numeric", inPlaceOf(node), [19, 0]);
  if (from.kind !== "float") return { ...operand, ...(type && { type }) };
  // A real is the number that its text says.
  const digits = from.bits === 32 ? cast(operand, "text", typed(TEXT, node)) : operand;
  return cast(digits, "double precision", inPlaceOf(node));
}

/** Digits behind the point beyond those of the cast are rounded; beyond eighteen nobody would see them go. */
function decimalOfText(node: Cast): Expression {
  const { operand } = node;
  checkedShape(node);
  const scale = node.type?.kind === "decimal" && node.type.precision !== undefined ? undefined : LONG_DIGITS;
  const read = plain({ ...node, operand: trimmed(operand) });
  const pattern = `\\A\\s*[-+]?([0-9]+[.]?[0-9]${scale === undefined ? "*" : `{0,${scale}}`}|[.][0-9]+)\\s*\\z`;
  if (operand.kind === "string" && !node.safe) {
    const digits = /^\s*[-+]?(\d*)\.?(\d*)\s*$/.exec(operand.value);
    const isLong = digits === null || (scale !== undefined && (digits[2] ?? "").length > scale);
    if (isLong || (digits[1] ?? "") + (digits[2] ?? "") === "") {
      throw unsupported(`'${operand.value.slice(0, 40)}' as a decimal`, node.span, "Write digits, and not too many.");
    }
    const [, whole = "", fraction = ""] = digits;
    // With the digits that it has, the text of the number is its own.
    if (scale === undefined) return read;
    return cast(read.operand, "numeric", inPlaceOf(node), [
      Math.max(whole.length + fraction.length, 1),
      fraction.length,
    ]);
  }
  return matching(node, pattern, read);
}

/** Java's numbers may have a letter at the end. */
const FLOAT = "\\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,4})?\\s*";
const WORDS: Readonly<Record<string, string>> = {
  nan: "NaN",
  inf: "Infinity",
  infinity: "Infinity",
  "+infinity": "Infinity",
  "-infinity": "-Infinity",
  "-inf": "-Infinity",
};

function floatOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind === "string") {
    const word = WORDS[operand.value.trim().toLowerCase()];
    if (word !== undefined) return plain({ ...node, operand: { ...operand, value: word } });
    if (new RegExp(`^${FLOAT}$`).test(operand.value)) return plain({ ...node, operand: trimmed(operand) });
  }
  return matching(node, `\\A(${FLOAT}|NaN|-?Infinity)\\z`, plain({ ...node, operand: trimmed(operand) }));
}

function booleanOfText(node: Cast): Expression {
  const { operand } = node;
  const word = call("lower", [trimmed(operand)], typed(TEXT, node));
  const among = (words: string): Expression => ({
    kind: "in-list",
    negated: false,
    operand: word,
    list: words.split(" ").map((each) => text(each, node)),
    span: node.span,
    type: BOOLEAN,
  });
  const yes = among("t tr tru true y ye yes on 1");
  const known = among("t tr tru true y ye yes on 1 f fa fal fals false n no of off 0");
  if (node.safe) return when(known, yes, undefined, inPlaceOf(node));
  return orRaise(known, yes, operand, "A text cannot be read as a value of another type");
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

/** Of six digits behind the point of a second PostgreSQL shows those that are not zeros at the end. */
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

function checkedPrecision({ typeName, span }: Cast): void {
  const [precision] = typeName.parameters;
  if (precision === undefined || precision >= 6) return;
  throw unsupported(`a precision of ${precision} digits`, span, "Use date_trunc('second', …).");
}

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

const READABLE = {
  date: "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}",
  timestamp: "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?",
  time: "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?",
} as const;

/** A text that is written out is read here and now, any other where both read the same. */
function ofMoment(kind: keyof typeof READABLE): (node: Cast) => Expression {
  return (node) => {
    const { operand, safe, span, type } = node;
    checkedPrecision(node);
    if (type?.kind === "time" && type.zoned) throw unsupported("a time of day with a zone", span);
    if (operand.kind !== "string" || safe) {
      const spaced = call("replace", [operand, text("T", node), text(" ", node)], typed(TEXT, node));
      const read = kind === "timestamp" ? { ...node, operand: spaced } : node;
      return matching(node, `\\A${READABLE[kind]}\\z`, plain(read));
    }
    const read = kind === "time" ? parseTimeOfDay(operand.value) : parseDateTime(operand.value);
    if (read === undefined) {
      throw unsupported(`'${operand.value.slice(0, 40)}' as a ${kind}`, span, "Write it as YYYY-MM-DD HH:MM:SS.");
    }
    return typedLiteral({ kind: "typed", typeName: node.typeName, value: operand.value, span, ...(type && { type }) });
  };
}

/** Keys are sorted and numbers are written anew, which a text that is asked for of a member would show. */
function jsonOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind !== "string") throw unsupported("json that is computed", node.span, "Use a column of type json.");
  try {
    JSON.parse(operand.value);
  } catch {
    throw unsupported("a text that is no json", node.span);
  }
  const numbers = operand.value.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/[-+.\deE]*\d[-+.\deE]*/g) ?? [];
  const strange = numbers.find(
    (each) => !/^-?\d{1,18}$/.test(each) && !/^-?(?=[\d.]{3,16}$)\d{1,7}\.\d*[1-9]$/.test(each),
  );
  if (strange !== undefined) throw unsupported(`the number ${strange.slice(0, 40)} in json`, node.span);
  return call("json_parse", [operand], inPlaceOf(node));
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

/** The digits of a fraction of a second, as a whole number of microseconds. */
export function microsecondsOf(value: Expression): Expression {
  const type = typeOrUnknown(value);
  if (type.kind === "date") return integer(0, value);
  const name = type.kind === "time" ? "time" : "timestamp";
  const shown = cast(cast(value, name, typed(type, value)), "text", typed(TEXT, value));
  return cast(call("substr", [shown, integer(-6, value)], typed(TEXT, value)), "bigint", typed(BIGINT, value));
}

/** A number of seconds with its fraction, of whole ones and microseconds. */
export function secondsAnd(whole: Expression, microseconds: Expression, at: Expression): Expression {
  const fraction = binary(
    cast(microseconds, "numeric", typed(NUMERIC, at), [19, 0]),
    "*",
    decimal("0.000001", at),
    typed(NUMERIC, at),
  );
  return binary(whole, "+", fraction, typed(NUMERIC, at));
}
