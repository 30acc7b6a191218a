/**
 * Casts. Snowflake's raise where a value does not fit; where they read more texts than PostgreSQL, a pattern is tested first, and
 * dates are read and shown by formats that are written, for those of a session may be others.
 * https://docs.snowflake.com/en/sql-reference/data-type-conversion
 */

import { unsupported } from "../../diagnostics.ts";
import { sameArray } from "../../lowering/arrays/array-values.ts";
import { type Casts, castRules } from "../../lowering/casts.ts";
import { literalJson } from "../../lowering/json/json-members.ts";
import { halfToEven } from "../../lowering/numbers/half-to-even.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/numbers/inexact.ts";
import { asLong, LONG_DIGITS, MAX_PRECISION } from "../../lowering/numbers/long-decimals.ts";
import { plain } from "../../lowering/numbers/named-casts.ts";
import { isReal } from "../../lowering/numbers/reals.ts";
import { type RealsByRounding, realsByRounding } from "../../lowering/numbers/rounded-reals.ts";
import { scaleOf } from "../../lowering/numbers/scales.ts";
import { sureDigits } from "../../lowering/numbers/sure-digits.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { cutText } from "../../lowering/texts/cut-texts.ts";
import { booleanOfText, checkedPrecision, matching, timeOfText, trimmed } from "../../lowering/texts/text-casts.ts";
import { isZoned } from "../../lowering/times/instants.ts";
import { binary, call, cast, comparison, inPlaceOf, integer, text, typed, when } from "../../syntax/build.ts";
import { digitsOfText, isFloatText } from "../../syntax/number-parts.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, INTEGER, NUMERIC, TEXT, typeOrUnknown } from "../../types.ts";
import { BYTES } from "./bytes.ts";
import { asClock, asInstant, inUtc } from "./zones.ts";

export const snowflakeCasts = (): Casts =>
  castRules({
    text: {
      null: plain,
      "text integer boolean date decimal time timestamp": (node) => cutText(textOf(node.operand, node), node),
    },
    integer: {
      "null integer boolean": sure,
      text: integerOfText,
      decimal: (node) => sure({ ...node, operand: settled(node.operand) }),
      float: (node) => sure({ ...node, operand: halfToEven(node.operand) }),
    },
    decimal: { null: sure, "integer decimal float": toDecimal, text: decimalOfText },
    float: { "null integer decimal float": toDouble, text: realOfText },
    boolean: { "null boolean integer": sure, text: booleanOfText },
    date: {
      "null date": sure,
      timestamp: (node) => sure({ ...node, operand: inUtc(node.operand) }),
      text: read("date"),
    },
    timestamp: { null: sure, "date timestamp": toTimestamp, text: read("timestamp") },
    time: { "null time": sure, timestamp: timeOf, text: read("time") },
    json: {
      null: sure,
      json: ({ operand }) => operand,
      text: (node) => call("parse_json", [literalJson(node.operand, node)], inPlaceOf(node)),
    },
    uuid: UNSUPPORTED.uuids,
    binary: { "null binary": sure, text: bytesOfText },
    interval: {},
    array: { array: sameArray },
    row: {},
    opaque: {},
  });

/** TRY_CAST takes texts alone there, and what is no text here does not fail. */
const sure = (node: Cast): Cast =>
  plain({ ...node, safe: node.safe && typeOrUnknown(node.operand).kind === "text" }) as Cast;

/** A root or a logarithm is a double here. */
const settled = (operand: Expression): Expression => (isInexactDecimal(operand) ? asLong(operand) : operand);

// ------------------------------------------------------------------------------------------------------- numbers

/**
 * Whole numbers have 38 digits: what is too long for its type is none to TRY_CAST, and computed with to CAST
 * (docs/spec/language.md).
 */
function integerOfText(node: Cast): Expression {
  const read = sure({ ...node, operand: trimmed(node.operand) });
  const type = typeOrUnknown(node);
  const isDigits = (value: Expression): Expression => matching(node, "\\A\\s*[-+]?[0-9]+\\s*\\z", value);
  if (!node.safe || type.kind !== "integer") return isDigits(read);
  const most = 2n ** BigInt(type.bits - 1);
  const digits = (size: bigint): Expression => ({ kind: "number", text: String(size), span: node.span, type: BIGINT });
  const least: Expression = { kind: "unary", operator: "-", operand: digits(most), span: node.span, type: BIGINT };
  const bounds = { negated: false, symmetric: false, operand: read, low: least, high: digits(most - 1n) };
  return isDigits(
    when({ kind: "between", ...bounds, span: node.span, type: BOOLEAN }, read, undefined, inPlaceOf(node)),
  );
}

function checkedShape({ type, span }: Cast): void {
  if (type?.kind !== "decimal" || type.precision === undefined) return;
  const { precision, scale = 0 } = type;
  if (precision <= MAX_PRECISION && scale >= 0 && scale <= precision && scale < MAX_PRECISION) return;
  throw unsupported(
    `numeric(${precision}, ${scale})`,
    span,
    `At most ${MAX_PRECISION} digits, some of them after the point.`,
  );
}

/** https://docs.snowflake.com/en/sql-reference/functions/round, https://docs.snowflake.com/en/sql-reference/functions/log */
const ofDouble = sureDigits("LOG(10, x)");

/** A bare `numeric` keeps what it is given. */
function toDecimal(node: Cast): Expression {
  const { operand, type } = node;
  checkedShape(node);
  if (typeOrUnknown(operand).kind === "float") {
    const digits = ofDouble(node);
    return type?.kind === "decimal" && type.precision !== undefined ? sure({ ...node, operand: digits }) : digits;
  }
  if (type?.kind === "decimal" && type.precision !== undefined) return sure(node);
  return { ...operand, ...(type && { type }) };
}

/** Digits behind the point beyond those of the cast are rounded, as PostgreSQL rounds them; without any they all stay. */
function decimalOfText(node: Cast): Expression {
  const { operand } = node;
  checkedShape(node);
  const shaped = node.type?.kind === "decimal" && node.type.precision !== undefined;
  if (operand.kind === "string" && !node.safe) {
    const { whole = "", fraction = "" } = digitsOfText(operand.value) ?? {};
    if (whole + fraction === "" || whole.length + fraction.length > MAX_PRECISION || fraction.length > LONG_DIGITS) {
      throw unsupported(`'${operand.value.slice(0, 40)}' as a decimal`, node.span, "Write digits, and not too many.");
    }
    const value = trimmed(operand);
    return shaped
      ? sure({ ...node, operand: value })
      : cast(value, "numeric", inPlaceOf(node), [MAX_PRECISION, fraction.length]);
  }
  const digits = shaped ? "*" : `{0,${LONG_DIGITS}}`;
  const pattern = `\\A\\s*[-+]?([0-9]+[.]?[0-9]${digits}|[.][0-9]+)\\s*\\z`;
  return matching(node, pattern, sure({ ...node, operand: trimmed(operand) }));
}

/** Floats have 64 bits under every name: https://docs.snowflake.com/en/sql-reference/data-types-numeric#label-data-type-float */
export const REALS: RealsByRounding = realsByRounding({
  double: (digits) => `TO_DOUBLE('${digits}')`,
  // NaN and infinity are greater than all numbers.
  isInfinite: "ABS($1) >= TO_DOUBLE('inf')",
  failure: "fail('A number is out of range', $1)",
});

/** A text as a real; a computed text would be repeated. */
function realOfText(node: Cast): Expression {
  if (!isReal(node.type)) return doubleOfText(node);
  const { operand } = node;
  const real =
    operand.kind === "string" && isFloatText(operand.value, 3) ? Math.fround(Number(operand.value)) : Number.NaN;
  if (Number.isFinite(real) && !node.safe)
    return cast(text(String(real), operand), "double precision", inPlaceOf(node));
  throw unsupported("a computed text as a real", node.span, "Cast it to double precision.");
}

const toDouble = (node: Cast): Expression => (isReal(node.type) ? REALS.asReal(node.operand) : sure(node));

/** Snowflake's words; NaN is equal to itself and greater than all numbers, as on PostgreSQL. */
const WORDS: Readonly<Record<string, string>> = {
  nan: "NaN",
  inf: "inf",
  infinity: "inf",
  "+infinity": "inf",
  "-infinity": "-inf",
  "-inf": "-inf",
};

/** https://docs.snowflake.com/en/sql-reference/data-types-numeric#special-values */
function doubleOfText(node: Cast): Expression {
  const { operand } = node;
  const pattern = "\\A\\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,3})?\\s*\\z";
  const value = toDouble({ ...node, operand: trimmed(operand) });
  if (operand.kind === "string") {
    const word = WORDS[operand.value.trim().toLowerCase()];
    if (word !== undefined) return toDouble({ ...node, operand: { ...operand, value: word } });
    if (isFloatText(operand.value, 3)) return value;
  }
  return matching(node, pattern, value);
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
    case "integer":
    case "boolean":
      return cast(value, "text", place);
    case "date":
      return shown(value, "YYYY-MM-DD", at);
    case "decimal": {
      const scale = scaleOf(value);
      if (isInexactDecimal(value) || isReadFromText(value) || scale === undefined || scale > LONG_DIGITS) {
        throw noText("a quotient, an average or decimals of several scales", at);
      }
      return cast(cast(value, "numeric", typed(NUMERIC, at), [MAX_PRECISION, scale]), "text", place);
    }
    case "timestamp": {
      const clock = withoutZeros(shown(inUtc(value), "YYYY-MM-DD HH24:MI:SS.FF6", at));
      return type.zoned ? binary(clock, "||", text("+00", at), place) : clock;
    }
    case "time":
      if (type.zoned) throw noText("a time of day with a zone", at);
      return withoutZeros(shown(value, "HH24:MI:SS.FF6", at));
    default:
      throw noText(`a value of type ${type.kind}`, at);
  }
}

/** https://docs.snowflake.com/en/sql-reference/date-time-input-output */
const shown = (value: Expression, format: string, at: Expression): Expression =>
  call("to_char", [value, text(format, at)], typed(TEXT, at));

function noText(what: string, at: Expression) {
  return unsupported(`the text of ${what}`, at.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
}

/** PostgreSQL shows six digits of a second without the zeros at the end. */
const withoutZeros = (clock: Expression): Expression =>
  call("regexp_replace", [clock, text("[.]?0+$", clock), text("", clock)], typed(TEXT, clock));

function bytesOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind !== "string") throw unsupported("the bytes of a computed text", node.span, "Use decode(x, 'hex').");
  const { value } = operand;
  const at = { span: node.span, ...(node.type && { type: node.type }) };
  if (/^\\x(?:[0-9a-fA-F]{2})*$/.test(value)) return { kind: "bits", base: 16, digits: value.slice(2), ...at };
  if (!value.includes("\\")) return spelled(BYTES, [operand], node);
  throw unsupported("escapes in bytes", node.span, "Write the bytes in hexadecimal: '\\x…'.");
}

// ------------------------------------------------------------------------------------------------- dates and times

function toTimestamp(node: Cast): Expression {
  checkedPrecision(node);
  const clock = asClock(node.operand);
  return isZoned(node) ? asInstant(node.operand) : clock;
}

function timeOf(node: Cast): Expression {
  checkedPrecision(node);
  if (node.type?.kind === "time" && node.type.zoned) throw unsupported("a time of day with a zone", node.span);
  return sure({ ...node, operand: asClock(node.operand) });
}

/** Which forms a cast reads depends on the session: a computed text is read by a format, and has to have all of it. */
function read(kind: "date" | "timestamp" | "time") {
  return (node: Cast): Expression => {
    if (node.operand.kind === "string" && !node.safe) return timeOfText(kind)(node);
    checkedPrecision(node);
    if (node.type?.kind === "time" && node.type.zoned) throw unsupported("a time of day with a zone", node.span);
    const { pattern, format, length, parsed } = READ[kind];
    const isShort = comparison(call("length", [node.operand], typed(INTEGER, node)), "=", integer(length, node), node);
    const rest = when(isShort, text(".0", node), text("", node), typed(TEXT, node));
    const whole = kind === "date" ? node.operand : binary(node.operand, "||", rest, typed(TEXT, node));
    const found = spelled(parsed, [whole, text(format, node)], node);
    const checked = matching(node, `\\A${pattern}\\z`, found);
    return isZoned(node) ? asInstant({ ...checked, type: { kind: "timestamp", zoned: false } }) : checked;
  };
}

/** `length`: without a fraction of a second, which the format asks for. */
const READ = {
  date: { pattern: "[0-9]{4}-[0-9]{2}-[0-9]{2}", format: "YYYY-MM-DD", length: 10, parsed: words("TO_DATE($1, $2)") },
  timestamp: {
    pattern: "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?",
    format: "YYYY-MM-DD HH24:MI:SS.FF",
    length: 19,
    parsed: words("TO_TIMESTAMP_NTZ($1, $2)"),
  },
  time: {
    pattern: "[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?",
    format: "HH24:MI:SS.FF",
    length: 8,
    parsed: words("TO_TIME($1, $2)"),
  },
} as const;
