/** `to_char` of dates and timestamps, token by token, for targets whose `date_format` has its own format language. */

import { unsupported } from "../../diagnostics.ts";
import { call, cast, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { readFormat, type TimePatterns, timePatterns } from "./formats.ts";

export interface DateFormats {
  /** The target's pattern for each PostgreSQL pattern; keys with FM have no padding. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Escapes literal text. */
  readonly literal: (written: string) => string;
  /** Patterns that need an expression of their own, in upper case or as they are written. */
  readonly values: Readonly<Record<string, (value: Expression, at: Expression) => Expression>>;
  readonly joined: (parts: readonly Expression[], at: Expression) => Expression;
}

/** Names of months and days are those of the session, which is English. */
export function dateText(node: Call, formats: DateFormats): Expression {
  const [value, format] = values(node);
  const kind = value && typeOrUnknown(value).kind;
  if (value === undefined || format?.kind !== "string" || (kind !== "date" && kind !== "timestamp")) {
    throw unsupported("to_char of this", node.span, "Format dates and timestamps, by a literal format.");
  }
  const parts: Expression[] = [];
  let pending = "";
  let written = "";
  const settle = (): void => {
    pending += formats.literal(written);
    written = "";
  };
  const flush = (): void => {
    settle();
    if (pending !== "") parts.push(call("date_format", [value, text(pending, node)], typed(TEXT, node)));
    pending = "";
  };
  for (const token of readFormat(format.value)) {
    if (token.kind === "text") {
      written += token.text;
      continue;
    }
    settle();
    const name = token.pattern;
    const isFolded = /^[a-z]+\d*$/.test(name) && !/^(am|pm|mon|dy|month|day)$/.test(name);
    const spelled = formats.tokens[(token.bare ? "FM" : "") + (isFolded ? name.toUpperCase() : name)];
    const own = token.ordinal === undefined ? (formats.values[name] ?? formats.values[name.toUpperCase()]) : undefined;
    if (token.ordinal === undefined && !token.translated && spelled !== undefined) {
      // If letters are patterns, MM followed by MM would be the name of a month.
      if (pending.endsWith(spelled.charAt(0))) flush();
      pending += spelled;
    } else if (own === undefined) {
      const hint = "Use YYYY, MM, DD, HH24, MI, SS, Mon, Dy, Q and their like.";
      throw unsupported(`"${name}" in a format`, format.span, hint);
    } else {
      flush();
      parts.push(own(value, node));
    }
  }
  flush();
  const [only] = parts;
  if (only === undefined) return text("", node);
  return parts.length === 1 ? only : formats.joined(parts, node);
}

/** The patterns that these formats render. */
export const renderedBy = ({ tokens, values: own }: Pick<DateFormats, "tokens" | "values">): TimePatterns =>
  timePatterns(Object.keys(tokens), Object.keys(own));

/** A function's integer result for a date, as text. */
export const numberOf =
  (name: string) =>
  (value: Expression, at: Expression): Expression =>
    cast(call(name, [value], typed(INTEGER, at)), "text", typed(TEXT, at));
