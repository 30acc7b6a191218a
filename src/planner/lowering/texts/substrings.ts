/** `substring` for engines that count a start before the text from its end. */
import { isNullable } from "../../binding/nullability.ts";
import {
  all,
  binary,
  call,
  inPlaceOf,
  integer,
  isNull,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER } from "../../types.ts";

/**
 * A start before 1 counts characters that do not exist. `nulls`: how the engine's `greatest` and `least` treat a NULL argument.
 */
export function substring(node: Call, nulls: "skipped" | "passed" = "skipped"): Expression {
  const [value, start, length] = values(node);
  if (value === undefined || start === undefined) return node;
  const safe = start.kind === "number" && start.text !== "0";
  if (safe && (length === undefined || length.kind === "number")) return node;
  const one = integer(1, node);
  const from = safe ? start : call("greatest", [start, one], { span: node.span, type: INTEGER });
  if (length === undefined) {
    const rest = withArguments(node, [value, from]);
    // greatest skips NULL, and so also a NULL position.
    return safe || nulls === "passed" || !isNullable(start)
      ? rest
      : when(isNull(start, true), rest, undefined, inPlaceOf(node));
  }
  const before = call("least", [binary(start, "-", one, typed(INTEGER, node)), integer(0, node)], {
    span: node.span,
    type: INTEGER,
  });
  const kept = call("greatest", [binary(length, "+", before, typed(INTEGER, node)), integer(0, node)], {
    span: node.span,
    type: INTEGER,
  });
  // greatest and least skip NULLs: a NULL position must stay NULL.
  const present = all([isNull(start, true), isNull(length, true)], node);
  const result = withArguments(node, [value, from, kept]);
  return present === undefined || nulls === "passed" ? result : when(present, result, undefined, inPlaceOf(node));
}
