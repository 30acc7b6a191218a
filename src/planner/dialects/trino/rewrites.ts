/** Rewrites for Trino: constructs that it lacks, or that mean something else. Seen on Trino 476. */

import { unsupported } from "../../diagnostics.ts";
import { element, quantified, slice } from "../../lowering/arrays/arrays.ts";
import { likeInLowerCase } from "../../lowering/patterns/like-patterns.ts";
import { anyEqual } from "../../lowering/queries/row-comparisons.ts";
import { refuseInterval, refuseRow, wholeBytes } from "../../lowering/refused-values.ts";
import { expressionRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { symmetricAsRanges } from "../../lowering/texts/text-equality.ts";
import { EVERY_YEAR } from "../../lowering/times/far-dates.ts";
import { typedLiteral } from "../../lowering/times/typed-literals.ts";
import { truthTest } from "../../lowering/truth-tests.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import type { Between, Expression, InList, InQuery, Join, Like, Unary } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { trinoCasts } from "./casts.ts";
import { refuseUnknownCorrelation } from "./correlated.ts";
import { numberText } from "./decimals.ts";
import { trinoFields } from "./fields.ts";
import { TIME_PATTERNS, trinoFunctions } from "./functions.ts";
import { JSON_TEXTS, refuseJson, subscript } from "./json.ts";
import { JSON_ROWS } from "./json-rows.ts";
import { equal, trinoOperators } from "./operators.ts";
import { similar } from "./regular-expressions.ts";
import { arrayRows, matchedRows, seriesRows, splitRows } from "./table-functions.ts";
import { atTimeZone } from "./times.ts";

function unary(node: Unary): Expression | undefined {
  if (node.operator === "~") return call("bitwise_not", [node.operand], inPlaceOf(node));
  if (node.operator === "-" && typeOrUnknown(node.operand).kind === "interval") {
    throw unsupported("an interval as a value", node.span, "Subtract it from a date or a timestamp.");
  }
  return undefined;
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

/** A row with a NULL is unknown there, whatever its other elements say. */
function inQuery(node: InQuery): undefined {
  refuseJson(node.operand);
  refuseRow(node);
}

/** A LATERAL derived table that is joined on a condition is refused, unless the join is inner; so are rows of a function. */
function join(node: Join): Join {
  const isLateral = node.right.kind === "derived" && node.right.lateral;
  const isPlain = node.on === undefined || (node.on.kind === "boolean" && node.on.value);
  if (node.right.kind === "function" && !isPlain) {
    const hint = "Write CROSS JOIN, and the condition into WHERE.";
    throw unsupported("rows of a function that are joined on a condition", node.right.span, hint);
  }
  if (!isLateral || isPlain) return node;
  if (node.join === "inner") return node;
  throw unsupported(
    "LATERAL that is joined on a condition",
    node.right.span,
    "Put the condition into its WHERE, and write ON TRUE.",
  );
}

export const trinoRewrites = (): Rewrites => ({
  differencesAsLengths: true,
  finiteDates: EVERY_YEAR,
  clock: { steps: "seconds since 1970" },
  timePatterns: TIME_PATTERNS,
  jsonTexts: JSON_TEXTS,
  numbersFilled: "by lpad",
  expressions: expressionRules(
    ["string boolean null column session logical exists row bound opaque interval array scalar-query case"],
    {
      number: numberText,
      unary,
      between,
      quantified,
      like,
      is: truthTest,
      "in-list": inList,
      "in-query": inQuery,
      typed: typedLiteral,
      subscript: (node) => (typeOrUnknown(node.operand).kind === "json" ? subscript(node) : element(node)),
      slice,
      // Its texts have no other order.
      collate: (node) => node.operand,
      "at-time-zone": atTimeZone,
      bits: wholeBytes,
      "array-query": UNSUPPORTED.arrayQuery,
      field: UNSUPPORTED.rowMembers,
    },
  ),
  operators: trinoOperators(),
  bindsOperands: "by a lambda",
  casts: trinoCasts(),
  fields: trinoFields(),
  functions: trinoFunctions(),
  tableFunctions: new Map([
    ["unnest", arrayRows],
    ["generate_series", seriesRows],
    ["string_to_table", splitRows],
    ["regexp_split_to_table", matchedRows],
    ...JSON_ROWS,
  ]),
  item: refuseInterval,
  join,
  statement: (statement, _, hadSubqueries) => {
    // Trino's rules make no subqueries.
    if (hadSubqueries) refuseUnknownCorrelation(statement);
    return statement;
  },
});
