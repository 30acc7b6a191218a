/** Regular expressions of PostgreSQL in words that ICU (MySQL) and PCRE (MariaDB) read alike. */
import { ignoresCase, re2Pattern, similarToRe2 } from "../../lowering/regular-expressions.ts";
import { unsupported } from "../../lowering/target.ts";
import { call, cases, inPlaceOf, text, values } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Like } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";
import { exact } from "./exact-text.ts";

/** `x ~ pattern` and its kin: a part of the text matches. */
export const matching =
  (flags: string, negated: boolean) =>
  (node: Binary): Expression => {
    const found = tested(node.left, node.right, flags, node);
    return negated ? { kind: "unary", operator: "not", operand: found, span: node.span, type: BOOLEAN } : found;
  };

export function regexpLike(node: Call): Expression {
  const [subject, pattern, flags] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  return tested(subject, pattern, flagsOf(flags, node), node);
}

/** The first match; NULL where there is none, which MariaDB would call an empty one. */
export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined) return node;
  if (others.length > 0) throw unsupported("regexp_substr from a position", node.span);
  const found = call("regexp_substr", [exact(subject), read(pattern, "")], inPlaceOf(node));
  return cases([{ when: tested(subject, pattern, "", node), then: found }], undefined, { span: node.span, type: TEXT });
}

/** Every match, by a text without references; replacing the first alone is not said by both. */
export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement, written] = values(node);
  if (subject === undefined || pattern === undefined || replacement === undefined) return node;
  const flags = flagsOf(written, node);
  if (!flags.includes("g")) throw unsupported("replacing the first match alone", node.span, "Add the flag 'g'.");
  if (replacement.kind !== "string" || /[\\$]/.test(replacement.value)) {
    throw unsupported("references in a replacement", replacement.span, "Write a plain text.");
  }
  return call("regexp_replace", [exact(subject), read(pattern, flags), replacement], inPlaceOf(node));
}

export function similar(node: Like): Expression {
  const escape = node.escape === undefined ? "\\" : node.escape.kind === "string" ? node.escape.value : undefined;
  if (node.pattern.kind !== "string" || escape === undefined) {
    throw unsupported("SIMILAR TO with a computed pattern", node.span, "Write the pattern as a literal, or use LIKE.");
  }
  const whole = text(`^(?:${similarToRe2(node.pattern.value, escape)})$`, node.pattern);
  const found = tested(node.operand, whole, "", node);
  return node.negated ? { kind: "unary", operator: "not", operand: found, span: node.span, type: BOOLEAN } : found;
}

function tested(subject: Expression, pattern: Expression, flags: string, { span }: Expression): Expression {
  return call("regexp", [exact(subject), read(pattern, flags)], { span, type: BOOLEAN });
}

function flagsOf(flags: Expression | undefined, at: Expression): string {
  if (flags === undefined) return "";
  if (flags.kind === "string" && /^[gic]*$/.test(flags.value)) return flags.value;
  throw unsupported("these flags of a regular expression", at.span, "Write 'i' or 'g'.");
}

/** `.` takes a newline, and `$` is the end alone. */
function read(pattern: Expression, flags: string): Expression {
  if (pattern.kind !== "string") {
    throw unsupported("a computed regular expression", pattern.span, "Write the pattern as a literal.");
  }
  const common = re2Pattern(pattern);
  const { value } = common.kind === "string" ? common : pattern;
  if (/\\p|\\x|\(\?i\)|\[\[:|&&|--/.test(value)) {
    throw unsupported(
      "classes of characters in a regular expression",
      pattern.span,
      "Write the characters: [A-Za-z0-9_].",
    );
  }
  return text((ignoresCase(flags) ? "(?is)" : "(?s)") + withPlainEnds(value), pattern);
}

function withPlainEnds(pattern: string): string {
  return pattern.replace(/\\.|\[\^?\]?[^\]]*\]|\$/gs, (part) => (part === "$" ? "\\z" : part));
}
