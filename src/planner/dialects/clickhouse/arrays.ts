/** Arrays, which cannot be NULL on ClickHouse, and whose negative indexes count from the end. Seen on ClickHouse 26.7. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { isAnyOf } from "../../lowering/arrays/array-members.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { call, comparison, inPlaceOf, integer, isNull, not, values, when } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Quantified, Slice, Subscript } from "../../syntax/tree.ts";
import { isDocumentArray, typeOrUnknown } from "../../types.ts";
import { isCollected } from "./aggregates.ts";
import {
  asked as askedOfDocuments,
  documentOf,
  elementKind,
  isDocument,
  listOf,
  type Question,
  refusedArray,
} from "./document-arrays.ts";
import { castToCommonType } from "./numbers.ts";
import { groupOfMatch, subjectOfParts, TEXTS } from "./regular-expressions.ts";

const isArray = (value: Expression | undefined): value is Expression =>
  value !== undefined && typeOrUnknown(value).kind === "array";

const PARTS = words("if(empty($1), [], splitByString($2, $1))", { type: TEXTS });
const LENGTH = words("toInt64(length($1))");

/** The split text, if it may be NULL: an array cannot be NULL. */
export function nullableSubject(array: Expression): Expression | undefined {
  const subject = isSpelled(array, PARTS) ? array.parts[0] : subjectOfParts(array);
  return subject !== undefined && isNullable(subject) ? subject : undefined;
}

function unlessNull(array: Expression, then: Expression): Expression {
  const subject = nullableSubject(array);
  return subject === undefined ? then : when(isNull(subject, true), then, undefined, inPlaceOf(then));
}

/** The answer to a question about arrays of texts or whole numbers. */
function asked(question: Question, at: Expression): Expression {
  for (const array of question.arrays) {
    if (!isArray(array) || elementKind(array) === undefined || isCollected(array)) throw refusedArray(at);
  }
  const kinds = new Set(question.arrays.map(elementKind));
  if (kinds.size > 1 && !kinds.has("null")) throw refusedArray(at);
  const [array] = question.arrays;
  const hasSubject = question.arrays.some((each) => nullableSubject(each) !== undefined);
  if (hasSubject && (question.arrays.length > 1 || question.isArray === true)) throw refusedArray(at);
  const answer = askedOfDocuments(question, at);
  return array === undefined ? answer : unlessNull(array, answer);
}

/** A value is of the type of the elements. */
function refuseOthers(array: Expression, value: Expression): void {
  const kinds = [elementKind(array), typeOrUnknown(value).kind];
  if (kinds[0] !== kinds[1] && !kinds.includes("null")) throw refusedArray(value);
}

/** Alternatives of one type: beside a document other arrays are documents, too. */
export function alternatives(nodes: readonly Expression[], at: Expression): readonly Expression[] {
  const type = typeOrUnknown(at);
  return isDocumentArray(type) ? nodes.map((each) => asDocument(each, at)) : castToCommonType(nodes, at);
}

export function asDocument(array: Expression, at: Expression): Expression {
  if (isDocument(array) || typeOrUnknown(array).kind === "null") return array;
  if (nullableSubject(array) !== undefined || isCollected(array)) throw refusedArray(array);
  return documentOf(array, typeOrUnknown(at));
}

export function element({ operand: array, index, ...node }: Subscript): Expression {
  if (!isArray(array)) throw unsupported("an element of this", node.span);
  const operand = listOf(array);
  const group = groupOfMatch(operand, index);
  if (group !== undefined) return group;
  const found = call("arrayElementOrNull", [operand, index], inPlaceOf(node));
  if ((countOf(index) ?? 0) > 0) return unlessNull(operand, found);
  return unlessNull(operand, when(comparison(index, ">", integer(0, node), node), found, undefined, inPlaceOf(node)));
}

export function slice(node: Slice): Expression {
  const { operand, from, to } = node;
  const [first, last] = [from === undefined ? 1 : countOf(from), to === undefined ? undefined : countOf(to)];
  if (!isArray(operand) || first === undefined || (to !== undefined && last === undefined) || isCollected(operand)) {
    throw unsupported("an array slice with computed bounds", node.span, "Write the bounds as literals.");
  }
  const start = Math.max(first, 1);
  const length = last === undefined ? undefined : Math.max(last - start + 1, 0);
  if (isDocument(operand)) {
    const body = `arraySlice(_a1, ${start}${length === undefined ? "" : `, ${length}`})`;
    return asked({ arrays: [operand], body, isArray: true }, node);
  }
  const bounds = [start, ...(length === undefined ? [] : [length])].map((bound) => integer(bound, node));
  return call("arraySlice", [operand, ...bounds], inPlaceOf(node));
}

/** A collected array is never empty: it is NULL instead. */
export function length(node: Call): Expression {
  const [array, dimension] = values(node);
  if (!isArray(array) || (dimension !== undefined && countOf(dimension) !== 1)) {
    throw unsupported("the length of this", node.span);
  }
  const count = isDocument(array)
    ? asked({ arrays: [array], body: "toInt64(length(_a1))" }, node)
    : spelled(LENGTH, [array], node);
  const isNone = dimension !== undefined || node.name[0]?.name === "array_upper" || isCollected(array);
  return unlessNull(array, isNone ? call("nullif", [count, integer(0, node)], inPlaceOf(node)) : count);
}

/** For texts and integers; NULLs are skipped, or shown by a word. */
export function text(node: Call): Expression {
  const [array, separator, none] = values(node);
  const kind = array && elementKind(array);
  if (
    array === undefined ||
    separator?.kind !== "string" ||
    (none !== undefined && none.kind !== "string") ||
    kind === undefined
  ) {
    throw unsupported("the text of such an array", node.span, "Use string_agg.");
  }
  const others = [separator, ...(none === undefined ? [] : [none])];
  const shown = kind === "text" ? "_a1" : "arrayMap(_e -> toString(_e), _a1)";
  const all = none === undefined ? shown : `arrayMap(_e -> ifNull(_e, $3), ${shown})`;
  if (!isCollected(array))
    return asked({ arrays: [array], words: others, body: `arrayStringConcat(${all}, $2)` }, node);
  const body = `if(empty(_a1), NULL, arrayStringConcat(${all}, $2))`;
  return askedOfDocuments({ arrays: [array], words: others, body }, node);
}

export function split(node: Call): Expression {
  const [value, separator, none] = values(node);
  if (value === undefined || separator?.kind !== "string" || separator.value === "" || none !== undefined) {
    throw unsupported("splitting a text by a computed separator", node.span, "Write the separator as a literal.");
  }
  return spelled(PARTS, [value, separator], node);
}

// ------------------------------------------------------------------------------------------------------ members

/** NULL is equal to nothing: beside one in the array, or as the value, the answer is unknown unless it is sure otherwise. */
const HOLDS =
  "multiIf(empty(_a1), false, isNull(_x1), NULL, has(_a1, _x1), true, arrayExists(_e -> isNull(_e), _a1), NULL, false)";

function holds(array: Expression, value: Expression, at: Expression): Expression {
  refuseOthers(array, value);
  return asked({ arrays: [array], others: [value], body: HOLDS }, at);
}

/** `x = ANY (a)` and `x <> ALL (a)`, with `a` not written out; `undefined` for others. */
export function quantifiedOfArray({
  array,
  operand,
  operator,
  quantifier,
  ...node
}: Quantified): Expression | undefined {
  if (array === undefined || (array.kind === "array" && array.written === undefined)) return undefined;
  const isAny = quantifier === "any" && operator === "=";
  if (!isAny && !(quantifier === "all" && operator === "<>")) return undefined;
  const held = holds(array, operand, { kind: "null", span: node.span, ...(node.type && { type: node.type }) });
  return isAny ? held : not(held);
}

export function contains(node: Call): Expression {
  const any = isAnyOf(node);
  if (any.kind !== "quantified" || any.array === undefined) return node;
  return holds(any.array, any.operand, node);
}

/** `a @> b`: every element of `b` is one of `a`; NULL is none. */
export const holdsAll = (node: Binary, container: Expression, contained: Expression): Expression =>
  asked({ arrays: [container, contained], body: "arrayAll(_e -> isNotNull(_e) AND has(_a1, _e), _a2)" }, node);

/** `a && b`: an element of one is one of the other. */
export const shares = (node: Binary): Expression =>
  asked({ arrays: [node.left, node.right], body: "arrayExists(_e -> isNotNull(_e) AND has(_a1, _e), _a2)" }, node);

/** The first place of a value. NULL is found among NULLs. */
export function position(node: Call): Expression {
  const [array, sought, ...others] = values(node);
  if (array === undefined || sought === undefined || others.length > 0) throw refusedArray(node);
  refuseOthers(array, sought);
  return asked({ arrays: [array], others: [sought], body: "toInt64(nullIf(indexOf(_a1, _x1), 0))" }, node);
}

/** Equal arrays have equal elements, and NULL is equal to NULL among them. */
export function compared(node: Binary): Expression {
  const { left, right, operator } = node;
  if (operator !== "=" && operator !== "<>") throw unsupported("a comparison of arrays", node.span);
  return asked({ arrays: [left, right], body: `_a1 ${operator} _a2` }, node);
}

// ------------------------------------------------------------------------------------------------ changed arrays

/** `a || b`, and `a || x`: a NULL array is joined as an empty one; two of them are NULL. */
export function joined(left: Expression, right: Expression, at: Expression): Expression {
  if (isArray(left) && isArray(right)) {
    return asked({ arrays: [left, right], body: "arrayConcat(_a1, _a2)", nulls: "of all", isArray: true }, at);
  }
  const [array, value] = isArray(left) ? [left, right] : [right, left];
  refuseOthers(array, value);
  const body = array === left ? "arrayConcat(_a1, [_x1])" : "arrayConcat([_x1], _a1)";
  return asked({ arrays: [array], others: [value], body, nulls: "never", isArray: true }, at);
}

/** `array_append(a, x)`, `array_prepend(x, a)` and `array_cat(a, b)`. */
export function joinedCall(node: Call): Expression {
  const [a, b] = values(node);
  if (a === undefined || b === undefined) throw refusedArray(node);
  return joined(a, b, node);
}

/** NULL is equal to NULL. */
const IS_SOUGHT = "coalesce(_e = _x1, isNull(_e) AND isNull(_x1))";

export function withoutElement(node: Call): Expression {
  const [array, sought] = values(node);
  if (array === undefined || sought === undefined) throw refusedArray(node);
  refuseOthers(array, sought);
  const body = `arrayFilter(_e -> NOT ${IS_SOUGHT}, _a1)`;
  return asked({ arrays: [array], others: [sought], body, isArray: true }, node);
}

export function replacedElement(node: Call): Expression {
  const [array, sought, other] = values(node);
  if (array === undefined || sought === undefined || other === undefined) throw refusedArray(node);
  for (const value of [sought, other]) refuseOthers(array, value);
  const body = `arrayMap(_e -> if(${IS_SOUGHT}, _x2, _e), _a1)`;
  return asked({ arrays: [array], others: [sought, other], body, isArray: true }, node);
}
