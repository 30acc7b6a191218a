/** Regular expressions of PostgreSQL in words that ICU (MySQL) and PCRE (MariaDB) read alike. */

import { unsupported } from "../../diagnostics.ts";
import { type RequestedMatches, re2Match } from "../../lowering/matches.ts";
import { isOpen, parsed } from "../../lowering/pattern-parts.ts";
import { flagsOf, ignoresCase, matchingBy, re2Pattern, similarPattern } from "../../lowering/regular-expressions.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { call, cases, inPlaceOf, text, values } from "../../syntax/build.ts";
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
  const found = match(pattern, flags, {
    every: isEach,
    groups: /\\[1-9]/.test(replacement.value) ? "present" : undefined,
  });
  const options = /^\(\?\w+\)/.exec(found.value)?.[0] ?? "";
  const own = found.value.slice(options.length);
  const parts = parsed(own);
  // MariaDB replaces no match that is empty, and MySQL none in an empty text.
  if (parts === undefined || isOpen(parts)) {
    throw unsupported(
      "regexp_replace of what may be empty",
      pattern.span,
      "Let the pattern match a character at least.",
    );
  }
  const whole = isEach ? found : { ...found, value: `${options}\\A(.*?)(${own})` };
  const references = referencesIn(replacement, groupsIn(own), isEach ? 0 : 2);
  return call("regexp_replace", [exact(subject), whole, isEach ? references : upTo(references)], inPlaceOf(node));
}

/** Parts of a replacement: a text, or the number of a group. */
type Reference = string | number;

function referencesIn(replacement: StringLiteral, groups: number, shift: number): Spelled {
  const parts: Reference[] = [];
  const { value } = replacement;
  for (let at = 0; at < value.length; at++) {
    const next = value.charAt(at) === "\\" ? value.charAt(at + 1) : "";
    if (/^[1-9&]$/.test(next)) {
      const group = next === "&" ? 0 : Number(next);
      // The whole match is a group of ours where the text before it is, too.
      if (group <= groups) parts.push(group === 0 ? (shift === 0 ? 0 : 2) : group + shift);
      at++;
    } else {
      parts.push(next === "\\" ? "\\" : value.charAt(at));
      if (next === "\\") at++;
    }
  }
  return replacementOf(parts, replacement);
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
  const isFollowed = parts.some(
    (part, index) => typeof part === "number" && /^\d$/.test(String(parts[index + 1] ?? "")),
  );
  const texts = parts.filter((part) => typeof part === "string").join("");
  if (isFollowed || texts.includes("*/") || parts.some((part) => typeof part === "number" && part > 9)) {
    throw unsupported(
      "the replacement text of a regular expression",
      at.span,
      "Put a character other than a digit behind a reference.",
    );
  }
  const written = (reference: string, escaped: RegExp): string =>
    parts.map((part) => (typeof part === "number" ? reference + part : part.replace(escaped, "\\$&"))).join("");
  return spelled(OF_EITHER, [text(written("$", /[\\$]/g), at), text(written("\\", /\\/g), at)], at);
}

function groupsIn(pattern: string): number {
  const plain = pattern.replace(/\\.|\[\^?\]?[^\]]*\]?/gs, "");
  return (plain.match(/\((?!\?)/g) ?? []).length;
}

export function similar(node: Like): Expression {
  const pattern = similarPattern(node);
  const whole = text(`^(?:${pattern.value})$`, pattern);
  const found = tested(node.operand, whole, "", node);
  return node.negated ? { kind: "unary", operator: "not", operand: found, span: node.span, type: BOOLEAN } : found;
}

function tested(subject: Expression, pattern: Expression, flags: string, { span }: Expression): Expression {
  return call("regexp", [exact(subject), read(pattern, flags)], { span, type: BOOLEAN });
}

export const { matching, regexpLike } = matchingBy(tested);

/** Whether there is a match. */
function read(pattern: Expression, flags: string): StringLiteral {
  if (pattern.kind !== "string") {
    throw unsupported("a computed regular expression", pattern.span, "Write the pattern as a literal.");
  }
  const common = re2Pattern(pattern);
  return withOptions(common.kind === "string" ? common : pattern, flags);
}

/** The match: both engines backtrack as Perl does, PostgreSQL takes the longest or the shortest. */
function match(pattern: Expression, flags: string, asked: RequestedMatches): StringLiteral {
  return withOptions(re2Match(pattern, flags, asked).pattern, flags);
}

/** `.` takes a newline, and `$` is the end alone. */
function withOptions(pattern: StringLiteral, flags: string): StringLiteral {
  const { value } = pattern;
  if (/\\p|\\x|\(\?i\)|\[\[:|&&|--/.test(value)) {
    throw unsupported(
      "classes of characters in a regular expression",
      pattern.span,
      "Write the characters: [A-Za-z0-9_].",
    );
  }
  return { ...pattern, value: (ignoresCase(flags) ? "(?is)" : "(?s)") + withPlainEnds(value) };
}

function withPlainEnds(pattern: string): string {
  return pattern.replace(/\\.|\[\^?\]?[^\]]*\]?|\$/gs, (part) => (part === "$" ? "\\z" : part));
}
