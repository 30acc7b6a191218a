/** Functions of texts. Spark counts characters as PostgreSQL does; negative lengths and empty texts differ. */

import { unsupported } from "../../diagnostics.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { byTemplate, spelled, sql, words } from "../../lowering/templates/template.ts";
import { concatenatedBy, textInConcat } from "../../lowering/texts/joined-texts.ts";
import { call, inPlaceOf, integer, text, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

/** The end without so many characters of the other end, for a negative number. */
const REST = {
  left: sql("left($1, greatest(length($1) + $2, 0))", { nulls: "strict" }),
  right: sql("right($1, greatest(length($1) + $2, 0))", { nulls: "strict" }),
} as const;
const computedEnd = (side: string) =>
  sql(
    `CASE WHEN $2 >= 0 THEN ${side}($1, $2) ELSE CASE WHEN $2 < 0 THEN ${side}($1, greatest(length($1) + $2, 0)) END END`,
  );
const COMPUTED_END = { left: computedEnd("left"), right: computedEnd("right") } as const;

/** `left(x, n)` and `right(x, n)`. With a negative n PostgreSQL takes all but so many characters. */
export const end =
  (side: "left" | "right") =>
  (node: Call): Expression => {
    const [value, count] = values(node);
    if (value === undefined || count === undefined) return node;
    const known = countOf(count);
    if (known !== undefined && known >= 0) return node;
    return byTemplate(known === undefined ? COMPUTED_END[side] : REST[side], node);
  };

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
    return spelled(TRIMS[side], [characters, value], node);
  };

/** Databricks documents that `trim` never fails. */
const TRIMS = {
  both: words("trim(BOTH $1 FROM $2)", { neverFails: true }),
  leading: words("trim(LEADING $1 FROM $2)"),
  trailing: words("trim(TRAILING $1 FROM $2)"),
} as const;

const shown = textInConcat(textOf);

export const concatenated = concatenatedBy(shown);

export const joinedValues = (node: Call): Call =>
  withArguments(
    node,
    values(node).map((value) => shown(value, node)),
  );

/** `split_part`: a negative number counts from the end; an empty text where there is no part. */
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
  return byTemplate(CHARACTER, node);
}

const CHARACTER = sql("decode(unhex(lpad(hex($1), 8, '0')), 'UTF-32')");
const HEX = sql("lower(hex($1))", { nulls: "strict" });
const HEX_OF_INTEGER = sql("lower(hex($1 & 4294967295))", { nulls: "strict" });

/** PostgreSQL shows the bits of a negative number. */
export function hexadecimal(node: Call): Expression {
  const type = typeOrUnknown(values(node)[0] ?? node);
  if (type.kind !== "integer") throw unsupported("to_hex of this", node.span);
  return byTemplate(type.bits === 64 ? HEX : HEX_OF_INTEGER, node);
}

/** Lines of base64 have 76 characters in PostgreSQL; Spark's own end otherwise, where a setting lets it make them at all. */
export function encoded(node: Call): Expression {
  const [value, format] = values(node);
  const name = format?.kind === "string" ? format.value.toLowerCase() : undefined;
  if (value === undefined || (name !== "hex" && name !== "base64")) {
    throw unsupported("encode to this", node.span, "Use 'base64' or 'hex'.");
  }
  if (name === "hex") return spelled(HEX, [value], node);
  return spelled(IN_LINES, [value, text("\r\n", node), text("$1\n", node)], node);
}

const IN_LINES = sql("regexp_replace(replace(base64($1), $2, ''), '(.{76})', $3)");
const UNHEX = sql("unhex($1)");
const UNBASE64 = sql("unbase64($1)");

export function decoded(node: Call): Expression {
  const [value, format] = values(node);
  const name = format?.kind === "string" ? format.value.toLowerCase() : undefined;
  if (value === undefined || (name !== "hex" && name !== "base64")) {
    throw unsupported("decode of this", node.span, "Use 'base64' or 'hex'.");
  }
  return spelled(name === "hex" ? UNHEX : UNBASE64, [value], node);
}

export function overlaid(node: Call): Expression {
  const [value, by, from, length] = values(node);
  const start = from && countOf(from);
  if (value === undefined || by === undefined || start === undefined || start < 1) {
    throw unsupported("overlay with these arguments", node.span, "Write the position as a literal from 1 on.");
  }
  const count = length ?? spelled(LENGTH, [by], by);
  return spelled(OVERLAID, [value, by, integer(start - 1, node), integer(start, node), count], node);
}

const LENGTH = sql("length($1)", { type: INTEGER });
const OVERLAID = sql("substring($1, 1, $3) || $2 || substring($1, greatest($4 + $5, 1))");
