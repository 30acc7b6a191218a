/**
 * Casts, in a session where one that fails is an error (`enable_strict_cast`). From a fraction to a whole number Doris cuts, so it is
 * rounded first. https://doris.apache.org/docs/dev/sql-manual/basic-element/sql-data-types/conversion/overview
 */

import { unsupported } from "../../../diagnostics.ts";
import { sameArray } from "../../../lowering/arrays/array-values.ts";
import { type Casts, castRules } from "../../../lowering/casts.ts";
import { castHalfToEven } from "../../../lowering/numbers/half-to-even.ts";
import { isInexactDecimal } from "../../../lowering/numbers/inexact.ts";
import { ofLiteralDigits, refuseLengths } from "../../../lowering/numbers/literal-digits.ts";
import { shownDigits } from "../../../lowering/numbers/shown-digits.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import { cutText } from "../../../lowering/texts/cut-texts.ts";
import { ofText, textCasts } from "../../../lowering/texts/texts-of-form.ts";
import { literalOfCast } from "../../../lowering/times/typed-literals.ts";
import { call, cast, inPlaceOf, integer, typed } from "../../../syntax/build.ts";
import type { Cast, Expression } from "../../../syntax/tree.ts";
import { TEXT, typeOrUnknown } from "../../../types.ts";
import { isMemberText } from "./json.ts";
import { asDecimal, MAX_PRECISION, ofSureDigits, scaleOf } from "./numbers.ts";
import { literalTime } from "./times.ts";

export const dorisCasts = (): Casts =>
  castRules({
    text: { null: plain, "*": toText },
    integer: {
      null: plain,
      "integer text": attempted,
      boolean: plain,
      decimal: roundedToInteger,
      float: ofWholeFloat,
    },
    decimal: {
      null: nullOfDecimal,
      "integer decimal float": toDecimal,
      text: ofText(
        (node) => toDecimal({ ...node, operand: TEXTS.decimal(node) }),
        ofLiteralDigits(MAX_PRECISION, "Write a number that fits."),
      ),
    },
    float: { null: plain, "integer decimal float": plain, text: ofText(TEXTS.float, ofLiteralNumber) },
    boolean: { null: plain, boolean: (node) => node.operand, text: ofMember(TEXTS.boolean) },
    date: { null: plain, "date timestamp": toTime, text: ofText(TEXTS.date, toTime) },
    timestamp: { null: plain, "date timestamp": toTime, text: ofText(TEXTS.timestamp, toTime) },
    time: {},
    uuid: {},
    binary: {},
    json: {},
    interval: {},
    array: { array: sameArray },
    row: {},
    opaque: {},
  });

/**
 * A text that does not match becomes empty, which no strict cast reads:
 * https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/string-functions/regexp-extract
 */
const TEXTS = textCasts({ ofForm: (pattern) => `REGEXP_EXTRACT($1, '(${pattern})', 1)`, marked: "CONCAT('!', $1)" });

/** Texts of booleans repeat them, so casts to and fro would grow without an end; a member and a literal hold none. */
const ofMember =
  (made: (node: Cast) => Expression) =>
  (node: Cast): Expression => {
    if (isMemberText(node.operand) || node.operand.kind === "string") return made(node);
    throw unsupported("a cast from text to boolean", node.span);
  };

const plain = (node: Cast): Expression => ({ ...node, safe: false });

/** A value out of range is an error on Doris too, or NULL for TRY_CAST; texts of numbers are read the same way. */
const attempted = (node: Cast): Expression => node;

function nullOfDecimal(node: Cast): Expression {
  const [precision] = node.typeName.parameters;
  return precision === undefined ? asDecimal(node.operand, [MAX_PRECISION, 0]) : plain(node);
}

function roundedToInteger(node: Cast): Expression {
  const { operand } = node;
  // EXTRACT stays unchanged: rows may be grouped by it.
  if (operand.kind === "cast" && typeOrUnknown(operand.operand).kind === "integer") return plain(node);
  return { ...node, operand: call("round", [operand, integer(0, node)], inPlaceOf(operand)) };
}

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/numeric-functions/truncate */
const roundedHalfToEven = castHalfToEven(
  (value) => `ROUND(${value})`,
  (value) => `TRUNCATE(${value}, 0)`,
);

function ofWholeFloat(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind === "call" && /^(floor|ceil)$/.test(operand.name[0]?.name ?? "")) return node;
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
  return { ...node, operand: value };
}

/** A text beyond a double is infinite there, and an error on PostgreSQL. */
function ofLiteralNumber(node: Cast): Expression {
  const { operand } = node;
  const isNumber = operand.kind === "string" && /^\s*[-+]?\d{1,300}(\.\d*)?\s*$/.test(operand.value);
  if (isNumber && !node.safe) return node;
  throw unsupported(
    "a text as a double",
    node.span,
    "Declare the column as a double, or cast it in the model's own SQL.",
  );
}

function toTime(node: Cast): Expression {
  const { operand } = node;
  const [from, to] = [typeOrUnknown(operand), typeOrUnknown(node)];
  const [precision] = node.typeName.parameters;
  if (precision !== undefined && precision < 6) throw unsupported(`a time of ${precision} digits`, node.span);
  if (from.kind === "text") return literalTime(literalOfCast(node));
  if (from.kind === to.kind) return { ...operand, ...(node.type && { type: node.type }) };
  return cast(operand, to.kind === "date" ? "date" : "timestamp", inPlaceOf(node));
}

// --------------------------------------------------------------------------------------------------------- texts

const toText = (node: Cast): Expression => cutText(textOf(node.operand, node), node);

const TEXT_OF_BOOLEAN = words("CASE $1 WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' END", { type: TEXT });

/** PostgreSQL's text of a value. https://doris.apache.org/docs/dev/sql-manual/basic-element/sql-data-types/conversion/cast-to-string */
export function textOf(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  switch (typeOrUnknown(value).kind) {
    case "text":
    case "null":
      return value;
    case "integer":
    case "date":
      return cast(value, "text", place);
    case "decimal":
      return textOfDecimal(value, at);
    case "boolean":
      return spelled(TEXT_OF_BOOLEAN, [value], place);
    default:
      throw noText(`a value of type ${typeOrUnknown(value).kind}`, at);
  }
}

/** A decimal has as many digits behind the point as its type. */
function textOfDecimal(value: Expression, at: Expression): Expression {
  if (hasScale(value)) return cast(value, "text", typed(TEXT, at));
  const digits = shownDigits(value);
  if (digits === undefined || digits > LONG_DIGITS) throw noText("a number that is computed", at);
  const isCast = value.kind === "cast" && value.typeName.parameters[1] === digits;
  return cast(isCast ? value : asDecimal(value, [SHOWN_DIGITS, digits]), "text", typed(TEXT, at));
}

/** Digits of such a decimal, and those behind its point at most. */
const [SHOWN_DIGITS, LONG_DIGITS] = [50, 18];

const hasScale = (value: Expression): boolean =>
  ((value.kind === "bound" && !isInexactDecimal(value)) || value.kind === "cast") &&
  value.type?.kind === "decimal" &&
  value.type.precision !== undefined;

function noText(what: string, at: Expression) {
  return unsupported(`the text of ${what}`, at.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
}
