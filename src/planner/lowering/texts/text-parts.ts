/**
 * Parts of texts for engines with Trino's `substr` and `greatest`: a negative length is an error on them, and they find an empty
 * text everywhere.
 */

import { unsupported } from "../../diagnostics.ts";
import {
  binary,
  call,
  comparison,
  inPlaceOf,
  integer,
  text,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, TEXT } from "../../types.ts";
import { countOf } from "../numbers/written-counts.ts";

const lengthOf = (value: Expression): Expression => call("length", [value], typed(BIGINT, value));

/** A negative count means all characters but that many. */
export function end(node: Call): Expression {
  const [value, count] = values(node);
  if (value === undefined || count === undefined) return node;
  const at = typed(BIGINT, node);
  const isLeft = node.name[0]?.name === "left";
  const zero = integer(0, node);
  const positive = comparison(count, ">=", zero, node);
  const notNegative = (of: Expression): Expression => call("greatest", [of, zero], at);
  const known = countOf(count);
  if (isLeft) {
    const rest = notNegative(binary(lengthOf(value), "+", count, at));
    const kept = known === undefined ? when(positive, count, rest, at) : known >= 0 ? count : rest;
    return call("substr", [value, integer(1, node), kept], inPlaceOf(node));
  }
  const before = notNegative(binary(lengthOf(value), "-", count, at));
  const dropped = known === undefined ? negated(count) : integer(-known, node);
  const skipped = known === undefined ? when(positive, before, dropped, at) : known >= 0 ? before : dropped;
  return call("substr", [value, binary(skipped, "+", integer(1, node), at)], inPlaceOf(node));
}

const negated = (operand: Expression): Expression => ({
  kind: "unary",
  operator: "-",
  operand,
  span: operand.span,
  type: BIGINT,
});

export function padded(node: Call): Expression {
  const [value, length, filling = text(" ", node)] = values(node);
  if (value === undefined || length === undefined) return node;
  const count = countOf(length);
  const kept =
    count === undefined
      ? call("greatest", [length, integer(0, node)], typed(BIGINT, node))
      : integer(Math.max(count, 0), node);
  if (filling.kind !== "string") throw unsupported("a computed filling", filling.span, "Write it as a literal.");
  if (filling.value === "") return call("substr", [value, integer(1, node), kept], inPlaceOf(node));
  return withArguments(node, [value, kept, filling]);
}

/** Trims only blanks; Trino's own function trims every kind of white space. */
export const trimmed =
  (...names: readonly string[]) =>
  (node: Call): Expression => {
    const [value, characters = text(" ", node)] = values(node);
    if (value === undefined) return node;
    if (characters.kind !== "string")
      throw unsupported("computed characters to trim", characters.span, "Write them as a literal.");
    if (characters.value === "") return value;
    return names.reduce((left, name) => call(name, [left, characters], inPlaceOf(node)), value);
  };

/** An empty text is not replaced. */
export function replaced(node: Call): Expression {
  const [value, searched] = values(node);
  if (value === undefined || searched === undefined) return node;
  if (searched.kind === "string") return searched.value === "" ? value : node;
  const isEmpty = comparison(searched, "=", text("", node), node);
  return when(isEmpty, value, node, inPlaceOf(node));
}

export function overlaid(node: Call): Expression {
  const [value, by, from, length] = values(node);
  const start = from && countOf(from);
  if (value === undefined || by === undefined || start === undefined || start < 1) {
    throw unsupported("overlay with these arguments", node.span, "Write the position as a literal from 1 on.");
  }
  const at = typed(TEXT, node);
  const count = length ?? lengthOf(by);
  const head = call("substr", [value, integer(1, node), integer(start - 1, node)], at);
  const next = call(
    "greatest",
    [binary(integer(start, node), "+", count, typed(BIGINT, node)), integer(1, node)],
    typed(BIGINT, node),
  );
  const tail = call("substr", [value, next], at);
  return binary(binary(head, "||", by, at), "||", tail, at);
}

export function repeated(node: Call): Expression {
  const [value, count] = values(node);
  if (value === undefined || count === undefined) return node;
  const known = countOf(count);
  const times =
    known === undefined
      ? call("greatest", [count, integer(0, node)], typed(BIGINT, node))
      : integer(Math.max(known, 0), node);
  return withArguments(node, [value, times]);
}

/** If a character is repeated, PostgreSQL uses its first mapping; other engines raise, or use the second. */
export function translated(node: Call): Expression {
  const [value, from, to] = values(node);
  if (value === undefined || from?.kind !== "string" || to?.kind !== "string") {
    throw unsupported("translate of computed characters", node.span, "Write them as literals.");
  }
  const others = [...to.value];
  const pairs = new Map<string, string>();
  for (const [index, character] of [...from.value].entries()) {
    if (!pairs.has(character)) pairs.set(character, others[index] ?? "");
  }
  // Characters that are deleted come last.
  const sorted = [...pairs].sort(([, a], [, b]) => Number(a === "") - Number(b === ""));
  const joined = (at: 0 | 1): string => sorted.map((pair) => pair[at]).join("");
  return withArguments(node, [value, { ...from, value: joined(0) }, { ...to, value: joined(1) }]);
}
