/**
 * Functions of texts, which count characters as PostgreSQL's do; of NULLs among several texts and parts that there are none of it is
 * otherwise. https://docs.snowflake.com/en/sql-reference/functions-string
 */

import { unsupported } from "../../diagnostics.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { encodedBy } from "../../lowering/texts/encoded-texts.ts";
import { concatenatedBy, textInConcat } from "../../lowering/texts/joined-texts.ts";
import { call, inPlaceOf, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { BYTES } from "./bytes.ts";
import { textOf } from "./casts.ts";

const TEXTS: SqlType = { kind: "array", element: TEXT };

const isBinary = (value: Expression): boolean => typeOrUnknown(value).kind === "binary";

const bytes = (value: Expression): Expression =>
  isBinary(value) ? value : spelled(BYTES, [textOf(value, value)], value);

const shown = textInConcat(textOf);

export const concatenated = concatenatedBy(shown);

/** An array that is made so leaves its NULLs out: https://docs.snowflake.com/en/sql-reference/functions/array_construct_compact */
export function joinedValues(node: Call): Expression {
  const [separator, ...others] = values(node).map((value) => shown(value, node));
  if (separator === undefined || others.length === 0) throw unsupported("concat_ws of nothing", node.span);
  const present = call("array_construct_compact", others, typed(TEXTS, node));
  const joined = call("array_to_string", [present, separator], inPlaceOf(node));
  // Nothing is told of an array without elements.
  return separator.kind === "string" ? call("coalesce", [joined, text("", node)], inPlaceOf(node)) : joined;
}

/** From the end below zero, and empty where there is none: https://docs.snowflake.com/en/sql-reference/functions/split_part */
export function part(node: Call): undefined {
  const [, separator, place] = values(node);
  const count = place && countOf(place);
  if (separator?.kind === "string" && separator.value !== "" && count !== undefined && count !== 0) return;
  throw unsupported("a computed part of a text", node.span, "Write separator and number as literals.");
}

/** Hashes the bytes of a text in UTF-8. */
export function digest(node: Call): Call {
  const [value] = values(node);
  return value === undefined ? node : call("md5", [isBinary(value) ? value : textOf(value, value)], inPlaceOf(node));
}

const HEX = words("HEX_ENCODE($1, 0)", { type: TEXT });

export const encoded = encodedBy({
  bytes,
  hex: (value, at) => spelled(HEX, [value], at),
  firstGroup: "\\1",
});
