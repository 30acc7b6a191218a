/**
 * Decides which part of a text a pattern matches. PostgreSQL takes the longest of the matches that begin first (the shortest, if
 * the first quantifier is lazy); engines with Perl's rules, including RE2, take the first that they find, alternative by
 * alternative and quantifier by quantifier. A pattern is supported if both give the same result for every text.
 */

import { unsupported } from "../../diagnostics.ts";
import type { Expression, StringLiteral } from "../../syntax/tree.ts";
import { alphabetOf, isInOrder } from "./match-order.ts";
import {
  groupsIn,
  groupsOf,
  inside,
  isOpen,
  longestFirst,
  mayMissGroups,
  type Part,
  type Preference,
  parsed,
  preferenceOf,
  textOf,
} from "./pattern-parts.ts";
import { ignoresCase, re2Pattern } from "./regular-expressions.ts";

export interface Match {
  /** In RE2's form. */
  readonly pattern: StringLiteral;
  /** Number of groups. */
  readonly groups: number;
  /** For each group: whether a match may not include it. */
  readonly missable: readonly boolean[];
  /** For each group: whether its text may be empty. */
  readonly open: readonly boolean[];
}

/**
 * The requested results: the texts of groups (all of which must take part in a match, or are NULL if missing, or empty), and
 * every match.
 */
export interface RequestedMatches {
  readonly groups?: "all" | "or NULL" | "present" | undefined;
  readonly every?: boolean | undefined;
  /** The parts between matches are requested, and the rest of a text is searched as if it began after the last match. */
  readonly parts?: boolean | undefined;
}

/** A literal pattern whose matches (and groups, if requested) begin and end where PostgreSQL's do; throws for any other. */
export function re2Match(pattern: Expression, flags: string, asked: RequestedMatches): Match {
  if (pattern.kind !== "string") {
    throw unsupported(
      "a regular expression that is computed, of which the match is asked",
      pattern.span,
      "Write the pattern as a literal.",
    );
  }
  const read = re2Pattern(pattern);
  const written = read.kind === "string" ? read.value : pattern.value;
  const [, options = "", rest = written] = /^(\(\?i\))?(.*)$/s.exec(written) ?? [];
  const tree = parsed(rest);
  if (tree === undefined)
    throw unsupported(
      "a quantifier of nothing, brackets without an end, or groups that deep, in a regular expression",
      pattern.span,
    );
  if (asked.every && isOpen(tree)) {
    throw unsupported("every match of a pattern that may match nothing", pattern.span, "Use + instead of *.");
  }
  if (asked.parts && beginsText(tree)) throw unsupported("a split at the beginning of a text", pattern.span);
  const known = groupsOf(tree);
  const groups = known.length;
  const ofGroups = groups === 0 ? undefined : asked.groups;
  // RE2's group is empty where PostgreSQL's is NULL.
  const lost = {
    all: known.some(({ missable }) => missable),
    "or NULL": known.some((each) => each.missable && each.open),
  };
  if (ofGroups !== undefined && ofGroups !== "present" && lost[ofGroups]) {
    throw unsupported(
      "groups that a match may go without",
      pattern.span,
      "Use regexp_substr(x, pattern) for the whole match.",
    );
  }
  const anyCase = options !== "" || ignoresCase(flags);
  // The order of alternatives has no meaning in PostgreSQL: with the longer ones first, Perl also finds the longest match.
  const found = [tree, longestFirst(tree)].find((each) => isSettled(each, anyCase, ofGroups !== undefined));
  if (found === undefined) {
    throw unsupported(
      "a pattern that may match more or less of a text",
      pattern.span,
      "Put longer alternatives first, and use either greedy or lazy quantifiers.",
    );
  }
  const value = options + textOf(found);
  return {
    pattern: value === pattern.value ? pattern : { ...pattern, value },
    groups,
    missable: known.map(({ missable }) => missable),
    open: known.map(({ open }) => open),
  };
}

function beginsText(part: Part): boolean {
  return (part.kind === "edge" && part.text !== "$") || inside(part).some(beginsText);
}

function isSettled(tree: Part, anyCase: boolean, ofGroups: boolean): boolean {
  const alphabet = alphabetOf(tree, anyCase);
  if (alphabet === undefined) return false;
  const isOrdered = (part: Part, preferred = preferenceOf(part) ?? "longest"): boolean =>
    isInOrder(part, preferred, alphabet);
  return isOrdered(tree) && (!ofGroups || areGroupsSettled(tree, isOrdered));
}

/**
 * For a known whole match, PostgreSQL gives each group, and each run of parts between groups, its preferred length from left to
 * right; Perl does the same if it tries the ways of each of them in the same order.
 */
function areGroupsSettled(part: Part, isOrdered: (part: Part, preferred?: Preference) => boolean): boolean {
  if (groupsIn(part) === 0) return true;
  switch (part.kind) {
    case "sequence": {
      const pieces: Part[] = [];
      let run: Part[] = [];
      const close = (): void => {
        if (run.length > 0) pieces.push({ kind: "sequence", parts: run });
        run = [];
      };
      for (const each of part.parts) {
        const [preferred, own] = [preferenceOf({ kind: "sequence", parts: run }), preferenceOf(each)];
        const clashes = preferred !== undefined && own !== undefined && preferred !== own;
        if (groupsIn(each) === 0 && !clashes) run.push(each);
        else {
          close();
          pieces.push(each);
        }
      }
      close();
      return (
        pieces.slice(0, -1).every((each) => isOrdered(each)) &&
        pieces.every((each) => areGroupsSettled(each, isOrdered))
      );
    }
    case "repeat":
      // PostgreSQL makes the last iteration as short as possible, and forgets the group of the previous iteration.
      if (part.most > 1) {
        const isClear = isOrdered(part.body, "longest") && isOrdered(part.body, "shortest");
        if (!isClear || mayMissGroups(part.body)) return false;
      }
      return areGroupsSettled(part.body, isOrdered);
    default:
      return inside(part).every((each) => areGroupsSettled(each, isOrdered));
  }
}
