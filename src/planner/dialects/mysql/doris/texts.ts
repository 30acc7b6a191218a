/** Text functions that Doris has under other names, or with other results at their edges. https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/string-functions/substring */

import { isNullable } from "../../../binding/nullability.ts";
import { unsupported } from "../../../diagnostics.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import { textInConcat } from "../../../lowering/texts/joined-texts.ts";
import { ofTexts } from "../../../lowering/texts/plain-arguments.ts";
import { isText } from "../../../lowering/texts/text-equality.ts";
import {
  call,
  comparison,
  inPlaceOf,
  integer,
  renamed,
  text,
  typed,
  values,
  withArguments,
} from "../../../syntax/build.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";
import { INTEGER, TEXT } from "../../../types.ts";
import { textOf } from "./casts.ts";

/** Doris removes the second text as a whole; for one character that is the same. */
export const trimmed =
  (name: string) =>
  (node: Call): Expression => {
    ofTexts(node);
    const [value, characters = text(" ", node)] = values(node);
    if (value === undefined) return node;
    if (characters.kind === "string" && [...characters.value].length === 1) {
      return call(name, [value, characters], inPlaceOf(node));
    }
    throw unsupported("trimming several characters", node.span, "Trim one character after the other.");
  };

/** `position(part IN whole)`, and `strpos(whole, part)`. */
export const located =
  (part: 0 | 1) =>
  (node: Call): Expression => {
    ofTexts(node);
    const given = values(node);
    const [needle, whole] = [given[part], given[1 - part]];
    return needle === undefined || whole === undefined ? node : call("locate", [needle, whole], inPlaceOf(node));
  };

export function startsWith(node: Call): Expression {
  const [value, start] = values(node);
  if (value === undefined || start?.kind !== "string") {
    throw unsupported("a computed start of a text", node.span, "Write it as a literal.");
  }
  const count = integer([...start.value].length, start);
  return comparison(call("left", [value, count], typed(TEXT, node)), "=", start, node);
}

const shown = textInConcat(textOf);

/** NULLs are empty. */
export function concatenated(node: Call): Expression {
  const parts = values(node).map((value) => {
    const given = shown(value, node);
    return isNullable(value) ? call("coalesce", [given, text("", node)], typed(TEXT, node)) : given;
  });
  return parts.length === 0 ? text("", node) : withArguments(node, parts);
}

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/string-functions/concat-ws */
export const joinedValues = (node: Call): Expression =>
  withArguments(
    node,
    values(node).map((value) => shown(value, node)),
  );

/** In the order that is asked for. https://doris.apache.org/docs/dev/sql-manual/sql-functions/aggregate-functions/group-concat */
export function joinedTexts(node: Call): Expression {
  const [value, separator] = values(node);
  if (value === undefined || separator?.kind !== "string" || node.over !== undefined) {
    throw unsupported(
      "string_agg with these arguments",
      node.span,
      "Join groups in a subquery, by a literal separator.",
    );
  }
  return { ...withArguments(renamed(node, "group_concat"), [textOf(value, node), separator]), orderBy: node.orderBy };
}

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/string-functions/char-length */
export function length(node: Call): Expression {
  const [value] = values(node);
  if (value !== undefined && isText(value)) return call("char_length", [value], typed(INTEGER, node));
  throw unsupported("the length of this", node.span);
}

const BYTES = words("LENGTH($1)", { type: INTEGER });

/** LENGTH counts bytes on Doris. */
export function bytesLength(node: Call): Expression {
  const [value] = values(node);
  if (value !== undefined && isText(value)) return spelled(BYTES, [value], node);
  throw unsupported("the length of this", node.span);
}
