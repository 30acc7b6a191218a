/**
 * Tests of a regular expression as patterns of LIKE with classes (`[0-9]`, `[^a-z]`), in a collation whose classes are ranges of codes.
 *
 * The meaning is the same whether a collation counts characters beyond U+FFFF as one or as two: a class of those that are not listed, and
 * `_`, stand beside a `%`, which takes the other half, and never two of them without a listed character between.
 */
import { groupsIn, inside, type Part, parsed } from "./pattern-parts.ts";
import { type CharacterSet, characterSet, inBothCases, listedCharacters, type Ranges } from "./plain-expressions.ts";

type Element =
  | { readonly kind: "one"; readonly set: CharacterSet }
  | { readonly kind: "run"; readonly set: CharacterSet; readonly least: number }
  | { readonly kind: "any" | "start" | "end" };

export interface LikePattern {
  readonly pattern: string;
  readonly negated: boolean;
}

/** Limits of a test: a pattern beyond them is refused. */
const MAX_WAYS = 8;
const MAX_ELEMENTS = 100;

const ANY: Element = { kind: "any" };
const EVERY_CHARACTER: CharacterSet = { isNegated: true, ranges: [] };

/**
 * One of the lists must hold, and of it every pattern.
 * @param pattern in RE2's form and without options; `undefined` if LIKE cannot say it
 */
export function likePatterns(pattern: string, isFolded: boolean): readonly (readonly LikePattern[])[] | undefined {
  const tree = parsed(pattern);
  const ways = tree && waysOf(tree, isFolded);
  const tests = ways?.map(testsOf);
  return tests?.every((each) => each !== undefined) === true
    ? tests.flatMap((each) => (each ? [each] : []))
    : undefined;
}

export interface FirstMatch {
  /** Where it begins is where this pattern does. */
  readonly pattern: string;
  /** How many characters it has at least. */
  readonly length: number;
  /** How it goes on: to the end of the text, or up to a character that ends a run. */
  readonly rest: "none" | "all" | RunEnd;
  /** The part of it that was asked for. */
  readonly group: { readonly skipped: number; readonly length: number; readonly withRest: boolean };
}

export interface RunEnd {
  /** A pattern that begins with a character that is not of the run. */
  readonly pattern: string;
  /** Such a character. */
  readonly sign: string;
}

/**
 * The first match of listed characters that are as many in all matches, with what may follow these: a run of one class, or all of the
 * text.
 * @param group 0 is the whole match
 */
export function firstMatch(pattern: string, isFolded: boolean, group = 0): FirstMatch | undefined {
  const tree = parsed(pattern);
  const [way, ...others] = (tree && waysOf(tree, isFolded)) ?? [];
  if (tree === undefined || way === undefined || others.length > 0 || isLazy(tree)) return undefined;
  const isFromStart = way[0]?.kind === "start";
  const isToEnd = way.at(-1)?.kind === "end";
  const elements = withoutLooseRuns(way.slice(isFromStart ? 1 : 0, isToEnd ? -1 : undefined));
  const last = elements.at(-1);
  const isLoose = last?.kind === "any" || (last?.kind === "run" && !isToEnd);
  const run: Element[] = last?.kind === "run" ? [...times({ kind: "one", set: last.set }, last.least)] : [];
  const ones = isLoose ? [...elements.slice(0, -1), ...run] : elements;
  if (ones.length === 0 || ones.some(({ kind }) => kind !== "one")) return undefined;
  // Only what follows takes the other half of a character that is not listed.
  const unlisted = ones.filter((each) => each.kind === "one" && each.set.isNegated);
  const isTaken = isLoose && unlisted[0] === ones.at(-1) && (last.kind === "any" ? ones.length : run.length) === 1;
  if (unlisted.length > 1 || (unlisted.length === 1 && !isTaken)) return undefined;
  const isOpen = isLoose || !isToEnd;
  const [test] =
    written([{ elements: [...(isFromStart ? [] : [ANY]), ...ones, ...(isOpen ? [ANY] : [])], negated: false }]) ?? [];
  const rest = last?.kind === "any" ? "all" : isLoose && last?.kind === "run" ? runEnd(last.set) : "none";
  const asked =
    group === 0
      ? { skipped: 0, length: ones.length, withRest: true }
      : placeOfGroup(tree, group, ones.length, isFolded);
  return test && rest && asked && { pattern: test.pattern, length: ones.length, rest, group: asked };
}

const isLazy = (part: Part): boolean => (part.kind === "repeat" && /.\?$/.test(part.sign)) || inside(part).some(isLazy);

function runEnd(set: CharacterSet): RunEnd | undefined {
  const other = classOf({ ...set, isNegated: !set.isNegated });
  const isMember = (sign: string): boolean =>
    set.ranges.some(([from, to]) => from <= (sign.codePointAt(0) ?? 0) && (sign.codePointAt(0) ?? 0) <= to) !==
    set.isNegated;
  const sign = [..."~|#!/ax0"].find((each) => !isMember(each)) ?? String.fromCodePoint(set.ranges[0]?.[0] ?? 0);
  return other === undefined || isMember(sign) ? undefined : { pattern: `%${other}%`, sign };
}

/** The place of a group that is a part of the whole sequence, of which all but the last have one length. */
function placeOfGroup(tree: Part, group: number, length: number, isFolded: boolean): FirstMatch["group"] | undefined {
  const parts = tree.kind === "sequence" ? tree.parts.filter(({ kind }) => kind !== "edge") : [tree];
  const at = parts.findIndex(
    (_, index) => parts.slice(0, index + 1).reduce((sum, each) => sum + groupsIn(each), 0) === group,
  );
  const found = parts[at];
  if (found?.kind !== "group" || groupsIn(found) !== 1) return undefined;
  const lengthOf = (each: readonly Part[]): number | undefined => {
    const [way] = waysOf({ kind: "sequence", parts: each }, isFolded) ?? [];
    return way?.every(({ kind }) => kind === "one") === true ? way.length : undefined;
  };
  const [before, behind] = [lengthOf(parts.slice(0, at)), lengthOf(parts.slice(at + 1))];
  if (before === undefined || behind === undefined) return undefined;
  return { skipped: before, length: length - before - behind, withRest: behind === 0 };
}

/** All ways through a pattern that differ by more than how often a class is repeated. */
function waysOf(part: Part, isFolded: boolean): readonly (readonly Element[])[] | undefined {
  switch (part.kind) {
    case "edge":
      return [[{ kind: part.text === "$" ? "end" : "start" }]];
    case "character": {
      const set = setOf(part.text, isFolded);
      return set && [[{ kind: "one", set }]];
    }
    case "group":
      return waysOf(part.body, isFolded);
    case "sequence":
      return inTurn(part.parts.map((each) => waysOf(each, isFolded)));
    case "choice": {
      const all = part.parts.map((each) => waysOf(each, isFolded));
      const ways = all.flatMap((each) => each ?? []);
      return all.includes(undefined) || ways.length > MAX_WAYS ? undefined : ways;
    }
    case "repeat":
      return waysOfRepeat(part, isFolded);
    default:
      return part satisfies never;
  }
}

function waysOfRepeat(
  { body, least, most }: Part & { readonly kind: "repeat" },
  isFolded: boolean,
): readonly (readonly Element[])[] | undefined {
  const ways = waysOf(body, isFolded);
  if (ways === undefined || least > MAX_ELEMENTS) return undefined;
  if (most === Number.POSITIVE_INFINITY) {
    const [only] = ways.length === 1 ? (ways[0] ?? []) : [];
    if (only?.kind !== "one" || ways[0]?.length !== 1) return undefined;
    return [isEvery(only.set) ? [...times(only, least), ANY] : [{ kind: "run", set: only.set, least }]];
  }
  if (most < least || most - least >= MAX_WAYS) return undefined;
  const counts = Array.from({ length: most - least + 1 }, (_, index) => least + index);
  const all = counts.map((count) => inTurn(Array.from({ length: count }, () => ways)));
  const found = all.flatMap((each) => each ?? []);
  return all.includes(undefined) || found.length > MAX_WAYS ? undefined : found;
}

function inTurn(
  parts: readonly (readonly (readonly Element[])[] | undefined)[],
): readonly (readonly Element[])[] | undefined {
  let ways: readonly (readonly Element[])[] = [[]];
  for (const each of parts) {
    if (each === undefined) return undefined;
    ways = ways.flatMap((before) => each.map((way) => [...before, ...way]));
    if (ways.length > MAX_WAYS || ways.some(({ length }) => length > MAX_ELEMENTS)) return undefined;
  }
  return ways;
}

const times = (element: Element, count: number): readonly Element[] => Array.from({ length: count }, () => element);

const isEvery = ({ isNegated, ranges }: CharacterSet): boolean => isNegated && ranges.length === 0;

function setOf(text: string, isFolded: boolean): CharacterSet | undefined {
  if (text === ".") return EVERY_CHARACTER;
  const set = characterSet(text);
  const ranges = set && (isFolded ? inBothCases(set.ranges) : set.ranges);
  return set && ranges && { ...set, ranges };
}

function testsOf(way: readonly Element[]): readonly LikePattern[] | undefined {
  const isFromStart = way[0]?.kind === "start";
  const isToEnd = way.at(-1)?.kind === "end";
  const inner = way.slice(isFromStart ? 1 : 0, isToEnd ? -1 : undefined);
  if (inner.some(({ kind }) => kind === "start" || kind === "end")) return undefined;
  const elements = withoutLooseRuns([...(isFromStart ? [] : [ANY]), ...inner, ...(isToEnd ? [] : [ANY])]);
  const at = elements.findIndex(({ kind }) => kind === "run");
  const run = elements[at];
  if (run?.kind !== "run") return written([{ elements, negated: false }]);
  const [before, behind] = [elements.slice(0, at), elements.slice(at + 1)];
  // Characters beside the only run are of a known number, so that they stand at both ends of the text.
  if ([...before, ...behind].some(({ kind }) => kind !== "one")) return undefined;
  const one: Element = { kind: "one", set: run.set };
  const other: Element = { kind: "one", set: { ...run.set, isNegated: !run.set.isNegated } };
  return written([
    { elements: [...before, ...times(one, run.least), ANY, ...behind], negated: false },
    { elements: [...before, ANY, other, ANY, ...behind], negated: true },
  ]);
}

/** A run beside anything is no longer than it must be. */
function withoutLooseRuns(elements: readonly Element[]): readonly Element[] {
  const at = elements.findIndex(
    ({ kind }, index) =>
      kind === "run" && [elements[index - 1], elements[index + 1]].some((each) => each?.kind === "any"),
  );
  const run = elements[at];
  if (run?.kind !== "run") return elements;
  const ones = times({ kind: "one", set: run.set }, run.least);
  return withoutLooseRuns([...elements.slice(0, at), ...ones, ...elements.slice(at + 1)]);
}

interface Written {
  readonly elements: readonly Element[];
  readonly negated: boolean;
}

function written(tests: readonly Written[]): readonly LikePattern[] | undefined {
  const patterns: LikePattern[] = [];
  for (const { elements, negated } of tests) {
    if (elements.length > MAX_ELEMENTS || !isOfOneLength(elements)) return undefined;
    const texts = elements.map((each) => (each.kind === "one" ? classOf(each.set) : "%"));
    if (texts.includes(undefined)) return undefined;
    patterns.push({ pattern: texts.join("").replace(/%{2,}/g, "%"), negated });
  }
  return patterns;
}

/** Whether a character of two halves is matched as one of a single half would be. */
function isOfOneLength(elements: readonly Element[]): boolean {
  let isOther = false;
  return elements.every((element, at) => {
    if (element.kind !== "one") return true;
    const wasOther = isOther;
    isOther = element.set.isNegated;
    const neighbours = [elements[at - 1], elements[at + 1]];
    return !isOther || (!wasOther && neighbours.some((each) => each?.kind === "any"));
  });
}

/** One character of the set; without any escape. */
function classOf({ isNegated, ranges }: CharacterSet): string | undefined {
  if (isNegated && ranges.length === 0) return "_";
  const short = ranges.filter((range) => !isLong(range));
  const listed = listedCharacters(short);
  const long = ranges.filter(isLong).map(([from, to]) => `${String.fromCodePoint(from)}-${String.fromCodePoint(to)}`);
  if (listed === undefined || ranges.some(([, to]) => to > 0xffff)) return undefined;
  const all = long.join("") + listed.ranges + listed.characters;
  if (!isNegated && all === listed.characters && [...all].length === 1) return /[%_[]/.test(all) ? `[${all}]` : all;
  // A bracket ends the class, a caret at its beginning negates it, and a dash makes a range but at its beginning.
  const rest = listed.characters.replace(/[\^-]/g, "");
  const [caret, dash] = ["^", "-"].map((sign) => (listed.characters.includes(sign) ? sign : ""));
  if (listed.characters.includes("]") || (dash === "" && all === caret && !isNegated)) return undefined;
  return `[${isNegated ? "^" : ""}${dash}${long.join("")}${listed.ranges}${rest}${caret}]`;
}

/** A range of codes between two signs that have no meaning in a class. */
const isLong = ([from, to]: Ranges[number]): boolean =>
  to - from > 26 && [from, to].every((code) => /[^\p{C}\]^\u005b-]/u.test(String.fromCodePoint(code)));
