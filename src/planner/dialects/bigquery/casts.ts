/** Casts. GoogleSQL's raise where a value does not fit; where they read more texts than PostgreSQL, a pattern is tested first. */

import { unsupported } from "../../diagnostics.ts";
import { type Casts, castRules } from "../../lowering/casts.ts";
import { literalJson } from "../../lowering/json/json-members.ts";
import { halfToEven } from "../../lowering/numbers/half-to-even.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/numbers/inexact.ts";
import { asLong } from "../../lowering/numbers/long-decimals.ts";
import { plain } from "../../lowering/numbers/named-casts.ts";
import { isReal } from "../../lowering/numbers/reals.ts";
import { type RealsByRounding, realsByRounding } from "../../lowering/numbers/rounded-reals.ts";
import { scaleOf } from "../../lowering/numbers/scales.ts";
import { orRaise } from "../../lowering/raising.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { cutText } from "../../lowering/texts/cut-texts.ts";
import {
  booleanOfText,
  checkedPrecision,
  floatOfText,
  matching,
  timeOfText,
  trimmed,
} from "../../lowering/texts/text-casts.ts";
import { isZoned } from "../../lowering/times/instants.ts";
import { binary, call, cast, inPlaceOf, text, typed, when } from "../../syntax/build.ts";
import { isFloatText } from "../../syntax/number-parts.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, TEXT, typeOrUnknown } from "../../types.ts";
import { MOST_DIGITS, ofDouble } from "./decimals.ts";
import { asClock, asInstant, inUtc } from "./zones.ts";

export const bigqueryCasts = (): Casts =>
  castRules({
    text: {
      null: plain,
      "text integer boolean date uuid decimal time timestamp": (node) => cutText(textOf(node.operand, node), node),
    },
    integer: {
      null: plain,
      integer: ({ operand, ...node }) => fitting(plain({ ...node, operand })),
      boolean: plain,
      text: integerOfText,
      decimal: (node) => fitting(plain({ ...node, operand: settled(node.operand) })),
      float: (node) => fitting(plain({ ...node, operand: halfToEven(node.operand) })),
    },
    decimal: { null: plain, "integer decimal float": toDecimal, text: decimalOfText },
    float: { "null integer decimal float": toDouble, text: realOfText },
    boolean: { "null boolean integer": plain, text: booleanOfText },
    date: {
      "null date": plain,
      timestamp: (node) => plain({ ...node, operand: inUtc(node.operand) }),
      text: timeOfText("date"),
    },
    timestamp: { null: plain, "date timestamp": toTimestamp, text: timestampOfText },
    time: { "null time": plain, timestamp: timeOf, text: timeOfText("time") },
    json: { null: plain, json: ({ operand }) => operand, text: jsonOfText },
    uuid: UNSUPPORTED.uuids,
    binary: { "null binary": plain, text: bytesOfText },
    interval: {},
    array: {},
    row: {},
    opaque: {},
  });

/** A root or a logarithm is a double here. */
const settled = (operand: Expression): Expression => (isInexactDecimal(operand) ? asLong(operand) : operand);

/** Whole numbers have 64 bits; a cast to fewer raises where PostgreSQL's does. */
function fitting(node: Cast): Expression {
  const type = typeOrUnknown(node);
  const from = typeOrUnknown(node.operand);
  if (type.kind !== "integer" || type.bits === 64 || isPart(node.operand)) return node;
  if (from.kind === "integer" && from.bits <= type.bits) return node.operand;
  const most = 2n ** BigInt(type.bits - 1);
  const digits = (size: bigint): Expression => ({ kind: "number", text: String(size), span: node.span, type: BIGINT });
  const least: Expression = { kind: "unary", operator: "-", operand: digits(most), span: node.span, type: BIGINT };
  const isShort: Expression = {
    ...{ kind: "between", negated: false, symmetric: false, operand: node },
    low: least,
    high: digits(most - 1n),
    span: node.span,
    type: BOOLEAN,
  };
  if (node.safe) return when(isShort, node, undefined, inPlaceOf(node));
  return { ...orRaise(isShort, node, node, "A number is out of range"), type };
}

/** A field of a date is a short number. */
const isPart = (value: Expression): boolean =>
  value.kind === "call"
    ? value.name[0]?.name.startsWith("part: ") === true
    : value.kind === "cast" && isPart(value.operand);

/** Hexadecimal digits would be read, too. */
function integerOfText(node: Cast): Expression {
  const read = fitting(plain({ ...node, operand: trimmed(node.operand) }));
  if (node.operand.kind === "string" && /^\s*[-+]?\d{1,18}\s*$/.test(node.operand.value)) return read;
  return matching(node, "\\A\\s*[-+]?[0-9]+\\s*\\z", read);
}

/** FLOAT64 is the only float: https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#floating_point_types */
export const REALS: RealsByRounding = realsByRounding({
  double: (digits) => digits,
  isInfinite: "IS_INF($1)",
  failure: "fail('A number is out of range')",
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

/** NaN is before all numbers there, and behind them here. */
function doubleOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind === "string" && /^\s*nan\s*$/i.test(operand.value)) throw unsupported("NaN", node.span);
  const read = floatOfText(node);
  return operand.kind === "string" && read.kind === "cast"
    ? read
    : matching(node, "\\A[^nN]*([iI][nN][fF].*)?\\z", read);
}

const toDouble = (node: Cast): Expression => (isReal(node.type) ? REALS.asReal(node.operand) : plain(node));

function checkedShape({ type, span }: Cast): void {
  if (type?.kind !== "decimal" || type.precision === undefined) return;
  const { precision, scale = 0 } = type;
  if (scale >= 0 && scale <= MOST_DIGITS && precision <= scale + MOST_DIGITS && precision >= Math.max(1, scale)) return;
  const hint = `At most ${MOST_DIGITS} digits before the point and ${MOST_DIGITS} behind it.`;
  throw unsupported(`numeric(${precision}, ${scale})`, span, hint);
}

function toDecimal(node: Cast): Expression {
  const { operand, type } = node;
  checkedShape(node);
  const isShaped = type?.kind === "decimal" && type.precision !== undefined;
  const from = typeOrUnknown(operand);
  if (from.kind === "float") return plain({ ...node, operand: ofDouble(operand) });
  if (isShaped) return plain(node);
  return from.kind === "integer" ? asLong(operand) : { ...operand, ...(type && { type }) };
}

/** Digits beyond the 38th behind the point would be lost. */
function decimalOfText(node: Cast): Expression {
  checkedShape(node);
  const pattern = `\\A\\s*[-+]?([0-9]+[.]?[0-9]{0,${MOST_DIGITS}}|[.][0-9]{1,${MOST_DIGITS}})\\s*\\z`;
  const read = plain({ ...node, operand: trimmed(node.operand) });
  const { operand } = node;
  if (operand.kind === "string" && /^\s*[-+]?(\d{1,38}\.?\d{0,38}|\.\d{1,38})\s*$/.test(operand.value)) return read;
  return matching(node, pattern, read);
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
    case "decimal": {
      const scale = scaleOf(value);
      if (isInexactDecimal(value) || isReadFromText(value) || scale === undefined || scale > MOST_DIGITS) {
        throw noText("a quotient, an average or decimals of several scales", at);
      }
      return call("format text", [text(`%.${scale}f`, at), value], place);
    }
    case "timestamp": {
      const shown = withoutZeros(cast(inUtc(value), "text", place));
      return isZoned(value) ? binary(shown, "||", text("+00", at), place) : shown;
    }
    case "time":
      if (type.zoned) throw noText("a time of day with a zone", at);
      return withoutZeros(cast(value, "text", place));
    default:
      throw noText(`a value of type ${type.kind}`, at);
  }
}

function noText(what: string, at: Expression) {
  return unsupported(`the text of ${what}`, at.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
}

/** BigQuery shows three or six digits of a second; PostgreSQL shows no zeros at the end. */
function withoutZeros(shown: Expression): Expression {
  return call("regexp_replace", [shown, text("(\\.\\d*?)0+$", shown), text("\\1", shown)], typed(TEXT, shown));
}

function bytesOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind !== "string") throw unsupported("the bytes of a computed text", node.span, "Use decode(x, 'hex').");
  const { value } = operand;
  const at = { span: node.span, ...(node.type && { type: node.type }) };
  if (/^\\x(?:[0-9a-fA-F]{2})*$/.test(value)) return { kind: "bits", base: 16, digits: value.slice(2), ...at };
  if (!value.includes("\\")) return cast(operand, "bytea", inPlaceOf(node));
  throw unsupported("escapes in bytes", node.span, "Write the bytes in hexadecimal: '\\x…'.");
}

function toTimestamp(node: Cast): Expression {
  checkedPrecision(node);
  const to = typeOrUnknown(node);
  const isInstant = to.kind === "timestamp" && to.zoned;
  if (typeOrUnknown(node.operand).kind === "date") {
    const day = plain({ ...node, type: { kind: "timestamp", zoned: false } });
    return isInstant ? asInstant(day) : day;
  }
  return isInstant ? asInstant(node.operand) : inUtc(node.operand);
}

/** A text with a zone is refused: which ones there are depends on the engine. */
function timestampOfText(node: Cast): Expression {
  const isInstant = isZoned(node);
  const read = timeOfText("timestamp")(isInstant && node.operand.kind !== "string" ? local(node) : node);
  return isInstant && node.operand.kind !== "string" ? asInstant(read) : read;
}

const local = (node: Cast): Cast => ({ ...node, type: { kind: "timestamp", zoned: false } });

function timeOf(node: Cast): Expression {
  checkedPrecision(node);
  if (node.type?.kind === "time" && node.type.zoned) throw unsupported("a time of day with a zone", node.span);
  return plain({ ...node, operand: asClock(node.operand) });
}

const jsonOfText = (node: Cast): Expression => call("parse_json", [literalJson(node.operand, node)], inPlaceOf(node));
