/** Functions whose spelling or meaning differs on DuckDB. Measured on DuckDB 1.4.5. */

import { isLiteral } from "../../access/literals.ts";
import { widenReal } from "../../binding/coercion.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { sumOfReals } from "../../lowering/numbers/reals.ts";
import { byTemplate, holdsQuery, spelled, sql, words } from "../../lowering/templates/template.ts";
import { binary, call, cast, inPlaceOf, type Place, text, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression, Template } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BINARY, DOUBLE, HUGEINT, type SqlType, TEXT, TIMESTAMP, UNKNOWN } from "../../types.ts";
import { jsonAt } from "./json.ts";
import type { JsonAccess } from "./json-texts.ts";
import { textWithin } from "./json-texts.ts";
import { nearestArguments } from "./quotients.ts";
import { exactDigits } from "./significant-digits.ts";

export const TEXTS: SqlType = { kind: "array", element: TEXT };

/** The type of an element of a list. */
export function elementOf({ type }: Expression): SqlType {
  return type?.kind === "array" ? type.element : UNKNOWN;
}

const ROUND_EVEN = sql("round_even($1, 0)");

/** PostgreSQL rounds halves of floats to even numbers, and halves of decimals away from zero. */
export function rounded(node: Call): Expression {
  const [value, ...others] = values(node);
  return others.length === 0 && value?.type?.kind === "float"
    ? spelled(ROUND_EVEN, [value], node)
    : roundedExactly(node);
}

export function roundedExactly(node: Call): Expression {
  const [value, digits] = values(node);
  if (value === undefined) return node;
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

/** DuckDB's function of one argument trims every space of Unicode. */
export const trimmed =
  (name: string) =>
  (node: Call): Expression =>
    spelled(
      words(`${name}(${node.arguments.length === 1 ? "$1, ' '" : "$*"})`, { nulls: "strict" }),
      values(node),
      node,
    );

/** Characters by their code points; DuckDB reverses grapheme clusters. */
export const REVERSED = sql(
  "CASE WHEN $1 IS NOT NULL THEN coalesce(array_to_string(list_reverse(regexp_extract_all($1, '(?s).')), ''), '') END",
);

const NOT_PADDED = sql("left($1, greatest($2, 0))");

/** DuckDB requires the filling, and fails over an empty one. */
export function padded(node: Call): Expression {
  const [, , filling] = values(node);
  if (filling === undefined) return withArguments(node, [...values(node), text(" ", node)]);
  if (filling.kind !== "string") {
    throw unsupported("a filling that is computed", filling.span, "Write it as a literal.");
  }
  return filling.value === "" ? spelled(NOT_PADDED, values(node), node) : node;
}

const SPLIT = sql("string_split($1, $2)", { type: TEXTS });
/** An empty text has no parts in PostgreSQL, and one empty part on DuckDB. */
const SPLIT_UNLESS_EMPTY = sql("CASE WHEN $1 = '' THEN ARRAY[] ELSE string_split($1, $2) END", { type: TEXTS });

export function splitText(node: Call): Expression {
  const [value] = values(node);
  requireSeparator(node);
  return byTemplate(value?.kind === "string" && value.value !== "" ? SPLIT : SPLIT_UNLESS_EMPTY, node);
}

/** Without a separator PostgreSQL keeps the text whole, and DuckDB splits it into characters. */
export function requireSeparator(node: Call): Call {
  const [, separator] = values(node);
  if (separator?.kind !== "null" && !(separator?.kind === "string" && separator.value === "")) return node;
  throw unsupported("a split without a separator", separator.span);
}

/** Bounds in the first dimension. DuckDB has lists of lists, which have no other. */
const ofFirstDimension =
  (template: Template) =>
  (node: Call): Expression => {
    const [array, dimension] = values(node);
    if (array === undefined) return node;
    if (dimension !== undefined && !(dimension.kind === "number" && dimension.text === "1")) {
      throw unsupported("the length of an array in another dimension than 1", dimension.span);
    }
    return spelled(template, [array], node);
  };

export const arrayLength = ofFirstDimension(sql("nullif(len($1), 0)"));
export const arrayLower = ofFirstDimension(sql("CASE WHEN nullif(len($1), 0) IS NOT NULL THEN 1 END"));

const changedArray = (elements: string): Template =>
  sql(`CASE WHEN $1 IS NOT NULL THEN coalesce(ARRAY(SELECT ${elements}), ARRAY[]) END`);

/** Elements that are not the value, NULLs too. */
export const WITHOUT_ELEMENT = changedArray("_p FROM unnest($1) AS _u(_p) WHERE _p IS DISTINCT FROM $2");

export const WITH_REPLACED_ELEMENT = changedArray(
  "CASE WHEN _p IS NOT DISTINCT FROM $2 THEN $3 ELSE _p END FROM unnest($1) AS _u(_p)",
);

const HEX_OF_32_BITS = sql("lower(to_hex(CAST($1 AS bigint) & 4294967295))");
const HEX = sql("lower(to_hex($1))");

/** A negative integer is its 32 bits, not 64. */
export function hexadecimal(node: Call): Expression {
  const type = values(node)[0]?.type;
  return byTemplate(type?.kind === "integer" && type.bits !== 64 ? HEX_OF_32_BITS : HEX, node);
}

export const OVERLAID = ["length($2)", "$4"].map((length) =>
  sql(`left($1, $3 - 1) || $2 || substring($1, $3 + ${length})`, { nulls: "strict" }),
);

const BYTES = sql("encode($1)", { type: BINARY });

export const bytes = (value: Expression): Expression =>
  value.type?.kind === "binary" ? value : spelled(BYTES, [value], value);

const byFormat =
  (templates: ReadonlyMap<string, Template>, read: (value: Expression) => Expression) =>
  (node: Call): Expression => {
    const [value, format] = values(node);
    const name = functionName(node);
    if (value === undefined || format?.kind !== "string") {
      throw unsupported(`${name} with a computed format`, node.span);
    }
    const template = templates.get(format.value.toLowerCase());
    if (template !== undefined) return spelled(template, [read(value)], node);
    throw unsupported(`${name} with the format ${format.value.slice(0, 20)}`, node.span, "Use 'base64' or 'hex'.");
  };

export const encoded = byFormat(
  new Map([
    // PostgreSQL breaks base64 into lines of 76 characters.
    ["base64", sql("regexp_replace(to_base64($1), '(.{76})', '\\1\n', 'g')")],
    ["hex", sql("lower(hex($1))")],
  ]),
  bytes,
);

export const decoded = byFormat(
  new Map([
    ["base64", sql("from_base64($1)")],
    ["hex", sql("unhex($1)")],
  ]),
  (value) => value,
);

// ----------------------------------------------------------------------------------------------------------- dates

export const UTC_NOW = sql("CAST(now() AS timestamp)", { type: TIMESTAMP });

const AGE_TODAY = sql("age(CAST(CAST(CAST(now() AS timestamp) AS date) AS timestamp), $1)");

export const age = (node: Call): Expression => (node.arguments.length === 1 ? byTemplate(AGE_TODAY, node) : node);

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

const MONDAYS = sql("date_diff('day', date_trunc('week', $1), date_trunc('week', $2)) // 7");

/** DuckDB counts spans of seven days, and PostgreSQL's definition counts Mondays. */
export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  const isOfWeeks = unit?.kind === "string" && /^w(eeks?)?$/i.test(unit.value);
  return isOfWeeks && from !== undefined && to !== undefined ? spelled(MONDAYS, [from, to], node) : node;
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

export const JSON_TYPE_NAME = sql(
  `CASE json_type($1) WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string'
    WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' WHEN 'UBIGINT' THEN 'number' WHEN 'BIGINT' THEN 'number'
    WHEN 'DOUBLE' THEN 'number' WHEN 'HUGEINT' THEN 'number' END`,
  { type: TEXT },
);

// ------------------------------------------------------------------------------------------------------ aggregates

/** DuckDB does not see that two subqueries are one. */
export function checkDistinctOrder(node: Call): Call {
  if (!node.distinct) return node;
  const subquery = node.orderBy.find(({ expression }) => someExpression(expression, isSubquery));
  if (subquery === undefined) return node;
  throw unsupported("distinct values of a subquery in order", subquery.span, "Compute them in a derived table first.");
}

const isSubquery = (node: Expression): boolean =>
  holdsQuery(node) || ["scalar-query", "exists", "in-query", "array-query"].includes(node.kind);

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
