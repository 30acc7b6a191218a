/**
 * Matches one step of a path against a pattern of `*`, `?`, `[abc]`, `[a-z]` and `[!a]` without backtracking: the parts between
 * stars are placed as far left as possible, which succeeds whenever any placement does. Callers choose patterns and names, so all
 * comparisons of a pattern are counted, and a pattern that needs too many is refused.
 */
import { ConnectorFailure } from "../failure.ts";

/** Longer than the keys and paths that stores and file systems accept. */
export const MOST_PATTERN_LETTERS = 4096;
/** `*`, `?` and brackets of one pattern. */
export const MOST_WILDCARDS = 256;
/** Comparisons of one pattern with all names: 100,000 names need a hundredth of it for ordinary patterns. */
export const MOST_COMPARISONS = 50_000_000;

/** Counts the comparisons of one pattern. */
export class Comparisons {
  #count = 0;
  readonly #pattern: string;

  /** Throws `FILE_INVALID` for a pattern that is too long, or has too many wildcards. */
  constructor(pattern: string) {
    if (pattern.length > MOST_PATTERN_LETTERS || wildcardsIn(pattern) > MOST_WILDCARDS) {
      const most = `${MOST_PATTERN_LETTERS} letters and ${MOST_WILDCARDS} wildcards`;
      throw new ConnectorFailure("FILE_INVALID", `The pattern "${pattern.slice(0, 100)}…" has more than ${most}.`);
    }
    this.#pattern = pattern;
  }

  get count(): number {
    return this.#count;
  }

  /** Throws `FILE_INVALID` when there are too many. */
  add(count: number): void {
    this.#count += count;
    if (this.#count <= MOST_COMPARISONS) return;
    throw new ConnectorFailure("FILE_INVALID", `The pattern "${this.#pattern}" takes too long to match.`, {
      hint: "Write fewer wildcards, or name the folder before them.",
    });
  }
}

function wildcardsIn(pattern: string): number {
  let count = 0;
  for (const letter of pattern) if (letter === "*" || letter === "?" || letter === "[") count++;
  return count;
}

export type StepMatcher = (name: string) => boolean;

/** Only a pattern that begins with a dot matches hidden files, as in shells. */
export function stepMatcher(step: string, comparisons: Comparisons): StepMatcher {
  const parts = partsOf(step);
  const [first = []] = parts;
  const findsHidden = step.startsWith(".");
  return (name) => {
    if (name.startsWith(".") && !findsHidden) return false;
    comparisons.add(1);
    let at = endOf(first, name, 0, comparisons);
    if (at === undefined || parts.length === 1) return at === name.length;
    for (const part of parts.slice(1, -1)) {
      at = endOfFirst(part, name, at, comparisons);
      if (at === undefined) return false;
    }
    const start = startOf(parts.at(-1) ?? [], name, comparisons);
    return start !== undefined && start >= at;
  };
}

/** A literal text, or one character of a set. A character is a code point. */
type Item = string | Letters;
type Part = readonly Item[];

interface Letters {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

const ANY: Letters = { isNegated: true, ranges: [] };

/** Splits a pattern at its stars. */
function partsOf(step: string): Part[] {
  const parts: Item[][] = [[]];
  const add = (item: Item): void => {
    const part = parts.at(-1);
    const last = part?.at(-1);
    if (typeof item === "string" && typeof last === "string") part?.splice(-1, 1, last + item);
    else part?.push(item);
  };
  const lastBracket = step.lastIndexOf("]");
  for (let at = 0; at < step.length; ) {
    const letter = String.fromCodePoint(step.codePointAt(at) ?? 0);
    const close = letter === "[" && at < lastBracket ? closeOf(step, at) : -1;
    if (close >= 0) add(lettersOf(step.slice(at + 1, close)));
    else if (letter === "*") parts.push([]);
    else add(letter === "?" ? ANY : letter);
    at = close >= 0 ? close + 1 : at + letter.length;
  }
  return parts;
}

/** A closing bracket is a member of the set if it is first and another closing bracket follows. */
function closeOf(step: string, open: number): number {
  const first = step[open + 1] === "!" ? open + 2 : open + 1;
  const next = step.indexOf("]", first);
  const behind = next === first ? step.indexOf("]", first + 1) : -1;
  return behind >= 0 ? behind : next;
}

/** A reversed range contains no characters. Neither does an empty set, or its negation, as in DuckDB. */
function lettersOf(text: string): Letters {
  const isNegated = text.startsWith("!");
  const codes = Array.from(isNegated ? text.slice(1) : text, (letter) => letter.codePointAt(0) ?? 0);
  const ranges: [number, number][] = [];
  for (let at = 0; at < codes.length; ) {
    const from = codes[at] ?? 0;
    const to = codes[at + 1] === 0x2d ? codes[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    at += to === undefined ? 1 : 3;
  }
  return { isNegated: isNegated && codes.length > 0, ranges };
}

/** The offset after a part that begins at `at`; undefined if it does not match. */
function endOf(part: Part, name: string, at: number, comparisons: Comparisons): number | undefined {
  let end = at;
  for (const item of part) {
    comparisons.add(costOf(item));
    if (typeof item === "string") {
      if (!name.startsWith(item, end)) return undefined;
      end += item.length;
    } else {
      const code = name.codePointAt(end);
      if (code === undefined || !contains(item, code)) return undefined;
      end += code > 0xffff ? 2 : 1;
    }
  }
  return end;
}

/** The offset after the first match of a part at `from` or later. */
function endOfFirst(part: Part, name: string, from: number, comparisons: Comparisons): number | undefined {
  const [first] = part;
  for (let at = from; at <= name.length; at += (name.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    if (typeof first === "string") {
      const next = name.indexOf(first, at);
      comparisons.add(1 + ((next < 0 ? name.length : next) - at) / LETTERS_AT_ONCE);
      if (next < 0) return undefined;
      at = next;
    }
    const end = endOf(part, name, at, comparisons);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** The start of a part that matches the end of the name; undefined if it does not match. */
function startOf(part: Part, name: string, comparisons: Comparisons): number | undefined {
  let start = name.length;
  for (const item of part.toReversed()) {
    comparisons.add(costOf(item));
    if (typeof item === "string") {
      if (!name.endsWith(item, start)) return undefined;
      start -= item.length;
    } else {
      if (start === 0) return undefined;
      const isPair = start > 1 && (name.codePointAt(start - 2) ?? 0) > 0xffff;
      start -= isPair ? 2 : 1;
      if (!contains(item, name.codePointAt(start) ?? 0)) return undefined;
    }
  }
  return start;
}

/** Characters of a text that are compared in the time of one step. */
const LETTERS_AT_ONCE = 16;

const costOf = (item: Item): number =>
  1 + (typeof item === "string" ? item.length / LETTERS_AT_ONCE : item.ranges.length);

function contains({ isNegated, ranges }: Letters, code: number): boolean {
  return ranges.some(([from, to]) => from <= code && code <= to) !== isNegated;
}
