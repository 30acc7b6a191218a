/** Texts of values as PostgreSQL writes them. Measured on DuckDB 1.4.5 against PostgreSQL 18. */
import { isRandom } from "../../binding/volatility.ts";
import { unsupported } from "../../diagnostics.ts";
import { isInexactDecimal } from "../../lowering/inexact.ts";
import {
  all,
  binary,
  call,
  cases,
  cast,
  inPlaceOf,
  integer,
  isNull,
  not,
  text,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BOOLEAN, DOUBLE, INTEGER, REAL, type SqlType, TEXT } from "../../types.ts";
import { eachOf, pieceOf } from "./calls.ts";
import { mayBeHalfway, nearestText } from "./halfway-doubles.ts";

/**
 * Whole floats without a point, NaN and Infinity by name, an exponent from 1e15 on, for reals from 1e6; DuckDB writes one
 * from 1e16 on.
 */
export function floatText({
  operand,
  span,
}: {
  readonly operand: Expression;
  readonly span: Expression["span"];
}): Expression {
  const at = { span, type: TEXT };
  const isReal = operand.type?.kind === "float" && operand.type.bits === 32;
  const printed = isReal ? shortestOfReal(operand) : cast(operand, "text", at);
  const isLarge = (operator: ">=" | "<", limit: string): Expression =>
    binary(
      call("abs", [operand], { span, type: DOUBLE }),
      operator,
      { kind: "number", text: limit, span, type: DOUBLE },
      { span, type: BOOLEAN },
    );
  const large = all([isLarge(">=", isReal ? "1e6" : "1e15"), isLarge("<", "1e16")], { span });
  const plain = call("regexp_replace", [printed, text("\\.0$", at), text("", at)], at);
  // From 0 to 1, and drawn once: people write `md5(random()::text)`.
  if (isRandom(operand)) return plain;
  const named = (isReal ? [...NAMED, ...ODD_REALS] : [...NAMED, ...ODD_DOUBLES]).map(([value, written]) => ({
    when: cast(text(value, at), isReal ? "real" : "double precision", { span, type: isReal ? REAL : DOUBLE }),
    then: text(written, at),
  }));
  return {
    kind: "case",
    operand,
    branches: named,
    otherwise: cases(
      [
        ...(large === undefined ? [] : [{ when: large, then: withExponent(printed) }]),
        ...(isReal ? [] : [{ when: mayBeHalfway(operand), then: nearestText(operand) }]),
      ],
      plain,
      at,
    ),
    ...at,
  };
}

const NAMED = [
  ["nan", "NaN"],
  ["inf", "Infinity"],
  ["-inf", "-Infinity"],
] as const;

/** A value and its text, of either sign. */
const odd = (value: string): readonly (readonly [string, string])[] => [value, `-${value}`].map((each) => [each, each]);

/** Powers of two, whose neighbours above and below are not equally far. DuckDB's own texts of these are other numbers. */
const ODD_DOUBLES = [
  ...odd("2.4178516392292583e+24"),
  ...odd("2.4758800785707605e+27"),
  ...odd("8.535058474086213e+242"),
];
/** Reals with a text of eight digits that are not the nearest to it. */
const ODD_REALS = [...odd("1.2621775e-29"), ...odd("1.5474251e+26"), ...odd("1.2379401e+27")];

/** DuckDB's own text of one real in a thousand has a digit more than reads back as the same real. */
function shortestOfReal(operand: Expression): Expression {
  const at = { span: operand.span, type: TEXT };
  const wide = cast(operand, "double precision", { ...at, type: DOUBLE });
  const rounded = (digits: number): Expression => call("format", [text(`{:.${digits}g}`, at), wide], at);
  // A number on the border of two reals reads back as one of them, but is not taken for its text.
  const isWithin = (digits: number): Expression => {
    const place = { ...at, type: DOUBLE };
    const away = binary(cast(rounded(digits), "double precision", place), "-", wide, place);
    const further = binary(away, "*", { kind: "number", text: "1.000001e0", ...place }, place);
    const beyond = cast(binary(wide, "+", further, place), "real", { ...at, type: REAL });
    return binary(beyond, "=", operand, { ...at, type: BOOLEAN });
  };
  const [first, ...longer] = [6, 7, 8].map((digits) => ({ when: isWithin(digits), then: rounded(digits) }));
  // Close to zero, reals have fewer digits than six.
  const limit: Expression = { kind: "number", text: "1.1754944e-38", ...at, type: DOUBLE };
  const isTiny = binary(call("abs", [wide], { ...at, type: DOUBLE }), "<", limit, { ...at, type: BOOLEAN });
  const tiny = { when: isTiny, then: cast(operand, "text", at) };
  const shortest = cases(first === undefined ? [] : [tiny, first, ...longer], rounded(9), at);
  return cast(cast(shortest, "double precision", { ...at, type: DOUBLE }), "text", at);
}

/** `1234567.5` as `1.2345675e+06`. */
function withExponent(printed: Expression): Expression {
  const at = { span: printed.span, type: TEXT };
  const replaced = (value: Expression, pattern: string, by: string): Expression =>
    call("regexp_replace", [value, text(pattern, at), text(by, at)], at);
  const digits = replaced(replaced(printed, "^(-?\\d)(\\d+)\\.(\\d+)$", "\\1.\\2\\3e+"), "\\.?0*e", "e");
  const point = call("strpos", [call("ltrim", [printed, text("-", at)], at), text(".", at)], { ...at, type: INTEGER });
  const exponent = cast(binary(point, "-", integer(2, at), { ...at, type: INTEGER }), "text", at);
  return binary(digits, "||", call("lpad", [exponent, integer(2, at), text("0", at)], at), at);
}

/** PostgreSQL's concat prints booleans as t and f, unlike its cast. */
export function concatenated(value: Expression): Expression {
  if (value.type?.kind !== "boolean") return value;
  return cases(
    [
      { when: value, then: text("t", value) },
      { when: not(value), then: text("f", value) },
    ],
    undefined,
    { span: value.span, type: TEXT },
  );
}

/** `concat_ws`: what is joined, not the separator. */
export function joinedValues(node: Call): Call {
  const [separator, ...others] = values(node);
  return separator === undefined ? node : withArguments(node, [separator, ...others.map(concatenated)]);
}

/** `array_to_string`: an array without elements joins to an empty text, not to NULL. */
export function elementsJoined(node: Call): Expression {
  const [array, separator, forNull] = values(node);
  if (array === undefined || separator === undefined) return node;
  const texts = elementTexts(array, forNull, node);
  const present = all([isNull(array, true), isNull(separator, true)], node);
  const joined = call(
    "coalesce",
    [call("array_to_string", [texts, separator], inPlaceOf(node)), text("", node)],
    inPlaceOf(node),
  );
  return present === undefined ? joined : when(present, joined, undefined, inPlaceOf(node));
}

function elementTexts(array: Expression, forNull: Expression | undefined, node: Call): Expression {
  if (someExpression(array, isInexactDecimal)) {
    throw unsupported("the text of a quotient or average of decimals", array.span, "Round it first: round(x, 2).");
  }
  const element = array.type?.kind === "array" ? array.type.element : undefined;
  if (element === undefined || (forNull === undefined && isPlain(element))) return array;
  const textOf = (value: Expression): Expression => {
    const written = elementText(value, element);
    return forNull === undefined ? written : call("coalesce", [written, forNull], { span: value.span, type: TEXT });
  };
  const type: SqlType = { kind: "array", element: TEXT };
  if (array.kind === "array") return { ...array, elements: array.elements.map(textOf), type };
  const query = eachOf(array, textOf(pieceOf(array, element)), node);
  return { kind: "array-query", query, span: node.span, type };
}

/** Whether DuckDB's text of an element is PostgreSQL's. */
function isPlain({ kind }: SqlType): boolean {
  return ["text", "integer", "decimal", "date", "timestamp", "time", "uuid", "null", "opaque"].includes(kind);
}

function elementText(value: Expression, type: SqlType): Expression {
  switch (type.kind) {
    case "boolean":
      return concatenated({ ...value, type });
    case "float":
      return floatText({ operand: { ...value, type }, span: value.span });
    case "interval":
    case "binary":
    case "array":
    case "row":
    case "json":
      throw unsupported(`the texts of an array of ${type.kind}`, value.span);
    default:
      return isPlain(type) && type.kind !== "text" ? cast(value, "text", { span: value.span, type: TEXT }) : value;
  }
}

/** A literal of the text; with a backslash in it one of PostgreSQL's escape notation. */
export function quotedText(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const at = { span: node.span, type: TEXT };
  const doubled = (operand: Expression, character: string): Expression =>
    call("replace", [operand, text(character, at), text(character.repeat(2), at)], at);
  const quote = text("'", at);
  const literal = binary(binary(quote, "||", doubled(doubled(value, "\\"), "'"), at), "||", quote, at);
  const marked = call("regexp_replace", [literal, text("^(.*\\\\.*)$", at), text("E\\1", at), text("s", at)], at);
  return node.name[0]?.name === "quote_nullable" ? call("coalesce", [marked, text("NULL", at)], at) : marked;
}
