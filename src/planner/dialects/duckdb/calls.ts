/** Functions whose DuckDB spelling or meaning differs from PostgreSQL's. Measured on DuckDB 1.4.5. */

import { isLiteral } from "../../access/literals.ts";
import { widenReal } from "../../binding/coercion.ts";
import { unsupported } from "../../diagnostics.ts";
import { isInexactDecimal } from "../../lowering/inexact.ts";
import { sumOfReals } from "../../lowering/reals.ts";
import {
  binary,
  call,
  cast,
  comparison,
  concatenation,
  inPlaceOf,
  integer,
  isNull,
  type Place,
  queryOf,
  renamed,
  selectItem,
  selectOf,
  text,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression, Query, TableExpression } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import {
  BIGINT,
  BINARY,
  BOOLEAN,
  DATE,
  DOUBLE,
  HUGEINT,
  INTEGER,
  type SqlType,
  TEXT,
  TIMESTAMP,
  TIMESTAMPTZ,
  typeOrUnknown,
  UNKNOWN,
} from "../../types.ts";
import { jsonAt } from "./json.ts";
import type { JsonAccess } from "./json-texts.ts";
import { textWithin } from "./json-texts.ts";
import { nearestArguments } from "./quotients.ts";
import { exactDigits } from "./significant-digits.ts";
import { timeInUtc } from "./times.ts";

export const TEXTS: SqlType = { kind: "array", element: TEXT };

/** The type of an element of a list. */
export function elementOf({ type }: Expression): SqlType {
  return type?.kind === "array" ? type.element : UNKNOWN;
}

export function roundedExactly(node: Call): Expression {
  const [value, digits] = values(node);
  if (value === undefined) return node;
  // PostgreSQL rounds the halves of floats to even numbers, of decimals away from zero.
  if (node.name[0]?.name === "round" && digits === undefined && value.type?.kind === "float")
    return call("round_even", [value, integer(0, node)], inPlaceOf(node));
  if (value.type?.kind === "decimal" && digits !== undefined && !isLiteral(digits)) {
    throw unsupported(
      "rounding decimals to a computed number of digits",
      digits.span,
      "Write the number of digits as a literal.",
    );
  }
  if (!isInexactDecimal(value)) return node;
  const scale = digits?.kind === "number" ? Number(digits.text) : 0;
  return withArguments(node, [exactDigits(value, scale), ...(digits === undefined ? [] : [digits])]);
}

/** A real is compared with other numbers in double precision; that it came from a real keeps its value. */
export function comparedWithNull(node: Call): Expression {
  const compared = nearestArguments(node);
  const [first, second] = values(compared);
  if (first === undefined || second?.type === undefined) return compared;
  const double = widenReal(first, second.type);
  return double === first ? compared : cast(withArguments(compared, [double, second]), "real", inPlaceOf(node));
}

export function wholeQuotient(node: Call): Expression {
  const [a, b] = values(node);
  if (a === undefined || b === undefined) return node;
  if (a.type?.kind === "integer" && b.type?.kind === "integer") return binary(a, "//", b, inPlaceOf(node));
  return (
    wholeQuotientOfDecimals(a, b, node) ?? call("trunc", [binary(a, "/", b, typed(DOUBLE, node))], inPlaceOf(node))
  );
}

/** Whole numbers by 128 bits: a quotient of doubles has 15 digits. */
function wholeQuotientOfDecimals(a: Expression, b: Expression, node: Call): Expression | undefined {
  const digits = [digitsOf(a), digitsOf(b)];
  if (digits.every((each) => each?.scale === 0)) {
    const whole = (value: Expression): Expression => cast(value, "hugeint", { span: value.span, type: HUGEINT });
    return binary(whole(a), "//", whole(b), inPlaceOf(node));
  }
  if (digits.every((each) => each === undefined || each.precision <= DIGITS_OF_DOUBLE)) return undefined;
  throw unsupported(
    `div of more than ${DIGITS_OF_DOUBLE} digits`,
    node.span,
    "Round both sides to integers, or use fewer digits.",
  );
}

const DIGITS_OF_DOUBLE = 15;

/** `undefined` where nothing is known. */
function digitsOf(value: Expression): { readonly precision: number; readonly scale: number } | undefined {
  if (value.kind === "unary") return digitsOf(value.operand);
  if (value.kind === "number") {
    const [whole = "", fraction = ""] = value.text.split(".");
    return /e/i.test(value.text) ? undefined : { precision: whole.length + fraction.length, scale: fraction.length };
  }
  if (value.type?.kind === "integer") return { precision: value.type.bits === 64 ? 19 : 10, scale: 0 };
  if (value.type?.kind !== "decimal" || value.type.precision === undefined) return undefined;
  return { precision: value.type.precision, scale: value.type.scale ?? 0 };
}

/** DuckDB trims every space of Unicode where it is not told which. */
export function trimmed(node: Call): Expression {
  const named = node.name[0]?.name === "btrim" ? renamed(node, "trim") : node;
  return node.arguments.length === 1 ? withArguments(named, [...values(node), text(" ", node)]) : named;
}

/** Characters by their code points; DuckDB turns around what it takes for one letter. */
export function reversed(node: Call): Expression {
  const characters = call("regexp_extract_all", [...values(node), text("(?s).", node)], typed(TEXTS, node));
  const joined = call(
    "array_to_string",
    [call("list_reverse", [characters], typed(TEXTS, node)), text("", node)],
    typed(TEXT, node),
  );
  const [value] = values(node);
  if (value === undefined) return node;
  return when(
    isNull(value, true),
    call("coalesce", [joined, text("", node)], inPlaceOf(node)),
    undefined,
    inPlaceOf(node),
  );
}

/** DuckDB wants the filling spelled out, and fails over an empty one. */
export function padded(node: Call): Expression {
  const [value, length, filling] = values(node);
  if (filling?.kind === "string" && filling.value === "" && value !== undefined && length !== undefined) {
    return call("left", [value, call("greatest", [length, integer(0, node)], inPlaceOf(length))], inPlaceOf(node));
  }
  if (filling !== undefined && filling.kind !== "string") {
    throw unsupported("a filling that is computed", filling.span, "Write it as a literal.");
  }
  return node.arguments.length === 2 ? withArguments(node, [...values(node), text(" ", node)]) : node;
}

/** The element in the body of `eachOf`. */
export function pieceOf({ span }: Expression, type: SqlType | undefined): Expression {
  return { kind: "column", parts: [{ name: "_p", quoted: false, span }], span, ...(type && { type }) };
}

/** `SELECT expression FROM unnest(list) AS _u(_p) WHERE where`. */
export function eachOf(list: Expression, expression: Expression, at: Call, where?: Expression): Query {
  const { span } = at;
  const named = (name: string) => ({ name, quoted: false, span });
  const pieces: TableExpression = {
    kind: "function",
    call: call("unnest", [list], typed(elementOf(list), at)),
    lateral: false,
    ordinality: false,
    alias: { name: named("_u"), columns: [named("_p")] },
    span,
  };
  return queryOf(selectOf({ items: [selectItem(expression, undefined, at)], from: [pieces], where }, at));
}

/** An empty text has no parts in PostgreSQL, and one empty part in DuckDB. */
export function splitText(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined) return node;
  const split = withSeparator({ ...renamed(node, "string_split"), type: TEXTS }, separator);
  if (value.kind === "string" && value.value !== "") return split;
  const empty: Expression = { kind: "array", elements: [], span: node.span, type: TEXTS };
  return when(comparison(value, "=", text("", node), node), empty, split, typed(TEXTS, node));
}

/** Without a separator PostgreSQL keeps the text whole, DuckDB takes it to pieces. */
export function withSeparator(node: Call, separator: Expression | undefined): Expression {
  if (separator?.kind !== "null" && !(separator?.kind === "string" && separator.value === "")) return node;
  throw unsupported("a split without a separator", separator.span);
}

/** DuckDB has lists of lists, whose length in another dimension is asked for nothing. */
export function arrayLength(node: Call): Expression {
  const [array, dimension] = values(node);
  if (array === undefined) return node;
  if (dimension !== undefined && !(dimension.kind === "number" && dimension.text === "1")) {
    throw unsupported("the length of an array in another dimension than 1", dimension.span);
  }
  return call("nullif", [call("len", [array], inPlaceOf(node)), integer(0, node)], inPlaceOf(node));
}

export function arrayLower(node: Call): Expression {
  return when(isNull(arrayLength(node), true), integer(1, node), undefined, inPlaceOf(node));
}

/** Elements that are not the value, NULLs too. */
export function withoutElement(node: Call): Expression {
  const [array, value] = values(node);
  if (array === undefined || value === undefined) return node;
  const element = pieceOf(node, value.type);
  return ofElements(
    array,
    element,
    binary(element, "is distinct from", value, { span: node.span, type: BOOLEAN }),
    node,
  );
}

/** Another value wherever one stands. */
export function replacedElement(node: Call): Expression {
  const [array, from, to] = values(node);
  if (array === undefined || from === undefined || to === undefined) return node;
  const element = pieceOf(node, from.type);
  const same = binary(element, "is not distinct from", from, { span: node.span, type: BOOLEAN });
  return ofElements(array, when(same, to, element, typed(typeOrUnknown(to), node)), undefined, node);
}

function ofElements(array: Expression, each: Expression, where: Expression | undefined, node: Call): Expression {
  const place = { span: node.span, ...(node.type && { type: node.type }) };
  const kept: Expression = { kind: "array-query", query: eachOf(array, each, node, where), ...place };
  const none: Expression = { kind: "array", elements: [], ...place };
  return when(isNull(array, true), call("coalesce", [kept, none], inPlaceOf(node)), undefined, inPlaceOf(node));
}

/** PostgreSQL breaks base64 into lines of 76 characters. */
function linesOf(encodedText: Expression, node: Call): Expression {
  return call(
    "regexp_replace",
    [encodedText, text("(.{76})", node), text("\\1\n", node), text("g", node)],
    typed(TEXT, node),
  );
}

/** A negative integer is its 32 bits, not 64. */
export function hexadecimal(node: Call): Expression {
  const [value] = values(node);
  if (value?.type?.kind !== "integer" || value.type.bits === 64) return call("lower", [node], inPlaceOf(node));
  const wide = cast(value, "bigint", { span: node.span, type: BIGINT });
  const mask: Expression = { kind: "number", text: "4294967295", span: node.span, type: BIGINT };
  return call(
    "lower",
    [withArguments(node, [binary(wide, "&", mask, { span: node.span, type: BIGINT })])],
    inPlaceOf(node),
  );
}

export function overlaid(node: Call): Expression {
  const [value, by, from, length] = values(node);
  if (value === undefined || by === undefined || from === undefined) return node;
  const count = length ?? call("length", [by], { span: node.span, type: INTEGER });
  const head = call("left", [value, binary(from, "-", integer(1, node), typed(INTEGER, node))], typed(TEXT, node));
  const tail = call("substring", [value, binary(from, "+", count, typed(INTEGER, node))], typed(TEXT, node));
  return concatenation(concatenation(head, by, node), tail, node);
}

export function bytes(value: Expression): Expression {
  return value.type?.kind === "binary" ? value : call("encode", [value], typed(BINARY, value));
}

export function encoded(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string") throw unsupported("encode with a computed format", node.span);
  switch (format.value.toLowerCase()) {
    case "base64":
      return linesOf(call("to_base64", [bytes(value)], typed(TEXT, node)), node);
    case "hex":
      return call("lower", [call("hex", [bytes(value)], typed(TEXT, node))], typed(TEXT, node));
    default:
      throw unsupported(`encode to ${format.value.slice(0, 20)}`, node.span, "Use 'base64' or 'hex'.");
  }
}

export function decoded(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string") throw unsupported("decode with a computed format", node.span);
  switch (format.value.toLowerCase()) {
    case "base64":
      return call("from_base64", [value], inPlaceOf(node));
    case "hex":
      return call("unhex", [value], inPlaceOf(node));
    default:
      throw unsupported(`decode of ${format.value.slice(0, 20)}`, node.span, "Use 'base64' or 'hex'.");
  }
}

// ----------------------------------------------------------------------------------------------------------- dates

export function utcNow(node: Call): Expression {
  return timeInUtc(call("now", [], typed(TIMESTAMPTZ, node)), typed(TIMESTAMP, node));
}

export function midnight(node: Call): Expression {
  return cast(cast(utcNow(node), "date", typed(DATE, node)), "timestamp", typed(TIMESTAMP, node));
}

/** DuckDB 1.4 gives a date for units of a day and more, whatever comes in; ours is a timestamp (docs/decisions/0036-duckdb.md). */
export function truncatedDate(node: Call): Expression {
  const [unit] = values(node);
  // PostgreSQL's centuries begin in the year 1, DuckDB's in the year 0.
  if (unit?.kind === "string" && /^(century|millennium)s?$/i.test(unit.value)) {
    throw unsupported(`date_trunc to the ${unit.value}`, unit.span);
  }
  const type = values(node)[1]?.type;
  if (type?.kind === "time") {
    throw unsupported("date_trunc of a time of day", node.span, "Truncate a timestamp, or use extract(hour FROM x).");
  }
  return type?.kind === "date" || (type?.kind === "timestamp" && !type.zoned)
    ? cast(node, "timestamp", typed(TIMESTAMP, node))
    : node;
}

/** DuckDB counts 7-day spans where we count Mondays. */
export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (unit?.kind !== "string" || from === undefined || to === undefined || !/^w(eeks?)?$/i.test(unit.value))
    return node;
  const monday = (value: Expression): Expression =>
    call("date_trunc", [text("week", node), value], typed(TIMESTAMP, value));
  const days = call("date_diff", [text("day", node), monday(from), monday(to)], { span: node.span, type: BIGINT });
  return binary(days, "//", integer(7, node), inPlaceOf(node));
}

// ----------------------------------------------------------------------------------------------------------- JSON

export function jsonPath(node: Call, name: JsonAccess): Expression {
  const [value, ...steps] = values(node);
  const literal = steps.map((step) => (step.kind === "string" ? step.value : undefined));
  if (value === undefined || !literal.every((step) => step !== undefined)) {
    throw unsupported("a JSON path that is computed", node.span, "Write the path as literals.");
  }
  const at = (access: JsonAccess, place: Place): Expression => jsonAt(value, literal, access, place);
  return name === "json_extract" ? at(name, inPlaceOf(node)) : textWithin(value.type, at, node);
}

const JSON_TYPES: readonly (readonly [string, readonly string[]])[] = [
  ["object", ["OBJECT"]],
  ["array", ["ARRAY"]],
  ["string", ["VARCHAR"]],
  ["boolean", ["BOOLEAN"]],
  ["null", ["NULL"]],
  ["number", ["UBIGINT", "BIGINT", "DOUBLE", "HUGEINT"]],
];

export function jsonType(node: Call): Expression {
  const operand = renamed(node, "json_type");
  return {
    kind: "case",
    operand,
    branches: JSON_TYPES.flatMap(([ours, theirs]) =>
      theirs.map((name) => ({ when: text(name, node), then: text(ours, node) })),
    ),
    otherwise: undefined,
    span: node.span,
    type: TEXT,
  };
}

// ------------------------------------------------------------------------------------------------------ aggregates

/** DuckDB does not see that two subqueries are one. */
export function checkDistinctOrder(node: Call): Call {
  if (!node.distinct) return node;
  const subquery = node.orderBy.find(({ expression }) => someExpression(expression, isSubquery));
  if (subquery === undefined) return node;
  throw unsupported("distinct values of a subquery in order", subquery.span, "Compute them in a derived table first.");
}

function isSubquery({ kind }: Expression): boolean {
  return kind === "scalar-query" || kind === "exists" || kind === "in-query" || kind === "array-query";
}

export function joinedTexts(node: Call): Expression {
  const [, separator] = values(node);
  if (separator === undefined || separator.kind === "string") return checkDistinctOrder(node);
  // Nothing stands between the texts then; DuckDB would give NULL.
  if (separator.kind === "null") {
    return checkDistinctOrder(withArguments(node, [...values(node).slice(0, 1), text("", separator)]));
  }
  throw unsupported("string_agg with a computed separator", separator.span, "Write the separator as a literal.");
}

/**
 * Reals are added in double precision: of the exact sum the nearest real is left (docs/decisions/0046-duckdb-numbers.md#decision).
 * Whole numbers are added in 128 bits, which neither `repeat` nor `generate_series` takes.
 */
export function summed(node: Call): Expression {
  if (isReal(values(node)[0]?.type)) return sumOfReals(node);
  return node.type?.kind === "integer" ? cast(node, "bigint", inPlaceOf(node)) : node;
}

function isReal(type: SqlType | undefined): boolean {
  return type?.kind === "float" && type.bits === 32;
}
