/** Operators and literals whose meaning in DuckDB differs from PostgreSQL's. Measured on DuckDB 1.4.5. */

import { unsupported } from "../../diagnostics.ts";
import { intervalParts, intervalText } from "../../intervals.ts";
import { caseOfReals } from "../../lowering/numbers/reals.ts";
import { similarPattern } from "../../lowering/patterns/regular-expressions.ts";
import { expressionRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { plainDigits } from "../../plain-digits.ts";
import { call, cast, inPlaceOf, not, text } from "../../syntax/build.ts";
import type { Call, Case, Expression, IntervalLiteral, Like, Query, Window } from "../../syntax/tree.ts";
import { type SyntaxNode, someChild } from "../../syntax/walk.ts";
import { BOOLEAN, isNumeric, typeOrUnknown } from "../../types.ts";
import { lowerQuantified, lowerSlice, lowerSubscript } from "./arrays.ts";
import { duckdbCasts, MAX_PRECISION } from "./casts.ts";
import { lowerBetween, lowerInList, lowerIs, lowerQuantifiedRow, lowerRowInQuery } from "./comparisons.ts";
import { aligned, alignedInQuery, alignedSetOperation, recursionOfDecimals } from "./decimals.ts";
import { duckdbFields } from "./fields.ts";
import { duckdbFunctions } from "./functions.ts";
import { refuseJson } from "./json.ts";
import { jsonItem } from "./json-texts.ts";
import { duckdbOperators } from "./operators.ts";
import { refuseEmptyFrame } from "./quirks/empty-frames.ts";
import { refuseRepeatedEmptySets } from "./quirks/empty-sets.ts";
import { isIntervalLiteral, withDifferentIntervals } from "./quirks/equal-intervals.ts";
import { withFramesAtPeers } from "./quirks/frames-at-zero.ts";
import { keyOfInterval, lengthOf, mayBeMixed } from "./quirks/interval-lengths.ts";
import { isLongNumber, withDoubles } from "./quirks/long-literals.ts";
import { withPlannedJoins } from "./quirks/outer-joins.ts";
import { refuseOuterSets } from "./quirks/outer-sets.ts";
import { withOrderedLists } from "./quirks/rows-of-lists.ts";
import { seriesRows } from "./quirks/series.ts";
import { withRowsRead } from "./quirks/streamed-windows.ts";
import { nearestCase, nearestInQuery, nearestQuantified } from "./quotients.ts";
import { asReal, setOfReals } from "./reals.ts";
import { nearestDigits } from "./significant-digits.ts";
import { arraysSideBySide, jsonMembers, matchRows } from "./table-functions.ts";
import { lowerAtTimeZone } from "./times.ts";

function lowerWindow(window: Window, of: Call | undefined): Window {
  if (window.frame !== undefined) refuseEmptyFrame(window.frame);
  return withRowsRead(withFramesAtPeers(window), of);
}

/** The rewrites of a whole statement copy it, and few statements have anything for them: one walk finds what they are about. */
function finished(statement: Query): Query {
  let [intervals, longNumbers, tables] = [false, false, false];
  // Without recursion: the printer gives the position of a statement that is too deep, and a full stack has none.
  const waiting: SyntaxNode[] = [statement];
  const add = (child: SyntaxNode): false => {
    waiting.push(child);
    return false;
  };
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    intervals ||= isIntervalLiteral(node);
    longNumbers ||= node.kind === "number" && isLongNumber(node);
    tables ||= isForTables(node);
    someChild(node, add);
  }
  const different = intervals ? withDifferentIntervals(statement) : statement;
  const numbered = longNumbers ? withDoubles(different) : different;
  return tables ? withPlannedTables(numbered) : numbered;
}

function withPlannedTables(statement: Query): Query {
  refuseOuterSets(statement);
  refuseRepeatedEmptySets(statement);
  return withOrderedLists(withPlannedJoins(statement));
}

function isForTables(node: SyntaxNode): boolean {
  switch (node.kind) {
    case "join":
      return node.join !== "inner" && node.join !== "cross";
    case "derived":
      return node.lateral;
    case "select":
      return node.groupBy?.some((element) => element.kind !== "expression") === true;
    default:
      return node.kind === "function";
  }
}

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
  return digits.includes(".") ? plain : cast(plain, "numeric", inPlaceOf(node), [digits.length, 0]);
}

function lowerCase(written: Case): Expression | undefined {
  const near = nearestCase(written);
  const node = caseOfReals(near, asReal) ?? near;
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

/** A backslash escapes unless ESCAPE says otherwise; DuckDB has no escape of its own. */
function lowerLike(node: Like): Expression | undefined {
  if (node.operator === "similar") return lowerSimilar(node);
  if (node.escape !== undefined) return undefined;
  if (node.pattern.kind === "string" && !node.pattern.value.includes("\\")) return undefined;
  return { ...node, escape: text("\\", node) };
}

function lowerSimilar(node: Like): Expression {
  const pattern = similarPattern(node);
  const found = call("regexp_full_match", [node.operand, pattern, text("s", node)], { span: node.span, type: BOOLEAN });
  return node.negated ? not(found) : found;
}

// ------------------------------------------------------------------------------------------------- dates and times

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
    throw unsupported("an interval of a computed fraction", node.span, "Use an integer of a smaller unit.");
  return { ...node, value: cast(node.value, "integer", { span: node.span, type: { kind: "integer", bits: 32 } }) };
}

function nearest(expression: Expression): Expression {
  refuseJson(expression);
  return nearestDigits(expression);
}

const key = (expression: Expression): Expression =>
  mayBeMixed(expression) ? keyOfInterval(expression) : nearest(expression);

const sortKey = (expression: Expression): Expression =>
  mayBeMixed(expression) ? lengthOf(expression) : nearest(expression);

export const duckdbRewrites = (): Rewrites => ({
  statement: finished,
  timePatterns: { dates: "all" },
  numbersFilled: "by lpad",
  expressions: expressionRules(
    ["string boolean null typed column session unary logical exists array-query field row scalar-query bound opaque"],
    {
      number: lowerNumber,
      is: lowerIs,
      case: lowerCase,
      array: (node) => {
        const elements = aligned(node.elements);
        return elements === node.elements ? undefined : { ...node, elements };
      },
      "in-query": (node) => {
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
      slice: lowerSlice,
      between: lowerBetween,
      "in-list": lowerInList,
      like: lowerLike,
      bits: (node) => cast(text(node.digits, node), "bit", inPlaceOf(node)),
      interval: lowerInterval,
      // Its texts have no other order.
      collate: (node) => node.operand,
      "at-time-zone": lowerAtTimeZone,
      subscript: lowerSubscript,
    },
  ),
  operators: duckdbOperators(),
  bindsOperands: "by a lambda",
  casts: duckdbCasts(),
  fields: duckdbFields(),
  functions: duckdbFunctions(),
  tableFunctions: new Map([
    ["generate_series", seriesRows],
    ["unnest", arraysSideBySide],
    ["regexp_matches", matchRows],
    ...["json_each", "jsonb_each"].map((name) => [name, jsonMembers("json_extract")] as const),
    ...["json_each_text", "jsonb_each_text"].map((name) => [name, jsonMembers("json_extract_string")] as const),
  ]),
  item: jsonItem,
  window: lowerWindow,
  setOperation: (node) => alignedSetOperation(setOfReals(node)),
  recursionOfDecimals,
  keys: { keyOf: key, sortOf: sortKey },
});
