/** Operators and literals whose meaning in DuckDB differs from PostgreSQL's. Measured on DuckDB 1.4.5. */
import { intervalParts, intervalText } from "../../intervals.ts";
import { nearestDigits } from "../../lowering/inexact.ts";
import { re2Options, re2Test, similarToRe2 } from "../../lowering/regular-expressions.ts";
import { type Rewrites, unsupported } from "../../lowering/target.ts";
import { binary, call, cast, decimal, not, text } from "../../syntax/build.ts";
import type { Binary, Case, Expression, Extract, IntervalLiteral, Like } from "../../syntax/tree.ts";
import { BOOLEAN, isNumeric, isUnknown, type SqlType, typeOrUnknown } from "../../types.ts";
import { lowerArrayJoin, lowerContainment, lowerQuantified, lowerSlice, lowerSubscript } from "./arrays.ts";
import { plainDigits } from "./calls.ts";
import { lowerCast, MAX_PRECISION } from "./casts.ts";
import {
  lowerBetween,
  lowerComparison,
  lowerInList,
  lowerIs,
  lowerQuantifiedRow,
  lowerRowInQuery,
} from "./comparisons.ts";
import { aligned, alignedInQuery, alignedRemainder, alignedSetOperation, recursionOfDecimals } from "./decimals.ts";
import { refuseEndless } from "./endless.ts";
import { duckdbFunctions } from "./functions.ts";
import { inFullWidth } from "./integers.ts";
import { lowerIntervalFactor } from "./intervals.ts";
import { elementsOf, hasKey, hasKeys, jsonStep, lowerJsonPath, refuseJson } from "./json.ts";
import { jsonContainment } from "./json-constants.ts";
import { joinedJson, withoutMembers } from "./json-edits.ts";
import { jsonItem, textWithin } from "./json-texts.ts";
import { nearestCase, nearestInQuery, nearestQuantified, sumOfDigits } from "./quotients.ts";
import { seriesRows } from "./series.ts";
import { arraysSideBySide, jsonMembers, matchRows } from "./table-functions.ts";
import { lowerAtTimeZone, lowerOverlaps, lowerTimeArithmetic } from "./times.ts";

function lowerNumber(node: Expression & { kind: "number" }): Expression | undefined {
  if (node.text.length <= MAX_PRECISION && /^\d+(\.\d+)?$/.test(node.text)) return undefined;
  const digits = plainDigits(node.text);
  if (typeOrUnknown(node).kind === "float") return undefined;
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
  const [a, b] = [typeOrUnknown(left), typeOrUnknown(right)];
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
      if (a.kind === "json") return withoutMembers(node);
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
      return textWithin(a, (name, at) => jsonStep(elementsOf(left, right), right, name, at), node);
    case "#>":
    case "#>>":
      return lowerJsonPath(node);
    case "?":
      return hasKey(node);
    case "^@":
      return call("starts_with", [left, right], node);
    case "@>":
      if (a.kind === "array" || b.kind === "array") return lowerContainment(node, right);
      if (a.kind === "json" || b.kind === "json") return jsonContainment(node);
      throw unsupported(`operator ${operator} over ${a.kind}`, node.span);
    case "<@":
      if (a.kind === "array" || b.kind === "array") return lowerContainment(node, left);
      if (a.kind === "json" || b.kind === "json") return jsonContainment(node);
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
      if (typeOrUnknown(node).kind === "json") return joinedJson(node);
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
  return lowerIntervalFactor(node);
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
      return typeOrUnknown(node.operand).kind === "timestamp"
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
  const type = typeOrUnknown(node.value);
  if (node.value.kind === "number" && node.value.text.length > MAX_COUNT_DIGITS) {
    throw unsupported("an interval of that many units", node.span, "Use a larger unit.");
  }
  if (type.kind === "integer" || type.kind === "null") return undefined;
  if (isNumeric(type))
    throw unsupported("an interval of a computed fraction", node.span, "Use a whole number of a smaller unit.");
  return { ...node, value: cast(node.value, "integer", { span: node.span, type: { kind: "integer", bits: 32 } }) };
}

export const duckdbRewrites = (): Rewrites => ({
  number: lowerNumber,
  binary: lowerBinary,
  is: lowerIs,
  case: lowerCase,
  array: (node) => {
    const elements = aligned(node.elements);
    return elements === node.elements ? undefined : { ...node, elements };
  },
  item: jsonItem,
  setOperation: alignedSetOperation,
  recursionOfDecimals,
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
  calls: duckdbFunctions(),
  tableCalls: new Map([
    ["generate_series", seriesRows],
    ["unnest", arraysSideBySide],
    ["regexp_matches", matchRows],
    ...["json_each", "jsonb_each"].map((name) => [name, jsonMembers("json_extract")] as const),
    ...["json_each_text", "jsonb_each_text"].map((name) => [name, jsonMembers("json_extract_string")] as const),
  ]),
});
