/**
 * The first match of a pattern that LIKE finds, cut out of the text by its place and length.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/patindex-transact-sql
 */
import { unsupported } from "../../diagnostics.ts";
import { type FirstMatch, firstMatch } from "../../lowering/patterns/like-classes.ts";
import { matchGroups } from "../../lowering/patterns/match-groups.ts";
import { binary, call, concatenation, integer, text, typed, values, when } from "../../syntax/build.ts";
import type { Call, Collate, Expression } from "../../syntax/tree.ts";
import { INTEGER, TEXT } from "../../types.ts";
import { wide } from "./casts.ts";
import { CODE_POINTS, collated, USUAL } from "./exact-text.ts";
import { END, endedLike, readAs } from "./regular-expressions.ts";

const TO_THE_END = 2_147_483_647;

interface Places {
  readonly isFound: Expression;
  readonly exact: Collate;
  readonly before: Expression;
  /** `undefined` where the match goes to the end. */
  readonly behind: Expression | undefined;
  /** The part of it that was asked for. */
  readonly part: Expression;
}

export function placesOf(subject: Expression, { pattern, length, rest, group }: FirstMatch, at: Expression): Places {
  const [of, numbers] = [typed(TEXT, at), typed(INTEGER, at)];
  const exact = collated(wide(subject), CODE_POINTS);
  const ended = collated(concatenation(wide(subject), text(END, at), at), CODE_POINTS);
  const place = call("patindex", [text(pattern + END, at), ended], numbers);
  const sum = (left: Expression, right: number | Expression): Expression => {
    if (right === 0) return left;
    return binary(left, "+", typeof right === "number" ? integer(right, at) : right, numbers);
  };
  const cut = (start: Expression, count: Expression): Expression => call("substring", [exact, start, count], of);
  const toTheEnd = integer(TO_THE_END, at);
  /** How many characters follow those that are as many in all matches. */
  const following = (): Expression => {
    if (typeof rest === "string") return rest === "all" ? toTheEnd : integer(0, at);
    const stopped = concatenation(cut(sum(place, length), toTheEnd), text(rest.sign, at), at);
    const stop = call("patindex", [text(rest.pattern, at), collated(stopped, CODE_POINTS)], numbers);
    return binary(stop, "-", integer(1, at), numbers);
  };
  const end = rest === "none" ? sum(place, length) : sum(sum(place, length), following());
  const withRest = rest === "all" ? toTheEnd : sum(following(), group.length);
  return {
    isFound: endedLike(ended, pattern, false, at),
    exact,
    before: call("left", [exact, binary(place, "-", integer(1, at), numbers)], of),
    behind: rest === "all" ? undefined : cut(end, toTheEnd),
    part: cut(sum(place, group.skipped), group.withRest && rest !== "none" ? withRest : integer(group.length, at)),
  };
}

function partOf(subject: Expression, pattern: Expression, flags: string, group: number, at: Expression): Expression {
  const read = readAs(pattern, flags);
  const first = firstMatch(read.pattern.value, read.isFolded, group);
  if (first === undefined) {
    throw unsupported(
      "the match of this regular expression",
      pattern.span,
      "Ask for listed characters with one run of a [class] behind them.",
    );
  }
  const { isFound, part } = placesOf(subject, first, at);
  return collated(when(isFound, part, undefined, typed(TEXT, at)), USUAL);
}

export function regexpSubstring(node: Call): Expression {
  const [subject, pattern, ...others] = values(node);
  if (subject === undefined || pattern === undefined || others.length > 0) {
    throw unsupported("regexp_substr from a start, of a count or with flags", node.span);
  }
  return partOf(subject, pattern, "", 0, node);
}

export const { regexpGroups, groupOfMatch } = matchGroups(({ subject, written, flags, group }, at) =>
  partOf(subject, written, flags, group, at),
);
