/**
 * Regular expressions: POSIX's with a few of Perl's signs. Those of PostgreSQL are read as for RE2, and what Snowflake lacks of that is
 * refused: classes of letters of all scripts, and groups that are not captured beside others whose numbers count; blanks are written out.
 * REGEXP_LIKE asks about the whole text, so it is counted instead; a dot is any character with `s` alone.
 * https://docs.snowflake.com/en/sql-reference/functions-regexp
 */
import { unsupported } from "../../diagnostics.ts";
import { matchGroups } from "../../lowering/patterns/match-groups.ts";
import { re2Match } from "../../lowering/patterns/matches.ts";
import { plainExpression } from "../../lowering/patterns/plain-expressions.ts";
import {
  flagsOf,
  ignoresCase,
  matchingBy,
  re2Replacement,
  re2Test,
  similarPattern,
} from "../../lowering/patterns/regular-expressions.ts";
import { call, comparison, inPlaceOf, integer, not, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression, Like } from "../../syntax/tree.ts";
import { BOOLEAN, INTEGER, TEXT } from "../../types.ts";

/** Behind an escaped backslash a letter is itself. */
const LACKING = /(?:^|[^\\])(?:\\\\)*(?:\(\?|\\[pPAzwWsSbBxQ]|[*+?}][?+])|\[:/;

/** @param keepsGroups whether groups are asked for by their numbers */
function checked(pattern: Expression, keepsGroups = false): Expression {
  if (pattern.kind !== "string") {
    throw unsupported("a computed regular expression", pattern.span, "Write the pattern as a literal.");
  }
  if (!LACKING.test(pattern.value)) return pattern;
  const value = plainExpression(pattern.value, { sign: "backslash", bothCases: false, keepsGroups });
  if (value !== undefined) return { ...pattern, value };
  throw unsupported(
    "the regular expression",
    pattern.span,
    "Use characters, lists as [A-Za-z0-9_], groups and greedy quantifiers.",
  );
}

const optionsOf = (flags: string, at: Expression): Expression => text(ignoresCase(flags) ? "is" : "s", at);

const tested = (subject: Expression, pattern: Expression, flags: string, at: Expression): Expression => {
  const own = checked(re2Test(pattern));
  const place = call(
    "regexp_instr",
    [subject, own, one(at), one(at), integer(0, at), optionsOf(flags, at)],
    typed(INTEGER, at),
  );
  return comparison(place, ">", integer(0, at), at);
};

export const { matching, regexpLike } = matchingBy(tested);

const one = (at: Expression): Expression => integer(1, at);

export function similar(node: Like): Expression {
  const whole = checked(similarPattern(node));
  const found = call("regexp_like", [node.operand, whole], typed(BOOLEAN, node));
  return node.negated ? not(found) : found;
}

/** Every match is replaced there but where its number is written. */
export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement, written] = values(node);
  if (subject === undefined || pattern === undefined || replacement?.kind !== "string") {
    throw unsupported("a computed replacement", node.span, "Write pattern and replacement as literals.");
  }
  const flags = flagsOf(written, node);
  const every = flags.includes("g");
  const groups = /\\[1-9]/.test(replacement.value) ? "present" : undefined;
  const read = re2Match(pattern, flags, { every, groups });
  if (/\\[&0]/.test(replacement.value)) throw unsupported("the whole match in a replacement", replacement.span);
  const by = { ...replacement, value: re2Replacement(replacement.value, read.groups) };
  const occurrence = integer(every ? 0 : 1, node);
  const given = [
    subject,
    checked(read.pattern, groups !== undefined),
    by,
    one(node),
    occurrence,
    optionsOf(flags, node),
  ];
  return call("regexp_replace", given, inPlaceOf(node));
}

export function regexpCount(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined || others.length > 0) {
    throw unsupported("regexp_count from a start or with flags", node.span);
  }
  const read = re2Match(pattern, "", { every: true });
  return call("regexp_count", [subject, checked(read.pattern), one(node), optionsOf("", node)], inPlaceOf(node));
}

/** The whole match, whatever groups it has. */
export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined || others.length > 0) {
    throw unsupported("regexp_substr from a start, of a count or with flags", node.span);
  }
  const read = re2Match(pattern, "", {});
  const given = [subject, checked(read.pattern), one(node), one(node), optionsOf("", node)];
  return call("regexp_substr", given, inPlaceOf(node));
}

/** The number of a group needs the option `e`. */
export const { regexpGroups, groupOfMatch } = matchGroups(({ subject, pattern, flags, group, isOpen }, at) => {
  if (isOpen) throw unsupported("a group that may be empty", pattern.span, "Use + instead of *.");
  const options = (ignoresCase(flags) ? "is" : "s") + (group > 0 ? "e" : "");
  const asked = [subject, checked(pattern, group > 0), one(at), one(at), text(options, at)];
  return call("regexp_substr", group > 0 ? [...asked, integer(group, at)] : asked, typed(TEXT, at));
});
