/** `to_char` of dates and timestamps, token by token. */

import { parseDateTime } from "../../datetimes.ts";
import { readFormat } from "../../lowering/formats.ts";
import { unsupported } from "../../lowering/target.ts";
import { binary, call, cast, inPlaceOf, integer, text, typeName, values } from "../../syntax/build.ts";
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

const PARTS: Readonly<Record<string, readonly [name: string, pattern: string]>> = {
  YYYY: ["year", "(\\d{4})"],
  MM: ["month", "(\\d{1,2})"],
  DD: ["day", "(\\d{1,2})"],
  HH24: ["hour", "(\\d{1,2})"],
  MI: ["minute", "(\\d{1,2})"],
  SS: ["second", "(\\d{1,2})"],
};

/** `to_date('31.12.2024', 'DD.MM.YYYY')` of literals, read here and now; MySQL's own reading takes what is no date. */
export function readDate(node: Call): Expression {
  const [value, format] = values(node);
  const read =
    value?.kind === "string" && format?.kind === "string" ? literalDate(value.value, format.value) : undefined;
  if (read === undefined || value === undefined) {
    throw unsupported("reading a date by a format", node.span, "Write CAST(… AS date) of an ISO text.");
  }
  const isDay = typeOrUnknown(node).kind === "date";
  const name = typeName(isDay ? "date" : "timestamp", node);
  return {
    kind: "typed",
    typeName: name,
    value: isDay ? read.day : `${read.date} ${read.time ?? "00:00:00"}`,
    span: node.span,
    type: typeOrUnknown(node),
  };
}

function literalDate(value: string, format: string): ReturnType<typeof parseDateTime> {
  const names: string[] = [];
  let pattern = "^";
  for (const token of readFormat(format)) {
    const [name, part] = token.kind === "pattern" && !token.bare ? (PARTS[token.pattern.toUpperCase()] ?? []) : [];
    if (token.kind === "text")
      pattern += token.text.replace(/[^\w]/g, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`);
    else if (name === undefined || part === undefined) return undefined;
    else {
      names.push(name);
      pattern += part;
    }
  }
  const found = new RegExp(`${pattern}$`, "u").exec(value);
  if (found === null) return undefined;
  const parts = new Map(names.map((name, index) => [name, (found[index + 1] ?? "").padStart(2, "0")]));
  const of = (name: string, otherwise: string): string => parts.get(name) ?? otherwise;
  const clock = `${of("hour", "00")}:${of("minute", "00")}:${of("second", "00")}`;
  return parts.has("year")
    ? parseDateTime(`${of("year", "")}-${of("month", "01")}-${of("day", "01")} ${clock}`)
    : undefined;
}
