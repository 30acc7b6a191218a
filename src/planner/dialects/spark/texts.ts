/** Functions of texts. Spark counts characters, too; what it does with lengths below zero and empty texts differs. */
import { unsupported } from "../../diagnostics.ts";
import { concatenatedBy, textInConcat } from "../../lowering/joined-texts.ts";
import { countOf } from "../../lowering/written-counts.ts";
import {
  binary,
  call,
  comparison,
  inPlaceOf,
  integer,
  text,
  typed,
  values,
  when,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BIGINT, BINARY, INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

const lengthOf = (value: Expression): Expression => call("length", [value], typed(INTEGER, value));

/** Below zero: all but so many. */
export function end(node: Call): Expression {
  const [value, count] = values(node);
  if (value === undefined || count === undefined) return node;
  const known = countOf(count);
  if (known !== undefined && known >= 0) return node;
  const at = typed(INTEGER, node);
  const rest = call("greatest", [binary(lengthOf(value), "+", count, at), integer(0, node)], at);
  const negative = withArguments(node, [value, rest]);
  if (known !== undefined) return negative;
  return when(
    comparison(count, ">=", integer(0, node), node),
    node,
    when(comparison(count, "<", integer(0, node), node), negative, undefined, inPlaceOf(node)),
    inPlaceOf(node),
  );
}

/** An empty filling fills nothing. */
export function padded(node: Call): Expression {
  const [value, length, filling = text(" ", node)] = values(node);
  if (value === undefined || length === undefined) return node;
  if (filling.kind !== "string") throw unsupported("a computed filling", filling.span, "Write it as a literal.");
  if (filling.value === "") return call("left", [value, length], inPlaceOf(node));
  return withArguments(node, [value, length, filling]);
}

/** Blanks alone, or the characters that are named. */
export const trimmed =
  (side: "both" | "leading" | "trailing") =>
  (node: Call): Expression => {
    const [value, characters = text(" ", node)] = values(node);
    if (value === undefined) return node;
    if (characters.kind !== "string") {
      throw unsupported("computed characters to trim", characters.span, "Write them as a literal.");
    }
    if (characters.value === "") return value;
    return call(`trim ${side}`, [characters, value], inPlaceOf(node));
  };

const shown = textInConcat(textOf);

export const concatenated = concatenatedBy(shown);

export const joinedValues = (node: Call): Call =>
  withArguments(
    node,
    values(node).map((value) => shown(value, node)),
  );

/** From the end below zero, and empty where there is none. */
export function part(node: Call): Expression {
  const [, separator, place] = values(node);
  const count = place && countOf(place);
  if (separator?.kind === "string" && count !== undefined && count !== 0) return node;
  throw unsupported("a computed part of a text", node.span, "Write separator and number as literals.");
}

/** Spark's own takes the remainder by 256. */
export function character(node: Call): Expression {
  const [code] = values(node);
  if (code === undefined) return node;
  const known = countOf(code);
  if (known !== undefined && known > 0 && known < 0xd800) return text(String.fromCodePoint(known), node);
  const digits = call(
    "lpad",
    [call("hex", [code], typed(TEXT, node)), integer(8, node), text("0", node)],
    typed(TEXT, node),
  );
  return call("text of bytes", [call("unhex", [digits], typed(BINARY, node)), text("UTF-32", node)], inPlaceOf(node));
}

const hex = (value: Expression, at: Expression): Expression =>
  call("lower", [call("hex", [value], typed(TEXT, at))], typed(TEXT, at));

/** A number below zero is its bits. */
export function hexadecimal(node: Call): Expression {
  const [value] = values(node);
  const type = value && typeOrUnknown(value);
  if (value === undefined || type?.kind !== "integer") throw unsupported("to_hex of this", node.span);
  if (type.bits === 64) return hex(value, node);
  const mask: Expression = { kind: "number", text: "4294967295", span: node.span, type: BIGINT };
  return hex(binary(value, "&", mask, typed(BIGINT, node)), node);
}

/** Lines of base64 have 76 characters in PostgreSQL; Spark's own end otherwise, where a setting lets it make them at all. */
export function encoded(node: Call): Expression {
  const [value, format] = values(node);
  const name = format?.kind === "string" ? format.value.toLowerCase() : undefined;
  if (value === undefined || (name !== "hex" && name !== "base64")) {
    throw unsupported("encode to this", node.span, "Use 'base64' or 'hex'.");
  }
  if (name === "hex") return hex(value, node);
  const written = call("base64", [value], typed(TEXT, node));
  const found = call("replace", [written, text("\r\n", node), text("", node)], typed(TEXT, node));
  return call("regexp_replace", [found, text("(.{76})", node), text("$1\n", node)], inPlaceOf(node));
}

export function decoded(node: Call): Expression {
  const [value, format] = values(node);
  const name = format?.kind === "string" ? format.value.toLowerCase() : undefined;
  if (value === undefined || (name !== "hex" && name !== "base64")) {
    throw unsupported("decode of this", node.span, "Use 'base64' or 'hex'.");
  }
  return call(name === "hex" ? "unhex" : "unbase64", [value], inPlaceOf(node));
}

export function overlaid(node: Call): Expression {
  const [value, by, from, length] = values(node);
  const start = from && countOf(from);
  if (value === undefined || by === undefined || start === undefined || start < 1) {
    throw unsupported("overlay with these arguments", node.span, "Write the position as a literal from 1 on.");
  }
  const at = typed(TEXT, node);
  const count = length ?? lengthOf(by);
  const head = call("substring", [value, integer(1, node), integer(start - 1, node)], at);
  const behind = binary(integer(start, node), "+", count, typed(INTEGER, node));
  const next = call("greatest", [behind, integer(1, node)], typed(INTEGER, node));
  return binary(binary(head, "||", by, at), "||", call("substring", [value, next], at), at);
}
