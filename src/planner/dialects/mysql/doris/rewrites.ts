/** Rewrites for Doris: constructs that it lacks, or that mean something else. https://doris.apache.org/docs/dev/sql-manual/sql-statements/data-query/SELECT */

import { unsupported } from "../../../diagnostics.ts";
import { rejectUnknownType } from "../../../lowering/comparable.ts";
import { caseOfReals } from "../../../lowering/numbers/reals.ts";
import { likeInLowerCase } from "../../../lowering/patterns/like-patterns.ts";
import { quantifiedWithoutArrays } from "../../../lowering/queries/quantified.ts";
import { byExtremeOfValues } from "../../../lowering/queries/quantified-queries.ts";
import { anyEqual } from "../../../lowering/queries/row-comparisons.ts";
import { withRowsInFrames } from "../../../lowering/queries/row-frames.ts";
import { expressionRules } from "../../../lowering/rules.ts";
import type { Rewrites } from "../../../lowering/target.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { symmetricAsRanges } from "../../../lowering/texts/text-equality.ts";
import { EVERY_YEAR } from "../../../lowering/times/far-dates.ts";
import { call, cast, comparison, inPlaceOf, isNull, logical, typed } from "../../../syntax/build.ts";
import { transformQuery } from "../../../syntax/rewrite.ts";
import type {
  Binary,
  Case,
  Expression,
  InList,
  InQuery,
  Is,
  Like,
  Quantified,
  Subscript,
  Unary,
} from "../../../syntax/tree.ts";
import { TEXT, typeOrUnknown } from "../../../types.ts";
import { withArraysAsJson } from "./answers.ts";
import { elementOf, isMember } from "./arrays.ts";
import { dorisCasts } from "./casts.ts";
import { arrayRows, splitRows, withLateralViews } from "./elements.ts";
import { dorisFields } from "./fields.ts";
import { dorisFunctions } from "./functions.ts";
import { JSON_READING, JSON_TEXTS } from "./json.ts";
import { collected, slice } from "./made-arrays.ts";
import { number } from "./numbers.ts";
import { compared, dorisOperators } from "./operators.ts";
import { similar } from "./patterns.ts";
import { seriesRows } from "./table-functions.ts";
import { atTimeZone, literalTime, TIME_PATTERNS } from "./times.ts";
import { NUMBERED_TIMES } from "./times-of-day.ts";

/** `(a, b) IS NULL`: all of them are, and all are not. Of unknown there is no word but NULL. */
function is(node: Is): Expression | undefined {
  if (node.operand.kind === "row") {
    return logical(
      "and",
      node.operand.elements.map((each) => isNull(each, node.negated)),
      node,
    );
  }
  return node.test === "unknown" ? { ...node, test: "null" } : JSON_READING.isMissing(node);
}

function key(expression: Expression): Expression {
  if (expression.kind !== "number") rejectUnknownType(expression);
  return expression;
}

function refuseRows({ operand, span }: InList | InQuery): void {
  if (operand.kind === "row") throw unsupported("IN of rows", span, "Compare their members, or write EXISTS.");
  rejectUnknownType(operand);
}

/** Row comparisons with a subquery: only equality is supported. */
function quantified(node: Quantified): Expression {
  const { operator, quantifier, query, operand, span, type } = node;
  if (query === undefined) {
    return isMember(node) ?? quantifiedWithoutArrays(node, { keyOf: key, compare: (each: Binary) => compared(each) });
  }
  const isIn = (operator === "=" && quantifier === "any") || (operator === "<>" && quantifier === "all");
  if (!isIn) {
    return byExtremeOfValues(node, query);
  }
  const found: InQuery = { kind: "in-query", operand, negated: operator === "<>", query, span, ...(type && { type }) };
  refuseRows(found);
  return found;
}

/** Rows are compared member by member. */
function inList(node: InList): Expression | undefined {
  if (node.operand.kind === "row") return anyEqual(node, equal);
  refuseRows(node);
  return undefined;
}

function equal(left: Expression, right: Expression, at: Expression): Expression {
  const node = comparison(left, "=", right, at);
  return compared(node) ?? node;
}

function inQuery(node: InQuery): undefined {
  refuseRows(node);
}

function branches(node: Case): Expression | undefined {
  if (node.operand !== undefined) rejectUnknownType(node.operand);
  return caseOfReals(node);
}

const like = (node: Like): Expression => (node.operator === "similar" ? similar(node) : likeInLowerCase(node));

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/numeric-functions/bitnot */
const unary = (node: Unary): Expression | undefined =>
  node.operator === "~" ? call("bitnot", [node.operand], inPlaceOf(node)) : undefined;

const element = (node: Subscript): Expression =>
  typeOrUnknown(node.operand).kind === "json" ? JSON_READING.subscript(node) : elementOf(node);

const finished: Rewrites["statement"] = (statement, holds) => {
  const { hasWindows, hasTableFunctions, calls } = holds(statement);
  const framed = hasWindows ? withRowsInFrames(statement) : statement;
  const placed = hasTableFunctions ? withLateralViews(framed) : framed;
  return withArraysAsJson(calls.has("array_agg") ? transformQuery(placed, { expression: collected }) : placed);
};

/** A text that is written is told as one where a query is a table. */
const item = (expression: Expression): Expression =>
  expression.kind === "string" ? cast(expression, "text", typed(TEXT, expression)) : expression;

export const dorisRewrites = (): Rewrites => ({
  differencesAsLengths: true,
  finiteDates: EVERY_YEAR,
  numberedTimes: NUMBERED_TIMES,
  timePatterns: TIME_PATTERNS,
  jsonTexts: JSON_TEXTS,
  numbersFilled: "by lpad",
  framesOfRows: true,
  expressions: expressionRules(
    ["string boolean null column session logical exists scalar-query row bound opaque interval array"],
    {
      number,
      unary,
      between: symmetricAsRanges,
      quantified,
      like,
      "in-list": inList,
      "in-query": inQuery,
      case: branches,
      typed: literalTime,
      // Texts are in the order of their bytes.
      collate: (node) => node.operand,
      "at-time-zone": atTimeZone,
      is,
      bits: UNSUPPORTED.bitLiterals,
      subscript: element,
      "array-query": UNSUPPORTED.arrays,
      slice,
      field: UNSUPPORTED.rowMembers,
    },
  ),
  operators: dorisOperators(),
  casts: dorisCasts(),
  fields: dorisFields(),
  functions: dorisFunctions(),
  rankedAggregates: new Set(["percentile_cont", "percentile_disc", "mode"]),
  tableFunctions: new Map([
    ["unnest", arrayRows],
    ["string_to_table", splitRows],
    ["generate_series", seriesRows],
  ]),
  item,
  keys: { keyOf: key, sortOf: key },
  statement: finished,
});
