/** Regular expressions in RE2's syntax; `lowering/` converts PostgreSQL's. Seen on ClickHouse 26.7. */

import { unsupported } from "../../diagnostics.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { matchGroups } from "../../lowering/patterns/match-groups.ts";
import { re2Match } from "../../lowering/patterns/matches.ts";
import {
  flagsOf,
  ignoresCase,
  matchingBy,
  re2Replacement,
  re2Test,
  similarPattern,
} from "../../lowering/patterns/regular-expressions.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { call, inPlaceOf, integer, not, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression, Like } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, type SqlType, TEXT } from "../../types.ts";
import { counted } from "./numbers.ts";

export const TEXTS: SqlType = { kind: "array", element: TEXT };

/** Sets the option for the dot explicitly, because ClickHouse's functions differ in its meaning. */
function optioned(pattern: Expression, flags: string): Expression {
  if (pattern.kind !== "string") {
    throw unsupported("a computed regular expression", pattern.span, "Write the pattern as a literal.");
  }
  return { ...pattern, value: (ignoresCase(flags) ? "(?is)" : "(?s)") + pattern.value };
}

function tested(subject: Expression, pattern: Expression, flags: string, at: Expression): Expression {
  return call("match", [subject, optioned(re2Test(pattern), flags)], typed(BOOLEAN, at));
}

export const { matching, regexpLike } = matchingBy(tested);

export function similar(node: Like): Expression {
  const pattern = similarPattern(node);
  const whole = { ...pattern, value: `^(?:${pattern.value})$` };
  const found = call("match", [node.operand, optioned(whole, "")], typed(BOOLEAN, node));
  return node.negated ? not(found) : found;
}

export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement, written] = values(node);
  if (subject === undefined || pattern === undefined || replacement?.kind !== "string") {
    throw unsupported("a computed replacement", node.span, "Write pattern and replacement as literals.");
  }
  const flags = flagsOf(written, node);
  const every = flags.includes("g");
  const read = re2Match(pattern, flags, { every, groups: /\\[1-9]/.test(replacement.value) ? "present" : undefined });
  const by = { ...replacement, value: re2Replacement(replacement.value, read.groups) };
  const name = every ? "replaceRegexpAll" : "replaceRegexpOne";
  return call(name, [subject, optioned(read.pattern, flags), by], inPlaceOf(node));
}

export function regexpCount(node: Call): Expression {
  const [subject, pattern, start, flags] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  if (start !== undefined && countOf(start) !== 1)
    throw unsupported("regexp_count from another start than 1", start.span);
  const options = flagsOf(flags, node);
  const read = re2Match(pattern, options, { every: true });
  const count = call("countMatches", [subject, optioned(read.pattern, options)], typed(BIGINT, node));
  return counted(count, node);
}

const GROUP = words("CASE WHEN match($1, $2) THEN regexpExtract($1, $2, $3) END");
const NTH_GROUP = words("arrayElementOrNull(arrayElement($1, $2), $3)");

/** Without a match, ClickHouse's own functions return an empty text. */
export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, start, count, flags, group] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  const [first, nth, part] = [start, count, group].map((each, index) =>
    each === undefined ? [1, 1, 0][index] : countOf(each),
  );
  if (first !== 1 || nth === undefined || nth < 1 || part === undefined || part < 0) {
    throw unsupported("regexp_substr from another start than 1, or with computed counts", node.span);
  }
  const options = flagsOf(flags, node);
  const read = re2Match(pattern, options, { every: nth > 1, groups: part > 0 ? "all" : undefined });
  if (part > read.groups) throw unsupported("a group that the pattern does not have", node.span);
  const own = optioned(read.pattern, options);
  if (nth === 1) {
    return spelled(GROUP, [subject, own, integer(part, node)], node);
  }
  const groups = call("extractAllGroupsVertical", [subject, grouped(own)], typed(TEXTS, node));
  return spelled(NTH_GROUP, [groups, integer(nth, node), integer(part + 1, node)], node);
}

export const { regexpGroups, groupOfMatch } = matchGroups(({ subject, pattern, flags, group }, at) =>
  spelled(GROUP, [subject, optioned(pattern, flags), integer(group, at)], at),
);

/** Makes the whole match the first group. */
const grouped = (pattern: Expression): Expression =>
  pattern.kind === "string" ? { ...pattern, value: pattern.value.replace(/^(\(\?\w+\))(.*)$/s, "$1($2)") } : pattern;

const PARTS = words("splitByRegexp($1, $2)", { type: TEXTS });

/** The text that an array is the parts of. */
export const subjectOfParts = (array: Expression): Expression | undefined =>
  isSpelled(array, PARTS) ? array.parts[1] : undefined;

export function regexpParts(node: Call): Expression {
  const [subject, pattern, written] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  const flags = flagsOf(written, node);
  if (flags.includes("g")) throw unsupported("the flag g of a split", node.span);
  const read = re2Match(pattern, flags, { every: true, parts: true });
  return spelled(PARTS, [optioned(read.pattern, flags), subject], node);
}

/** Whether the whole text matches the pattern. */
export const matches = (value: Expression, pattern: string, at: Expression): Expression =>
  call("match", [value, text(`(?s)\\A${pattern}\\z`, at)], typed(BOOLEAN, at));
