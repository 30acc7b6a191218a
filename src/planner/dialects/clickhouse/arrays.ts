/** Arrays, which cannot be NULL on ClickHouse, and whose negative indexes count from the end. Seen on ClickHouse 26.7. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { countOf } from "../../lowering/written-counts.ts";
import { call, comparison, inPlaceOf, integer, isNull, logical, values, when } from "../../syntax/build.ts";
import type { Call, Expression, Slice, Subscript } from "../../syntax/tree.ts";
import { BOOLEAN, typeOrUnknown } from "../../types.ts";
import { isCollected } from "./aggregates.ts";
import { groupOfMatch, subjectOfParts, TEXTS } from "./regular-expressions.ts";

const isArray = (value: Expression | undefined): value is Expression =>
  value !== undefined && typeOrUnknown(value).kind === "array";

const PARTS = words("if(empty($1), [], splitByString($2, $1))", { type: TEXTS });
const LENGTH = words("toInt64(length($1))");
const AS_TEXTS = words("arrayMap(_e -> toString(_e), $1)", { type: TEXTS });

/** The split text, if it may be NULL: an array cannot be NULL. */
export function nullableSubject(array: Expression): Expression | undefined {
  const subject = isSpelled(array, PARTS) ? array.parts[0] : subjectOfParts(array);
  return subject !== undefined && isNullable(subject) ? subject : undefined;
}

function unlessNull(array: Expression, then: Expression): Expression {
  const subject = nullableSubject(array);
  return subject === undefined ? then : when(isNull(subject, true), then, undefined, inPlaceOf(then));
}

export function element({ operand, index, ...node }: Subscript): Expression {
  if (!isArray(operand)) throw unsupported("an element of this", node.span);
  const group = groupOfMatch(operand, index);
  if (group !== undefined) return group;
  const found = call("arrayElementOrNull", [operand, index], inPlaceOf(node));
  if ((countOf(index) ?? 0) > 0) return unlessNull(operand, found);
  return unlessNull(operand, when(comparison(index, ">", integer(0, node), node), found, undefined, inPlaceOf(node)));
}

export function slice({ operand, from, to, ...node }: Slice): Expression {
  const [first, last] = [from === undefined ? 1 : countOf(from), to === undefined ? undefined : countOf(to)];
  if (!isArray(operand) || first === undefined || (to !== undefined && last === undefined) || isCollected(operand)) {
    throw unsupported("an array slice with computed bounds", node.span, "Write the bounds as literals.");
  }
  const start = Math.max(first, 1);
  const length = last === undefined ? [] : [integer(Math.max(last - start + 1, 0), node)];
  return call("arraySlice", [operand, integer(start, node), ...length], inPlaceOf(node));
}

/** A collected array is never empty: it is NULL instead. */
export function length(node: Call): Expression {
  const [array, dimension] = values(node);
  if (!isArray(array) || (dimension !== undefined && countOf(dimension) !== 1)) {
    throw unsupported("the length of this", node.span);
  }
  const count = spelled(LENGTH, [array], node);
  const isNone = dimension !== undefined || node.name[0]?.name === "array_upper" || isCollected(array);
  return unlessNull(array, isNone ? call("nullif", [count, integer(0, node)], inPlaceOf(node)) : count);
}

/** For texts and integers; NULLs are skipped. */
export function text(node: Call): Expression {
  const [array, separator, none] = values(node);
  const type = array && typeOrUnknown(array);
  const kind = type?.kind === "array" ? type.element.kind : undefined;
  const isSure = separator?.kind === "string" && none === undefined && ["text", "integer"].includes(kind ?? "");
  if (array === undefined || !isSure || isCollected(array)) {
    throw unsupported("the text of such an array", node.span, "Use string_agg.");
  }
  const shown = kind === "text" ? array : spelled(AS_TEXTS, [array], array);
  return unlessNull(array, call("arrayStringConcat", [shown, separator], inPlaceOf(node)));
}

export function split(node: Call): Expression {
  const [value, separator, none] = values(node);
  if (value === undefined || separator?.kind !== "string" || separator.value === "" || none !== undefined) {
    throw unsupported("splitting a text by a computed separator", node.span, "Write the separator as a literal.");
  }
  return spelled(PARTS, [value, separator], node);
}

/** For a value that is not NULL: NULLs among the elements would equal a NULL value. */
export function contains(node: Call): Expression {
  const [array, value] = values(node);
  if (array?.kind !== "array" || value === undefined) {
    throw unsupported("whether an array has an element", node.span, "Use x IN (…), or a join with its elements.");
  }
  const parts = array.elements.map((each) => comparison(value, "=", each, node));
  if (parts.length === 0) return { kind: "boolean", value: false, span: node.span, type: BOOLEAN };
  return logical("or", parts, node);
}
