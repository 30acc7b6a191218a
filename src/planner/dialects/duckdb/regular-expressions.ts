/** Functions of regular expressions, over RE2. */
import { matchesNothing, re2Options, re2Pattern, re2Replacement } from "../../lowering/regular-expressions.ts";
import { unsupported } from "../../lowering/target.ts";
import { call, integer, text, values, when, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";

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

/** Subject, pattern and options. */
function patterned(node: Call, flags = ""): readonly Expression[] {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return values(node);
  return [
    subject,
    re2Pattern(pattern),
    ...(node.name[0]?.name === "regexp_count" ? [integer(0, node)] : []),
    optionsOf(node, flags),
  ];
}

/** Partial match; DuckDB's own `~` matches the whole text. */
export function regexpMatches(node: Call, flags: string): Expression {
  return call("regexp_matches", patterned(node, flags), { span: node.span, type: BOOLEAN });
}

export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement] = values(node);
  if (subject === undefined || pattern === undefined || replacement === undefined) return node;
  return withArguments(node, [
    subject,
    re2Pattern(pattern),
    re2Replacement(replacement),
    optionsOf(node, flagsOf(node, 3)),
  ]);
}

/** Groups that a match may go without are NULL in PostgreSQL and empty here: such patterns are refused. */
function groupsOf(pattern: Expression, node: Call): number {
  if (pattern.kind !== "string") {
    throw unsupported(
      "a regular expression that is computed, of which groups are asked",
      pattern.span,
      "Write the pattern as a literal.",
    );
  }
  const plain = pattern.value.replace(/\\./gs, "").replace(/\[\^?\]?[^\]]*\]/g, "");
  const groups = plain.match(/\((?!\?)/g)?.length ?? 0;
  if (groups > 0 && /\|(?=.*\))|\)[?*{]/s.test(plain)) {
    throw unsupported(
      "groups that a match may go without",
      node.span,
      "Use regexp_substr(x, pattern) for the whole match.",
    );
  }
  return groups;
}

/** The groups of the first match, or the whole of it. */
export function regexpGroups(node: Call): Expression {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  const flags = flagsOf(node, 2);
  if (flags.includes("g")) throw unsupported("the flag g of regexp_match", node.span);
  const groups = groupsOf(pattern, node);
  const read = re2Pattern(pattern);
  const options = optionsOf(node, flags);
  const group = (index: number): Expression =>
    call("regexp_extract", [subject, read, integer(index, node), options], { span: node.span, type: TEXT });
  const elements = groups === 0 ? [group(0)] : Array.from({ length: groups }, (_, index) => group(index + 1));
  const list: Expression = { kind: "array", elements, span: node.span, ...(node.type && { type: node.type }) };
  return when(regexpMatches(node, flags), list, undefined, node);
}

export function regexpCount(node: Call): Expression {
  const [subject, pattern, start] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  if (start !== undefined && !(start.kind === "number" && start.text === "1")) {
    throw unsupported("regexp_count from another start than 1", start.span);
  }
  const all = call("regexp_extract_all", patterned(withArguments(node, [subject, pattern]), flagsOf(node, 3)), node);
  return call("len", [all], node);
}

/** Only of patterns that cannot match nothing: PostgreSQL has rules of its own for where they would. */
export function regexpParts(node: Call): Expression {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  if (pattern.kind !== "string" || matchesNothing(pattern.value) || /[|(]|[*+?}]\?/.test(pattern.value)) {
    throw unsupported("a split at such a pattern", pattern.span, "Use string_to_array(x, ',').");
  }
  const flags = flagsOf(node, 2);
  if (flags.includes("g")) throw unsupported("the flag g of a split", node.span);
  return call("regexp_split_to_array", [subject, re2Pattern(pattern), optionsOf(node, flags)], node);
}

/** Lists of what each group is in every match; without groups of the matches. */
export function wholeMatches(node: Call): readonly Expression[] {
  const [subject, pattern] = values(node);
  if (subject === undefined || pattern === undefined) return [];
  const count = groupsOf(pattern, node);
  if (pattern.kind !== "string" || matchesNothing(pattern.value)) {
    throw unsupported("every match of a pattern that may match nothing", pattern.span);
  }
  const options = optionsOf(node, flagsOf(node, 2).replaceAll("g", ""));
  const groups = count === 0 ? [0] : Array.from({ length: count }, (_, index) => index + 1);
  return groups.map((group) =>
    call("regexp_extract_all", [subject, re2Pattern(pattern), integer(group, node), options], node),
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
    if (part > 0 && part > groupsOf(pattern, node))
      throw unsupported("a group that the pattern does not have", node.span);
    const options = optionsOf(node, flagsOf(node, 4));
    const all = call("regexp_extract_all", [subject, re2Pattern(pattern), integer(part, node), options], node);
    return { kind: "subscript", operand: all, index: integer(nth, node), span: node.span, type: TEXT };
  }
  const found = call("regexp_extract", [subject, re2Pattern(pattern), integer(0, node), text("s", node)], node);
  return when(regexpMatches(node, ""), found, undefined, node);
}
