/** Texts letter by letter. */

import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import {
  binary,
  call,
  columnOf,
  comparison,
  exactName,
  inPlaceOf,
  integer,
  logical,
  queryOf,
  selectItem,
  selectOf,
  text,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression, TableFunction } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { INTEGER, TEXT } from "../../types.ts";
import { replaced } from "./quirks/replaced-texts.ts";
import { matches } from "./raising.ts";

/** The table of places; no caller's name holds a blank. */
const PLACES = "a place";

/**
 * `initcap(s)`: a subquery over the places of the text, which JSON_TABLE counts; neither engine has a function for it, or one
 * that makes a letter of what an expression finds large.
 */
export function initialCapitals(node: Call): Expression {
  const [whole] = values(node);
  if (whole === undefined) return node;
  if (someExpression(whole, isOverRows)) {
    throw unsupported(
      "initcap of an aggregate or a window",
      node.span,
      "Compute that in a subquery, and initcap of it.",
    );
  }
  const at = typed(TEXT, node);
  const place = columnOf(PLACES, "n", typed(INTEGER, node));
  const one = integer(1, node);
  const letterAt = (index: Expression): Expression => call("substr", [whole, index, one], at);
  const before = letterAt(binary(place, "-", one, typed(INTEGER, node)));
  const isInside = logical("and", [comparison(place, ">", one, node), matches(before, "[[:alnum:]]")], node);
  const letter = letterAt(place);
  const changed = when(isInside, call("lower", [letter], at), call("upper", [letter], at), at);
  const joined: Call = {
    ...call("group_concat", [changed, text("", node)], at),
    orderBy: [{ expression: place, direction: undefined, nulls: undefined, span: node.span }],
  };
  const places: TableFunction = {
    kind: "function",
    call: call("places", [call("char_length", [whole], typed(INTEGER, node))], typed(INTEGER, node)),
    lateral: false,
    ordinality: false,
    alias: { name: exactName(PLACES, node.span), columns: [] },
    span: node.span,
  };
  const query = queryOf(selectOf({ items: [selectItem(joined, undefined, node)], from: [places] }, node));
  return { kind: "scalar-query", query, span: node.span, type: TEXT };
}

const isOverRows = (each: Expression): boolean =>
  each.kind === "call" && (each.over !== undefined || isAggregateCall(each, findFunction(functionName(each))));

/** `translate(s, 'abc', 'xy')` as one REPLACE for each letter; what one of them puts there no later one may replace. */
export function translated(node: Call): Expression {
  const [whole, from, to] = values(node);
  if (whole === undefined || from?.kind !== "string" || to?.kind !== "string") {
    throw unsupported("translate with computed letters", node.span, "Write both lists as literals.");
  }
  const targets = [...to.value];
  const pairs = new Map<string, string>();
  [...from.value].forEach((letter, index) => {
    if (!pairs.has(letter)) pairs.set(letter, targets[index] ?? "");
  });
  let result = whole;
  for (const left = new Map(pairs); left.size > 0; ) {
    const next = [...left].find(([letter, by]) => by === letter || !left.has(by));
    if (next === undefined) {
      throw unsupported("translate that exchanges letters", node.span, "Use a CASE, or replace one after the other.");
    }
    const [letter, by] = next;
    left.delete(letter);
    if (letter === by) continue;
    result = replaced(
      withArguments(call("replace", [], inPlaceOf(node)), [result, text(letter, node), text(by, node)]),
    );
  }
  return result;
}
