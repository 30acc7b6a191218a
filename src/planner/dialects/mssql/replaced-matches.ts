/**
 * `regexp_replace` before SQL Server 2025, which has no regular expressions: of characters one by one, and of a first match that LIKE finds.
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/translate-transact-sql
 */
import { unsupported } from "../../diagnostics.ts";
import { type FirstMatch, firstMatch } from "../../lowering/patterns/like-classes.ts";
import { matchesOnce, type Part, parsed } from "../../lowering/patterns/pattern-parts.ts";
import { characterSet, charactersOf, inBothCases } from "../../lowering/patterns/plain-expressions.ts";
import { flagsOf, referencesIn } from "../../lowering/patterns/regular-expressions.ts";
import { call, concatenation, text, typed, values, when } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { INTEGER, TEXT } from "../../types.ts";
import { wide } from "./casts.ts";
import { CODE_POINTS, collated, USUAL } from "./exact-text.ts";
import { placesOf } from "./first-matches.ts";
import { readAs } from "./regular-expressions.ts";

/** Every character of a class, or every run of them, and otherwise the first match of as many characters as any other. */
export function regexpReplace(node: Call): Expression {
  const [subject, pattern, replacement, written] = values(node);
  if (subject === undefined || pattern === undefined || replacement?.kind !== "string") {
    throw unsupported("a computed replacement", node.span, "Write pattern and replacement as literals.");
  }
  const flags = flagsOf(written, node);
  const read = readAs(pattern, flags);
  const references = referencesIn(replacement, 9, 0);
  if (references.some((each) => typeof each === "number")) {
    throw unsupported("a match in its own replacement", replacement.span, "Replace it by a text.");
  }
  const by = references.join("");
  const exact = collated(wide(subject), CODE_POINTS);
  const tree = parsed(read.pattern.value);
  const isEvery = flags.includes("g") && !(tree && matchesOnce(tree));
  const first = isEvery ? undefined : firstMatch(read.pattern.value, read.isFolded);
  const every = isEvery && tree ? everyOne(exact, tree, read.isFolded, by, node) : undefined;
  const replaced = first === undefined ? every : firstOne(subject, first, text(by, replacement), node);
  if (replaced === undefined) {
    throw unsupported(
      "regexp_replace of this pattern",
      pattern.span,
      "Replace every character of a [class], every run of them ([class]+), or a first match of listed characters and one run.",
    );
  }
  return collated(replaced, USUAL);
}

const exactly = (
  name: string,
  [value, ...others]: readonly [Expression, ...Expression[]],
  at: Expression,
): Expression =>
  call(name, [value.kind === "collate" ? value : collated(value, CODE_POINTS), ...others], typed(TEXT, at));

/** The text before it, the replacement and the rest; or all of the text where there is none. */
function firstOne(subject: Expression, first: FirstMatch, by: Expression, at: Expression): Expression {
  const { isFound, exact, before, behind } = placesOf(subject, first, at);
  const start = concatenation(before, by, at);
  const found = behind === undefined ? start : concatenation(start, behind, at);
  return when(isFound, found, exact, typed(TEXT, at));
}

/** Every character of a class, or every run of them. */
function everyOne(
  exact: Expression,
  tree: Part,
  isFolded: boolean,
  by: string,
  at: Expression,
): Expression | undefined {
  const found = classIn(tree);
  const set = found && characterSet(found.text);
  const ranges = set && (isFolded ? inBothCases(set.ranges) : set.ranges);
  const listed = ranges?.map(([from, to]) => charactersOf(from, to));
  if (found === undefined || set === undefined || listed === undefined || listed.includes(undefined)) return undefined;
  const characters = [...new Set(listed.join(""))].join("");
  const isRun = found.isRun && by !== "";
  // A character beyond U+FFFF may be two here.
  if ((set.isNegated && !isRun && by !== "") || /[\ud800-\udfff]/.test(characters)) return undefined;
  const [one, other] = set.isNegated ? signsWithout(characters) : characters;
  if (one === undefined) return undefined;
  const alike = set.isNegated ? othersAs(one, exact, characters, at) : listedAs(one, exact, characters, at);
  const replaced = (value: Expression, from: string, to: string): Expression =>
    exactly("replace", [value, text(from, at), text(to, at)], at);
  if (!isRun) return replaced(alike, one, by);
  if (other === undefined) return runsOfOne(alike, one, by, replaced);
  // No other character of the class is left, so that it can mark where each of a run ends.
  const marked = replaced(alike, one, one + other);
  return replaced(replaced(marked, other + one, ""), one + other, by);
}

/** Runs of one character: a sign marks where each ends, with a letter that tells it from such signs of the text. */
function runsOfOne(
  value: Expression,
  one: string,
  by: string,
  replaced: (value: Expression, from: string, to: string) => Expression,
): Expression {
  const [sign = "", own = "", end = ""] = [..."!ab0"].filter((each) => each !== one);
  const marked = replaced(replaced(value, sign, sign + own), one, one + sign + end);
  const once = replaced(replaced(marked, sign + end + one, ""), one + sign + end, by.replaceAll(sign, sign + own));
  return replaced(once, sign + own, sign);
}

/** The class, if the pattern is one, or a run of one. */
function classIn(part: Part): { readonly text: string; readonly isRun: boolean } | undefined {
  if (part.kind === "character") return part.text === "." ? undefined : { text: part.text, isRun: false };
  if (part.kind === "sequence" || part.kind === "group") {
    const [only, ...others] = part.kind === "group" ? [part.body] : part.parts;
    return only === undefined || others.length > 0 ? undefined : classIn(only);
  }
  if (part.kind !== "repeat" || part.least !== 1 || part.most !== Number.POSITIVE_INFINITY) return undefined;
  const inner = part.sign === "+" ? classIn(part.body) : undefined;
  return inner && { ...inner, isRun: true };
}

/** Two signs that are none of these characters; LEN does not count blanks at the end. */
const signsWithout = (characters: string): readonly string[] =>
  [..."~|#@!*+=:;.,_-/xX0"].filter((sign) => !characters.includes(sign)).slice(0, 2);

/** The text with the same character for each of these. */
function listedAs(one: string, exact: Expression, characters: string, at: Expression): Expression {
  if ([...characters].length === 1) return exact;
  const same = one.repeat([...characters].length);
  return exactly("translate", [exact, text(characters, at), text(same, at)], at);
}

/** The text with the same character for all others: these are what is left of the text where the listed are taken away. */
function othersAs(one: string, exact: Expression, characters: string, at: Expression): Expression {
  const [first = ""] = characters;
  const left = exactly("replace", [listedAs(first, exact, characters, at), text(first, at), text("", at)], at);
  const others = concatenation(left, text(one, at), at);
  const count = call("len", [collated(others, CODE_POINTS)], typed(INTEGER, at));
  return exactly("translate", [exact, others, call("replicate", [wide(text(one, at)), count], typed(TEXT, at))], at);
}
