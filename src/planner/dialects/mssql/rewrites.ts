/** Rewrites for SQL Server: constructs that it lacks, or that mean something else. https://learn.microsoft.com/en-us/sql/t-sql/language-elements/expressions-transact-sql */

import { unsupported } from "../../diagnostics.ts";
import { seriesRows } from "../../lowering/arrays/set-returning.ts";
import { refuseAggregatedQueries } from "../../lowering/queries/aggregated-queries.ts";
import { withRecursiveTables } from "../../lowering/queries/declared-recursion.ts";
import { expressionRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { addLengthKeys } from "../../lowering/texts/padded-keys.ts";
import { symmetricAsRanges } from "../../lowering/texts/text-equality.ts";
import { EVERY_YEAR } from "../../lowering/times/far-dates.ts";
import { betweenUuids } from "../../lowering/uuids.ts";
import { plainDigits } from "../../plain-digits.ts";
import { isNull, logical } from "../../syntax/build.ts";
import type { Expression, Is, NumberLiteral, Window } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { AGGREGATES } from "./aggregate-names.ts";
import { elementOf } from "./arrays.ts";
import { mssqlCasts } from "./casts.ts";
import { lengthsOfSum, MAX_PRECISION, scaleOf } from "./decimals.ts";
import { exact, exactCase, inList, inQuery, like, orderedUuid, TEXTS, textKey } from "./exact-text.ts";
import { mssqlFields } from "./fields.ts";
import { mssqlFunctions } from "./functions.ts";
import { JSON_TEXTS } from "./json.ts";
import { ARRAYS } from "./json-arrays.ts";
import { refuseOrders } from "./one-order.ts";
import { mssqlOperators } from "./operators.ts";
import { similar } from "./regular-expressions.ts";
import { atTimeZone, literalTime } from "./times.ts";
import { TIME_PATTERNS } from "./to-char.ts";

/** With an exponent it is a double on SQL Server. */
function number(node: NumberLiteral): NumberLiteral | undefined {
  if (typeOrUnknown(node).kind === "float") return undefined;
  const plain = plainDigits(node.text);
  if (plain === undefined || plain.replace(".", "").length > MAX_PRECISION) {
    throw unsupported(`a number of more than ${MAX_PRECISION} digits`, node.span);
  }
  return plain === node.text ? undefined : { ...node, text: plain };
}

/** `(a, b) IS NULL`: all of them are, and all are not. */
function rowIsNull(node: Is): Expression | undefined {
  if (node.operand.kind !== "row") return undefined;
  const parts = node.operand.elements.map((each) => isNull(each, node.negated));
  return logical("and", parts, node);
}

/** Bound, and not lowered yet: a range has no distances there. */
function window(written: Window): Window {
  const { frame } = written;
  const hasDistance = [frame?.start, frame?.end].some((bound) => bound !== undefined && "offset" in bound);
  if (frame?.unit === "range" && hasDistance) {
    throw unsupported("a RANGE frame with a distance", frame.span, "Join the table with itself on a range.");
  }
  return written;
}

/** https://learn.microsoft.com/en-us/sql/t-sql/queries/with-common-table-expression-transact-sql */
const RECURSION = { scaleOf, lengthsOf: lengthsOfSum, aggregates: AGGREGATES };
const KEYS = { texts: TEXTS, length: "datalength", aggregates: AGGREGATES };

function sortKey(expression: Expression): Expression {
  const key = orderedUuid(expression);
  return key === expression ? textKey(expression) : key;
}

export const mssqlRewrites = (): Rewrites => ({
  differencesAsLengths: true,
  finiteDates: EVERY_YEAR,
  clock: { steps: "seconds and microseconds" },
  timePatterns: TIME_PATTERNS,
  jsonTexts: JSON_TEXTS,
  numbersFilled: "by right",
  expressions: expressionRules(
    ["string boolean null column session logical exists row scalar-query bound opaque interval unary"],
    {
      number,
      between: (node) => {
        const among = betweenUuids(node, orderedUuid);
        return symmetricAsRanges(among) ?? among;
      },
      quantified: ARRAYS.quantified,
      like: (node) => (node.operator === "similar" ? similar(node) : like(node)),
      "in-list": inList,
      "in-query": inQuery,
      case: exactCase,
      typed: literalTime,
      collate: (node) => exact(node.operand),
      "at-time-zone": atTimeZone,
      is: rowIsNull,
      bits: UNSUPPORTED.bitLiterals,
      subscript: elementOf,
      array: (node) => node,
      "array-query": UNSUPPORTED.arrays,
      slice: ARRAYS.slice,
      field: UNSUPPORTED.rowMembers,
    },
  ),
  operators: mssqlOperators(),
  casts: mssqlCasts(),
  fields: mssqlFields(),
  functions: mssqlFunctions(),
  rankedAggregates: new Set(["percentile_cont", "percentile_disc", "mode", "string_agg", "array_agg"]),
  tableFunctions: new Map([
    ["unnest", ARRAYS.unnest],
    ["generate_series", seriesRows],
  ]),
  window,
  keys: { keyOf: textKey, sortOf: sortKey },
  statement: (statement, holds) => {
    const { hasSubqueries, calls, hasCollations, comparesRows } = holds(statement);
    if (calls.has("array_agg") || calls.has("string_agg")) refuseOrders(statement);
    if (hasSubqueries) refuseAggregatedQueries(statement, AGGREGATES);
    const declared = withRecursiveTables(statement, RECURSION);
    return hasCollations || comparesRows ? addLengthKeys(declared, KEYS) : declared;
  },
});
