/** Regular expressions of PostgreSQL in words that ICU (MySQL) and PCRE (MariaDB) read alike. */

import { unsupported } from "../../diagnostics.ts";
import { matchGroups, withOneGroup } from "../../lowering/patterns/match-groups.ts";
import { type RequestedMatches, re2Match } from "../../lowering/patterns/matches.ts";
import { groupsIn, isOpen, parsed } from "../../lowering/patterns/pattern-parts.ts";
import {
  flagsOf,
  ignoresCase,
  matchingBy,
  type Reference,
  re2Test,
  referencesIn,
  similarPattern,
} from "../../lowering/patterns/regular-expressions.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { call, cases, inPlaceOf, text, typed, values, when } from "../../syntax/build.ts";
import type { Call, Expression, Like, Spelled, StringLiteral } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";
import { exact } from "./exact-text.ts";

/** The first match; NULL where there is none, which MariaDB would call an empty one. */
export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  if (others.length > 0) throw unsupported("regexp_substr from a position", node.span);
  const found = call("regexp_substr", [exact(subject), match(pattern, "", {})], inPlaceOf(node));
  return cases([{ when: tested(subject, pattern, "", node), then: found }], undefined, { span: node.span, type: TEXT });
}

/**
 * The first match, or with `g` all. Only MySQL can be told which: of the text up to its first match and that match there is
 * one. References have a notation of each engine's own, which stand in comments that the other does not read.
 */
export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement, written] = values(node);
  if (subject === undefined || pattern?.kind !== "string" || replacement?.kind !== "string") {
    throw unsupported("a computed replacement", node.span, "Write pattern and replacement as literals.");
  }
  const flags = flagsOf(written, node);
  const isEach = flags.includes("g");
  const groups = /\\[1-9]/.test(replacement.value) ? "present" : undefined;
  const read = re2Match(pattern, flags, { every: isEach, groups }).pattern;
  const parts = parsed(withoutOption(read.value));
  // MariaDB replaces no match that is empty, and MySQL none in an empty text.
  if (parts === undefined || isOpen(parts)) {
    throw unsupported(
      "regexp_replace of what may be empty",
      pattern.span,
      "Let the pattern match a character at least.",
    );
  }
  const found = withOptions(read, flags);
  const options = /^\(\?\w+\)/.exec(found.value)?.[0] ?? "";
  const own = found.value.slice(options.length);
  const whole = isEach ? found : { ...found, value: `${options}\\A(.*?)(${own})` };
  const references = replacementOf(referencesIn(replacement, groupsIn(parts), isEach ? 0 : 2), replacement);
  return call("regexp_replace", [exact(subject), whole, isEach ? references : upTo(references)], inPlaceOf(node));
}

/** The text before the match, which is the first group, and the replacement. */
const upTo = (node: Spelled): Spelled => {
  const [mysql, mariadb] = node.parts;
  const before = (each: Expression | undefined, reference: string): Expression =>
    each?.kind === "string" ? { ...each, value: reference + each.value } : node;
  return { ...node, parts: [before(mysql, "$1"), before(mariadb, "\\1")] };
};

/** Each server reads only one of the comments. */
const OF_EITHER = words("/*!80000 $1 */ /*M! $2 */", { type: TEXT });

function replacementOf(parts: readonly Reference[], at: Expression): Spelled {
  const texts = parts.filter((part) => typeof part === "string").join("");
  if (texts.includes("*/")) throw unsupported("the replacement text of a regular expression", at.span);
  const written = (reference: string, escaped: RegExp): string =>
    parts.map((part) => (typeof part === "number" ? reference + part : part.replace(escaped, "\\$&"))).join("");
  return spelled(OF_EITHER, [text(written("$", /[\\$]/g), at), text(written("\\", /\\/g), at)], at);
}

export function similar(node: Like): Expression {
  const pattern = similarPattern(node);
  const whole = text(`^(?:${pattern.value})$`, pattern);
  const found = tested(node.operand, whole, "", node);
  return node.negated ? { kind: "unary", operator: "not", operand: found, span: node.span, type: BOOLEAN } : found;
}

function tested(subject: Expression, pattern: Expression, flags: string, { span }: Expression): Expression {
  return call("regexp", [exact(subject), readAs(pattern, flags)], { span, type: BOOLEAN });
}

export const { matching, regexpLike } = matchingBy(tested);

/** Whether there is a match. */
function readAs(pattern: Expression, flags: string): StringLiteral {
  if (pattern.kind !== "string") {
    throw unsupported("a computed regular expression", pattern.span, "Write the pattern as a literal.");
  }
  const common = re2Test(pattern);
  return withOptions(common.kind === "string" ? common : pattern, flags);
}

/** The match: both engines backtrack as Perl does, PostgreSQL takes the longest or the shortest. */
function match(pattern: Expression, flags: string, asked: RequestedMatches): StringLiteral {
  return withOptions(re2Match(pattern, flags, asked).pattern, flags);
}

/** `.` takes a newline, and `$` is the end alone. */
function withOptions(pattern: StringLiteral, flags: string): StringLiteral {
  const own = withoutOption(pattern.value);
  const isFolded = own !== pattern.value || ignoresCase(flags);
  if (/--/.test(own) || (isFolded && /\\p\{/.test(own))) {
    throw unsupported(
      "classes of characters in a regular expression",
      pattern.span,
      "Write the characters: [A-Za-z0-9_].",
    );
  }
  return { ...pattern, value: (isFolded ? "(?is)" : "(?s)") + inCommonWords(pattern, own) };
}

const withoutOption = (pattern: string): string => pattern.replace(/^\(\?i\)/, "");

const SIGNS = /\\x\{\w*\}|\\p\w|\\p\{\w+\}|\\.|\[:\w+:\]|\[\^?\]?|[\]$&]/gs;

/**
 * RE2's words in those that ICU and PCRE read alike. Both take digits and blanks of all scripts for `\d` and `\s`, `\v` for any end of a
 * line, and in brackets `[` and `&&` have a meaning.
 */
function inCommonWords({ span }: StringLiteral, pattern: string): string {
  let isInside = false;
  return pattern.replace(SIGNS, (sign) => {
    if (/^\\p\w/.test(sign)) return `\\p{${sign.slice(2)}}`;
    if (sign === "\\v") return "\\x0B";
    if (sign === "\\d") return isInside ? "0-9" : "[0-9]";
    if (sign === "\\D" && !isInside) return "[^0-9]";
    if (sign === "\\s" && isInside) return "\\t\\n\\f\\r ";
    if (/^\\[DsS]$/.test(sign) || (!isInside && sign.startsWith("[:"))) {
      throw unsupported("classes of characters in a regular expression", span, "Write the characters.");
    }
    if (sign.startsWith("[:")) return NAMED[sign] ?? sign;
    if (sign === "]") isInside = false;
    if (sign.startsWith("[")) {
      if (isInside) return sign.replaceAll("[", "\\[");
      isInside = true;
      return sign.replace("]", "\\]");
    }
    if (isInside) return sign === "&" ? "\\&" : sign;
    return sign === "$" ? "\\z" : sign;
  });
}

const NAMED: Readonly<Record<string, string>> = {
  "[:digit:]": "0-9",
  "[:xdigit:]": "0-9A-Fa-f",
  "[:punct:]": "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E",
};

/** A group is what is left of the text where only that is put in the place of the whole. */
export const { regexpGroups, groupOfMatch } = matchGroups(({ subject, written, pattern, flags, group }, at) => {
  const isTested = tested(subject, written, flags, at);
  const place = typed(TEXT, at);
  if (group === 0) {
    return when(
      isTested,
      call("regexp_substr", [exact(subject), withOptions(pattern, flags)], place),
      undefined,
      place,
    );
  }
  const inner = withoutOption(pattern.value);
  const parts = parsed(inner);
  if (parts === undefined || isOpen(parts)) {
    throw unsupported("a group of what may be empty", pattern.span, "Let the pattern match a character at least.");
  }
  const options = pattern.value.slice(0, pattern.value.length - inner.length);
  const whole = { ...pattern, value: `${options}\\A.*?(?:${withOneGroup(inner, group)}).*$` };
  const found = call("regexp_replace", [exact(subject), withOptions(whole, flags), replacementOf([1], pattern)], place);
  return when(isTested, found, undefined, place);
});
