/** Functions of texts. Trino counts characters, too; what it does with lengths below zero and empty texts differs. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { countOf } from "../../lowering/written-counts.ts";
import {
  binary,
  call,
  cases,
  cast,
  comparison,
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
import { BIGINT, BINARY, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

const isBinary = (value: Expression): boolean => typeOrUnknown(value).kind === "binary";

const lengthOf = (value: Expression): Expression => call("length", [value], typed(BIGINT, value));

const bytes = (value: Expression): Expression =>
  isBinary(value) ? value : call("to_utf8", [textOf(value, value)], typed(BINARY, value));

export function octetLength(node: Call): Expression {
  const [value] = values(node);
  return value === undefined ? node : call("length", [bytes(value)], inPlaceOf(node));
}

export const bitLength = (node: Call): Expression => binary(octetLength(node), "*", integer(8, node), inPlaceOf(node));

/** Below zero: all but so many. */
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

/** Blanks alone, where Trino's own takes every kind of space. */
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

/** Nothing is not replaced. */
export function replaced(node: Call): Expression {
  const [value, searched] = values(node);
  if (value === undefined || searched === undefined) return node;
  if (searched.kind === "string") return searched.value === "" ? value : node;
  const isEmpty = comparison(searched, "=", text("", node), node);
  return when(isEmpty, value, node, inPlaceOf(node));
}

export function repeated(node: Call): Expression {
  const [value, count] = values(node);
  if (value === undefined || count === undefined) return node;
  const times =
    countOf(count) === undefined
      ? call("greatest", [count, integer(0, node)], typed(BIGINT, node))
      : integer(Math.max(countOf(count) ?? 0, 0), node);
  const all = call("array_join", [call("repeat", [value, times], inPlaceOf(node)), text("", node)], inPlaceOf(node));
  return isNullable(value) ? when(isNull(value, true), all, undefined, inPlaceOf(node)) : all;
}

export function overlaid(node: Call): Expression {
  const [value, by, from, length] = values(node);
  const start = from && countOf(from);
  if (value === undefined || by === undefined || start === undefined || start < 1) {
    throw unsupported("this overlay", node.span, "Write the position as a literal from 1 on.");
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

/** Among the values that a function joins, truth is a letter. */
function shownAmong(value: Expression, at: Expression): Expression {
  if (typeOrUnknown(value).kind !== "boolean") return textOf(value, at);
  return cases(
    [
      { when: value, then: text("t", at) },
      { when: not(value), then: text("f", at) },
    ],
    undefined,
    typed(TEXT, at),
  );
}

/** NULL is nothing. */
function filled(value: Expression, at: Expression): Expression {
  const shown = shownAmong(value, at);
  return isNullable(value) ? call("coalesce", [shown, text("", at)], typed(TEXT, at)) : shown;
}

export function concatenated(node: Call): Expression {
  const [first, ...others] = values(node).map((value) => filled(value, node));
  return others.reduce<Expression>(
    (left, right) => binary(left, "||", right, inPlaceOf(node)),
    first ?? text("", node),
  );
}

export const joinedValues = (node: Call): Call =>
  withArguments(
    node,
    values(node).map((value) => shownAmong(value, node)),
  );

/** From the end below zero, and empty where there is none. */
export function part(node: Call): Expression {
  const [value, separator, place] = values(node);
  const count = place && countOf(place);
  if (value === undefined || separator?.kind !== "string" || count === undefined || count === 0) {
    throw unsupported("a computed part of a text", node.span, "Write separator and number as literals.");
  }
  const at = inPlaceOf(node);
  if (separator.value === "")
    return Math.abs(count) === 1 ? value : when(isNull(value, true), text("", node), undefined, at);
  const found = call(
    "element_at",
    [call("split", [value, separator], typed({ kind: "array", element: TEXT }, node)), integer(count, node)],
    at,
  );
  const present = call("coalesce", [found, text("", node)], at);
  return isNullable(value) ? when(isNull(value, true), present, undefined, at) : present;
}

export function codePoint(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const first = cast(
    call("substr", [value, integer(1, node), integer(1, node)], typed(TEXT, node)),
    "varchar",
    typed(TEXT, node),
    [1],
  );
  return when(
    comparison(value, "=", text("", node), node),
    integer(0, node),
    call("codepoint", [first], inPlaceOf(node)),
    inPlaceOf(node),
  );
}

const hex = (value: Expression, at: Expression): Expression =>
  call("lower", [call("to_hex", [value], typed(TEXT, at))], typed(TEXT, at));

export function digest(node: Call): Expression {
  const [value] = values(node);
  return value === undefined ? node : hex(call("md5 of bytes", [bytes(value)], typed(BINARY, node)), node);
}

/** A number below zero is its bits. */
export function hexadecimal(node: Call): Expression {
  const [value] = values(node);
  const type = value && typeOrUnknown(value);
  if (value === undefined || type?.kind !== "integer") throw unsupported("to_hex of this", node.span);
  if (type.bits !== 64) {
    const mask: Expression = { kind: "number", text: "4294967295", span: node.span, type: BIGINT };
    const own = call("bitwise_and", [value, mask], typed(BIGINT, node));
    return call("to_base", [own, integer(16, node)], inPlaceOf(node));
  }
  const digits = hex(call("to_big_endian_64", [value], typed(BINARY, node)), node);
  return call("regexp_replace", [digits, text("^0+(?!$)", node), text("", node)], inPlaceOf(node));
}

/** PostgreSQL breaks base64 into lines of 76 characters. */
export function encoded(node: Call): Expression {
  const [value, format] = values(node);
  const name = format?.kind === "string" ? format.value.toLowerCase() : undefined;
  if (value === undefined || (name !== "hex" && name !== "base64")) {
    throw unsupported("encode to this", node.span, "Use 'base64' or 'hex'.");
  }
  if (name === "hex") return hex(bytes(value), node);
  const found = call("to_base64", [bytes(value)], typed(TEXT, node));
  return call("regexp_replace", [found, text("(.{76})", node), text("$1\n", node)], inPlaceOf(node));
}

export function decoded(node: Call): Expression {
  const [value, format] = values(node);
  const name = format?.kind === "string" ? format.value.toLowerCase() : undefined;
  if (value === undefined || (name !== "hex" && name !== "base64")) {
    throw unsupported("decode of this", node.span, "Use 'base64' or 'hex'.");
  }
  return call(name === "hex" ? "from_hex" : "from_base64", [value], inPlaceOf(node));
}
