/**
 * Trailing blanks of texts, which every collation ignores, in grouping keys, row numbers and DISTINCT: the byte length of a key
 * is added to it.
 */

import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { call, typed } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type { Call, Expression, GroupingElement, Query, Select, Window } from "../../syntax/tree.ts";
import { groupedBy, someExpression } from "../../syntax/walk.ts";
import { BIGINT } from "../../types.ts";
import { comparedSet } from "../queries/compared-sets.ts";
import type { PaddedTexts } from "./padded-texts.ts";

/** Facts of such a target. */
export interface PaddedKeys {
  readonly texts: PaddedTexts;
  /** A function that counts trailing blanks too. */
  readonly length: string;
  /** The target's names of aggregates. */
  readonly aggregates: ReadonlySet<string>;
}

/** The lowered statement, whose keys are in the exact collation (`padded-texts.ts`). */
export function addLengthKeys(statement: Query, keys: PaddedKeys): Query {
  return transformQuery(statement, {
    expression: (node) => (node.kind === "call" ? keyed(node, keys) : node),
    body: (node) => (node.kind === "select" ? grouped(node, keys) : comparedSet(node, keys.texts)),
  });
}

const lengthOf = (key: Expression, { length }: PaddedKeys): Expression => call(length, [key], typed(BIGINT, key));

const withLength = (key: Expression, keys: PaddedKeys): readonly Expression[] =>
  keys.texts.isUnsealed(key) ? [key, lengthOf(key, keys)] : [key];

function keyed(node: Call, keys: PaddedKeys): Call {
  const { isUnsealed, sealed } = keys.texts;
  const [only, ...others] = node.arguments;
  const isCounted = node.distinct && only !== undefined && others.length === 0 && isUnsealed(only.value);
  const compared = isCounted ? { ...node, arguments: [{ ...only, value: sealed(only.value) }] } : node;
  return compared.over === undefined ? compared : { ...compared, over: windowWithLengths(compared.over, keys) };
}

function windowWithLengths(window: Window, keys: PaddedKeys): Window {
  return {
    ...window,
    partitionBy: window.partitionBy.flatMap((key) => withLength(key, keys)),
    orderBy: window.orderBy.flatMap((item) =>
      keys.texts.isUnsealed(item.expression)
        ? [item, { ...item, expression: lengthOf(item.expression, keys) }]
        : [item],
    ),
  };
}

function grouped(select: Select, keys: PaddedKeys): Select {
  const { groupBy, distinct } = select;
  const isAnyUnsealed = groupBy?.some((element) => groupedBy(element).some(keys.texts.isUnsealed)) ?? false;
  const withLengths = !isAnyUnsealed
    ? undefined
    : groupBy?.flatMap((element) =>
        element.kind === "expression"
          ? withLength(element.expression, keys).map(
              (expression): GroupingElement => ({ kind: "expression", expression }),
            )
          : [setWithLengths(element, keys)],
      );
  const keyedSelect = withLengths === undefined ? select : { ...select, groupBy: withLengths };
  return distinct === undefined ? keyedSelect : distinctAsGroups(keyedSelect, keys);
}

function setWithLengths(element: GroupingElement, keys: PaddedKeys): GroupingElement {
  switch (element.kind) {
    case "expression":
      return keys.texts.isUnsealed(element.expression)
        ? { kind: "keys", expressions: withLength(element.expression, keys) }
        : element;
    case "keys":
      return { ...element, expressions: element.expressions.flatMap((key) => withLength(key, keys)) };
    case "empty":
      return element;
    default:
      return { ...element, elements: element.elements.map((each) => setWithLengths(each, keys)) };
  }
}

/** DISTINCT cannot include the lengths; GROUP BY can. */
function distinctAsGroups(select: Select, keys: PaddedKeys): Select {
  const values = select.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  if (!values.some(keys.texts.isUnsealed)) return select;
  const isComputed = (node: Expression): boolean => isAggregate(node, keys);
  if (select.groupBy !== undefined || values.some((value) => someExpression(value, isComputed))) {
    throw unsupported("DISTINCT of texts that are grouped", select.span, "Group in a subquery first.");
  }
  const columns = values.filter((value) => someExpression(value, ({ kind }) => kind === "bound" || kind === "column"));
  const groupBy = columns
    .flatMap((key) => withLength(key, keys))
    .map((expression): GroupingElement => ({ kind: "expression", expression }));
  return { ...select, distinct: undefined, groupBy };
}

function isAggregate(node: Expression, { aggregates }: PaddedKeys): boolean {
  if (node.kind !== "call") return node.kind === "scalar-query";
  return node.over !== undefined || aggregates.has(functionName(node));
}
