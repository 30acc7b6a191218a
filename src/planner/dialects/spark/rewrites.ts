/** Rewrites for Spark: constructs that it lacks, or that mean something else. Seen on Spark 4.0.1. */

import { unsupported } from "../../diagnostics.ts";
import { element, quantified, slice } from "../../lowering/arrays/arrays.ts";
import { arrayOfReals, caseOfReals } from "../../lowering/numbers/reals.ts";
import { likeInLowerCase } from "../../lowering/patterns/like-patterns.ts";
import { byExtreme } from "../../lowering/queries/quantified-queries.ts";
import { anyEqual } from "../../lowering/queries/row-comparisons.ts";
import { refuseInterval, refuseRow, wholeBytes } from "../../lowering/refused-values.ts";
import { expressionRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { symmetricAsRanges } from "../../lowering/texts/text-equality.ts";
import { EVERY_YEAR } from "../../lowering/times/far-dates.ts";
import { typedLiteral } from "../../lowering/times/typed-literals.ts";
import { isNull, logical } from "../../syntax/build.ts";
import type { Between, Expression, InList, InQuery, Is, Like, Unary } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { sparkCasts } from "./casts.ts";
import { refuseUnknownCorrelation } from "./correlated.ts";
import { numberText } from "./decimals.ts";
import { sparkFields } from "./fields.ts";
import { TIME_PATTERNS } from "./formats.ts";
import { sparkFunctions } from "./functions.ts";
import { JSON_TEXTS, refuseJson } from "./json.ts";
import { JSON_ROWS } from "./json-rows.ts";
import { refuseQueriesInLambdas } from "./lambdas.ts";
import { withoutLateralRules } from "./lateral-rules.ts";
import { equal, sparkOperators } from "./operators.ts";
import { withoutUnknownMembership } from "./quirks/null-aware.ts";
import { setOfReals } from "./reals.ts";
import { similar } from "./regular-expressions.ts";
import { arrayRows, matchedRows, seriesRows, splitRows } from "./table-functions.ts";
import { atTimeZone } from "./times.ts";
import { NUMBERED_TIMES } from "./times-of-day.ts";

/** A row of NULLs is a value there. */
function test({ operand, test: asked, negated }: Is): Expression | undefined {
  if (asked !== "null" || operand.kind !== "row") return undefined;
  const each = operand.elements.map((element) => isNull(element, negated));
  return logical("and", each, operand);
}

function unary(node: Unary): undefined {
  if (node.operator !== "-" || typeOrUnknown(node.operand).kind !== "interval") return;
  throw unsupported("an interval as a value", node.span, "Subtract it from a date or a timestamp.");
}

function between(node: Between): Expression | undefined {
  refuseJson(node.operand, node.low, node.high);
  return symmetricAsRanges(node);
}

const like = (node: Like): Expression => (node.operator === "similar" ? similar(node) : likeInLowerCase(node));

function inList(node: InList): Expression | undefined {
  refuseJson(node.operand);
  if (node.operand.kind !== "row") return undefined;
  return anyEqual(node, equal);
}

/** A row with a NULL is compared as a value there, whatever its other elements say. */
function inQuery(node: InQuery): undefined {
  refuseJson(node.operand);
  refuseRow(node);
}

export const sparkRewrites = (): Rewrites => ({
  differencesAsLengths: true,
  finiteDates: EVERY_YEAR,
  numberedTimes: NUMBERED_TIMES,
  timePatterns: TIME_PATTERNS,
  jsonTexts: JSON_TEXTS,
  numbersFilled: "by lpad",
  expressions: expressionRules(
    ["string boolean null column session logical exists row bound opaque interval scalar-query"],
    {
      number: numberText,
      case: caseOfReals,
      array: arrayOfReals,
      unary,
      between,
      quantified: (node) => (node.query === undefined ? quantified(node) : byExtreme(node, node.query)),
      like,
      is: test,
      "in-list": inList,
      "in-query": inQuery,
      typed: typedLiteral,
      subscript: (node) => {
        if (typeOrUnknown(node.operand).kind === "array") return element(node);
        throw unsupported("an element of this", node.span);
      },
      slice,
      // Its texts have no other order.
      collate: (node) => node.operand,
      "at-time-zone": atTimeZone,
      bits: wholeBytes,
      "array-query": UNSUPPORTED.arrayQuery,
      field: UNSUPPORTED.rowMembers,
    },
  ),
  operators: sparkOperators(),
  bindsOperands: "by a lambda",
  casts: sparkCasts(),
  fields: sparkFields(),
  functions: sparkFunctions(),
  tableFunctions: new Map([
    ["unnest", arrayRows],
    ["generate_series", seriesRows],
    ["string_to_table", splitRows],
    ["regexp_split_to_table", matchedRows],
    ...JSON_ROWS,
  ]),
  item: refuseInterval,
  setOperation: setOfReals,
  statement: (statement, holds) => {
    if (!holds(statement).hasSubqueries) return statement;
    refuseUnknownCorrelation(statement);
    refuseQueriesInLambdas(statement);
    return withoutLateralRules(withoutUnknownMembership(statement));
  },
});
