/**
 * `(regexp_match(x, pattern))[1]`, which `substring(x FROM pattern)` is too, on targets that have no array of groups: the array has
 * no value, and an element of it is cut out of the first match.
 */
import { unsupported } from "../../diagnostics.ts";
import { call, cast, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression, StringLiteral } from "../../syntax/tree.ts";
import { TEXT } from "../../types.ts";
import { countOf } from "../numbers/written-counts.ts";
import { isSpelled, noValue, spelled } from "../templates/template.ts";
import { re2Match } from "./matches.ts";
import { type Part, parsed, textOf } from "./pattern-parts.ts";
import { flagsOf } from "./regular-expressions.ts";

/** Its parts are the text, the pattern and the flags. */
const GROUPS = noValue({
  refused: "all groups of a match",
  hint: "Take one of them: (regexp_match(x, pattern))[1].",
});

export interface AskedGroup {
  readonly subject: Expression;
  /** The pattern as PostgreSQL reads it. */
  readonly written: Expression;
  /** In RE2's form. */
  readonly pattern: StringLiteral;
  readonly flags: string;
  /** 0 is the whole match. */
  readonly group: number;
  /** Whether that group may be empty. */
  readonly isOpen: boolean;
}

/**
 * @param found the target's text of the group in the first match, and NULL without a match. A group that took no part may be NULL or
 * empty.
 */
export const matchGroups = (found: (asked: AskedGroup, at: Expression) => Expression) => ({
  regexpGroups(node: Call): Expression {
    const [subject, pattern, flags] = values(node);
    if (subject === undefined || pattern === undefined) return node;
    if (flagsOf(flags, node).includes("g")) throw unsupported("the flag g of regexp_match", node.span);
    return spelled(GROUPS, [subject, pattern, flags ?? text("", node)], node);
  },
  /** `undefined` for another array. */
  groupOfMatch(array: Expression, index: Expression): Expression | undefined {
    if (!isSpelled(array, GROUPS)) return undefined;
    const [subject, written, options] = array.parts;
    const place = countOf(index);
    if (subject === undefined || written === undefined || place === undefined) {
      throw unsupported("a computed group of a match", index.span, "Write its number.");
    }
    const flags = flagsOf(options, array);
    const { pattern, groups, missable, open } = re2Match(written, flags, { groups: "present" });
    const at = typed(TEXT, array);
    if (place < 1 || place > Math.max(groups, 1))
      return cast({ kind: "null", span: array.span, type: TEXT }, "text", at);
    const group = Math.min(place, groups);
    const [isMissable, isOpen] = [missable, open].map((each) => each[group - 1] === true);
    if (isMissable && isOpen) {
      throw unsupported(
        "groups that a match may go without",
        written.span,
        "Use regexp_substr(x, pattern) for the whole match.",
      );
    }
    const value = found({ subject, written, pattern, flags, group, isOpen: isOpen === true }, { ...array, type: TEXT });
    // The group is not empty where it took part.
    return isMissable ? call("nullif", [value, text("", array)], at) : value;
  },
});

/** The pattern, in RE2's form and without options, with this group alone: of the others nobody asks. */
export function withOneGroup(pattern: string, group: number): string {
  const tree = parsed(pattern);
  let seen = 0;
  const kept = (part: Part): Part => {
    if (part.kind === "group") {
      const isKept = part.open === "(" && ++seen === group;
      const body = kept(part.body);
      return { ...part, open: isKept ? "(" : "(?:", body };
    }
    if ("body" in part) return { ...part, body: kept(part.body) };
    return "parts" in part ? { ...part, parts: part.parts.map(kept) } : part;
  };
  return tree === undefined ? pattern : textOf(kept(tree));
}
