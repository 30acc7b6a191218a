/**
 * Text functions that Oracle says otherwise, or with another meaning at their edges. See `empty-texts.ts`.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Functions.html
 */
import { isNullable } from "../../binding/nullability.ts";
import { sameExpression } from "../../binding/same.ts";
import { unsupported } from "../../diagnostics.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { isText } from "../../lowering/texts/text-equality.ts";
import {
  binary,
  call,
  cases,
  comparison,
  inPlaceOf,
  integer,
  isNull,
  renamed,
  text,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Binary, Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf, truthAs } from "./casts.ts";
import { joinedParts, marked, mayBeEmpty, orEmpty } from "./empty-texts.ts";

const computed = (what: string, node: Call) => unsupported(what, node.span, "Write it as a literal.");

/** The length of an empty text is NULL on Oracle. */
function lengthOf(value: Expression): Expression {
  const [whole] = marked([value], value) ?? [];
  const at = typed(INTEGER, value);
  if (whole === undefined) return call("length", [value], at);
  return binary(call("length", [whole], at), "-", integer(1, value), at);
}

export function length(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || !isText(value)) throw unsupported("the length of this", node.span);
  if (value.kind !== "call" || value.name[0]?.name !== "or empty") return lengthOf(value);
  const marks = call("length", [joinedParts([text(".", node), value], node)], typed(INTEGER, node));
  return binary(marks, "-", integer(1, node), inPlaceOf(node));
}

export function ofText(node: Call): undefined {
  const [value] = values(node);
  if (value === undefined || typeOrUnknown(value).kind !== "text")
    throw unsupported("the function over values other than text", node.span);
}

/** `left` and `right`: SUBSTR counts from the end where its start is negative, and knows no start before the text. */
export function end(node: Call): Expression {
  const [value, length] = values(node);
  const count = length && countOf(length);
  if (value === undefined || count === undefined || count < 1) {
    throw computed("a computed number of characters, or none", node);
  }
  if (node.name[0]?.name === "left")
    return renamed(withArguments(node, [value, integer(1, node), integer(count, node)]), "substring");
  const whole = lengthOf(value);
  return when(
    comparison(whole, ">", integer(count, node), node),
    call("last of", [value, integer(count, node)], inPlaceOf(node)),
    value,
    inPlaceOf(node),
  );
}

const MAX_FILLING = 1000;

/** A literal number of columns, filled with a literal. */
export function padded(node: Call): Expression {
  const [value, width, fill = text(" ", node)] = values(node);
  const count = width && countOf(width);
  const isFilled = fill.kind === "string" && fill.value !== "";
  if (value === undefined || count === undefined || count < 1 || count > MAX_FILLING || !isFilled) {
    throw computed("a computed width or filling, or none", node);
  }
  return withArguments(node, [value, integer(count, node), fill]);
}

/** LPAD and RPAD count the columns of a screen, of which a character may take two. */
export function paddedText([value, width, fill]: readonly Expression[], node: Call): Expression {
  const count = width && countOf(width);
  if (value === undefined || count === undefined || fill?.kind !== "string") throw new TypeError("a literal filling");
  const missing = binary(integer(count, node), "-", lengthOf(value), typed(INTEGER, node));
  const all = text(fill.value.repeat(count).slice(0, count), node);
  const filling = orEmpty(call("substr", [all, integer(1, node), missing], typed(TEXT, node)));
  const parts = node.name[0]?.name === "lpad" ? [filling, value] : [value, filling];
  const cut = call("substring", [value, integer(1, node), integer(count, node)], typed(TEXT, node));
  const isLong = comparison(lengthOf(value), ">=", integer(count, node), node);
  return cases([{ when: isLong, then: cut }], joinedParts(parts, node), inPlaceOf(node));
}

const ASCII = /^[ -~]+$/;

/** https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/RPAD.html: NULL for a length below 1. */
const REPEATED = words("RPAD($1, $2, $1)", { type: TEXT });

export function repeated(node: Call): Expression {
  const [value, times] = values(node);
  const count = times && countOf(times);
  if (value?.kind === "string" && /^[ -~]$/.test(value.value) && times !== undefined && count === undefined) {
    return spelled(REPEATED, [value, times], node);
  }
  if (value?.kind !== "string" || !ASCII.test(value.value) || count === undefined || count < 1 || count > MAX_FILLING) {
    throw computed("a computed text or number to repeat", node);
  }
  return text(value.value.repeat(count), node);
}

/** One character is trimmed at both ends, or any blank. */
export function trimmed(node: Call): Expression | undefined {
  const [value, characters] = values(node);
  if (value === undefined || characters === undefined) return undefined;
  if (characters.kind !== "string" || characters.value === "") throw computed("computed characters to trim", node);
  if (node.name[0]?.name !== "btrim") return undefined;
  return call("ltrim", [call("rtrim", [value, characters], inPlaceOf(node)), characters], inPlaceOf(node));
}

/** By nothing where it is replaced by an empty text. */
export function replaced(node: Call): Call {
  const [value, from, to] = values(node);
  if (value === undefined || from?.kind !== "string" || from.value === "" || to?.kind !== "string") {
    throw computed("a computed or empty text to be replaced", node);
  }
  return to.value === "" ? withArguments(node, [value, from]) : node;
}

export function translated(node: Call): undefined {
  const [, from, to] = values(node);
  if (from?.kind !== "string" || to?.kind !== "string" || from.value === "" || to.value === "") {
    throw computed("computed or empty characters to translate", node);
  }
}

/** A part up to the next separator; more than there are give no text. */
export function partOfText(node: Call): Expression {
  const [value, separator, number] = values(node);
  const index = number && countOf(number);
  if (value === undefined || separator?.kind !== "string" || [...separator.value].length !== 1 || !index || index < 1) {
    throw unsupported(
      "split_part with these arguments",
      node.span,
      "Separate by one character, and ask for a part by its number.",
    );
  }
  return withArguments(node, [value, separator, integer(index, node)]);
}

export const positionIn = (node: Call): Expression => {
  const [value, needle] = values(node);
  return value === undefined || needle === undefined ? node : call("position", [needle, value], inPlaceOf(node));
};

export function startsWith(node: Call): Expression {
  const [value, start] = values(node);
  if (value === undefined || start?.kind !== "string" || start.value === "")
    throw computed("a computed start of a text", node);
  const length = integer([...start.value].length, node);
  const first = call("substring", [value, integer(1, node), length], typed(TEXT, node));
  return compare({ kind: "binary", operator: "=", left: first, right: start, span: node.span, type: BOOLEAN });
}

/** A comparison, of texts that may be empty with a character in front of both. */
export function compare(node: Binary): Binary {
  const [left, right] = marked([node.left, node.right], node) ?? [];
  return left === undefined || right === undefined ? node : { ...node, left, right };
}

/** A letter of a boolean, where a cast has the word. */
const shown = (value: Expression, at: Call): Expression =>
  typeOrUnknown(value).kind === "boolean" ? truthAs(value, ["t", "f"], at) : textOf(value, at);

/** NULLs are empty, as all that is NULL is to Oracle's own operator. */
export const concatenated = (node: Call): Expression =>
  joinedParts(
    values(node).map((value) => orEmpty(shown(value, node))),
    node,
  );

/** Each value behind its separator, and the first separator cut off. */
export function joinedValues(node: Call): Expression {
  const [separator, ...others] = values(node);
  if (separator?.kind !== "string" || separator.value === "" || others.length < 2) {
    throw unsupported("concat_ws with these arguments", node.span, "Give a literal separator and two values.");
  }
  const parts = others.map((value) => {
    const own = shown(value, node);
    if (mayBeEmpty(own))
      throw unsupported("concat_ws of a text that may be empty", value.span, "Use || where no value is NULL.");
    const both = joinedParts([separator, own], node);
    return isNullable(own) ? orEmpty(when(isNull(own, true), both, undefined, typed(TEXT, node))) : both;
  });
  const start = integer([...separator.value].length + 1, node);
  return call("substring", [joinedParts(parts, node), start], inPlaceOf(node));
}

/**
 * In the order that is asked for; of equal ones in any, and different ones in their own. What is longer than a VARCHAR2 raises
 * (ORA-01489).
 */
export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  const isOrdered =
    !node.distinct || node.orderBy.every(({ expression }) => value && sameExpression(expression, value));
  if (value === undefined || separator?.kind !== "string" || node.over !== undefined || !isOrdered) {
    const hint = "Join different values of groups in a subquery, by a literal separator.";
    throw unsupported("string_agg with these arguments", node.span, hint);
  }
  const own = textOf(value, node);
  const anyOrder = { expression: own, direction: undefined, nulls: undefined, span: node.span };
  const items = separator.value === "" ? [own] : [own, separator];
  const joined = { ...call("listagg", items, inPlaceOf(node)), distinct: node.distinct };
  return { ...joined, withinGroup: node.orderBy.length > 0 ? node.orderBy : [anyOrder] };
}

export function character(node: Call): Expression {
  const code = countOf(values(node)[0] ?? node);
  if (code === undefined || code < 1 || code > 126) throw computed("the character of a computed code", node);
  return text(String.fromCharCode(code), node);
}
