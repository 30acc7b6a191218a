/**
 * Regular expressions, which are RE2's on Doris (short literal ones run on Hyperscan, with the same syntax). REGEXP_REPLACE replaces every
 * match and REGEXP_REPLACE_ONE the first; `\1` in a replacement is a group.
 * https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/string-functions/regexp
 */
import { unsupported } from "../../../diagnostics.ts";
import { re2Match } from "../../../lowering/patterns/matches.ts";
import {
  ignoresCase,
  re2Replacement,
  re2Test,
  similarPattern,
} from "../../../lowering/patterns/regular-expressions.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import { not, typed, values } from "../../../syntax/build.ts";
import type { Binary, Call, Expression, Like } from "../../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../../types.ts";

const TEST = words("($1 REGEXP $2)", { type: BOOLEAN, nulls: "strict" });
const REPLACED = {
  every: words("REGEXP_REPLACE($1, $2, $3)", { type: TEXT }),
  first: words("REGEXP_REPLACE_ONE($1, $2, $3)", { type: TEXT }),
};
/** NULL without a match, as on PostgreSQL; REGEXP_EXTRACT has an empty text then. */
const FOUND = words("REGEXP_EXTRACT_OR_NULL($1, $2, 0)", { type: TEXT });

/** A dot is any character in PostgreSQL. */
function optioned(pattern: Expression, flags: string): Expression {
  if (pattern.kind !== "string") {
    throw unsupported("a computed regular expression", pattern.span, "Write the pattern as a literal.");
  }
  return { ...pattern, value: (ignoresCase(flags) ? "(?is)" : "(?s)") + pattern.value };
}

/** Hyperscan's `$` matches before a line feed at the end of a text, too. */
function optionedTest(pattern: Expression, flags: string): Expression {
  const own = optioned(pattern, flags);
  if (own.kind !== "string") return own;
  let isInside = false;
  const value = own.value.replace(/\\.|\[:[a-z]+:\]|\[\^?\]?|\]|\$/gs, (part) => {
    if (part === "$") return isInside ? part : "\\z";
    if (part.startsWith("\\") || part.endsWith(":]")) return part;
    // Within brackets, another one that opens is a letter.
    isInside = isInside ? !part.endsWith("]") : part.startsWith("[");
    return part;
  });
  return { ...own, value };
}

const tested = (subject: Expression, pattern: Expression, flags: string, at: Expression): Expression =>
  spelled(TEST, [subject, optionedTest(re2Test(pattern), flags)], typed(BOOLEAN, at));

export const matching =
  (flags: string, negated: boolean) =>
  (node: Binary): Expression => {
    const found = tested(node.left, node.right, flags, node);
    return negated ? not(found) : found;
  };

export function similar(node: Like): Expression {
  const pattern = similarPattern(node);
  const whole = { ...pattern, value: `^(?:${pattern.value})$` };
  const found = spelled(TEST, [node.operand, optionedTest(whole, "")], typed(BOOLEAN, node));
  return node.negated ? not(found) : found;
}

export function regexpLike(node: Call): Expression {
  const [subject, pattern, flags] = values(node);
  return subject === undefined || pattern === undefined ? node : tested(subject, pattern, flagsOf(flags, node), node);
}

export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement, written] = values(node);
  if (subject === undefined || pattern === undefined || replacement?.kind !== "string") {
    throw unsupported("a computed replacement", node.span, "Write pattern and replacement as literals.");
  }
  const flags = flagsOf(written, node);
  const every = flags.includes("g");
  const groups = /\\[1-9]/.test(replacement.value) ? "present" : undefined;
  const read = re2Match(pattern, flags, { every, groups });
  const by = { ...replacement, value: re2Replacement(replacement.value, read.groups) };
  return spelled(every ? REPLACED.every : REPLACED.first, [subject, optioned(read.pattern, flags), by], node);
}

export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined || others.length > 0) {
    throw unsupported("regexp_substr from a start, of a count or with flags", node.span);
  }
  return spelled(FOUND, [subject, optioned(re2Match(pattern, "", {}).pattern, "")], node);
}

function flagsOf(flags: Expression | undefined, at: Expression): string {
  if (flags === undefined) return "";
  if (flags.kind === "string" && /^[gic]*$/.test(flags.value)) return flags.value;
  throw unsupported("flags of a regular expression other than 'i', 'c' and 'g'", at.span, "Write 'i' or 'g'.");
}
