/**
 * Regular expressions: POSIX's with a few of Perl's signs. A pattern is taken that both read alike: without classes of letters, which are
 * those of a character set, without escapes in brackets, which Oracle takes for backslashes, and without anything that looks around.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/adfns/regexp.html
 */
import { unsupported } from "../../diagnostics.ts";
import { matchGroups } from "../../lowering/patterns/match-groups.ts";
import { type RequestedMatches, re2Match } from "../../lowering/patterns/matches.ts";
import { isOpen, parsed } from "../../lowering/patterns/pattern-parts.ts";
import { plainExpression } from "../../lowering/patterns/plain-expressions.ts";
import {
  flagsOf,
  ignoresCase,
  re2Pattern,
  referencesIn,
  similarPattern,
} from "../../lowering/patterns/regular-expressions.ts";
import { binary, call, integer, not, text, typed, values, withArguments } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Like, StringLiteral } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";
import { bytesOf } from "./bytes.ts";

const LETTERS = "[A-Za-z0-9 _,:;@#%&=<>'\"/!~`-]";
const SET = "\\[\\^?[A-Za-z0-9 _.,:;@#%&=<>'\"/!~`+*?()$|{}-]+\\]";
const ATOM = `(?:${LETTERS}|\\.|\\\\[.*+?()\\[\\]{}|^$/\\\\-]|\\\\d|${SET})`;
const COUNT = "(?:[*+?]|\\{\\d{1,3}(?:,\\d{0,3})?\\})?";
const TESTED = new RegExp(`^\\^?(?:${ATOM}${COUNT}|\\||\\((?!\\?)|\\)${COUNT}|(?<=[(|])\\^|\\$(?=[|)]|$))+$`);
const FOUND = new RegExp(`^\\^?(?:${ATOM}${COUNT})+\\$?$`);
/** https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REGEXP_LIKE-condition.html */
const MAX_PATTERN = 512;

/** Where only it is asked whether there is a match. */
function tested(value: Expression | undefined, node: Expression): Expression {
  if (value?.kind !== "string") throw refusedPattern(node);
  if (TESTED.test(value.value)) return short(value, node);
  const read = re2Pattern(value);
  return plain(read.kind === "string" ? read : value, false, node);
}

interface Found {
  readonly pattern: StringLiteral;
  readonly groups: number;
}

/** Where it is asked which part matches. An empty one is NULL on Oracle. */
function found(value: Expression | undefined, flags: string, asked: RequestedMatches, node: Expression): Found {
  if (value?.kind !== "string") throw refusedPattern(node);
  const { pattern, open, groups } = re2Match(value, flags, asked);
  const tree = parsed(pattern.value);
  if (tree === undefined || isOpen(tree) || (asked.groups !== undefined && open.includes(true))) {
    throw unsupported("a match or a group that may be empty", value.span, "Let it have a character at least.");
  }
  const isSame = FOUND.test(value.value);
  return { groups, pattern: isSame ? short(value, node) : plain(pattern, asked.groups !== undefined, node) };
}

function plain(pattern: StringLiteral, keepsGroups: boolean, node: Expression): StringLiteral {
  const value = plainExpression(pattern.value, { sign: "backslash", bothCases: false, keepsGroups });
  if (value === undefined) throw refusedPattern(node);
  return short({ ...pattern, value }, node);
}

function short(pattern: StringLiteral, node: Expression): StringLiteral {
  if (bytesOf(pattern.value) > MAX_PATTERN) throw refusedPattern(node);
  return pattern;
}

const refusedPattern = ({ span }: Expression) =>
  unsupported("the regular expression", span, "Write a literal of letters, [classes], groups and counts.");

const test = (operand: Expression, value: Expression | undefined, folds: boolean, node: Expression): Expression =>
  binary(operand, folds ? "~*" : "~", tested(value, node), typed(BOOLEAN, node));

export const matches =
  (folds: boolean, negated: boolean) =>
  (node: Binary): Expression => {
    const isFound = test(node.left, node.right, folds, node);
    return negated ? not(isFound) : isFound;
  };

export function regexpLike(node: Call): Expression {
  const [operand, value, flags] = values(node);
  return operand === undefined ? node : test(operand, value, ignoresCase(flagsOf(flags, node)), node);
}

export function similar(node: Like): Expression {
  const pattern = similarPattern(node);
  const whole = plain({ ...pattern, value: `^(?:${pattern.value})$` }, false, node);
  const isFound = binary(node.operand, "~", whole, typed(BOOLEAN, node));
  return node.negated ? not(isFound) : isFound;
}

const options = (flags: string, at: Expression): Expression => text(ignoresCase(flags) ? "in" : "cn", at);

/** `\1` is the first group on both; Oracle has no whole match in a replacement, and NULL is its empty text. */
export function regexpReplaced(node: Call): Expression {
  const [operand, value, by, written] = values(node);
  if (operand === undefined || by?.kind !== "string" || !/^(?:[^\\]|\\[1-9\\])*$/.test(by.value))
    throw replacement(node);
  const flags = flagsOf(written, node);
  const every = flags.includes("g");
  const asked = /\\[1-9]/.test(by.value) ? "present" : undefined;
  const { pattern, groups } = found(value, flags, { every, groups: asked }, node);
  if (referencesIn(by, 9, 0).some((each) => typeof each === "number" && each > groups)) throw replacement(node);
  const own: Expression = by.value === "" ? { kind: "null", span: by.span, type: TEXT } : by;
  return withArguments(node, [
    operand,
    pattern,
    own,
    integer(1, node),
    integer(every ? 0 : 1, node),
    options(flags, node),
  ]);
}

const replacement = ({ span }: Expression) =>
  unsupported(
    "regexp_replace with these arguments",
    span,
    "Write pattern and replacement as literals, with groups of the pattern alone.",
  );

export function regexpSubstring(node: Call): Expression {
  const [operand, value, ...others] = values(node);
  const { pattern } = found(value, "", {}, node);
  if (operand === undefined || others.length > 0) {
    throw unsupported("regexp_substr with these arguments", node.span, "Ask for the first match.");
  }
  return withArguments(node, [operand, pattern, integer(1, node), integer(1, node), text("cn", node)]);
}

/** https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REGEXP_SUBSTR.html */
export const { regexpGroups, groupOfMatch } = matchGroups(({ subject, written, flags, group }, at) => {
  const { pattern } = found(written, flags, { groups: group > 0 ? "present" : undefined }, at);
  const asked = [subject, pattern, integer(1, at), integer(1, at), options(flags, at)];
  return call("regexp_substr", group > 0 ? [...asked, integer(group, at)] : asked, typed(TEXT, at));
});
