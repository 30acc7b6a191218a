/** Operators, casts and literals whose meaning in DuckDB differs from PostgreSQL's. Measured on DuckDB 1.4.5. */
import { decimalShape } from "../../common-type.ts";
import { intervalParts, intervalText } from "../../intervals.ts";
import {
  doubleOfDigits,
  exactDigits,
  isInexactDecimal,
  isReadFromText,
  nearestDigits,
} from "../../lowering/inexact.ts";
import { re2Options, re2Test, similarToRe2 } from "../../lowering/regular-expressions.ts";
import { type Rewrites, unsupported } from "../../lowering/target.ts";
import { atZone, binary, call, cast, decimal, integer, interval, not, text } from "../../syntax/build.ts";
import type { Binary, Case, Cast, Expression, Extract, IntervalLiteral, Like } from "../../syntax/tree.ts";
import { BOOLEAN, isNumeric, isUnknown, type SqlType, TIMESTAMP } from "../../types.ts";
import { lowerArrayJoin, lowerContainment, lowerQuantified, lowerSlice, lowerSubscript } from "./arrays.ts";
import { plainDigits } from "./calls.ts";
import {
  lowerBetween,
  lowerComparison,
  lowerInList,
  lowerIs,
  lowerQuantifiedRow,
  lowerRowInQuery,
} from "./comparisons.ts";
import { aligned, alignedInQuery, alignedRemainder, alignedSetOperation, numberOfText } from "./decimals.ts";
import { refuseEndless } from "./endless.ts";
import { DUCKDB_FUNCTIONS } from "./functions.ts";
import { inFullWidth } from "./integers.ts";
import { elementsOf, hasKey, hasKeys, jsonStep, lowerJsonPath, refuseJson } from "./json.ts";
import { nearestCase, nearestInQuery, nearestQuantified, sumOfDigits } from "./quotients.ts";
import { seriesRows } from "./series.ts";
import { arraysSideBySide, jsonMembers, matchRows } from "./table-functions.ts";
import { floatText } from "./texts.ts";
import { lowerAtTimeZone, lowerIntervalFactor, lowerOverlaps, lowerTimeArithmetic } from "./times.ts";

/** DuckDB's widest decimal. */
const MAX_PRECISION = 38;

function typeOf(expression: Expression): SqlType {
  return expression.type ?? { kind: "opaque", name: "unknown" };
}

function lowerNumber(node: Expression & { kind: "number" }): Expression | undefined {
  const digits = plainDigits(node.text);
  if (typeOf(node).kind === "float") return undefined;
  if (digits === undefined || digits.replace(/^0+|\D/g, "").length > MAX_PRECISION) {
    throw unsupported(`a number of more than ${MAX_PRECISION} digits`, node.span);
  }
  if (digits === node.text) return undefined;
  const plain: Expression = { ...node, text: digits };
  // Without a point it would be an integer.
  return digits.includes(".") ? plain : cast(plain, "numeric", node, [digits.length, 0]);
}

// ------------------------------------------------------------------------------------------------------- operators

function lowerBinary(node: Binary): Expression | undefined {
  const { operator, left, right } = node;
  const [a, b] = [typeOf(left), typeOf(right)];
  switch (operator) {
    case "/":
      return lowerDivision(node, a, b);
    case "//":
      return a.kind === "integer" && b.kind === "integer"
        ? undefined
        : call("trunc", [binary(left, "/", right, node)], node);
    case "^":
      return call("power", [left, right], node);
    case "#":
      return call("xor", [left, right], node);
    case "*":
      return lowerIntervalFactor(node) ?? inFullWidth(node);
    case "+":
    case "-":
      if (a.kind === "json") throw unsupported("json without one of its members", node.span);
      return lowerTimeArithmetic(node) ?? sumOfDigits(node) ?? inFullWidth(node);
    case "~":
      return matches(node, "", false);
    case "~*":
      return matches(node, "i", false);
    case "!~":
      return matches(node, "", true);
    case "!~*":
      return matches(node, "i", true);
    case "->":
      return jsonStep(elementsOf(left, right), right, "json_extract", node);
    case "->>":
      return jsonStep(elementsOf(left, right), right, "json_extract_string", node);
    case "#>":
    case "#>>":
      return lowerJsonPath(node);
    case "?":
      return hasKey(node);
    case "^@":
      return call("starts_with", [left, right], node);
    case "@>":
      if (a.kind === "array" || b.kind === "array") return lowerContainment(node, right);
      throw unsupported(`operator ${operator} over ${a.kind}`, node.span);
    case "<@":
      if (a.kind === "array" || b.kind === "array") return lowerContainment(node, left);
      throw unsupported(`operator ${operator} over ${a.kind}`, node.span);
    case "&&":
      if (a.kind === "array" || b.kind === "array") return undefined;
      throw unsupported(`operator ${operator} over ${a.kind}`, node.span);
    case "?|":
    case "?&":
      return hasKeys(node);
    case "overlaps":
      return lowerOverlaps(node);
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "is distinct from":
    case "is not distinct from":
      return lowerComparison(node);
    case "||":
      if (typeOf(node).kind === "json") throw unsupported("two json values as one", node.span);
      return lowerArrayJoin(node, a, b);
    case "%":
      return alignedRemainder(node);
    case "&":
    case "|":
    case "<<":
    case ">>":
      return undefined;
    default:
      return operator satisfies never;
  }
}

function lowerCase(written: Case): Expression | undefined {
  const node = nearestCase(written);
  const results = node.branches.map((branch) => branch.then);
  if (node.otherwise !== undefined) results.push(node.otherwise);
  const converted = aligned(results);
  if (converted === results) return node;
  return {
    ...node,
    branches: node.branches.map((branch, index) => ({ ...branch, then: converted[index] ?? branch.then })),
    otherwise: node.otherwise && converted[node.branches.length],
  };
}

/** `/` is never integer division in DuckDB, so the types must be known. */
function lowerDivision(node: Binary, a: SqlType, b: SqlType): Expression | undefined {
  if (a.kind === "integer" && b.kind === "integer") return { ...node, operator: "//" };
  if (isUnknown(a) || isUnknown(b)) {
    throw unsupported(
      "a division whose types are unknown",
      node.span,
      "Write CAST(… AS integer) or CAST(… AS numeric) on both sides.",
    );
  }
  if (a.kind === "interval") throw unsupported("the division of an interval", node.span);
  return undefined;
}

/** DuckDB's `~` matches the whole text; ours, as PostgreSQL's, any part of it. */
function matches(node: Binary, flags: string, negated: boolean): Expression {
  const options = text(re2Options(flags) ?? "", node);
  const found = call("regexp_matches", [node.left, re2Test(node.right), options], {
    span: node.span,
    type: BOOLEAN,
  });
  return negated ? not(found) : found;
}

/** A backslash escapes unless ESCAPE says otherwise; DuckDB has no escape of its own. */
function lowerLike(node: Like): Expression | undefined {
  if (node.operator === "similar") return lowerSimilar(node);
  if (node.escape !== undefined) return undefined;
  if (node.pattern.kind === "string" && !node.pattern.value.includes("\\")) return undefined;
  return { ...node, escape: text("\\", node) };
}

function lowerSimilar(node: Like): Expression {
  const escape = node.escape === undefined ? "\\" : node.escape.kind === "string" ? node.escape.value : undefined;
  if (node.pattern.kind !== "string" || escape === undefined) {
    throw unsupported("SIMILAR TO with a computed pattern", node.span, "Write the pattern as a literal, or use LIKE.");
  }
  const pattern = text(similarToRe2(node.pattern.value, escape), node.pattern);
  const found = call("regexp_full_match", [node.operand, pattern, text("s", node)], { span: node.span, type: BOOLEAN });
  return node.negated ? not(found) : found;
}

// ----------------------------------------------------------------------------------------------------------- casts

function lowerCast(node: Cast): Expression | undefined {
  const from = typeOf(node.operand);
  const to = typeOf(node);
  checkDigits(to, node);
  switch (to.kind) {
    case "text":
      return lowerCastToText(node, from);
    case "decimal":
      return lowerCastToDecimal(node, from, to);
    case "integer":
      return isInexactDecimal(node.operand) ? { ...node, operand: exactDigits(node.operand, 15) } : undefined;
    case "binary":
      return from.kind === "text" ? bytesOfText(node) : undefined;
    case "array":
      return lowerCastToArray(node, from, to);
    case "time":
      if (from.kind === "timestamp" && from.zoned) return timeInUtc(node);
      return lowerPrecision(node);
    case "timestamp":
      return lowerPrecision(node);
    default:
      return undefined;
  }
}

/** DuckDB reads texts as arrays by rules of its own, and a bare `numeric` has three digits behind the point there. */
function lowerCastToArray(node: Cast, from: SqlType, to: SqlType): Expression | undefined {
  if (from.kind === "text") throw unsupported("an array in a computed text", node.span, "Use string_to_array(x, ',').");
  const [own, wanted] = [innermost(from), innermost(to)];
  if (wanted.kind !== "decimal" || wanted.precision !== undefined) return undefined;
  if (own.kind === "decimal" || own.kind === "null") return node.operand;
  const shape = decimalShape(own);
  if (shape !== undefined) return withShape(node, shape.precision, shape.scale);
  throw unsupported("an array of numeric without precision", node.span, "Write numeric(precision, scale)[].");
}

function innermost(type: SqlType): SqlType {
  return type.kind === "array" ? innermost(type.element) : type;
}

/** A decimal has at most 38 digits there, and of these as many after the point as it says: from none to all. */
function checkDigits(type: SqlType, node: Cast): void {
  if (type.kind === "array") checkDigits(type.element, node);
  if (type.kind !== "decimal" || type.precision === undefined) return;
  const { precision, scale = 0 } = type;
  if (precision > MAX_PRECISION) {
    throw unsupported(`more than ${MAX_PRECISION} digits`, node.span, `Use numeric(${MAX_PRECISION}, …).`);
  }
  if (scale < 0) throw unsupported("a negative scale", node.span, `Use round(x, ${scale}).`);
  if (scale > precision) {
    throw unsupported("more digits after the point than digits", node.span, `Use numeric(${scale}, ${scale}).`);
  }
}

const ROUND_FIRST = "Round it first: CAST(round(x, 2) AS text).";

/** The text PostgreSQL prints; where DuckDB's differs and cannot be mended, a refusal. */
function lowerCastToText(node: Cast, from: SqlType): Expression | undefined {
  const [length] = node.typeName.parameters;
  const plain: Cast = { ...node, typeName: { ...node.typeName, name: "text", parameters: [] } };
  if (length !== undefined && !node.safe) {
    const whole = from.kind === "text" ? node.operand : (lowerCastToText(plain, from) ?? plain);
    return call("left", [whole, integer(length, node)], node);
  }
  switch (from.kind) {
    case "float":
      return floatText(node);
    case "decimal":
      if (isInexactDecimal(node.operand)) {
        throw unsupported("the text of a quotient or average of decimals", node.span, ROUND_FIRST);
      }
      if (!isReadFromText(node.operand)) return undefined;
      throw unsupported("the text of a number that was read from a text", node.span, ROUND_FIRST);
    case "interval":
      throw unsupported("the text of an interval", node.span, "Use extract(… FROM x).");
    case "array":
    case "row":
    case "binary":
      throw unsupported(`the text of a value of type ${from.kind}`, node.span);
    default:
      return undefined;
  }
}

/** PostgreSQL's hex form, or the text's own bytes; DuckDB writes `\\x` before every byte. */
function bytesOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind !== "string") {
    throw unsupported("the bytes of a computed text", node.span, "Use decode(x, 'hex') or decode(x, 'base64').");
  }
  if (operand.value.startsWith("\\x")) return call("unhex", [text(operand.value.slice(2), operand)], node);
  if (!operand.value.includes("\\")) return call("encode", [operand], node);
  throw unsupported("escapes in bytes", node.span, "Write the bytes in hexadecimal: '\\x…'.");
}

/** A bare `numeric` keeps all digits; DuckDB's DECIMAL without precision has three. */
function lowerCastToDecimal(node: Cast, from: SqlType, to: SqlType & { kind: "decimal" }): Expression | undefined {
  // Ours, and a double on purpose (inexact.ts).
  if (node.typeName.name === "double precision") return undefined;
  if (to.precision !== undefined) {
    // Doubles become decimals by their 15 significant digits, as in PostgreSQL.
    const isDouble = from.kind === "float" || isInexactDecimal(node.operand);
    return isDouble && !node.safe ? { ...node, operand: exactDigits(node.operand, to.scale ?? 0) } : undefined;
  }
  if (from.kind === "decimal" || from.kind === "null") return node.operand;
  if (from.kind === "float" && from.bits === 32) return doubleOfDigits(node.operand);
  // Stays a double; whatever needs its digits brings them back (inexact.ts).
  if (from.kind === "float") return { ...node, typeName: { ...node.typeName, name: "double precision" } };
  const shape = decimalShape(from);
  if (shape !== undefined) return withShape(node, shape.precision, shape.scale);
  if (node.operand.kind === "string") {
    const digits = /^[+-]?(\d*)(?:\.(\d*))?$/.exec(node.operand.value.trim());
    const scale = digits?.[2]?.length ?? 0;
    const whole = digits?.[1]?.length ?? 0;
    if (digits !== null && whole + scale > 0 && whole + scale <= MAX_PRECISION)
      return withShape(node, Math.max(whole + scale, 1), scale);
  }
  if (from.kind === "text" && !node.safe) return numberOfText(node);
  throw unsupported("numeric without precision for this value", node.span, "Write numeric(precision, scale).");
}

function withShape(node: Cast, precision: number, scale: number): Expression {
  return { ...node, typeName: { ...node.typeName, name: "numeric", parameters: [precision, scale] } };
}

/** DuckDB has no cast from an instant to the time of day. */
function timeInUtc(node: Cast): Expression {
  const utc = atZone(node.operand, text("UTC", node), { span: node.span, type: TIMESTAMP });
  const local: Cast = { ...node, operand: utc };
  return lowerPrecision(local) ?? local;
}

/** `timestamp(0)` rounds in PostgreSQL and cuts in DuckDB. */
function lowerPrecision(node: Cast): Expression | undefined {
  const [digits] = node.typeName.parameters;
  if (digits === undefined) return undefined;
  const whole: Cast = { ...node, typeName: { ...node.typeName, parameters: [] } };
  if (digits >= 6) return whole;
  const unit = { 0: ["second", "500 milliseconds"], 3: ["millisecond", "500 microseconds"] }[digits];
  const [name, half] = unit ?? [];
  if (name === undefined || half === undefined || typeOf(node).kind !== "timestamp") {
    throw unsupported(`a precision of ${digits} digits`, node.span, "Use 0, 3 or 6.");
  }
  return call("date_trunc", [text(name, node), binary(whole, "+", interval(half, node), node)], node);
}

// ------------------------------------------------------------------------------------------------- dates and times

/** DuckDB's fields of seconds are whole; PostgreSQL's carry the fraction. */
function lowerExtract(node: Extract): Expression | undefined {
  refuseEndless([node.operand]);
  const micros = (field: Expression, factor: string): Expression =>
    binary(cast(field, "numeric", node, [20, 0]), "*", decimal(factor, node), node);
  switch (node.field) {
    case "second":
      return micros({ ...node, field: "microseconds" }, "0.000001");
    case "milliseconds":
      return micros({ ...node, field: "microseconds" }, "0.001");
    case "epoch":
      return typeOf(node.operand).kind === "timestamp"
        ? micros(call("epoch_us", [node.operand], node), "0.000001")
        : undefined;
    case "timezone":
    case "timezone_hour":
    case "timezone_minute":
      throw unsupported("the zone of a timestamp", node.span, "All sessions run in UTC.");
    default:
      return undefined;
  }
}

/** Counts of units have 32 bits. */
const MAX_COUNT_DIGITS = 9;

/** One text form for every spelling; computed amounts keep their unit. */
function lowerInterval(node: IntervalLiteral): Expression | undefined {
  const parts = intervalParts(node);
  if (parts !== undefined)
    return { ...node, value: text(intervalText(parts), node), unit: undefined, toUnit: undefined };
  const type = typeOf(node.value);
  if (node.value.kind === "number" && node.value.text.length > MAX_COUNT_DIGITS) {
    throw unsupported("an interval of that many units", node.span, "Use a larger unit.");
  }
  if (type.kind === "integer" || type.kind === "null") return undefined;
  if (isNumeric(type))
    throw unsupported("an interval of a computed fraction", node.span, "Use a whole number of a smaller unit.");
  return { ...node, value: cast(node.value, "integer", { span: node.span, type: { kind: "integer", bits: 32 } }) };
}

export const DUCKDB_REWRITES: Rewrites = {
  number: lowerNumber,
  binary: lowerBinary,
  is: lowerIs,
  case: lowerCase,
  array: (node) => {
    const elements = aligned(node.elements);
    return elements === node.elements ? undefined : { ...node, elements };
  },
  setOperation: alignedSetOperation,
  inQuery: (node) => {
    const row = lowerRowInQuery(node);
    if (row !== undefined) return row;
    const nearest = nearestInQuery(node);
    return alignedInQuery(nearest) ?? nearest;
  },
  quantified: (node) => {
    const row = lowerQuantifiedRow(node);
    if (row !== undefined) return row;
    const nearest = nearestQuantified(node);
    return lowerQuantified(nearest) ?? nearest;
  },
  keyOf: (expression) => {
    refuseJson(expression);
    return nearestDigits(expression);
  },
  slice: lowerSlice,
  between: lowerBetween,
  inList: lowerInList,
  like: lowerLike,
  cast: lowerCast,
  extract: lowerExtract,
  bits: (node) => cast(text(node.digits, node), "bit", node),
  interval: lowerInterval,
  // Its texts have no other order.
  collate: (node) => node.operand,
  atTimeZone: lowerAtTimeZone,
  subscript: lowerSubscript,
  calls: DUCKDB_FUNCTIONS,
  tableCalls: new Map([
    ["generate_series", seriesRows],
    ["unnest", arraysSideBySide],
    ["regexp_matches", matchRows],
    ...["json_each", "jsonb_each"].map((name) => [name, jsonMembers("json_extract")] as const),
    ...["json_each_text", "jsonb_each_text"].map((name) => [name, jsonMembers("json_extract_string")] as const),
  ]),
};
