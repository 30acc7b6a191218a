/**
 * Text functions that SQL Server says otherwise, or with another meaning at their edges; what is cut at 8000 bytes is made wide.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/string-functions-transact-sql
 */
import { unsupported } from "../../diagnostics.ts";
import { spelled } from "../../lowering/templates/template.ts";
import { isText } from "../../lowering/texts/text-equality.ts";
import {
  binary,
  call,
  cases,
  comparison,
  concatenation,
  inPlaceOf,
  integer,
  isNull,
  not,
  text,
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf, wide } from "./casts.ts";
import { CHARACTERS, CODE_POINTS, collated, like, USUAL } from "./exact-text.ts";
import { UTF_8 } from "./templates.ts";

/** In a collation that counts characters, or folds none; the result is in the usual one again. */
const by = (collation: string, name: string, node: Call, [value, ...others]: readonly Expression[]): Expression =>
  value === undefined ? node : collated(call(name, [collated(value, collation), ...others], inPlaceOf(node)), USUAL);

function count(value: Expression | undefined): number | undefined {
  return value?.kind === "number" && /^\d+$/.test(value.text) ? Number(value.text) : undefined;
}

const computed = (what: string, node: Call) => unsupported(what, node.span, "Write it as a literal.");

/** LEN takes no blanks at the end. */
const lengthOf = (value: Expression): Expression => {
  const ended = collated(concatenation(value, text(".", value), value), CHARACTERS);
  const at = typed(INTEGER, value);
  return binary(call("len", [ended], at), "-", integer(1, value), at);
};

export function length(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || !isText(value)) throw unsupported("the length of this", node.span);
  return lengthOf(value);
}

export function end(node: Call): Expression {
  if (count(values(node)[1]) === undefined) throw computed("a computed or negative number of characters", node);
  return by(CHARACTERS, node.name[0]?.name ?? "", node, values(node));
}

const TO_THE_END = 2_147_483_647;

export function substring(node: Call): Expression {
  const [value, start, length = integer(TO_THE_END, node)] = values(node);
  if (value === undefined || start === undefined) return node;
  return by(CHARACTERS, "substring", node, [value, start, length]);
}

export function padded(node: Call): Expression {
  const [value, width, fill = text(" ", node)] = values(node);
  const isOne = fill.kind === "string" && [...fill.value].length === 1;
  if (value === undefined || width === undefined || count(width) === undefined || !isOne) {
    throw computed("a computed width, or more than one character to fill with", node);
  }
  const missing = binary(width, "-", lengthOf(value), typed(INTEGER, node));
  const filling = call("replicate", [wide(fill), missing], typed(TEXT, node));
  const isLeft = node.name[0]?.name === "lpad";
  const filled = isLeft ? concatenation(filling, value, node) : concatenation(wide(value), filling, node);
  const isLong = comparison(lengthOf(value), ">=", width, node);
  return cases([{ when: isLong, then: by(CHARACTERS, "left", node, [value, width]) }], filled, inPlaceOf(node));
}

export function repeated(node: Call): Expression {
  const [value, times] = values(node);
  if (value === undefined || times === undefined) return node;
  const isNegative = comparison(times, "<", integer(0, node), node);
  const often = count(times) === undefined ? when(isNegative, integer(0, node), times, inPlaceOf(times)) : times;
  return call("replicate", [wide(value), often], inPlaceOf(node));
}

export const reversed = (node: Call): Expression => by(CHARACTERS, "reverse", node, values(node));

export function trimmed(node: Call): Expression {
  const [value, characters] = values(node);
  const name = node.name[0]?.name === "btrim" ? "trim" : (node.name[0]?.name ?? "");
  if (value === undefined) return node;
  if (characters === undefined || (characters.kind === "string" && characters.value === " ")) {
    return call(name, [value], inPlaceOf(node));
  }
  throw unsupported("trimmed characters other than blanks", node.span);
}

export function replaced(node: Call): Expression {
  const [value, from, to] = values(node);
  if (value === undefined || to === undefined || from?.kind !== "string" || from.value === "") {
    throw computed("a computed or empty text to be replaced", node);
  }
  return by(CODE_POINTS, "replace", node, [wide(value), from, to]);
}

/** The length in UTF-8. */
export function bytesOf(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || !isText(value)) throw unsupported("the bytes of this", node.span);
  return call("datalength", [spelled(UTF_8, [collated(value, CODE_POINTS)], typed(TEXT, value))], inPlaceOf(node));
}

/** A letter for each letter; others would be left out. */
export function translated(node: Call): Expression {
  const [value, from, to] = values(node);
  const lengths = [from, to].map((each) => (each?.kind === "string" ? [...each.value].length : undefined));
  if (
    value === undefined ||
    from === undefined ||
    to === undefined ||
    lengths[0] === undefined ||
    lengths[0] !== lengths[1]
  ) {
    throw computed("a translation of computed letters, or of more letters than it gives", node);
  }
  return by(CODE_POINTS, "translate", node, [wide(value), from, to]);
}

export function startsWith(node: Call): Expression {
  const [value, start] = values(node);
  if (value === undefined || start?.kind !== "string") throw computed("a computed start of a text", node);
  const pattern = text(`${start.value.replace(/[|%_[]/g, "|$&")}%`, start);
  const escape = text("|", start);
  const operator = "like";
  return like({
    kind: "like",
    operator,
    negated: false,
    operand: value,
    pattern,
    escape,
    span: node.span,
    type: BOOLEAN,
  });
}

/** So many parts are still a short text. */
const PARTS = 4;

/** Behind the separators before it, up to the next one or the end. */
export function partOfText(node: Call): Expression {
  const [value, separator, number] = values(node);
  const index = count(number);
  if (value === undefined || separator?.kind !== "string" || separator.value === "" || !(index && index <= PARTS)) {
    throw unsupported(
      "split_part with these arguments",
      node.span,
      `Ask for one of the first ${PARTS} parts, by a literal separator.`,
    );
  }
  const [at, place] = [typed(TEXT, node), typed(INTEGER, node)];
  const next = (rest: Expression): Expression =>
    call("charindex", [separator, concatenation(rest, separator, node)], place);
  let rest: Expression = collated(wide(value), CODE_POINTS);
  for (let part = 1; part < index; part++) {
    const start = binary(next(rest), "+", integer([...separator.value].length, node), place);
    rest = call("substring", [rest, start, integer(TO_THE_END, node)], at);
  }
  const part = call("left", [rest, binary(next(rest), "-", integer(1, node), place)], at);
  return collated(part, USUAL);
}

/** The characters before it, and one. */
function found(needle: Expression | undefined, value: Expression | undefined, node: Call): Expression {
  if (value === undefined || needle?.kind !== "string" || needle.value === "")
    throw computed("a computed text to be found", node);
  const at = typed(INTEGER, node);
  const exact = collated(value, CODE_POINTS);
  const place = call("charindex", [needle, exact], at);
  const before = call("left", [exact, binary(place, "-", integer(1, node), at)], typed(TEXT, node));
  return cases(
    [
      {
        when: comparison(place, ">", integer(0, node), node),
        then: binary(lengthOf(before), "+", integer(1, node), at),
      },
      { when: isNull(value, true), then: integer(0, node) },
    ],
    undefined,
    inPlaceOf(node),
  );
}

export const position = (node: Call): Expression => found(values(node)[0], values(node)[1], node);
export const positionIn = (node: Call): Expression => found(values(node)[1], values(node)[0], node);

/** Shows a boolean as one letter, where a cast returns the word. */
function shown(value: Expression, at: Call): Expression {
  if (typeOrUnknown(value).kind !== "boolean") return textOf(value, at);
  const branches = [
    { when: value, then: text("t", at) },
    { when: not(value), then: text("f", at) },
  ];
  return cases(branches, undefined, typed(TEXT, at));
}

/** NULLs are empty. */
export function concatenated(node: Call): Expression {
  const [first = text("", node), ...others] = values(node).map((value) => shown(value, node));
  const parts = others.length === 0 ? [text("", node)] : others;
  return call("concat", [wide(first), ...parts], inPlaceOf(node));
}

export function joinedValues(node: Call): Expression {
  const [separator, ...parts] = values(node);
  const [first, ...others] = parts.map((value) => shown(value, node));
  if (separator?.kind !== "string" || first === undefined || others.length === 0) {
    throw unsupported("concat_ws with these arguments", node.span, "Give a literal separator and two values.");
  }
  return call("concat_ws", [separator, wide(first), ...others], inPlaceOf(node));
}

/** In the order that is asked for; of equal ones in any. */
export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined || separator?.kind !== "string" || node.over !== undefined || node.distinct) {
    throw unsupported(
      "string_agg with these arguments",
      node.span,
      "Join different values of groups in a subquery, by a literal separator.",
    );
  }
  const joined = call("string_agg", [wide(textOf(value, node)), separator], inPlaceOf(node));
  return { ...joined, withinGroup: node.orderBy };
}

export function upperOrLower(node: Call): Expression | undefined {
  const [value] = values(node);
  if (value !== undefined && typeOrUnknown(value).kind === "text") return undefined;
  throw unsupported("upper or lower case of this", node.span);
}
