/**
 * Regular expressions, as far as POSIX's and PostgreSQL's say the same: characters, classes, anchors, alternatives and repetitions,
 * and no backslash. https://docs.aws.amazon.com/redshift/latest/dg/pattern-matching-conditions-posix.html
 *
 * Where the text that matches is asked for, Perl's rules give the same one (`lowering/patterns/matches.ts`).
 */
import { unsupported } from "../../../diagnostics.ts";
import { matchGroups } from "../../../lowering/patterns/match-groups.ts";
import { re2Match } from "../../../lowering/patterns/matches.ts";
import { isOpen, matchesOnce, parsed } from "../../../lowering/patterns/pattern-parts.ts";
import { plainExpression } from "../../../lowering/patterns/plain-expressions.ts";
import {
  flagsOf,
  ignoresCase,
  re2Pattern,
  referencesIn,
  similarPattern,
} from "../../../lowering/patterns/regular-expressions.ts";
import { binary, call, inPlaceOf, integer, not, text, typed, values, when } from "../../../syntax/build.ts";
import type { Binary, Call, Expression, Like, StringLiteral } from "../../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../../types.ts";

const SIMPLE = /^(?:[\w #%&',/:;<=>@"~-]|\[\^?[\w #%&',/:;<=>@"~+*?.$()|-]+\]|[.^$()|]|(?<=[^(|^])[*+?](?![*+?{]))*$/;

/** `~` and `!~`; without case, as classes of both letters. */
export const matched =
  (operator: "~" | "!~", isFolded: boolean) =>
  (node: Binary): Expression =>
    binary(node.left, operator, tested(node.right, isFolded), inPlaceOf(node));

export function regexpLike(node: Call): Expression {
  const [subject, pattern, flags] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  return binary(subject, "~", tested(pattern, ignoresCase(flagsOf(flags, node))), inPlaceOf(node));
}

export function similar(node: Like): Expression {
  const { value, ...pattern } = similarPattern(node);
  const whole = plain({ ...pattern, value: `^(?:${value})$` }, { isFolded: false, keepsGroups: false });
  const found = binary(node.operand, "~", whole, typed(BOOLEAN, node));
  return node.negated ? not(found) : found;
}

function tested(pattern: Expression, isFolded: boolean): Expression {
  if (pattern.kind !== "string") throw refused(pattern);
  if (!SIMPLE.test(pattern.value)) {
    const read = re2Pattern(pattern);
    return plain(read.kind === "string" ? read : pattern, { isFolded, keepsGroups: false });
  }
  return isFolded ? text(ofBothCases(pattern.value, pattern), pattern) : pattern;
}

interface Asked {
  readonly isFolded: boolean;
  readonly keepsGroups: boolean;
  readonly end?: string;
}

/** A pattern in RE2's form in POSIX's words. */
function plain(pattern: StringLiteral, { isFolded, ...asked }: Asked): StringLiteral {
  const own = pattern.value.replace(/^\(\?i\)/, "");
  const bothCases = isFolded || own !== pattern.value;
  const value = plainExpression(own, { sign: "list", bothCases, ...asked });
  if (value === undefined) throw refused(pattern);
  return { ...pattern, value };
}

const refused = ({ span }: Expression) =>
  unsupported("the regular expression", span, "Use a simple literal pattern without backslashes, or LIKE.");

function ofBothCases(pattern: string, at: Expression): string {
  if (pattern.match(/\[[^[\]]*\]/g)?.some((set) => /[a-z]/i.test(set))) {
    throw unsupported("a class of letters without case", at.span, "Write both letters, with ~ in place of ~*.");
  }
  return pattern.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}

/** Behind all of the text, in a pattern of Perl's where the dot is any character. */
const END = "(?!.)";

/**
 * Every match is replaced: of a pattern that may match twice, the first is found together with the text before it. References are
 * Perl's. https://docs.aws.amazon.com/redshift/latest/dg/REGEXP_REPLACE.html
 */
export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement, written] = values(node);
  if (subject === undefined || pattern === undefined || replacement?.kind !== "string") {
    throw unsupported("a computed replacement", node.span, "Write pattern and replacement as literals.");
  }
  const flags = flagsOf(written, node);
  const every = flags.includes("g");
  const groups = /\\[1-9]/.test(replacement.value) ? "present" : undefined;
  const read = re2Match(pattern, flags, { every, groups });
  const tree = parsed(read.pattern.value.replace(/^\(\?i\)/, ""));
  if (tree === undefined || isOpen(tree)) {
    throw unsupported(
      "regexp_replace of what may be empty",
      pattern.span,
      "Let the pattern match a character at least.",
    );
  }
  const isFirst = !every && !matchesOnce(tree);
  const references = referencesIn(replacement, read.groups, isFirst ? 2 : 0);
  const texts = references.filter((each) => typeof each === "string").join("");
  const isPlain = !isFirst && references.every((each) => typeof each === "string");
  const isUnclear =
    /[\\$]/.test(texts) || references.includes(0) || (isFirst && /^\d/.test(String(references[0] ?? "")));
  if (isUnclear)
    throw unsupported("the replacement text of a regular expression", replacement.span, "Use letters and signs.");
  const keepsGroups = groups !== undefined;
  const own = plain(read.pattern, { isFolded: ignoresCase(flags), keepsGroups, ...(isPlain ? {} : { end: END }) });
  if (isPlain) return call("regexp_replace", [subject, own, text(texts, replacement)], inPlaceOf(node));
  const whole = { ...own, value: `(?s)${isFirst ? `^(.*?)(${own.value})` : own.value}` };
  const by = references.map((each) => (typeof each === "number" ? `$${each}` : each)).join("");
  const given = [subject, whole, text((isFirst ? "$1" : "") + by, replacement), integer(1, node), text("p", node)];
  return call("regexp_replace", given, inPlaceOf(node));
}

/** Without a match the function's text is empty. https://docs.aws.amazon.com/redshift/latest/dg/REGEXP_SUBSTR.html */
export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined || others.length > 0) {
    throw unsupported("regexp_substr from a start, of a count or with flags", node.span);
  }
  const own = plain(re2Match(pattern, "", {}).pattern, { isFolded: false, keepsGroups: false });
  const isFound = binary(subject, "~", own, typed(BOOLEAN, node));
  return when(isFound, call("regexp_substr", [subject, own], inPlaceOf(node)), undefined, inPlaceOf(node));
}

/** https://docs.aws.amazon.com/redshift/latest/dg/REGEXP_COUNT.html */
export function regexpCount(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined || others.length > 0) {
    throw unsupported("regexp_count from a start or with flags", node.span);
  }
  const own = plain(re2Match(pattern, "", { every: true }).pattern, { isFolded: false, keepsGroups: false });
  return call("regexp_count", [subject, own], inPlaceOf(node));
}

/** The option `e` is of the first group alone. */
export const { regexpGroups, groupOfMatch } = matchGroups(({ subject, pattern, flags, group }, at) => {
  if (group > 1) throw unsupported("another group of a match than the first", at.span, "Write (?:…) for the others.");
  const own = plain(pattern, { isFolded: ignoresCase(flags), keepsGroups: group > 0 });
  const options = group > 0 ? [integer(1, at), integer(1, at), text("e", at)] : [];
  const place = typed(TEXT, at);
  const isFound = binary(subject, "~", own, typed(BOOLEAN, at));
  return when(isFound, call("regexp_substr", [subject, own, ...options], place), undefined, place);
});
