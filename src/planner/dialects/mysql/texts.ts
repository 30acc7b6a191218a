/** Text functions that MySQL has under other names, or with other results at their edges. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { byTemplate, spelled, sql, words } from "../../lowering/templates/template.ts";
import { call, cases, inPlaceOf, integer, not, text, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BINARY, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";
import { exact } from "./exact-text.ts";
import { inUtf8 as asUtf8, trim } from "./templates.ts";

const isBinary = (value: Expression): boolean => typeOrUnknown(value).kind === "binary";

export const length = (node: Call): Expression =>
  call(values(node).some(isBinary) ? "octet_length" : "char_length", values(node), inPlaceOf(node));

/** Bytes in UTF-8; a column may have another character set. */
const inUtf8 = (value: Expression): Expression =>
  isBinary(value) ? value : asUtf8(textOf(value, value), { span: value.span, type: BINARY });

/** PostgreSQL digests a text's bytes in UTF-8. */
export const digest = (node: Call): Expression => withArguments(node, values(node).map(inUtf8));

export const bytesLength = (node: Call): Expression => call("octet_length", values(node).map(inUtf8), inPlaceOf(node));
export const bitLength = (node: Call): Expression => call("bit_length", values(node).map(inUtf8), inPlaceOf(node));

/** The end without so many characters of the other end. */
const REST = {
  left: sql("left($1, greatest(char_length($1) - $2, 0))", { nulls: "strict" }),
  right: sql("right($1, greatest(char_length($1) - $2, 0))", { nulls: "strict" }),
} as const;

/** The end of as many characters as a computed number says. */
const COMPUTED_END = {
  left: sql("CASE WHEN $2 < 0 THEN left($1, greatest(char_length($1) + $2, 0)) ELSE left($1, $2) END"),
  right: sql("CASE WHEN $2 < 0 THEN right($1, greatest(char_length($1) + $2, 0)) ELSE right($1, $2) END"),
} as const;

/** `left(x, n)` and `right(x, n)`. With a negative n PostgreSQL takes all but so many characters. */
export const end =
  (side: "left" | "right") =>
  (node: Call): Expression => {
    const [value, count] = values(node);
    if (value === undefined || count === undefined) return node;
    const literal = countOf(count);
    if (literal === undefined) return byTemplate(COMPUTED_END[side], node);
    return literal >= 0 ? node : spelled(REST[side], [value, integer(-literal, node)], node);
  };

/** MySQL has no default for the filling, and gives NULL for an odd filling or length. */
export function padded(node: Call): Expression {
  const [value, count, filling = text(" ", node)] = values(node);
  const length = count && countOf(count);
  if (value === undefined || count === undefined) return node;
  if (length === undefined || length < 0 || filling.kind !== "string" || filling.value === "") {
    throw unsupported("a computed or empty filling or length", node.span, "Write both as literals.");
  }
  return withArguments(node, [value, count, filling]);
}

/** MySQL's TRIM removes one text from the ends, and not any of its characters. */
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

const POSITION = sql("position($1 IN $2)", { nulls: "strict" });

/** The position of a text by exact characters; `position` has the part first, `strpos` the whole. */
export function position(node: Call): Expression {
  const [part, whole] = values(node);
  return part && whole ? spelled(POSITION, [part, exact(whole)], node) : node;
}

export function positionIn(node: Call): Expression {
  const [whole, part] = values(node);
  return part && whole ? spelled(POSITION, [part, exact(whole)], node) : node;
}

/** PostgreSQL's `concat` writes a boolean as a letter. A tree, because a BIT column is a condition as it is (`bits.ts`). */
function shown(value: Expression): Expression {
  if (typeOrUnknown(value).kind !== "boolean") return textOf(value, value);
  const branches = [
    { when: value, then: text("t", value) },
    { when: not(value), then: text("f", value) },
  ];
  return cases(branches, undefined, typed(TEXT, value));
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

/** $3 is the number of the part, $4 the length of the separators before it. */
const PART = sql(`CASE
  WHEN char_length($1) - char_length(replace($1, $2, '')) >= $4 THEN substring_index(substring_index($1, $2, $3), $2, -1)
  WHEN char_length($1) - char_length(replace($1, $2, '')) < $4 THEN ''
END`);

/** `split_part`: an empty text where there are fewer parts. */
export function part(node: Call): Expression {
  const [value, separator, index] = values(node);
  const count = index && countOf(index);
  if (!value || !index || separator?.kind !== "string" || separator.value === "" || !count || count < 1) {
    throw unsupported("split_part of this", node.span, "Write the separator and a positive number as literals.");
  }
  const needed = integer((count - 1) * [...separator.value].length, node);
  return spelled(PART, [value, separator, index, needed], node);
}

const FIRST_IN_UTF32 = words("CONVERT(left($1, 1) USING utf32)");
const CODE_POINT = sql("CASE WHEN char_length($1) = 0 THEN 0 ELSE CAST(conv(hex($2), 16, 10) AS bigint) END");

/** The code point of the first character; 0 for an empty text. */
export function codePoint(node: Call): Expression {
  const [value] = values(node);
  return value === undefined ? node : spelled(CODE_POINT, [value, spelled(FIRST_IN_UTF32, [value], node)], node);
}

const HEXADECIMAL = sql("lower(hex($1))", { nulls: "strict" });
const HEXADECIMAL_OF_INTEGER = sql("lower(hex($1 & 4294967295))", { nulls: "strict" });
const BASE64 = sql("to_base64($1)");

export function hexadecimal(node: Call): Expression {
  const type = typeOrUnknown(values(node)[0] ?? node);
  return byTemplate(type.kind === "integer" && type.bits < 64 ? HEXADECIMAL_OF_INTEGER : HEXADECIMAL, node);
}

export function encoded(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string") throw unsupported("a computed encoding", node.span);
  if (format.value === "hex") return spelled(HEXADECIMAL, [inUtf8(value)], node);
  if (format.value === "base64") return spelled(BASE64, [inUtf8(value)], node);
  throw unsupported(`the encoding '${format.value}'`, format.span, "Use 'hex' or 'base64'.");
}
