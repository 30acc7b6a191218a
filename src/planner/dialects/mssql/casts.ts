/**
 * Casts. SQL Server's own fail where PostgreSQL's do, but for texts without a digit, some of which are 0 or the first day of 1900,
 * for dates in the form of the session, and for fractions, which it cuts off.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/cast-and-convert-transact-sql
 */

import { unsupported } from "../../diagnostics.ts";
import { sameArray } from "../../lowering/arrays/document-arrays.ts";
import { type Casts, castRules } from "../../lowering/casts.ts";
import { castHalfToEven } from "../../lowering/numbers/half-to-even.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { shownDigits } from "../../lowering/numbers/shown-digits.ts";
import { isShortOperand } from "../../lowering/short-operands.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { cutText } from "../../lowering/texts/cut-texts.ts";
import { uuidLiteral } from "../../lowering/uuids.ts";
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
import type { Cast, Expression, Template } from "../../syntax/tree.ts";
import { BOOLEAN, DOUBLE, NUMERIC, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { MAX_PRECISION } from "./decimals.ts";
import { CODE_POINTS } from "./exact-text.ts";
import { ISO_DAY } from "./templates.ts";
import { timeInUtc, zoned } from "./times.ts";

export const mssqlCasts = (): Casts =>
  castRules({
    text: { null: plain, "*": toText },
    integer: {
      null: plain,
      "integer boolean": "same",
      decimal: roundedToInteger,
      float: ofWholeFloat,
      text: ofDigits,
    },
    decimal: { null: nullOfDecimal, "integer decimal float text": toDecimal },
    float: { null: plain, "integer decimal float": "same", text: ofDigits },
    boolean: { null: plain, boolean: (node) => node.operand, text: booleanOfText },
    date: { null: plain, "text date timestamp": toTime },
    timestamp: { null: ofAnyPrecision, "text date timestamp": toTime },
    uuid: {
      null: untyped,
      uuid: (node) => node.operand,
      text: (node) => plain({ ...node, operand: uuidLiteral(node) }),
    },
    time: { null: ofAnyPrecision, "text timestamp": toTimeOfDay, time: (node) => node.operand },
    binary: { null: untyped },
    json: { null: untyped },
    interval: { null: untyped },
    array: { null: untyped, array: sameArray },
    row: { null: untyped },
    opaque: { null: untyped },
  });

const plain = (node: Cast): Expression => ({ ...node, safe: false });

/** The words that PostgreSQL reads, whatever their case. Another text is put into one that is no number, whose cast raises. */
const booleanTemplate = (isSafe: boolean): Template => {
  const among = (names: string): string =>
    `LOWER(TRIM($1)) COLLATE ${CODE_POINTS} IN (${names
      .split(" ")
      .map((each) => `'${each}'`)
      .join(", ")})`;
  const other = isSafe ? "" : " WHEN $1 IS NOT NULL THEN CAST(CAST(LEFT('no boolean' + $1, 10) AS INT) AS BIT)";
  return words(
    `CASE WHEN ${among("t tr tru true y ye yes on 1")} THEN CAST(1 AS BIT) WHEN ${among("f fa fal fals false n no of off 0")} THEN CAST(0 AS BIT)${other} END`,
    { type: BOOLEAN },
  );
};

function booleanOfText(node: Cast): Expression {
  if (isShortOperand(node.operand)) return spelled(booleanTemplate(node.safe), [node.operand], typed(BOOLEAN, node));
  throw unsupported("a cast from a long expression to boolean", node.span, "Compute it in a subquery first.");
}

const ofAnyPrecision = (node: Cast): Expression => cast(node.operand, node.typeName.name, inPlaceOf(node));

/** There is no type for it. */
const untyped = (node: Cast): Expression => ({ kind: "null", span: node.span, type: typeOrUnknown(node) });

const nullOfDecimal = (node: Cast): Expression => (node.typeName.parameters.length > 0 ? plain(node) : untyped(node));

/** `+` and the empty text would be 0. */
function ofDigits(node: Cast): Cast {
  if (node.operand.kind === "string" && !/\d/.test(node.operand.value) && !node.safe) {
    throw unsupported(`'${node.operand.value.slice(0, 40)}' as a number`, node.span, "There is no infinite one.");
  }
  return { ...node, operand: shaped(node.operand, "%[0-9]%", node.safe) };
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

/** A fraction would be cut off; what was whole before still is. */
function roundedToInteger(node: Cast): Expression {
  const { operand } = node;
  // EXTRACT stays unchanged: rows may be grouped by it.
  if (operand.kind === "cast" && typeOrUnknown(operand.operand).kind === "integer") return node;
  return { ...node, operand: call("round", [operand, integer(0, node)], inPlaceOf(operand)) };
}

/** https://learn.microsoft.com/en-us/sql/t-sql/functions/round-transact-sql */
const roundedHalfToEven = castHalfToEven(
  (value) => `ROUND(${value}, 0)`,
  (value) => `ROUND(${value}, 0, 1)`,
);

/** A fraction would be cut off. */
function ofWholeFloat(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind === "call" && /^(round|floor|ceiling)$/.test(operand.name[0]?.name ?? "")) return node;
  return roundedHalfToEven(node);
}

function toDecimal(node: Cast): Expression {
  const [from, to] = [typeOrUnknown(node.operand), typeOrUnknown(node)];
  const { precision, scale = 0 } = to.kind === "decimal" ? to : {};
  if (precision === undefined) {
    if (from.kind === "integer") return cast(node.operand, "numeric", inPlaceOf(node), [from.bits < 64 ? 10 : 19, 0]);
    if (from.kind === "decimal") return { ...node.operand, ...(node.type && { type: node.type }) };
    if (from.kind === "float") return ofSureDigits(node.operand);
    const hint = "Write CAST(… AS numeric(18, 6)).";
    throw unsupported(`a ${from.kind} as a number of any length`, node.span, hint);
  }
  if (precision > MAX_PRECISION || scale < 0 || scale > precision) {
    throw unsupported(`numeric(${precision}, ${scale})`, node.span, `At most ${MAX_PRECISION} digits.`);
  }
  if (from.kind === "float") return { ...node, operand: ofSureDigits(node.operand) };
  return from.kind === "text" ? ofDigits(node) : node;
}

/**
 * PostgreSQL takes the digits of a double that are sure, fifteen, or six of a real; so does a format of .NET, where the cast itself
 * takes seventeen. https://learn.microsoft.com/en-us/dotnet/api/system.double.tostring
 */
function ofSureDigits(operand: Expression): Expression {
  const type = typeOrUnknown(operand);
  const digits = (value: Expression, format: string): Expression =>
    call("format", [value, text(format, operand), text("en-US", operand)], typed(TEXT, operand));
  const isReal = type.kind === "float" && type.bits === 32;
  const double = isReal ? cast(digits(operand, "0.#####E+0"), "double precision", typed(DOUBLE, operand)) : operand;
  return cast(digits(double, `0.${"#".repeat(ANY_DECIMAL[1])}`), "numeric", typed(NUMERIC, operand), ANY_DECIMAL);
}

/** Room on both sides of the point. */
const ANY_DECIMAL = [MAX_PRECISION, 18] as const;

function toTimeOfDay(node: Cast): Expression {
  const { operand, safe } = node;
  const isText = typeOrUnknown(operand).kind === "text";
  return { ...node, operand: isText ? shaped(operand, "[0-2][0-9]:[0-5][0-9]%", safe) : timeInUtc(operand) };
}

function toTime(node: Cast): Expression {
  const { operand } = node;
  const [from, to] = [typeOrUnknown(operand), typeOrUnknown(node)];
  const [precision] = node.typeName.parameters;
  if (precision !== undefined && precision < 6) throw unsupported(`a time of ${precision} digits`, node.span);
  if (from.kind === "text") {
    if (to.kind === "timestamp" && to.zoned) throw unsupported("an instant in a text", node.span);
    const name = to.kind === "date" ? node.typeName : typeName("timestamp", node);
    const operandOfShape = shaped(operand, "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]%", node.safe);
    return { ...node, typeName: name, operand: operandOfShape };
  }
  if (to.kind === "date") return from.kind === "date" ? operand : { ...node, operand: timeInUtc(operand) };
  const plain = from.kind === "date" ? cast(operand, "timestamp", typed(TIMESTAMP, node)) : timeInUtc(operand);
  return to.kind === "timestamp" && to.zoned ? zoned(plain, node) : plain;
}

// --------------------------------------------------------------------------------------------------------- texts

/** A text of any length: others are cut at 8000 bytes where they grow. */
export function wide(value: Expression): Expression {
  const isWide = value.kind === "binary" && value.operator === "||";
  return isWide || value.kind === "cast" ? value : cast(value, "text", typed(TEXT, value));
}

const toText = (node: Cast): Expression => cutText(textOf(node.operand, node), node);

function textOfRounded(value: Expression, at: Expression): Expression {
  const digits = shownDigits(value);
  if (digits === undefined || digits > ANY_DECIMAL[1]) throw noText("a number that is computed", at);
  return cast(cast(value, "numeric", typed(NUMERIC, value), [MAX_PRECISION, digits]), "text", typed(TEXT, at));
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
      return spelled(ISO_DAY, [value], place);
    case "decimal":
      // The digits of others are not PostgreSQL's: 12.30 rounded to 12.300000.
      if (value.kind === "bound" && !isInexactDecimal(value) && hasScale(value)) return cast(value, "text", place);
      if (value.kind === "cast" && hasScale(value)) return cast(value, "text", place);
      return textOfRounded(value, at);
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
