/**
 * Casts of texts for engines in Java, which accept more texts than PostgreSQL does: a pattern is tested first. Their casts raise
 * if a value does not fit.
 */

import { parseDateTime, parseTimeOfDay } from "../../datetimes.ts";
import { unsupported } from "../../diagnostics.ts";
import { call, inPlaceOf, text, typed, when } from "../../syntax/build.ts";
import { isFloatText } from "../../syntax/number-parts.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";
import { plain } from "../numbers/named-casts.ts";
import { orRaise } from "../raising.ts";
import { typedLiteral } from "../times/typed-literals.ts";

/** `then` if the text matches; otherwise an error, or NULL for TRY_CAST. */
export function matching(node: Cast, pattern: string, then: Expression): Expression {
  const { operand, safe } = node;
  const found = call("regexp_like", [operand, text(pattern, node)], typed(BOOLEAN, node));
  if (safe) return when(found, then, undefined, inPlaceOf(node));
  return orRaise(found, then, operand, "A text cannot be read as a value of another type");
}

export const trimmed = (operand: Expression): Expression =>
  operand.kind === "string"
    ? { ...operand, value: operand.value.trim() }
    : call("trim", [operand], typed(TEXT, operand));

/** Java's numbers may end with a letter. */
const FLOAT = "\\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,4})?\\s*";
const WORDS: Readonly<Record<string, string>> = {
  nan: "NaN",
  inf: "Infinity",
  infinity: "Infinity",
  "+infinity": "Infinity",
  "-infinity": "-Infinity",
  "-inf": "-Infinity",
};

export function floatOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind === "string") {
    const word = WORDS[operand.value.trim().toLowerCase()];
    if (word !== undefined) return plain({ ...node, operand: { ...operand, value: word } });
    if (isFloatText(operand.value, 4)) return plain({ ...node, operand: trimmed(operand) });
  }
  return matching(node, `\\A(${FLOAT}|NaN|-?Infinity)\\z`, plain({ ...node, operand: trimmed(operand) }));
}

export function booleanOfText(node: Cast): Expression {
  const { operand } = node;
  const word = call("lower", [trimmed(operand)], typed(TEXT, node));
  const among = (words: string): Expression => ({
    kind: "in-list",
    negated: false,
    operand: word,
    list: words.split(" ").map((each) => text(each, node)),
    span: node.span,
    type: BOOLEAN,
  });
  const yes = among("t tr tru true y ye yes on 1");
  const known = among("t tr tru true y ye yes on 1 f fa fal fals false n no of off 0");
  if (node.safe) return when(known, yes, undefined, inPlaceOf(node));
  return orRaise(known, yes, operand, "A text cannot be read as a value of another type");
}

export function checkedPrecision({ typeName, span }: Cast): void {
  const [precision] = typeName.parameters;
  if (precision === undefined || precision >= 6) return;
  throw unsupported(`a precision of ${precision} digits`, span, "Use date_trunc('second', …).");
}

const READABLE = {
  date: "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}",
  timestamp: "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?",
  time: "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?",
} as const;

/** A literal text is parsed during planning; any other text is cast if both parse it in the same way. */
export function timeOfText(kind: keyof typeof READABLE): (node: Cast) => Expression {
  return (node) => {
    const { operand, safe, span, type } = node;
    checkedPrecision(node);
    if (type?.kind === "time" && type.zoned) throw unsupported("a time of day with a zone", span);
    if (operand.kind !== "string" || safe) {
      const spaced = call("replace", [operand, text("T", node), text(" ", node)], typed(TEXT, node));
      const read = kind === "timestamp" ? { ...node, operand: spaced } : node;
      return matching(node, `\\A${READABLE[kind]}\\z`, plain(read));
    }
    const read = kind === "time" ? parseTimeOfDay(operand.value) : parseDateTime(operand.value);
    if (read === undefined) {
      throw unsupported(`'${operand.value.slice(0, 40)}' as a ${kind}`, span, "Write it as YYYY-MM-DD HH:MM:SS.");
    }
    return typedLiteral({ kind: "typed", typeName: node.typeName, value: operand.value, span, ...(type && { type }) });
  };
}
