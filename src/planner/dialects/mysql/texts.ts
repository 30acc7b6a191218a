/** Text functions that MySQL says otherwise, or with another meaning at their edges. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import {
  binary,
  call,
  cases,
  cast,
  inPlaceOf,
  integer,
  isNull,
  not,
  text,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BINARY, BOOLEAN, INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";
import { exact } from "./exact-text.ts";
import { inUtf8 as asUtf8, trim } from "./templates.ts";

const isBinary = (value: Expression): boolean => typeOrUnknown(value).kind === "binary";

/** A literal whole number, `-2` too. */
function literalCount(value: Expression | undefined): number | undefined {
  if (value?.kind === "number" && /^\d+$/.test(value.text)) return Number(value.text);
  if (value?.kind !== "unary" || value.operator !== "-") return undefined;
  const count = literalCount(value.operand);
  return count === undefined ? undefined : -count;
}

const lengthOf = (value: Expression, at: Expression): Expression =>
  call("char_length", [value], { span: at.span, type: INTEGER });

export const length = (node: Call): Expression =>
  call(values(node).some(isBinary) ? "octet_length" : "char_length", values(node), inPlaceOf(node));

/** Bytes in UTF-8, whatever the column's character set is. */
const inUtf8 = (value: Expression): Expression =>
  isBinary(value) ? value : asUtf8(textOf(value, value), { span: value.span, type: BINARY });

/** `md5` of a text's bytes in UTF-8, as PostgreSQL has it. */
export const digest = (node: Call): Expression => withArguments(node, values(node).map(inUtf8));

export const bytesLength = (node: Call): Expression => call("octet_length", values(node).map(inUtf8), inPlaceOf(node));
export const bitLength = (node: Call): Expression => call("bit_length", values(node).map(inUtf8), inPlaceOf(node));

/** `left(x, n)` and `right(x, n)`; a negative n takes all but so many characters. */
export function end(node: Call): Expression {
  const [value, count] = values(node);
  if (value === undefined || count === undefined) return node;
  const literal = literalCount(count);
  if (literal !== undefined && literal >= 0) return node;
  const rest = binary(
    lengthOf(value, node),
    literal === undefined ? "+" : "-",
    literal === undefined ? count : integer(-literal, node),
    {
      span: node.span,
      type: BIGINT,
    },
  );
  const shortened = withArguments(node, [
    value,
    call("greatest", [rest, integer(0, node)], { span: node.span, type: BIGINT }),
  ]);
  if (literal !== undefined) return shortened;
  const isNegative = binary(count, "<", integer(0, node), { span: node.span, type: BOOLEAN });
  return cases([{ when: isNegative, then: shortened }], node, inPlaceOf(node));
}

/** The filling has a default, and neither it nor the length may be odd. */
export function padded(node: Call): Expression {
  const [value, count, filling = text(" ", node)] = values(node);
  const length = literalCount(count);
  if (value === undefined || count === undefined) return node;
  if (length === undefined || length < 0 || filling.kind !== "string" || filling.value === "") {
    throw unsupported("a computed or empty filling or length", node.span, "Write both as literals.");
  }
  return withArguments(node, [value, count, filling]);
}

/** TRIM takes one text off the ends there, not any of its characters. */
export const trimmed =
  (side: "both" | "leading" | "trailing") =>
  (node: Call): Expression => {
    const [value, characters = text(" ", node)] = values(node);
    if (value === undefined) return node;
    if (characters.kind !== "string" || [...characters.value].length !== 1) {
      throw unsupported("trimming several characters", node.span, "Trim one character after the other.");
    }
    return trim(side, value, characters, node);
  };

/** Where a text occurs, letter by letter. */
export function position(node: Call): Expression {
  const [part, whole] = values(node);
  if (part === undefined || whole === undefined) return node;
  return call("position", [part, exact(whole)], inPlaceOf(node));
}

export function positionIn(node: Call): Expression {
  const [whole, part] = values(node);
  if (part === undefined || whole === undefined) return node;
  return call("position", [part, exact(whole)], inPlaceOf(node));
}

/** Here a boolean is a letter. */
function shown(value: Expression): Expression {
  if (typeOrUnknown(value).kind !== "boolean") return textOf(value, value);
  const letter = (each: string): Expression => text(each, value);
  return cases(
    [
      { when: value, then: letter("t") },
      { when: not(value), then: letter("f") },
    ],
    undefined,
    typed(TEXT, value),
  );
}

/** NULLs are skipped. */
export function concatenated(node: Call): Expression {
  const parts = values(node).map((value) => {
    const given = shown(value);
    return isNullable(value) ? call("coalesce", [given, text("", node)], typed(TEXT, value)) : given;
  });
  return parts.length === 0 ? text("", node) : withArguments(node, parts);
}

export const joinedValues = (node: Call): Expression => withArguments(node, values(node).map(shown));

/** The n-th part; an empty text where there are fewer. */
export function part(node: Call): Expression {
  const [value, separator, index] = values(node);
  const count = literalCount(index);
  if (
    value === undefined ||
    separator?.kind !== "string" ||
    separator.value === "" ||
    count === undefined ||
    count < 1
  ) {
    throw unsupported("split_part of this", node.span, "Write the separator and a positive number as literals.");
  }
  const place = { span: node.span, type: INTEGER };
  const bytes = (of: Expression): Expression => call("char_length", [of], place);
  const without = call("replace", [value, separator, text("", node)], { span: node.span, type: TEXT });
  const found = binary(bytes(value), "-", bytes(without), place);
  const needed = integer((count - 1) * [...separator.value].length, node);
  const start = call("substring_index", [value, separator, integer(count, node)], { span: node.span, type: TEXT });
  const last = call("substring_index", [start, separator, integer(-1, node)], { span: node.span, type: TEXT });
  const isThere = binary(found, ">=", needed, { span: node.span, type: BOOLEAN });
  const isMissing = binary(found, "<", needed, { span: node.span, type: BOOLEAN });
  return cases(
    [
      { when: isThere, then: last },
      { when: isMissing, then: text("", node) },
    ],
    undefined,
    inPlaceOf(node),
  );
}

const IN_UTF32 = words("CONVERT($1 USING utf32)", { type: BINARY });

/** The code point of the first character; 0 of an empty text. */
export function codePoint(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const place = { span: node.span, type: TEXT };
  const first = spelled(IN_UTF32, [call("left", [value, integer(1, node)], place)], node);
  const digits = call("conv", [call("hex", [first], place), integer(16, node), integer(10, node)], place);
  const isEmpty = binary(lengthOf(value, node), "=", integer(0, node), { span: node.span, type: BOOLEAN });
  return when(isEmpty, integer(0, node), cast(digits, "bigint", inPlaceOf(node)), inPlaceOf(node));
}

export function hexadecimal(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const type = typeOrUnknown(value);
  const bits: Expression = { kind: "number", text: "4294967295", span: node.span, type: BIGINT };
  const short = type.kind === "integer" && type.bits < 64;
  const number = short ? binary(value, "&", bits, { span: node.span, type: BIGINT }) : value;
  return call("lower", [call("hex", [number], { span: node.span, type: TEXT })], inPlaceOf(node));
}

export function encoded(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string") throw unsupported("a computed encoding", node.span);
  const place = { span: node.span, type: TEXT };
  if (format.value === "hex") return call("lower", [call("hex", [inUtf8(value)], place)], inPlaceOf(node));
  if (format.value === "base64") return call("to_base64", [inUtf8(value)], inPlaceOf(node));
  throw unsupported(`the encoding '${format.value}'`, format.span, "Use 'hex' or 'base64'.");
}

/**
 * MySQL 9.7 makes room for less than the result where rows are kept: `max(replace(s, 'x', 'it''s'))` of groups was `it'`. A
 * text that is repeated as often as the new one is long has room for all of it, and is never asked for.
 */
export function replaced(node: Call): Expression {
  const [value, from, to] = values(node);
  if (value === undefined || from === undefined || to === undefined) return node;
  const isShorter = from.kind === "string" && to.kind === "string" && to.value.length <= from.value.length;
  if (isShorter) return node;
  const room = call("repeat", [value, lengthOf(to, node)], inPlaceOf(node));
  return cases([{ when: isNull(value, true), then: node }], room, inPlaceOf(node));
}
