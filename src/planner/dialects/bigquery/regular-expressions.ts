/** Regular expressions, which are RE2's; what PostgreSQL means by one is said in `lowering/`. Seen on GoogleSQL's evaluator. */
import { unsupported } from "../../diagnostics.ts";
import { matchGroups, withOneGroup } from "../../lowering/patterns/match-groups.ts";
import { re2Match } from "../../lowering/patterns/matches.ts";
import {
  flagsOf,
  ignoresCase,
  matchingBy,
  re2Replacement,
  re2Test,
  similarPattern,
} from "../../lowering/patterns/regular-expressions.ts";
import { call, inPlaceOf, not, typed, values } from "../../syntax/build.ts";
import type { Call, Expression, Like } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";

/** A dot is any character in PostgreSQL. */
function optioned(pattern: Expression, flags: string): Expression {
  if (pattern.kind !== "string") {
    throw unsupported("a computed regular expression", pattern.span, "Write the pattern as a literal.");
  }
  return { ...pattern, value: (ignoresCase(flags) ? "(?is)" : "(?s)") + pattern.value };
}

const tested = (subject: Expression, pattern: Expression, flags: string, at: Expression): Expression =>
  call("regexp_contains", [subject, optioned(re2Test(pattern), flags)], typed(BOOLEAN, at));

export const { matching, regexpLike } = matchingBy(tested);

export function similar(node: Like): Expression {
  const pattern = similarPattern(node);
  const whole = { ...pattern, value: `^(?:${pattern.value})$` };
  const found = call("regexp_contains", [node.operand, optioned(whole, "")], typed(BOOLEAN, node));
  return node.negated ? not(found) : found;
}

/** BigQuery replaces every match. */
export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement, written] = values(node);
  if (subject === undefined || pattern === undefined || replacement?.kind !== "string") {
    throw unsupported("a computed replacement", node.span, "Write pattern and replacement as literals.");
  }
  const flags = flagsOf(written, node);
  if (!flags.includes("g")) return first(subject, pattern, replacement, flags, node);
  const read = re2Match(pattern, flags, {
    every: true,
    groups: /\\[1-9]/.test(replacement.value) ? "present" : undefined,
  });
  const by = { ...replacement, value: re2Replacement(replacement.value, read.groups) };
  return call("regexp_replace", [subject, optioned(read.pattern, flags), by], inPlaceOf(node));
}

/** Matches the whole text, with the text before and behind the first match; a text without a match stays unchanged. */
function first(
  subject: Expression,
  pattern: Expression,
  replacement: Expression & { readonly kind: "string" },
  flags: string,
  node: Call,
): Expression {
  const read = re2Match(pattern, flags, { groups: /\\[1-9]/.test(replacement.value) ? "present" : undefined });
  const own = optioned(read.pattern, flags);
  if (own.kind !== "string") throw new TypeError("a pattern is a literal");
  const [, options = "", inner = ""] = /^(\(\?i?s\))(.*)$/s.exec(own.value) ?? [];
  const whole = { ...own, value: `${options}\\A(.*?)(${inner})(.*)\\z` };
  const by = re2Replacement(replacement.value, read.groups).replace(/\\(\\|\d)/g, (all, sign: string) =>
    sign === "\\" ? all : `\\${Number(sign) + 2}`,
  );
  if (read.groups > 6) throw unsupported("so many groups in a regular expression", pattern.span);
  const last = `\\${read.groups + 3}`;
  return call("regexp_replace", [subject, whole, { ...replacement, value: `\\1${by}${last}` }], inPlaceOf(node));
}

export function regexpCount(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined || others.length > 0) {
    throw unsupported("regexp_count from a start or with flags", node.span);
  }
  const read = re2Match(pattern, "", { every: true });
  if (read.groups > 0) throw unsupported("regexp_count of a pattern with groups", pattern.span, "Write (?:…).");
  const all = call("regexp_extract_all", [subject, optioned(read.pattern, "")], typed(TEXTS, node));
  return call("array_length", [all], inPlaceOf(node));
}

/** BigQuery returns the group if the pattern has one. */
export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined || others.length > 0) {
    throw unsupported("regexp_substr from a start, of a count or with flags", node.span);
  }
  const read = re2Match(pattern, "", {});
  const own = optioned(read.pattern, "");
  if (own.kind !== "string") throw new TypeError("a pattern is a literal");
  if (read.groups > 0) throw unsupported("regexp_substr of a pattern with groups", pattern.span, "Write (?:…).");
  return call("regexp_extract", [subject, own], inPlaceOf(node));
}

/** BigQuery gives the only group of a pattern, and the whole match of one without. */
export const { regexpGroups, groupOfMatch } = matchGroups(({ subject, pattern, flags, group }, at) => {
  const [, options = "", inner = ""] = /^(\(\?i\))?(.*)$/s.exec(pattern.value) ?? [];
  const own = { ...pattern, value: options + withOneGroup(inner, group) };
  return call("regexp_extract", [subject, optioned(own, flags)], typed(TEXT, at));
});

const TEXTS = { kind: "array", element: { kind: "text" } } as const;
