/** Rewrites for Redshift: constructs that it lacks, or that mean something else. https://docs.aws.amazon.com/redshift/latest/dg/c_unsupported-postgresql-features.html */

import { elementRows, seriesRows } from "../../../lowering/arrays/set-returning.ts";
import { withRecursiveTables } from "../../../lowering/queries/declared-recursion.ts";
import { byExtremeOfValues } from "../../../lowering/queries/quantified-queries.ts";
import { withRowsInFrames } from "../../../lowering/queries/row-frames.ts";
import { expressionRules } from "../../../lowering/rules.ts";
import type { Rewrites } from "../../../lowering/target.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { addLengthKeys } from "../../../lowering/texts/padded-keys.ts";
import { symmetricAsRanges } from "../../../lowering/texts/text-equality.ts";
import { cast, isNull, logical, typed, values, withArguments } from "../../../syntax/build.ts";
import type { Expression, Is, Quantified, TableExpression, TableFunction } from "../../../syntax/tree.ts";
import { TEXT, typeOrUnknown } from "../../../types.ts";
import { elementOf, isMember, slice } from "./arrays.ts";
import { redshiftCasts } from "./casts.ts";
import { lengthsOf, number, scaleOf } from "./decimals.ts";
import { columnRows, withElements } from "./elements.ts";
import { TEXTS } from "./exact-text.ts";
import { redshiftFields } from "./fields.ts";
import { redshiftFunctions } from "./functions.ts";
import { JSON_READING, JSON_TEXTS } from "./json.ts";
import { redshiftOperators } from "./operators.ts";
import { groupOfMatch, similar } from "./patterns.ts";
import { atTimeZone, literalTime, TIME_PATTERNS } from "./times.ts";
import { CLOCK } from "./times-of-day.ts";

const AGGREGATES: ReadonlySet<string> = new Set(
  "count sum avg min max stddev_samp stddev_pop var_samp var_pop listagg bool_and bool_or percentile_cont grouping".split(
    " ",
  ),
);

const KEYS = { texts: TEXTS, length: "len", aggregates: AGGREGATES };
const RECURSION = { scaleOf, lengthsOf, aggregates: AGGREGATES };

/** `(a, b) IS NULL`: all of them are, and all are not. */
function rowIsNull(node: Is): Expression | undefined {
  if (node.operand.kind !== "row") return undefined;
  return logical(
    "and",
    node.operand.elements.map((each) => isNull(each, node.negated)),
    node,
  );
}

/** Row comparisons with a subquery: only equality is supported. */
function quantified(node: Quantified): Expression {
  const { operator, quantifier, query } = node;
  const isIn = (operator === "=" && quantifier === "any") || (operator === "<>" && quantifier === "all");
  if (query === undefined) return isMember(node) ?? TEXTS.quantified(node);
  if (!isIn) return byExtremeOfValues(node, query);
  const { operand, span, type } = node;
  return TEXTS.inQuery({ kind: "in-query", operand, negated: operator === "<>", query, span, ...(type && { type }) });
}

/** A text that is written has no type where a query is a table, and is compared with nothing. */
function item(expression: Expression): Expression {
  return expression.kind === "string" ? cast(expression, "text", typed(TEXT, expression)) : expression;
}

/** Elements of a column, or written out, as rows. */
function rowsOfArray(table: TableFunction): TableExpression {
  const rows = columnRows(table);
  if (rows !== undefined) return rows;
  const elements = values(table.call).map((value) =>
    value.kind === "array" ? { ...value, elements: value.elements.map(item) } : value,
  );
  return elementRows({ ...table, call: withArguments(table.call, elements) });
}

export const redshiftRewrites = (): Rewrites => ({
  differencesAsLengths: true,
  clock: CLOCK,
  timePatterns: TIME_PATTERNS,
  jsonTexts: JSON_TEXTS,
  numbersFilled: "by lpad",
  framesOfRows: true,
  expressions: expressionRules(
    ["string boolean null column session unary logical exists scalar-query row bound opaque interval"],
    {
      number,
      between: symmetricAsRanges,
      quantified,
      like: (node) => (node.operator === "similar" ? similar(node) : TEXTS.like(node)),
      "in-list": TEXTS.inList,
      "in-query": TEXTS.inQuery,
      case: TEXTS.exactCase,
      typed: literalTime,
      collate: (node) => TEXTS.exact(node.operand),
      "at-time-zone": atTimeZone,
      is: rowIsNull,
      bits: UNSUPPORTED.bitLiterals,
      subscript: (node) =>
        groupOfMatch(node.operand, node.index) ??
        (typeOrUnknown(node.operand).kind === "json" ? JSON_READING.subscript(node) : elementOf(node)),
      array: (node) => node,
      "array-query": UNSUPPORTED.arrays,
      slice,
      field: UNSUPPORTED.rowMembers,
    },
  ),
  operators: redshiftOperators(),
  casts: redshiftCasts(),
  fields: redshiftFields(),
  functions: redshiftFunctions(),
  rankedAggregates: new Set(["percentile_disc", "mode", "string_agg"]),
  tableFunctions: new Map([
    ["unnest", rowsOfArray],
    ["generate_series", seriesRows],
  ]),
  item,
  keys: { keyOf: TEXTS.textKey, sortOf: TEXTS.textKey },
  statement: (statement, holds) => {
    const { hasWindows, hasTableFunctions, hasCollations, comparesRows } = holds(statement);
    const declared = withRecursiveTables(statement, RECURSION);
    const framed = hasWindows ? withRowsInFrames(declared) : declared;
    const keyed = hasCollations || comparesRows ? addLengthKeys(framed, KEYS) : framed;
    return hasTableFunctions ? withElements(keyed) : keyed;
  },
});
