/** Functions of texts. Trino counts characters, too; what it does with lengths below zero and empty texts differs. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { encodedBy } from "../../lowering/encoded-texts.ts";
import { concatenatedBy, textInConcat } from "../../lowering/joined-texts.ts";
import { countOf } from "../../lowering/written-counts.ts";
import {
  binary,
  call,
  cast,
  comparison,
  inPlaceOf,
  integer,
  isNull,
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

const bytes = (value: Expression): Expression =>
  isBinary(value) ? value : call("to_utf8", [textOf(value, value)], typed(BINARY, value));

export function octetLength(node: Call): Expression {
  const [value] = values(node);
  return value === undefined ? node : call("length", [bytes(value)], inPlaceOf(node));
}

export const bitLength = (node: Call): Expression => binary(octetLength(node), "*", integer(8, node), inPlaceOf(node));

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

const shown = textInConcat(textOf);

export const concatenated = concatenatedBy(shown);

export const joinedValues = (node: Call): Call =>
  withArguments(
    node,
    values(node).map((value) => shown(value, node)),
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

export const encoded = encodedBy({ bytes, hex, firstGroup: "$1" });
