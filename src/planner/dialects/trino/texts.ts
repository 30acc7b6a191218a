/** Functions of texts. Trino counts characters as PostgreSQL does; negative lengths and empty texts differ. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { byTemplate, spelled, sql } from "../../lowering/templates/template.ts";
import { encodedBy } from "../../lowering/texts/encoded-texts.ts";
import { concatenatedBy, textInConcat } from "../../lowering/texts/joined-texts.ts";
import { call, integer, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression, Template } from "../../syntax/tree.ts";
import { BINARY, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

const isBinary = (value: Expression): boolean => typeOrUnknown(value).kind === "binary";

const bytes = (value: Expression): Expression =>
  isBinary(value) ? value : call("to_utf8", [textOf(value, value)], typed(BINARY, value));

const LENGTH = sql("length($1)", { nulls: "strict" });
const BITS = sql("length($1) * 8", { nulls: "strict" });

const ofBytes =
  (template: Template) =>
  (node: Call): Expression =>
    spelled(template, values(node).map(bytes), node);

export const octetLength = ofBytes(LENGTH);
export const bitLength = ofBytes(BITS);

const REPEATED = sql("array_join(repeat($1, $2), '')", { nulls: "strict" });
const REPEATED_IF_PRESENT = sql("CASE WHEN $1 IS NOT NULL THEN array_join(repeat($1, $2), '') END");
const AT_LEAST_ZERO = sql("greatest($1, 0)");

export function repeated(node: Call): Expression {
  const [value, count] = values(node);
  if (value === undefined || count === undefined) return node;
  const known = countOf(count);
  const times = known === undefined ? spelled(AT_LEAST_ZERO, [count], count) : integer(Math.max(known, 0), node);
  return spelled(isNullable(value) ? REPEATED_IF_PRESENT : REPEATED, [value, times], node);
}

const shown = textInConcat(textOf);

export const concatenated = concatenatedBy(shown);

export const joinedValues = (node: Call): Call =>
  withArguments(
    node,
    values(node).map((value) => shown(value, node)),
  );

const EMPTY = sql("CASE WHEN $1 IS NOT NULL THEN '' END");
const PART = sql("coalesce(element_at(split($1, $2), $3), '')", { nulls: "strict" });
const PART_IF_PRESENT = sql("CASE WHEN $1 IS NOT NULL THEN coalesce(element_at(split($1, $2), $3), '') END");

/** `split_part`: a negative number counts from the end; an empty text where there is no part. */
export function part(node: Call): Expression {
  const [value, separator, place] = values(node);
  const count = place && countOf(place);
  if (value === undefined || separator?.kind !== "string" || count === undefined || count === 0) {
    throw unsupported("a computed part of a text", node.span, "Write separator and number as literals.");
  }
  if (separator.value === "") return Math.abs(count) === 1 ? value : spelled(EMPTY, [value], node);
  return spelled(isNullable(value) ? PART_IF_PRESENT : PART, [value, separator, integer(count, node)], node);
}

export const CODE_POINT = sql("CASE WHEN $1 = '' THEN 0 ELSE codepoint(CAST(substr($1, 1, 1) AS varchar(1))) END");

const HEX = sql("lower(to_hex($1))", { type: TEXT });
const DIGEST = sql("lower(to_hex(md5($1)))", { nulls: "strict" });
const HEX_OF_INTEGER = sql("to_base(bitwise_and($1, 4294967295), 16)");
const HEX_OF_BIGINT = sql("regexp_replace(lower(to_hex(to_big_endian_64($1))), '^0+(?!$)', '')");

const hex = (value: Expression, at: Expression): Expression => spelled(HEX, [value], at);

export const digest = ofBytes(DIGEST);

/** PostgreSQL shows the bits of a negative number. */
export function hexadecimal(node: Call): Expression {
  const type = typeOrUnknown(values(node)[0] ?? node);
  if (type.kind !== "integer") throw unsupported("to_hex of this", node.span);
  return byTemplate(type.bits === 64 ? HEX_OF_BIGINT : HEX_OF_INTEGER, node);
}

export const encoded = encodedBy({ bytes, hex, firstGroup: "$1" });
