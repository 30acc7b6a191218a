/** Functions whose DuckDB spelling or meaning differs from PostgreSQL's. Measured on DuckDB 1.4.5. */

import { besideReal } from "../../binding/coercion.ts";
import { exactDigits, isInexactDecimal } from "../../lowering/inexact.ts";
import { re2Options, re2Pattern, re2Replacement } from "../../lowering/regular-expressions.ts";
import { unsupported } from "../../lowering/target.ts";
import {
  all,
  binary,
  call,
  cast,
  integer,
  isNull,
  queryOf,
  renamed,
  selectItem,
  selectOf,
  text,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression, Query, TableExpression } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BIGINT, BOOLEAN, DOUBLE, INTEGER, type SqlType, TEXT, TIMESTAMP } from "../../types.ts";
import { jsonAt } from "./json.ts";
import { nearestArguments } from "./quotients.ts";

export function roundedExactly(node: Call): Expression {
  const [value, digits] = values(node);
  if (value === undefined) return node;
  // PostgreSQL rounds the halves of floats to even numbers, of decimals away from zero.
  if (node.name[0]?.name === "round" && digits === undefined && value.type?.kind === "float")
    return call("round_even", [value, integer(0, node)], node);
  if (!isInexactDecimal(value)) return node;
  const scale = digits?.kind === "number" ? Number(digits.text) : 0;
  return withArguments(node, [exactDigits(value, scale), ...(digits === undefined ? [] : [digits])]);
}

/** A real is compared with other numbers in double precision; that it came from a real keeps its value. */
export function comparedWithNull(node: Call): Expression {
  const compared = nearestArguments(node);
  const [first, second] = values(compared);
  if (first === undefined || second?.type === undefined) return compared;
  const double = besideReal(first, second.type);
  return double === first ? compared : cast(withArguments(compared, [double, second]), "real", node);
}

export function wholeQuotient(node: Call): Expression {
  const [a, b] = values(node);
  if (a === undefined || b === undefined) return node;
  if (a.type?.kind === "integer" && b.type?.kind === "integer") return binary(a, "//", b, node);
  return call("trunc", [binary(a, "/", b, { span: node.span, type: DOUBLE })], node);
}

/** DuckDB wants the filling spelled out. */
export function padded(node: Call): Expression {
  return node.arguments.length === 2 ? withArguments(node, [...values(node), text(" ", node)]) : node;
}

/** There is no initcap: words are runs of letters and digits, as PostgreSQL has them. */
export function capitalised(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const pieces = call("regexp_extract_all", [value, text("[\\p{L}\\p{N}]+|[^\\p{L}\\p{N}]+", node)], node);
  const piece = pieceOf(node, TEXT);
  const capitalise = binary(
    call("upper", [call("left", [piece, integer(1, node)], node)], node),
    "||",
    call("lower", [call("substring", [piece, integer(2, node)], node)], node),
    node,
  );
  const list: Expression = {
    kind: "array-query",
    query: eachOf(pieces, capitalise, node),
    span: node.span,
    type: { kind: "array", element: TEXT },
  };
  const joined = call("coalesce", [call("array_to_string", [list, text("", node)], node), text("", node)], node);
  return when(isNull(value, true), joined, undefined, node);
}

/** What `eachOf` calls an element. */
export function pieceOf({ span }: Expression, type: SqlType): Expression {
  return { kind: "column", parts: [{ name: "_p", quoted: false, span }], span, type };
}

/** `SELECT expression FROM unnest(list) AS _u(_p)`. */
export function eachOf(list: Expression, expression: Expression, at: Call): Query {
  const { span } = at;
  const named = (name: string) => ({ name, quoted: false, span });
  const pieces: TableExpression = {
    kind: "function",
    call: call("unnest", [list], at),
    lateral: false,
    ordinality: false,
    alias: { name: named("_u"), columns: [named("_p")] },
    span,
  };
  return queryOf(selectOf({ items: [selectItem(expression, undefined, at)], from: [pieces] }, at));
}

/** A start before 1 counts characters that are not there; DuckDB counts it from the end. */
export function substring(node: Call): Expression {
  const [value, start, length] = values(node);
  if (value === undefined || start === undefined) return node;
  const safe = start.kind === "number" && start.text !== "0";
  if (safe && (length === undefined || length.kind === "number")) return node;
  const one = integer(1, node);
  const from = safe ? start : call("greatest", [start, one], { span: node.span, type: INTEGER });
  if (length === undefined) return withArguments(node, [value, from]);
  const before = call("least", [binary(start, "-", one, node), integer(0, node)], { span: node.span, type: INTEGER });
  const kept = call("greatest", [binary(length, "+", before, node), integer(0, node)], {
    span: node.span,
    type: INTEGER,
  });
  // greatest and least skip NULLs: a NULL position must stay NULL.
  const present = all([isNull(start, true), isNull(length, true)], node);
  const result = withArguments(node, [value, from, kept]);
  return present === undefined ? result : when(present, result, undefined, node);
}

/** An empty text has no parts in PostgreSQL, and one empty part in DuckDB. */
export function splitText(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined) return node;
  const split = withSeparator(renamed(node, "string_split"), separator);
  if (value.kind === "string" && value.value !== "") return split;
  const empty: Expression = { kind: "array", elements: [], span: node.span, ...(node.type && { type: node.type }) };
  return when(binary(value, "=", text("", node), { span: node.span, type: BOOLEAN }), empty, split, node);
}

/** Without a separator PostgreSQL keeps the text whole, DuckDB takes it to pieces. */
export function withSeparator(node: Call, separator: Expression | undefined): Expression {
  if (separator?.kind !== "null" && !(separator?.kind === "string" && separator.value === "")) return node;
  throw unsupported("a split without a separator", separator.span);
}

/** A negative integer is its 32 bits, not 64. */
export function hexadecimal(node: Call): Expression {
  const [value] = values(node);
  if (value?.type?.kind !== "integer" || value.type.bits === 64) return call("lower", [node], node);
  const wide = cast(value, "bigint", { span: node.span, type: BIGINT });
  const mask: Expression = { kind: "number", text: "4294967295", span: node.span, type: BIGINT };
  return call("lower", [withArguments(node, [binary(wide, "&", mask, { span: node.span, type: BIGINT })])], node);
}

export function overlaid(node: Call): Expression {
  const [value, by, from, length] = values(node);
  if (value === undefined || by === undefined || from === undefined) return node;
  const count = length ?? call("length", [by], { span: node.span, type: INTEGER });
  const head = call("left", [value, binary(from, "-", integer(1, node), node)], node);
  const tail = call("substring", [value, binary(from, "+", count, node)], node);
  return binary(binary(head, "||", by, node), "||", tail, node);
}

export function bytes(value: Expression): Expression {
  return value.type?.kind === "binary" ? value : call("encode", [value], value);
}

export function encoded(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string") throw unsupported("encode with a computed format", node.span);
  switch (format.value.toLowerCase()) {
    case "base64":
      return call("to_base64", [bytes(value)], node);
    case "hex":
      return call("lower", [call("hex", [bytes(value)], node)], node);
    default:
      throw unsupported(`encode to ${format.value.slice(0, 20)}`, node.span, "Use 'base64' or 'hex'.");
  }
}

export function decoded(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string") throw unsupported("decode with a computed format", node.span);
  switch (format.value.toLowerCase()) {
    case "base64":
      return call("from_base64", [value], node);
    case "hex":
      return call("unhex", [value], node);
    default:
      throw unsupported(`decode of ${format.value.slice(0, 20)}`, node.span, "Use 'base64' or 'hex'.");
  }
}

// --------------------------------------------------------------------------------------------- regular expressions

export function flagsOf(node: Call, index: number): string {
  const flags = values(node)[index];
  if (flags === undefined) return "";
  if (flags.kind === "string") return flags.value;
  throw unsupported("regular expression flags that are computed", flags.span);
}

function optionsOf(node: Call, flags: string): Expression {
  const options = re2Options(flags);
  if (options === undefined)
    throw unsupported(`the regular expression flags "${flags.slice(0, 20)}"`, node.span, "Use g and i.");
  return text(options, node);
}

/** Subject, pattern and options. */
export function patterned(node: Call, flags = ""): readonly Expression[] {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return values(node);
  return [
    subject,
    re2Pattern(pattern),
    ...(node.name[0]?.name === "regexp_count" ? [integer(0, node)] : []),
    optionsOf(node, flags),
  ];
}

/** Partial match; DuckDB's own `~` matches the whole text. */
export function regexpMatches(node: Call, flags: string): Expression {
  return call("regexp_matches", patterned(node, flags), { span: node.span, type: BOOLEAN });
}

export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement] = values(node);
  if (subject === undefined || pattern === undefined || replacement === undefined) return node;
  return withArguments(node, [
    subject,
    re2Pattern(pattern),
    re2Replacement(replacement),
    optionsOf(node, flagsOf(node, 3)),
  ]);
}

/** DuckDB gives an empty text where there is no match. */
export function regexpSubstring(node: Call): Expression {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  const found = call("regexp_extract", [subject, re2Pattern(pattern), integer(0, node), text("s", node)], node);
  return when(regexpMatches(node, ""), found, undefined, node);
}

// ----------------------------------------------------------------------------------------------------------- dates

export function utcNow(node: Call): Expression {
  return {
    kind: "at-time-zone",
    operand: call("now", [], node),
    zone: text("UTC", node),
    span: node.span,
    type: TIMESTAMP,
  };
}

export function midnight(node: Call): Expression {
  return cast(cast(utcNow(node), "date", node), "timestamp", node);
}

export function inUtc(value: Expression, node: Call): Expression {
  return {
    kind: "at-time-zone",
    operand: value,
    zone: text("UTC", node),
    span: node.span,
    ...(node.type === undefined ? {} : { type: node.type }),
  };
}

/** DuckDB 1.4 gives a date for units of a day and more, whatever comes in; ours is a timestamp (decisions D1). */
export function truncatedDate(node: Call): Expression {
  const [unit] = values(node);
  // PostgreSQL's centuries begin in the year 1, DuckDB's in the year 0.
  if (unit?.kind === "string" && /^(century|millennium)s?$/i.test(unit.value)) {
    throw unsupported(`date_trunc to the ${unit.value}`, unit.span);
  }
  const type = values(node)[1]?.type;
  return type?.kind === "date" || (type?.kind === "timestamp" && !type.zoned) ? cast(node, "timestamp", node) : node;
}

/** DuckDB counts 7-day spans where we count Mondays. */
export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (unit?.kind !== "string" || from === undefined || to === undefined || !/^w(eeks?)?$/i.test(unit.value))
    return node;
  const monday = (value: Expression): Expression => call("date_trunc", [text("week", node), value], value);
  const days = call("date_diff", [text("day", node), monday(from), monday(to)], { span: node.span, type: BIGINT });
  return binary(days, "//", integer(7, node), node);
}

// ----------------------------------------------------------------------------------------------------------- JSON

export function jsonPath(node: Call, name: "json_extract" | "json_extract_string"): Expression {
  const [value, ...steps] = values(node);
  const literal = steps.map((step) => (step.kind === "string" ? step.value : undefined));
  if (value === undefined || !literal.every((step) => step !== undefined)) {
    throw unsupported("a JSON path that is computed", node.span, "Write the path as literals.");
  }
  return jsonAt(value, literal, name, node);
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
  if (separator === undefined || separator.kind === "string" || separator.kind === "null")
    return checkDistinctOrder(node);
  throw unsupported("string_agg with a computed separator", separator.span, "Write the separator as a literal.");
}

/** Reals are added in double precision: of the exact sum the nearest real is left (decisions S92). */
export function summed(node: Call): Expression {
  return isReal(values(node)[0]?.type) ? cast(node, "real", node) : node;
}

function isReal(type: SqlType | undefined): boolean {
  return type?.kind === "float" && type.bits === 32;
}

/** DuckDB would interpolate within the type: between the decimals 1.00 and 1.01 it would find 1.00. */
export function interpolated(node: Call): Expression {
  const withinGroup = node.withinGroup.map((item) =>
    ["decimal", "integer", "float"].includes(item.expression.type?.kind ?? "")
      ? { ...item, expression: cast(item.expression, "double precision", { span: item.span, type: DOUBLE }) }
      : item,
  );
  return { ...node, withinGroup };
}

/** Digits of `1e3`-style numbers: DuckDB reads an exponent as a double. */
export function plainDigits(digits: string): string | undefined {
  const match = /^(\d*)(?:\.(\d*))?e([+-]?\d+)$/i.exec(digits);
  if (match === null) return digits;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > 60) return undefined;
  const all = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return `0.${"0".repeat(-point)}${all}`;
  return point >= all.length ? all + "0".repeat(point - all.length) : `${all.slice(0, point)}.${all.slice(point)}`;
}
