/** Rewrites for Snowflake: constructs that it lacks, or that mean something else. https://docs.snowflake.com/en/sql-reference/constructs */

import { unsupported } from "../../diagnostics.ts";
import { caseOfReals } from "../../lowering/numbers/reals.ts";
import { refuseMixedReals, refuseTextsBesideReals } from "../../lowering/numbers/rounded-reals.ts";
import { patternOf } from "../../lowering/patterns/like-patterns.ts";
import { withRecursiveTables } from "../../lowering/queries/declared-recursion.ts";
import { quantifiedWithoutArrays } from "../../lowering/queries/quantified.ts";
import { anyEqual } from "../../lowering/queries/row-comparisons.ts";
import { refuseInterval, refuseRow, wholeBytes } from "../../lowering/refused-values.ts";
import { expressionRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { symmetricAsRanges } from "../../lowering/texts/text-equality.ts";
import { EVERY_YEAR } from "../../lowering/times/far-dates.ts";
import { isZoned } from "../../lowering/times/instants.ts";
import { typedLiteral } from "../../lowering/times/typed-literals.ts";
import { truthTest } from "../../lowering/truth-tests.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type {
  Between,
  Expression,
  InList,
  InQuery,
  Like,
  Quantified,
  Subscript,
  TypedLiteral,
  Unary,
} from "../../syntax/tree.ts";
import { TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { elementOf, isMemberOfColumn } from "./arrays.ts";
import { REALS, snowflakeCasts } from "./casts.ts";
import { OWN, withKnownCorrelation } from "./correlated.ts";
import { lengthsOf, numberText, RECURSIVE_DIGITS } from "./decimals.ts";
import { arrayRows, splitRows, withElements } from "./elements.ts";
import { withValueInError } from "./errors.ts";
import { snowflakeFields } from "./fields.ts";
import { snowflakeFunctions, TIME_PATTERNS } from "./functions.ts";
import { JSON_TEXTS, refuseStructures, subscript } from "./json.ts";
import { collected, slice } from "./made-arrays.ts";
import { equal, snowflakeOperators, toInstants } from "./operators.ts";
import { groupOfMatch, similar } from "./regular-expressions.ts";
import { seriesRows } from "./table-functions.ts";
import { window, withFrame } from "./windows.ts";
import { asInstant, atTimeZone } from "./zones.ts";

function unary(node: Unary): Expression | undefined {
  if (node.operator === "~") return call("bitnot", [node.operand], inPlaceOf(node));
  if (node.operator !== "-" || typeOrUnknown(node.operand).kind !== "interval") return undefined;
  throw unsupported("an interval as a value", node.span, "Subtract it from a date or a timestamp.");
}

function between(node: Between): Expression | undefined {
  refuseStructures(node.operand, node.low, node.high);
  refuseTextsBesideReals([node.operand, node.low, node.high]);
  const [operand = node.operand, low = node.low, high = node.high] = toInstants([node.operand, node.low, node.high]);
  const same = operand === node.operand && low === node.low && high === node.high;
  return symmetricAsRanges({ ...node, operand, low, high }) ?? (same ? undefined : { ...node, operand, low, high });
}

/** Without ESCAPE nothing escapes there: https://docs.snowflake.com/en/sql-reference/functions/like */
function like(node: Like): Expression {
  if (node.operator === "similar") return similar(node);
  if (node.pattern.kind === "string") return { ...node, ...patternOf(node) };
  const { escape = { kind: "string", value: "\\", span: node.span, type: TEXT } } = node;
  if (escape.kind === "string" && [...escape.value].length === 1) return { ...node, escape };
  throw unsupported("a computed or empty ESCAPE", node.span, "Write one character.");
}

function inList(node: InList): Expression | undefined {
  refuseStructures(node.operand);
  if (node.operand.kind !== "row") {
    refuseTextsBesideReals([node.operand, ...node.list]);
    const [operand = node.operand, ...list] = toInstants([node.operand, ...node.list]);
    return operand === node.operand ? undefined : { ...node, operand, list };
  }
  return anyEqual(node, equal);
}

/** The effect of a NULL in a row is not documented. */
function inQuery(node: InQuery): undefined {
  refuseStructures(node.operand);
  refuseRow(node);
}

function quantified(node: Quantified): Expression {
  const { operand, operator, quantifier, query, span, type } = node;
  refuseStructures(operand);
  const negated = operator === "<>" && quantifier === "all";
  const isIn = negated || (operator === "=" && quantifier === "any");
  if (query === undefined)
    return isMemberOfColumn(node) ?? quantifiedWithoutArrays(node, { keyOf: (each) => each, compare: (each) => each });
  if (operand.kind === "row") throw unsupported("a row that is compared with others", span, "Use EXISTS.");
  if (isIn) return { kind: "in-query", operand, negated, query, onlyTruth: false, span, ...(type && { type }) };
  return node;
}

function element(node: Subscript): Expression {
  if (typeOrUnknown(node.operand).kind === "json") return subscript(node);
  return groupOfMatch(node.operand, node.index) ?? elementOf(node);
}

/** Formats of a session have no part in literals: `TO_DATE('…', 'YYYY-MM-DD')`. */
function literalTime(node: TypedLiteral): Expression {
  const read = typedLiteral(node);
  if (!isZoned(node)) return read;
  return asInstant({ ...read, type: TIMESTAMP });
}

/** https://docs.snowflake.com/en/user-guide/queries-cte */
const RECURSION = { scaleOf: RECURSIVE_DIGITS, lengthsOf, aggregates: OWN };

const finished: Rewrites["statement"] = (statement, holds) => {
  const { hasWindows, hasSubqueries, hasTableFunctions, calls } = holds(statement);
  const placed = hasTableFunctions ? withElements(statement) : statement;
  const known = hasSubqueries ? withKnownCorrelation(placed) : placed;
  const declared = withRecursiveTables(known, RECURSION);
  if (!hasWindows && !calls.has("array_agg") && !calls.has("fail")) return declared;
  return transformQuery(declared, { expression: (node) => withFrame(withValueInError(collected(node))) });
};

/** Arrays have equality on Snowflake; the manual says nothing of their order. */
function sortKey(expression: Expression): Expression {
  refuseStructures({ ...expression, type: typeOrUnknown(expression) });
  return expression;
}

export const snowflakeRewrites = (): Rewrites => ({
  keys: { keyOf: (expression) => expression, sortOf: sortKey },
  differencesAsLengths: true,
  finiteDates: EVERY_YEAR,
  clock: { steps: "microseconds" },
  timePatterns: TIME_PATTERNS,
  jsonTexts: JSON_TEXTS,
  numbersFilled: "by lpad",
  expressions: expressionRules(
    ["string boolean null column session logical exists row bound opaque interval scalar-query"],
    {
      number: numberText,
      case: (node) => caseOfReals(node, REALS.asReal),
      unary,
      between,
      quantified,
      like,
      is: truthTest,
      "in-list": inList,
      "in-query": inQuery,
      typed: literalTime,
      subscript: element,
      slice,
      array: (node) => {
        refuseMixedReals(node.elements);
        return node;
      },
      // Texts of columns without a collation have no other order.
      collate: (node) => node.operand,
      "at-time-zone": atTimeZone,
      bits: wholeBytes,
      "array-query": UNSUPPORTED.arrays,
      field: UNSUPPORTED.rowMembers,
    },
  ),
  operators: snowflakeOperators(),
  casts: snowflakeCasts(),
  fields: snowflakeFields(),
  functions: snowflakeFunctions(),
  rankedAggregates: new Set(["mode"]),
  tableFunctions: new Map([
    ["unnest", arrayRows],
    ["string_to_table", splitRows],
    ["generate_series", seriesRows],
  ]),
  item: refuseInterval,
  window,
  statement: finished,
});
