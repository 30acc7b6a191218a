/**
 * `to_char` of dates and timestamps by FORMAT, pattern by pattern; a pattern of one letter would be one of its standard formats.
 * https://learn.microsoft.com/en-us/dotnet/standard/base-types/custom-date-and-time-format-strings
 */

import { unsupported } from "../../diagnostics.ts";
import { readFormat, timePatterns } from "../../lowering/times/formats.ts";
import { isDateOrTimestamp } from "../../lowering/times/time-arithmetic.ts";
import { cast, concatenation, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { TEXT } from "../../types.ts";
import { part } from "./templates.ts";
import { formatted, timeInUtc } from "./times.ts";

/** FM in front of those that are without filling. */
const PATTERNS: Readonly<Record<string, string>> = {
  YYYY: "yyyy",
  YY: "yy",
  MM: "MM",
  Mon: "MMM",
  FMMonth: "MMMM",
  DD: "dd",
  Dy: "ddd",
  FMDay: "dddd",
  HH24: "HH",
  HH12: "hh",
  HH: "hh",
  MI: "mm",
  SS: "ss",
  US: "ffffff",
  AM: "tt",
  PM: "tt",
};

export const TIME_PATTERNS = timePatterns(Object.keys(PATTERNS), ["Q"]);

export function dateText(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string" || !isDateOrTimestamp(value)) {
    throw unsupported("to_char of this", node.span, "Format dates and timestamps, by a literal format.");
  }
  const parts = readFormat(format.value).map((token): Expression => {
    if (token.kind === "text") return text(token.text, node);
    const name = /^(yyyy|yy|mm|dd|hh24|hh12|hh|mi|ss|us|q)$/.test(token.pattern)
      ? token.pattern.toUpperCase()
      : token.pattern;
    if (name === "Q" && token.ordinal === undefined) {
      const quarter = part("quarter", timeInUtc(value));
      return cast(quarter, "text", typed(TEXT, node));
    }
    const pattern = PATTERNS[(token.bare ? "FM" : "") + name];
    if (pattern !== undefined && token.ordinal === undefined && !token.translated) {
      return formatted(timeInUtc(value), pattern, node);
    }
    throw unsupported(`the pattern ${token.pattern} of to_char`, format.span);
  });
  const [first = text("", node), ...others] = parts;
  return others.reduce((left, right) => concatenation(left, right, node), first);
}
