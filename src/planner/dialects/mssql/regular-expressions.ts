/**
 * Regular expressions before SQL Server 2025, which has none: as LIKE with classes.
 * https://learn.microsoft.com/en-us/sql/t-sql/language-elements/like-transact-sql
 */
import { unsupported } from "../../diagnostics.ts";
import { likePatterns } from "../../lowering/patterns/like-classes.ts";
import { ignoresCase, matchingBy, re2Pattern, similarPattern } from "../../lowering/patterns/regular-expressions.ts";
import { logical, not, text } from "../../syntax/build.ts";
import type { Expression, Like, StringLiteral } from "../../syntax/tree.ts";
import { BOOLEAN } from "../../types.ts";
import { TEXTS } from "./exact-text.ts";

/** Behind the text, as of LIKE (`lowering/texts/padded-texts.ts`). */
export const END = ".";

function tested(subject: Expression, pattern: Expression, flags: string, at: Expression): Expression {
  const read = readAs(pattern, flags);
  return asLike(subject, read.pattern, read.isFolded, at);
}

export interface Read {
  /** In RE2's form, without options. */
  readonly pattern: StringLiteral;
  readonly isFolded: boolean;
}

export function readAs(pattern: Expression, flags: string): Read {
  const read = re2Pattern(pattern);
  if (read.kind !== "string") throw refused(pattern);
  const value = read.value.replace(/^\(\?i\)/, "");
  return { pattern: { ...read, value }, isFolded: value !== read.value || ignoresCase(flags) };
}

function asLike(subject: Expression, pattern: StringLiteral, isFolded: boolean, at: Expression): Expression {
  const tests = likePatterns(pattern.value, isFolded);
  if (tests === undefined) throw refused(pattern);
  const operand = TEXTS.sealed(subject);
  const ways = tests.map((each) =>
    logical(
      "and",
      each.map((own) => endedLike(operand, own.pattern, own.negated, at)),
      at,
    ),
  );
  return logical("or", ways, at);
}

/** @param operand with the end behind it */
export const endedLike = (operand: Expression, pattern: string, negated: boolean, { span }: Expression): Like => ({
  kind: "like",
  operator: "like",
  operand,
  pattern: text(pattern + END, { span }),
  escape: undefined,
  negated,
  span,
  type: BOOLEAN,
});

const refused = ({ span }: Expression) =>
  unsupported(
    "the regular expression",
    span,
    "Use LIKE, or a literal of characters, [classes] and counts, with * and + at its ends alone.",
  );

export const { matching, regexpLike } = matchingBy(tested);

export function similar(node: Like): Expression {
  const pattern = similarPattern(node);
  const found = asLike(node.operand, { ...pattern, value: `^(?:${pattern.value})$` }, false, node);
  return node.negated ? not(found) : found;
}
