/** `to_char` of dates and timestamps, pattern by pattern, using the patterns of `formatDateTime` that no setting changes. */

import { unsupported } from "../../diagnostics.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { readFormat, timePatterns } from "../../lowering/times/formats.ts";
import { isDateOrTimestamp } from "../../lowering/times/time-arithmetic.ts";
import { call, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { TEXT } from "../../types.ts";
import { CONCAT } from "./texts.ts";
import { toTimestamp } from "./times.ts";

type Spelling = (value: Expression, at: Expression) => Expression;

const format =
  (pattern: string): Spelling =>
  (value, at) =>
    call("formatDateTime", [value, text(pattern, at)], typed(TEXT, at));
const own = (text: string): Spelling => {
  const template = words(text, { type: TEXT });
  return (value, at) => spelled(template, [value], at);
};
const cased =
  (name: "upper" | "lower", spelling: Spelling): Spelling =>
  (value, at) =>
    call(name, [spelling(value, at)], typed(TEXT, at));
const PADDED = words("rightPad($1, 9)", { type: TEXT });
const padded =
  (spelling: Spelling): Spelling =>
  (value, at) =>
    spelled(PADDED, [spelling(value, at)], at);

const month = own("dateName('month', $1)");
const day = format("%W");

/** Keys with FM have no padding. */
const PATTERNS: Readonly<Record<string, Spelling>> = {
  YYYY: format("%Y"),
  YY: format("%y"),
  IYYY: format("%G"),
  IW: format("%V"),
  Q: own("toString(toQuarter($1))"),
  MM: format("%m"),
  FMMM: own("toString(toMonth($1))"),
  Mon: format("%b"),
  MON: cased("upper", format("%b")),
  mon: cased("lower", format("%b")),
  FMMonth: month,
  FMMONTH: cased("upper", month),
  Month: padded(month),
  MONTH: padded(cased("upper", month)),
  DD: format("%d"),
  FMDD: own("toString(toDayOfMonth($1))"),
  DDD: format("%j"),
  Dy: format("%a"),
  DY: cased("upper", format("%a")),
  FMDay: day,
  FMDAY: cased("upper", day),
  Day: padded(day),
  DAY: padded(cased("upper", day)),
  ID: own("toString(toDayOfWeek($1))"),
  HH24: format("%H"),
  FMHH24: own("toString(toHour($1))"),
  HH12: format("%I"),
  HH: format("%I"),
  MI: format("%i"),
  SS: format("%S"),
  US: own("leftPad(toString(positiveModulo(toUnixTimestamp64Micro($1), 1000000)), 6, '0')"),
  AM: format("%p"),
  PM: format("%p"),
};

export const TIME_PATTERNS = timePatterns(Object.keys(PATTERNS));

export function formatted(node: Call): Expression {
  const [value, pattern] = values(node);
  if (value === undefined || pattern?.kind !== "string" || !isDateOrTimestamp(value)) {
    throw unsupported("to_char of this", node.span, "Format dates and timestamps, by a literal format.");
  }
  const parts = readFormat(pattern.value).map((token): Expression => {
    if (token.kind === "text") return text(token.text, node);
    const name = /^(yyyy|yy|iyyy|iw|mm|dd|ddd|hh24|hh12|hh|mi|ss|us|q|id)$/.test(token.pattern)
      ? token.pattern.toUpperCase()
      : token.pattern;
    const spelling = PATTERNS[(token.bare ? "FM" : "") + name] ?? (/^(Q|ID|Mon|Dy)$/.test(name) && PATTERNS[name]);
    if (!spelling || token.ordinal !== undefined || token.translated) {
      const hint = "Use YYYY, MM, DD, HH24, MI, SS, Mon, Dy, Q and their like.";
      throw unsupported(`"${token.pattern}" in a format`, pattern.span, hint);
    }
    return spelling(toTimestamp(value), node);
  });
  const [only] = parts;
  // Without a pattern, the result for NULL would be a text.
  if (!readFormat(pattern.value).some(({ kind }) => kind === "pattern")) {
    throw unsupported("a format without a pattern", pattern.span);
  }
  return only !== undefined && parts.length === 1 ? only : spelled(CONCAT, parts, node);
}
