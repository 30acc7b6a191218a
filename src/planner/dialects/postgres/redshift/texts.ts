/** Text functions that Redshift says otherwise, or with another meaning at their edges. https://docs.aws.amazon.com/redshift/latest/dg/String_functions_header.html */
import { unsupported } from "../../../diagnostics.ts";
import { naturalOf } from "../../../lowering/numbers/written-counts.ts";
import { sought } from "../../../lowering/texts/plain-arguments.ts";
import { isText } from "../../../lowering/texts/text-equality.ts";
import { call, concatenation, inPlaceOf, integer, not, text, typed, values, when } from "../../../syntax/build.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";
import { BOOLEAN, INTEGER, TEXT, typeOrUnknown } from "../../../types.ts";
import { textOf } from "./casts.ts";
import { TEXTS } from "./exact-text.ts";

export function partOfText(node: Call): undefined {
  sought(1)(node);
  const number = values(node)[2];
  if (number !== undefined && naturalOf(number) !== undefined && naturalOf(number) !== 0) return;
  throw unsupported("split_part with these arguments", node.span, "Write the number of the part as a literal.");
}

export function startsWith(node: Call): Expression {
  const [value, start] = values(node);
  if (value === undefined || start?.kind !== "string") {
    throw unsupported("a computed start of a text", node.span, "Write it as a literal.");
  }
  return TEXTS.like({
    kind: "like",
    operator: "like",
    negated: false,
    operand: value,
    pattern: text(`${start.value.replace(/[|%_]/g, "|$&")}%`, start),
    escape: text("|", start),
    span: node.span,
    type: BOOLEAN,
  });
}

/** Shows a boolean as one letter, where a cast returns the word. */
function shown(value: Expression, at: Call): Expression {
  if (typeOrUnknown(value).kind !== "boolean") return textOf(value, at);
  const place = typed(TEXT, at);
  return when(value, text("t", at), when(not(value), text("f", at), undefined, place), place);
}

const orEmpty = (value: Expression, at: Call): Expression =>
  value.kind === "string" ? value : call("coalesce", [value, text("", at)], typed(TEXT, at));

const joined = (parts: readonly Expression[], at: Call): Expression => {
  const [first = text("", at), ...others] = parts;
  return others.reduce((left, right) => concatenation(left, right, at), first);
};

/** NULLs are empty; CONCAT has two arguments there, and is NULL where one is. */
export const concatenated = (node: Call): Expression =>
  joined(
    values(node).map((value) => orEmpty(shown(value, node), node)),
    node,
  );

/** The text behind the first separator. */
const behind = (separator: string, value: Expression, at: Call): Expression =>
  call("substring", [value, integer([...separator].length + 1, at)], typed(TEXT, at));

export function joinedValues(node: Call): Expression {
  const [separator, ...parts] = values(node);
  if (separator?.kind !== "string" || parts.length === 0) {
    throw unsupported("concat_ws with these arguments", node.span, "Give a literal separator and values.");
  }
  const each = parts.map((value) => orEmpty(concatenation(separator, shown(value, node), node), node));
  return behind(separator.value, joined(each, node), node);
}

/**
 * LISTAGG leaves empty texts out, so the separator stands in front of each; in the order that is asked for, of equal ones in any.
 * https://docs.aws.amazon.com/redshift/latest/dg/r_LISTAGG.html
 */
export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined || separator?.kind !== "string" || node.over !== undefined || node.distinct) {
    const hint = "Join different values of groups in a subquery, by a literal separator.";
    throw unsupported("string_agg with these arguments", node.span, hint);
  }
  const each = separator.value === "" ? textOf(value, node) : concatenation(separator, textOf(value, node), node);
  const list = { ...call("listagg", [each], inPlaceOf(node)), withinGroup: node.orderBy, filter: node.filter };
  return separator.value === "" ? list : behind(separator.value, list, node);
}

/** Blanks at the end count. */
export function length(node: Call): Expression {
  const [value] = values(node);
  if (value !== undefined && isText(value)) return call("len", [value], typed(INTEGER, node));
  throw unsupported("the length of this", node.span);
}
