/**
 * Blanks at the end of a text, which every collation takes for none, where rows are grouped, numbered or told apart: the length of
 * a key in bytes stands beside it.
 */
import { functionName } from "../../functions/calls.ts";
import { unsupported } from "../../lowering/target.ts";
import { call, typed } from "../../syntax/build.ts";
import type { Call, Expression, GroupingElement, Query, Select, Window } from "../../syntax/tree.ts";
import { someExpression, transformQuery } from "../../syntax/walk.ts";
import { BIGINT } from "../../types.ts";
import { comparedSet } from "./compared-sets.ts";
import { isUnsealed, sealed } from "./exact-text.ts";

/** The lowered statement, whose keys are in the exact collation (`exact-text.ts`). */
export function withLengthsBeside(statement: Query): Query {
  return transformQuery(statement, {
    expression: (node) => (node.kind === "call" ? keyed(node) : node),
    body: (node) => (node.kind === "select" ? grouped(node) : comparedSet(node)),
  });
}

const lengthOf = (key: Expression): Expression => call("datalength", [key], typed(BIGINT, key));

const withLength = (key: Expression): readonly Expression[] => (isUnsealed(key) ? [key, lengthOf(key)] : [key]);

function keyed(node: Call): Call {
  const [only, ...others] = node.arguments;
  const isCounted = node.distinct && only !== undefined && others.length === 0 && isUnsealed(only.value);
  const compared = isCounted ? { ...node, arguments: [{ ...only, value: sealed(only.value) }] } : node;
  return compared.over === undefined ? compared : { ...compared, over: windowWithLengths(compared.over) };
}

function windowWithLengths(window: Window): Window {
  return {
    ...window,
    partitionBy: window.partitionBy.flatMap(withLength),
    orderBy: window.orderBy.flatMap((item) =>
      isUnsealed(item.expression) ? [item, { ...item, expression: lengthOf(item.expression) }] : [item],
    ),
  };
}

function grouped(select: Select): Select {
  const { groupBy, distinct } = select;
  const keys = groupBy?.flatMap((element) =>
    element.kind === "expression"
      ? withLength(element.expression).map((expression): GroupingElement => ({ kind: "expression", expression }))
      : [setWithLengths(element)],
  );
  const keyedSelect = keys === undefined ? select : { ...select, groupBy: keys };
  return distinct === undefined ? keyedSelect : distinctAsGroups(keyedSelect);
}

function setWithLengths(element: GroupingElement): GroupingElement {
  switch (element.kind) {
    case "expression":
      return isUnsealed(element.expression) ? { kind: "keys", expressions: withLength(element.expression) } : element;
    case "keys":
      return { ...element, expressions: element.expressions.flatMap(withLength) };
    case "empty":
      return element;
    default:
      return { ...element, elements: element.elements.map(setWithLengths) };
  }
}

/** DISTINCT has no place for lengths; GROUP BY has. */
function distinctAsGroups(select: Select): Select {
  const values = select.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  if (!values.some(isUnsealed)) return select;
  if (select.groupBy !== undefined || values.some((value) => someExpression(value, isAggregate))) {
    throw unsupported("DISTINCT of texts that are grouped", select.span, "Group in a subquery first.");
  }
  const keys = values.filter((value) => someExpression(value, ({ kind }) => kind === "bound" || kind === "column"));
  const groupBy = keys.flatMap(withLength).map((expression): GroupingElement => ({ kind: "expression", expression }));
  return { ...select, distinct: undefined, groupBy };
}

/** By their names there. */
export const AGGREGATES: ReadonlySet<string> = new Set(
  "count_big sum avg min max stdev stdevp var varp string_agg grouping grouping_id".split(" "),
);

function isAggregate(node: Expression): boolean {
  if (node.kind !== "call") return node.kind === "scalar-query";
  return node.over !== undefined || AGGREGATES.has(functionName(node));
}
