/**
 * Casts. Texts have the greatest length there is, for a cast cuts off what is longer than its type says and TEXT is VARCHAR(256); what
 * a cast of a fraction does to it depends on a setting, so it is rounded first.
 * https://docs.aws.amazon.com/redshift/latest/dg/r_CAST_function.html
 */

import { unsupported } from "../../../diagnostics.ts";
import { sameArray } from "../../../lowering/arrays/array-values.ts";
import { type Casts, castRules } from "../../../lowering/casts.ts";
import { castHalfToEven } from "../../../lowering/numbers/half-to-even.ts";
import { isInexactDecimal } from "../../../lowering/numbers/inexact.ts";
import { ofLiteralDigits, refuseLengths } from "../../../lowering/numbers/literal-digits.ts";
import { shownDigits } from "../../../lowering/numbers/shown-digits.ts";
import { cutText } from "../../../lowering/texts/cut-texts.ts";
import { checkedPrecision } from "../../../lowering/texts/text-casts.ts";
import { ofText, textCasts } from "../../../lowering/texts/texts-of-form.ts";
import { literalOfCast } from "../../../lowering/times/typed-literals.ts";
import { call, cases, cast, inPlaceOf, integer, not, text, typed, when } from "../../../syntax/build.ts";
import type { Cast, Expression } from "../../../syntax/tree.ts";
import { INTEGER, TEXT, TIMESTAMP, typeOrUnknown } from "../../../types.ts";
import { asDecimal, MAX_PRECISION, ofSureDigits, scaleOf } from "./decimals.ts";
import { isMemberText } from "./json.ts";
import { asTimestamp, literalTime, timeInUtc, zoned } from "./times.ts";

export const redshiftCasts = (): Casts =>
  castRules({
    text: { null: plain, "*": toText },
    integer: {
      null: plain,
      integer: sure,
      boolean: (node) => cast(ofBoolean(node.operand, node), node.typeName.name, inPlaceOf(node)),
      decimal: roundedToInteger,
      float: ofWholeFloat,
      text: attempted,
    },
    decimal: {
      null: nullOfDecimal,
      "integer decimal float": toDecimal,
      text: ofText(
        (node) => toDecimal({ ...node, operand: TEXTS.decimal(node) }),
        ofLiteralDigits(MAX_PRECISION, "Write a number that fits."),
      ),
    },
    float: { null: plain, "integer decimal float": sure, text: attempted },
    boolean: { null: plain, boolean: (node) => node.operand, text: ofMember(TEXTS.boolean) },
    date: { null: plain, "date timestamp": toTime, text: ofText(TEXTS.date, toTime) },
    timestamp: { null: plain, "date timestamp": toTime, text: ofText(TEXTS.timestamp, toTime) },
    time: { null: plain, "time timestamp": toClock, text: toClock },
    uuid: {},
    binary: {},
    json: {},
    interval: {},
    array: { array: sameArray },
    row: {},
    opaque: {},
  });

/**
 * How Redshift rounds the digits of a text is not documented, so all of them are read. A text that does not match becomes empty, which no
 * cast reads: https://docs.aws.amazon.com/redshift/latest/dg/REGEXP_SUBSTR.html
 */
const TEXTS = textCasts({ ofForm: (pattern) => `REGEXP_SUBSTR($1, '${pattern}')`, marked: "'!' || $1" });

/** Texts of booleans repeat them, so casts to and fro would grow without an end; a member and a literal hold none. */
const ofMember =
  (made: (node: Cast) => Expression) =>
  (node: Cast): Expression => {
    if (isMemberText(node.operand) || node.operand.kind === "string") return made(node);
    throw unsupported("a cast from text to boolean", node.span);
  };

const plain = (node: Cast): Expression => ({ ...node, safe: false });

/** Casts that cannot fail, or fail as they would on Redshift. */
const sure = plain;

function attempted(node: Cast): Expression {
  if (!node.safe) return node;
  throw unsupported("TRY_CAST of a text", node.span, "Filter the values first, then write CAST.");
}

function nullOfDecimal(node: Cast): Expression {
  const [precision] = node.typeName.parameters;
  return precision === undefined ? asDecimal(node.operand, [MAX_PRECISION, 0]) : plain(node);
}

function ofBoolean(value: Expression, at: Expression): Expression {
  const [yes, no] = [integer(1, at), integer(0, at)];
  return cases(
    [
      { when: value, then: yes },
      { when: not(value), then: no },
    ],
    undefined,
    typed(INTEGER, at),
  );
}

function roundedToInteger(node: Cast): Expression {
  const { operand } = node;
  // EXTRACT stays unchanged: rows may be grouped by it.
  if (operand.kind === "cast" && typeOrUnknown(operand.operand).kind === "integer") return plain(node);
  return { ...node, safe: false, operand: call("round", [operand, integer(0, node)], inPlaceOf(operand)) };
}

/** https://docs.aws.amazon.com/redshift/latest/dg/r_TRUNC.html */
const roundedHalfToEven = castHalfToEven(
  (value) => `ROUND(${value})`,
  (value) => `TRUNC(${value})`,
);

function ofWholeFloat(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind === "call" && /^(floor|ceil)$/.test(operand.name[0]?.name ?? "")) return plain(node);
  return roundedHalfToEven(node);
}

function toDecimal(node: Cast): Expression {
  const operand = typeOrUnknown(node.operand).kind === "float" ? ofSureDigits(node.operand) : node.operand;
  const [from, to] = [typeOrUnknown(operand), typeOrUnknown(node)];
  const { precision, scale = 0 } = to.kind === "decimal" ? to : {};
  if (precision === undefined) {
    if (from.kind === "integer") return cast(operand, "numeric", inPlaceOf(node), [from.bits < 64 ? 10 : 19, 0]);
    return { ...operand, ...(node.type && { type: node.type }) };
  }
  refuseLengths(MAX_PRECISION, precision, scale, node);
  const known = scaleOf(operand);
  const isShort = known !== undefined && known <= scale && !isInexactDecimal(operand);
  const value = isShort ? operand : call("round", [operand, integer(scale, node)], inPlaceOf(operand));
  return { ...node, safe: false, operand: value };
}

function toTime(node: Cast): Expression {
  const { operand } = node;
  const [from, to] = [typeOrUnknown(operand), typeOrUnknown(node)];
  const [precision] = node.typeName.parameters;
  if (precision !== undefined && precision < 6) throw unsupported(`a time of ${precision} digits`, node.span);
  if (from.kind === "text") return literalTime(literalOfCast(node));
  if (to.kind === "date") return from.kind === "date" ? operand : cast(timeInUtc(operand), "date", inPlaceOf(node));
  const shown = asTimestamp(timeInUtc(operand));
  if (to.kind === "timestamp" && to.zoned) return zoned(shown, node);
  return from.kind === "timestamp" && !from.zoned ? operand : { ...shown, type: TIMESTAMP };
}

/** https://docs.aws.amazon.com/redshift/latest/dg/r_Datetime_types.html */
function toClock(node: Cast): Expression {
  const { operand } = node;
  checkedPrecision(node);
  const from = typeOrUnknown(operand);
  if (from.kind === "text") return literalTime(literalOfCast(node));
  if (from.kind === "time") return operand;
  return cast(timeInUtc(operand), "time", inPlaceOf(node));
}

// --------------------------------------------------------------------------------------------------------- texts

const toText = (node: Cast): Expression => cutText(textOf(node.operand, node), node);

/** PostgreSQL's text of a value. */
export function textOf(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  switch (typeOrUnknown(value).kind) {
    case "text":
    case "null":
      return value;
    case "integer":
      return cast(value, "text", place);
    case "date":
      return call("to_char", [asTimestamp(value), text("YYYY-MM-DD", at)], place);
    case "decimal":
      return textOfDecimal(value, at);
    case "boolean":
      return when(value, text("true", at), when(not(value), text("false", at), undefined, place), place);
    default:
      throw noText(`a value of type ${typeOrUnknown(value).kind}`, at);
  }
}

/** A decimal has as many digits behind the point as its type. */
function textOfDecimal(value: Expression, at: Expression): Expression {
  const digits = shownDigits(value);
  if (digits === undefined || digits > MAX_PRECISION) throw noText("a number that is computed", at);
  const isCast = value.kind === "cast" && value.typeName.parameters[1] === digits;
  const isDeclared = isCast || (value.kind === "bound" && hasScale(value));
  return cast(isDeclared ? value : asDecimal(value, [MAX_PRECISION, digits]), "text", typed(TEXT, at));
}

function hasScale({ type }: Expression): boolean {
  return type?.kind === "decimal" && type.precision !== undefined;
}

function noText(what: string, at: Expression) {
  return unsupported(`the text of ${what}`, at.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
}
