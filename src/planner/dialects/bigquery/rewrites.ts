/** Rewrites for BigQuery: constructs that it lacks, or that mean something else. Seen on GoogleSQL's evaluator. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { caseOfReals } from "../../lowering/numbers/reals.ts";
import { refuseMixedReals, refuseTextsBesideReals } from "../../lowering/numbers/rounded-reals.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { byExtremeOfValues } from "../../lowering/queries/quantified-queries.ts";
import { anyEqual } from "../../lowering/queries/row-comparisons.ts";
import { wholeBytes } from "../../lowering/refused-values.ts";
import { expressionRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { symmetricAsRanges } from "../../lowering/texts/text-equality.ts";
import { EVERY_YEAR } from "../../lowering/times/far-dates.ts";
import { typedLiteral } from "../../lowering/times/typed-literals.ts";
import { call, inPlaceOf, isNull, logical, not } from "../../syntax/build.ts";
import type {
  Between,
  Expression,
  InList,
  InQuery,
  Is,
  Like,
  Quantified,
  Subscript,
  Unary,
  Window,
} from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { bigqueryCasts, REALS } from "./casts.ts";
import { numberText } from "./decimals.ts";
import { bigqueryFields } from "./fields.ts";
import { bigqueryFunctions, TIME_PATTERNS } from "./functions.ts";
import { JSON_TEXTS, subscript } from "./json.ts";
import { JSON_ROWS } from "./json-rows.ts";
import { likeOf } from "./like.ts";
import { bigqueryOperators, equal, inArray, refuseUncompared, toInstants } from "./operators.ts";
import { withColumnNames } from "./output-names.ts";
import { groupOfMatch, similar } from "./regular-expressions.ts";
import { arrayRows, seriesRows, splitRows } from "./table-functions.ts";
import { atTimeZone } from "./zones.ts";

function test({ operand, test: asked, negated }: Is): Expression | undefined {
  if (asked === "unknown") return isNull(operand, negated);
  if (asked !== "null" || operand.kind !== "row") return undefined;
  const each = operand.elements.map((element) => isNull(element, negated));
  return logical("and", each, operand);
}

function unary(node: Unary): undefined {
  if (node.operator !== "-" || typeOrUnknown(node.operand).kind !== "interval") return;
  throw unsupported("an interval as a value", node.span, "Subtract it from a date or a timestamp.");
}

function between(node: Between): Expression | undefined {
  refuseUncompared(node.operand, node.low, node.high);
  refuseTextsBesideReals([node.operand, node.low, node.high]);
  const [operand = node.operand, low = node.low, high = node.high] = toInstants([node.operand, node.low, node.high]);
  const same = operand === node.operand && low === node.low && high === node.high;
  return symmetricAsRanges({ ...node, operand, low, high }) ?? (same ? undefined : { ...node, operand, low, high });
}

const like = (node: Like): Expression => (node.operator === "similar" ? similar(node) : likeOf(node));

function inList(node: InList): Expression | undefined {
  refuseUncompared(node.operand);
  if (node.operand.kind !== "row") {
    refuseTextsBesideReals([node.operand, ...node.list]);
    const [operand = node.operand, ...list] = toInstants([node.operand, ...node.list]);
    return operand === node.operand ? undefined : { ...node, operand, list };
  }
  return anyEqual(node, equal);
}

/** Members of rows are structs there, which PostgreSQL's rows are not where one is NULL. */
function inQuery(node: InQuery): undefined {
  refuseUncompared(node.operand);
  if (node.operand.kind !== "row") return;
  // Structs of different members are not compared, where their values would be.
  const columns = outputColumnsOf(node.query.body);
  const isAlike = node.operand.elements.every((each, index) => {
    const { kind } = typeOrUnknown(each);
    return kind === columns[index]?.type?.kind && kind !== "decimal";
  });
  if (isAlike && node.onlyTruth === true && !node.negated) return;
  throw unsupported("a row that is compared with those of a subquery", node.span, "Use EXISTS.");
}

/** `= ANY` and `<> ALL` are IN; a query or an array has no other words there. */
function quantified(node: Quantified): Expression {
  const { operand, operator, quantifier, query, array, span } = node;
  const negated = operator === "<>" && quantifier === "all";
  if (!negated && !(operator === "=" && quantifier === "any")) {
    if (query !== undefined) return byExtremeOfValues(node, query);
    throw unsupported(`${operator} ${quantifier.toUpperCase()}`, span, "Use EXISTS, or min or max of the query.");
  }
  refuseUncompared(operand);
  if (operand.kind === "row") throw unsupported("a row that is compared with others", span, "Use EXISTS.");
  if (query !== undefined) return { kind: "in-query", operand, negated, query, onlyTruth: false, ...at(node) };
  if (array === undefined) throw new TypeError("ANY is of a query or of an array");
  if (array.kind === "array" && array.elements.length > 0) {
    return { kind: "in-list", operand, negated, list: array.elements, ...at(node) };
  }
  const found = inArray(operand, array, node);
  return negated ? not(found) : found;
}

const at = ({ span, type }: Quantified) => ({ span, ...(type && { type }) });

function element(node: Subscript): Expression {
  const { kind } = typeOrUnknown(node.operand);
  if (kind === "json") return subscript(node);
  if (kind !== "array") throw unsupported("an element of this", node.span);
  const group = groupOfMatch(node.operand, node.index);
  if (group !== undefined) return group;
  return call("element of", [node.operand, node.index], inPlaceOf(node));
}

/** BigQuery writes no array with a NULL in it, and reads a NULL array as an empty one. */
function column(expression: Expression): Expression {
  const { type, span } = expression;
  if (type?.kind === "interval") {
    const hint = "Use date_diff('day', a, b), or extract(epoch FROM a - b).";
    throw unsupported("an interval as a value", span, hint);
  }
  if (type?.kind !== "array" || expression.kind === "bound") return expression;
  const isFull = expression.kind === "array" && !expression.elements.some(isNullable);
  if (isFull) return expression;
  throw unsupported("an array as a column of the answer, where it may be NULL or hold one", span, "Use string_agg.");
}

/** Doubles tell no partitions apart there. Keys of a frame with a distance are numbers, and one key alone. */
function window(node: Window): Window {
  const { frame, orderBy, partitionBy, span } = node;
  const double = partitionBy.find((each) => typeOrUnknown(each).kind === "float" || isInexactDecimal(each));
  if (double !== undefined) throw unsupported("a partition by doubles", double.span, "Cast them to numeric.");
  if (frame?.unit !== "range") return node;
  const bounds = [frame.start, ...(frame.end === undefined ? [] : [frame.end])];
  if (!bounds.some((bound) => "offset" in bound)) return node;
  const [key] = orderBy;
  const kind = key && typeOrUnknown(key.expression).kind;
  if (key !== undefined && !isNullable(key.expression) && (kind === "integer" || kind === "decimal")) return node;
  throw unsupported("a frame of a distance over this key", span, "Use numbers that are never NULL, or ROWS.");
}

export const bigqueryRewrites = (): Rewrites => ({
  differencesAsLengths: true,
  finiteDates: EVERY_YEAR,
  clock: { steps: "microseconds" },
  timePatterns: TIME_PATTERNS,
  jsonTexts: JSON_TEXTS,
  numbersFilled: "by lpad",
  bindsOperands: "by a subquery",
  expressions: expressionRules(
    ["string boolean null column session logical exists row bound opaque interval scalar-query"],
    {
      number: numberText,
      array: (node) => {
        refuseMixedReals(node.elements);
        return node;
      },
      case: (node) => caseOfReals(node, REALS.asReal),
      unary,
      between,
      quantified,
      like,
      is: test,
      "in-list": inList,
      "in-query": inQuery,
      typed: typedLiteral,
      subscript: element,
      slice: { refused: "a slice of an array" },
      // Its texts have no other order.
      collate: (node) => node.operand,
      "at-time-zone": atTimeZone,
      bits: wholeBytes,
      "array-query": UNSUPPORTED.arrayQuery,
      field: UNSUPPORTED.rowMembers,
    },
  ),
  operators: bigqueryOperators(),
  casts: bigqueryCasts(),
  fields: bigqueryFields(),
  functions: bigqueryFunctions(),
  rankedAggregates: new Set(["mode"]),
  tableFunctions: new Map([
    ["unnest", arrayRows],
    ["generate_series", seriesRows],
    ["string_to_table", splitRows],
    ...JSON_ROWS,
  ]),
  item: column,
  window,
  statement: withColumnNames,
});
