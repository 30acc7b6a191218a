/** Functions of texts. GoogleSQL counts characters, too; NULL in a list of texts and parts that there are none of differ. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { encodedBy } from "../../lowering/texts/encoded-texts.ts";
import { concatenatedBy, textInConcat } from "../../lowering/texts/joined-texts.ts";
import { binary, call, cast, inPlaceOf, integer, isNull, text, typed, values, when } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BINARY, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";

const TEXTS: SqlType = { kind: "array", element: TEXT };

const isBinary = (value: Expression): boolean => typeOrUnknown(value).kind === "binary";

const bytes = (value: Expression): Expression =>
  isBinary(value) ? value : cast(textOf(value, value), "bytea", typed(BINARY, value));

export function octetLength(node: Call): Expression {
  const [value] = values(node);
  return value === undefined ? node : call("length", [bytes(value)], inPlaceOf(node));
}

export const bitLength = (node: Call): Expression => binary(octetLength(node), "*", integer(8, node), inPlaceOf(node));

const shown = textInConcat(textOf);

export const concatenated = concatenatedBy(shown);

/** An array leaves its NULLs out of the text. */
export function joinedValues(node: Call): Expression {
  const [separator, ...others] = values(node).map((value) => shown(value, node));
  if (separator === undefined || others.length === 0) throw unsupported("concat_ws of nothing", node.span);
  const list: Expression = { kind: "array", elements: others, span: node.span, type: TEXTS };
  return call("array_to_string", [list, separator], inPlaceOf(node));
}

/** From the end below zero, and empty where there is none. */
export function part(node: Call): Expression {
  const [value, separator, place] = values(node);
  const count = place && countOf(place);
  if (value === undefined || separator?.kind !== "string" || count === undefined || count === 0) {
    throw unsupported("a computed part of a text", node.span, "Write separator and number as literals.");
  }
  const at = inPlaceOf(node);
  if (separator.value === "") {
    return Math.abs(count) === 1 ? value : when(isNull(value, true), text("", node), undefined, at);
  }
  const parts = call("split", [value, separator], typed(TEXTS, node));
  const ordered = count > 0 ? parts : call("array_reverse", [parts], typed(TEXTS, node));
  const found = call("element of", [ordered, integer(Math.abs(count), node)], at);
  const present = call("coalesce", [found, text("", node)], at);
  return isNullable(value) ? when(isNull(value, true), present, undefined, at) : present;
}

/** An empty text has no parts in PostgreSQL. */
export function split(node: Call): Expression {
  const [value, separator, none] = values(node);
  if (value === undefined || separator?.kind !== "string" || separator.value === "" || none !== undefined) {
    throw unsupported("splitting a text by a computed separator", node.span, "Write the separator as a literal.");
  }
  return call("parts of", [value, separator], inPlaceOf(node));
}

const hex = (value: Expression, at: Expression): Expression => call("to_hex", [value], typed(TEXT, at));

export function digest(node: Call): Expression {
  const [value] = values(node);
  return value === undefined ? node : hex(call("digest of", [bytes(value)], typed(BINARY, node)), node);
}

export const encoded = encodedBy({ bytes, hex, firstGroup: "\\1" });
