/** Functions of regular expressions, over RE2. */

import { unsupported } from "../../diagnostics.ts";
import { type Match, re2Match } from "../../lowering/patterns/matches.ts";
import { re2Pattern, re2Replacement } from "../../lowering/patterns/regular-expressions.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { call, inPlaceOf, integer, text, typed, values, when, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";
import { TEXTS } from "./calls.ts";
import { re2Options } from "./regular-expression-options.ts";

export function flagsOf(node: Call, index: number): string {
  const flags = values(node)[index];
  if (flags === undefined) return "";
  if (flags.kind === "string") return flags.value;
  throw unsupported("regular expression flags that are computed", flags.span);
}

function optionsOf(node: Call, flags: string): Expression {
  const options = re2Options(flags);
  if (options === undefined)
    throw unsupported(`the regular expression flags "${flags.slice(0, 20)}"`, node.span, "Use g and i.");
  return text(options, node);
}

/** Partial match; DuckDB's own `~` matches the whole text. */
export function regexpMatches(node: Call, flags: string): Expression {
  const [subject, pattern] = values(node);
  const read = subject && pattern ? [subject, re2Pattern(pattern), optionsOf(node, flags)] : values(node);
  return call("regexp_matches", read, { span: node.span, type: BOOLEAN });
}

export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement] = values(node);
  if (subject === undefined || pattern === undefined || replacement === undefined) return node;
  const flags = flagsOf(node, 3);
  // A computed replacement may name groups.
  const namesGroups = replacement.kind !== "string" || /\\[1-9]/.test(replacement.value);
  const read = re2Match(pattern, flags, {
    every: flags.includes("g"),
    groups: namesGroups ? "present" : undefined,
  });
  return withArguments(node, [subject, read.pattern, written(replacement, read.groups, node), optionsOf(node, flags)]);
}

const WITHOUT_BACKSLASH = sql(
  String.raw`CASE WHEN contains($1, '\') THEN error('a backslash in a computed replacement') ELSE $1 END`,
  { type: TEXT },
);

/** DuckDB gives the text back as it was where a replacement has a backslash that RE2 does not know. */
function written(replacement: Expression, groups: number, node: Call): Expression {
  if (replacement.kind === "string") return { ...replacement, value: re2Replacement(replacement.value, groups) };
  if (replacement.kind === "null") return replacement;
  return spelled(WITHOUT_BACKSLASH, [replacement], node);
}

/** The groups of the first match, or the whole of it. */
export function regexpGroups(node: Call): Expression {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  const flags = flagsOf(node, 2);
  if (flags.includes("g")) throw unsupported("the flag g of regexp_match", node.span);
  const read = re2Match(pattern, flags, { groups: "or NULL" });
  const options = optionsOf(node, flags);
  const at = { span: node.span, type: TEXT };
  const group = (index: number): Expression => {
    const found = call("regexp_extract", [subject, read.pattern, integer(index, node), options], at);
    return read.missable[index - 1] === true ? call("nullif", [found, text("", node)], at) : found;
  };
  const elements = groupsOf(read).map(group);
  const list: Expression = { kind: "array", elements, span: node.span, ...(node.type && { type: node.type }) };
  return when(regexpMatches(node, flags), list, undefined, inPlaceOf(node));
}

/** The numbers of the groups, or that of the whole match. */
function groupsOf({ groups }: Match): readonly number[] {
  return groups === 0 ? [0] : Array.from({ length: groups }, (_, index) => index + 1);
}

export function regexpCount(node: Call): Expression {
  const [subject, pattern, start] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  if (start !== undefined && !(start.kind === "number" && start.text === "1")) {
    throw unsupported("regexp_count from another start than 1", start.span);
  }
  const flags = flagsOf(node, 3);
  const read = re2Match(pattern, flags, { every: true });
  const all = call(
    "regexp_extract_all",
    [subject, read.pattern, integer(0, node), optionsOf(node, flags)],
    typed(TEXTS, node),
  );
  return call("len", [all], inPlaceOf(node));
}

export function regexpParts(node: Call): Expression {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  const flags = flagsOf(node, 2);
  if (flags.includes("g")) throw unsupported("the flag g of a split", node.span);
  const read = re2Match(pattern, flags, { every: true, parts: true });
  return call("regexp_split_to_array", [subject, read.pattern, optionsOf(node, flags)], typed(TEXTS, node));
}

/** Lists of what each group is in every match; without groups of the matches. */
export function wholeMatches(node: Call): readonly Expression[] {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return [];
  const flags = flagsOf(node, 2);
  const read = re2Match(pattern, flags, { every: true, groups: "all" });
  const options = optionsOf(node, flags.replaceAll("g", ""));
  return groupsOf(read).map((group) =>
    call("regexp_extract_all", [subject, read.pattern, integer(group, node), options], typed(TEXTS, node)),
  );
}

/** DuckDB gives an empty text where there is no match. */
export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, start, count, , group] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  if (start !== undefined) {
    const digits = [start, count ?? start, group ?? start].map((each) =>
      each.kind === "number" ? Number(each.text) : Number.NaN,
    );
    const [first, nth = 1, part = 0] = [digits[0], count && digits[1], group && digits[2]];
    if (first !== 1 || !(nth >= 1) || !(part >= 0)) {
      throw unsupported("regexp_substr from another start than 1, or with computed counts", start.span);
    }
    const flags = flagsOf(node, 4);
    const read = re2Match(pattern, flags, { every: nth > 1, groups: part > 0 ? "all" : undefined });
    if (part > read.groups) throw unsupported("a group that the pattern does not have", node.span);
    const all = call(
      "regexp_extract_all",
      [subject, read.pattern, integer(part, node), optionsOf(node, flags)],
      typed(TEXTS, node),
    );
    return { kind: "subscript", operand: all, index: integer(nth, node), span: node.span, type: TEXT };
  }
  const { pattern: read } = re2Match(pattern, "", {});
  const found = call("regexp_extract", [subject, read, integer(0, node), text("s", node)], typed(TEXT, node));
  return when(regexpMatches(node, ""), found, undefined, inPlaceOf(node));
}
