/** `to_char` of dates and timestamps, token by token. */

import { readFormat } from "../../lowering/formats.ts";
import { unsupported } from "../../lowering/target.ts";
import { binary, call, cast, inPlaceOf, integer, text, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { JOINED } from "./own-calls.ts";

/** By pattern, FM in front of those that are without filling. */
const TOKENS: Readonly<Record<string, string>> = {
  YYYY: "%Y",
  YY: "%y",
  IYYY: "%x",
  MM: "%m",
  FMMM: "%c",
  Mon: "%b",
  FMMonth: "%M",
  DD: "%d",
  FMDD: "%e",
  DDD: "%j",
  Dy: "%a",
  FMDay: "%W",
  IW: "%v",
  HH24: "%H",
  FMHH24: "%k",
  HH12: "%h",
  HH: "%h",
  MI: "%i",
  SS: "%s",
  US: "%f",
  AM: "%p",
  PM: "%p",
};

/** The names of months and days are those of the session, which are English. */
export function dateText(node: Call): Expression {
  const [value, format] = values(node);
  const kind = value && typeOrUnknown(value).kind;
  if (value === undefined || format?.kind !== "string" || (kind !== "date" && kind !== "timestamp")) {
    throw unsupported("to_char of this", node.span, "Format dates and timestamps, by a literal format.");
  }
  const place = { span: node.span, type: TEXT };
  const parts: Expression[] = [];
  let pending = "";
  const flush = (): void => {
    if (pending !== "") parts.push(call("date_format", [value, text(pending, node)], place));
    pending = "";
  };
  for (const token of readFormat(format.value)) {
    if (token.kind === "text") pending += token.text.replaceAll("%", "%%");
    else {
      const name = token.pattern;
      const spelled =
        TOKENS[
          (token.bare ? "FM" : "") +
            (/^[a-z]+\d*$/.test(name) && !/^(am|pm|mon|dy|month|day)$/.test(name) ? name.toUpperCase() : name)
        ];
      if (token.ordinal === undefined && !token.translated && spelled !== undefined) pending += spelled;
      else if (name.toUpperCase() === "Q" && token.ordinal === undefined) {
        flush();
        parts.push(cast(call("quarter", [value], { span: node.span, type: INTEGER }), "text", place));
      } else if (name.toUpperCase() === "ID" && token.ordinal === undefined) {
        flush();
        const day = binary(call("weekday", [value], { span: node.span, type: INTEGER }), "+", integer(1, node), {
          span: node.span,
          type: INTEGER,
        });
        parts.push(cast(day, "text", place));
      } else
        throw unsupported(
          `"${name}" in a format`,
          format.span,
          "Use YYYY, MM, DD, HH24, MI, SS, Mon, Dy, Q and their like.",
        );
    }
  }
  flush();
  const [only] = parts;
  if (only === undefined) return text("", node);
  return parts.length === 1 ? only : call(JOINED, parts, inPlaceOf(node));
}
