/**
 * Regular expressions in the words that engines of POSIX's and of Perl's kind read alike: characters, lists of characters, groups,
 * alternatives and greedy quantifiers. Classes are written out as their characters; classes of letters of all scripts are too long.
 */
import { itemsOf } from "./match-order.ts";
import { type Part, parsed } from "./pattern-parts.ts";

export interface PlainWords {
  /** How a sign that has a meaning is written as itself: `\.` or `[.]`. */
  readonly sign: "backslash" | "list";
  /** Whether letters are written in both cases. */
  readonly bothCases: boolean;
  /** Whether groups keep their numbers: then there is no other group. */
  readonly keepsGroups: boolean;
  /** The end of the text, if not `$`. */
  readonly end?: string;
}

/** @param pattern in RE2's form and without options; `undefined` if it needs other words. */
export function plainExpression(pattern: string, words: PlainWords): string | undefined {
  const tree = parsed(pattern);
  return tree && written(tree, words);
}

function written(part: Part, words: PlainWords): string | undefined {
  switch (part.kind) {
    case "edge":
      return part.text === "$" ? (words.end ?? "$") : "^";
    case "character":
      return characterIn(part.text, words);
    case "sequence":
      return part.parts.length === 0 ? undefined : joined(part.parts, "", words);
    case "choice":
      return joined(part.parts, "|", words);
    case "group": {
      const body = written(part.body, words);
      const isOther = part.open !== "(" && words.keepsGroups;
      return body === undefined || isOther ? undefined : `(${body})`;
    }
    case "repeat": {
      const body = written(part.body, words);
      return body === undefined || /.\?$/.test(part.sign) ? undefined : body + part.sign;
    }
    default:
      return part satisfies never;
  }
}

function joined(parts: readonly Part[], between: string, words: PlainWords): string | undefined {
  const all = parts.map((part) => written(part, words));
  return all.includes(undefined) ? undefined : all.join(between);
}

/** Ranges of characters, by their codes. */
export type Ranges = readonly (readonly [from: number, to: number])[];

const [TAB, CARRIAGE_RETURN, BLANK] = [9, 13, 32];
const CONTROLS = "\t\n\v\f\r\u0085";
const DIGITS: Ranges = [[48, 57]];
const BLANKS: Ranges = [
  [BLANK, BLANK],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

const NAMED: Readonly<Record<string, Ranges>> = {
  "\\d": DIGITS,
  "[:digit:]": DIGITS,
  "[:xdigit:]": [...DIGITS, [65, 70], [97, 102]],
  "[:punct:]": [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  "\\s": [
    [TAB, 10],
    [12, CARRIAGE_RETURN],
    [BLANK, BLANK],
  ],
  "\\p{Zs}": BLANKS,
  "\\pZ": [...BLANKS, [0x2028, 0x2029]],
};

export interface CharacterSet {
  readonly isNegated: boolean;
  readonly ranges: Ranges;
}

/** The characters of a list, an escape or a character; `undefined` for a class of letters of all scripts. */
export function characterSet(set: string): CharacterSet | undefined {
  if (set === "\\D") return { isNegated: true, ranges: DIGITS };
  const ranges: (readonly [number, number])[] = [];
  for (const item of itemsOf(set)) {
    if (!("named" in item)) ranges.push([item.from, item.to]);
    else {
      const known = NAMED[item.text];
      if (known === undefined) return undefined;
      ranges.push(...known);
    }
  }
  return { isNegated: set.startsWith("[^"), ranges };
}

/** The other case of the letters, where that is one letter. */
export function inBothCases(ranges: Ranges): Ranges | undefined {
  const others: (readonly [number, number])[] = [];
  for (const [from, to] of ranges) {
    if (from === to) others.push(...otherCase(from).map((code) => [code, code] as const));
    else if (isWithin(from, to, "A", "Z")) others.push([from + 32, to + 32]);
    else if (isWithin(from, to, "a", "z")) others.push([from - 32, to - 32]);
    else if (!isWithin(from, to, "0", "9") && /\p{L}/u.test(charactersOf(from, to) ?? "a")) return undefined;
  }
  return [...ranges, ...others.filter(([from, to]) => !ranges.some(([first, last]) => first <= from && to <= last))];
}

function otherCase(code: number): readonly number[] {
  const character = String.fromCodePoint(code);
  return [character.toLowerCase(), character.toUpperCase()]
    .filter((other) => other !== character && [...other].length === 1)
    .map((other) => other.codePointAt(0) ?? code);
}

const isWithin = (from: number, to: number, first: string, last: string): boolean =>
  first.charCodeAt(0) <= from && to <= last.charCodeAt(0);

/** Longer lists are not written out. */
const MAX_CHARACTERS = 100;

/** All of them; `undefined` if there are too many. */
export function charactersOf(from: number, to: number): string | undefined {
  if (to < from || to - from >= MAX_CHARACTERS) return undefined;
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join("");
}

/** The ranges of ASCII's letters and digits as ranges, and the characters of all others; `undefined` if there are too many. */
export function listedCharacters(ranges: Ranges): { readonly ranges: string; readonly characters: string } | undefined {
  let [short, characters] = ["", ""];
  for (const [from, to] of ranges) {
    const isShort = isWithin(from, to, "0", "9") || isWithin(from, to, "A", "Z") || isWithin(from, to, "a", "z");
    if (isShort && to > from) short += `${String.fromCodePoint(from)}-${String.fromCodePoint(to)}`;
    else {
      const all = charactersOf(from, to);
      if (all === undefined) return undefined;
      characters += [...all].filter((each) => !characters.includes(each)).join("");
    }
  }
  const isOdd = [...characters].some((each) => /[\p{Cc}\p{Cs}]/u.test(each) && !CONTROLS.includes(each));
  return isOdd || [...characters].length > MAX_CHARACTERS ? undefined : { ranges: short, characters };
}

function characterIn(text: string, words: PlainWords): string | undefined {
  if (text === ".") return ".";
  const set = characterSet(text);
  const ranges = set && (words.bothCases ? inBothCases(set.ranges) : set.ranges);
  if (set === undefined || ranges === undefined) return undefined;
  const [only, ...others] = ranges;
  if (only !== undefined && others.length === 0 && only[0] === only[1] && !set.isNegated) {
    const character = listedCharacters(ranges)?.characters;
    return character && literal(character, words);
  }
  const listed = listedCharacters(ranges);
  // Engines read a backslash in a list in two ways, and `[.`, `[:` and `[=` begin something.
  if (listed === undefined || /[\\[]/.test(listed.characters)) return undefined;
  const rest = listed.characters.replace(/[\]^-]/g, "");
  const [bracket, caret, dash] = ["]", "^", "-"].map((sign) => (listed.characters.includes(sign) ? sign : ""));
  // A list of a caret and a dash alone has no place for either.
  if (caret !== "" && !set.isNegated && bracket + listed.ranges + rest === "") return undefined;
  return `[${set.isNegated ? "^" : ""}${bracket}${listed.ranges}${rest}${caret}${dash}]`;
}

function literal(character: string, { sign }: PlainWords): string | undefined {
  if (!/[.*+?()[\]{}|^$\\]/.test(character)) return character;
  if (sign === "backslash") return `\\${character}`;
  return /[\^\\]/.test(character) ? undefined : `[${character}]`;
}
