/** The order in which Perl's matching rules try the ways that a pattern may match. */
import { ESCAPE, inside, isOpen, type Part, type Preference } from "./pattern-parts.ts";

/** A step of an attempt: a character of the set at this index, one of two alternatives (the first is tried first), an anchor. */
type Step =
  | { readonly kind: "character"; readonly set: number; readonly next: number }
  | { kind: "fork"; first: number; second: number }
  | { readonly kind: "start"; readonly next: number }
  | { readonly kind: "never" | "done" };

export interface Alphabet {
  readonly sets: readonly string[];
  /** For all characters that are in the same sets, one list of these sets. */
  readonly characters: readonly (readonly boolean[])[];
}

/** Limits on the work for one pattern; a pattern beyond them is refused. */
const MAX_STEPS = 3_000;
const MAX_MOVES = 30_000;
const MAX_CHARACTERS = 400;

/**
 * Whether Perl tries the possible matches in order of length. All attempts are followed in parallel, in their order, over every
 * text: one that has matched must be the last of those that could still continue (the first, for the shortest match).
 */
export function isInOrder(part: Part, preferred: Preference, { sets, characters }: Alphabet): boolean {
  const steps: Step[] = [{ kind: "done" }];
  const entry = stepsOf(part, 0, steps, sets);
  if (entry === undefined) return false;
  let moves = 0;
  const follow = (from: readonly number[], atStart: boolean): readonly number[] => {
    const seen = new Set<number>();
    const reached: number[] = [];
    const pending = from.toReversed();
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const step = steps[at];
      if (step === undefined || seen.has(at)) continue;
      moves++;
      seen.add(at);
      if (step.kind === "fork") pending.push(step.second, step.first);
      else if (step.kind === "start" && atStart) pending.push(step.next);
      else if (step.kind === "character" || step.kind === "done") reached.push(at);
    }
    return reached;
  };
  const known = new Set<string>();
  const waiting = [follow([entry], true), follow([entry], false)];
  for (let tries = waiting.pop(); tries !== undefined; tries = waiting.pop()) {
    const key = tries.join();
    if (known.has(key)) continue;
    known.add(key);
    const done = tries.indexOf(0);
    if (done >= 0 && done !== (preferred === "longest" ? tries.length - 1 : 0)) return false;
    if (moves > MAX_MOVES) return false;
    for (const character of characters) {
      moves += tries.length;
      const going = tries.flatMap((at) => {
        const step = steps[at];
        return step?.kind === "character" && character[step.set] ? [step.next] : [];
      });
      if (going.length > 0) waiting.push(follow(going, false));
    }
  }
  return true;
}

/**
 * Adds the steps of a part before `next`. Returns their start, or `undefined` for constructs that engines interpret differently.
 */
function stepsOf(part: Part, next: number, steps: Step[], sets: readonly string[]): number | undefined {
  const add = (step: Step): number | undefined => (steps.length < MAX_STEPS ? steps.push(step) - 1 : undefined);
  switch (part.kind) {
    case "character":
      return add({ kind: "character", set: sets.indexOf(part.text), next });
    case "edge":
      // After the end of the text no match is longer.
      return add(part.text === "$" ? { kind: "never" } : { kind: "start", next });
    case "group":
      return stepsOf(part.body, next, steps, sets);
    case "sequence": {
      let entry: number | undefined = next;
      for (const each of part.parts.toReversed())
        entry = entry === undefined ? undefined : stepsOf(each, entry, steps, sets);
      return entry;
    }
    case "choice": {
      const ways = part.parts.map((each) => stepsOf(each, next, steps, sets));
      return ways.reduceRight((second, first) =>
        first === undefined || second === undefined ? undefined : add({ kind: "fork", first, second }),
      );
    }
    case "repeat":
      return stepsOfRepeat(part, next, steps, sets);
    default:
      return part satisfies never;
  }
}

function stepsOfRepeat(
  { body, sign, least, most }: Part & { readonly kind: "repeat" },
  next: number,
  steps: Step[],
  sets: readonly string[],
): number | undefined {
  // Iterations that match the empty text have special rules.
  if (most > 1 && isOpen(body)) return undefined;
  const isLazy = /.\?$/.test(sign);
  /** Another iteration, or continue. */
  const optional = (round: (fork: number) => number | undefined): number | undefined => {
    if (steps.length >= MAX_STEPS) return undefined;
    const fork: Step = { kind: "fork", first: next, second: next };
    const own = steps.push(fork) - 1;
    const again = round(own);
    if (again === undefined) return undefined;
    if (isLazy) fork.second = again;
    else fork.first = again;
    return own;
  };
  let entry: number | undefined = next;
  if (most === Number.POSITIVE_INFINITY) entry = optional((fork) => stepsOf(body, fork, steps, sets));
  else {
    for (let round = least; round < most && entry !== undefined; round++) {
      const after: number = entry;
      entry = optional(() => stepsOf(body, after, steps, sets));
    }
  }
  for (let round = 0; round < least && entry !== undefined; round++) entry = stepsOf(body, entry, steps, sets);
  return entry;
}

// -------------------------------------------------------------------------------------------------------- characters

/** Beyond ASCII: a control character, blanks, letters with and without case, a mark, digits, symbols. */
const SAMPLES = "\u0085\u00a0\u2003\u00e9\u00c9\u00df\u4e00\u0301\u0663\u00b2\u203f\u00d7\u20ac\u{1f600}";

const SAMPLED: readonly number[] = [...Array(128).keys(), ...Array.from(SAMPLES, codeOf)];

export function alphabetOf(tree: Part, anyCase: boolean): Alphabet | undefined {
  const sets = [...new Set(charactersIn(tree))];
  const isIn = sets.map((set) => setOf(set));
  const own = sets.flatMap((set) => itemsOf(set).flatMap((item) => ("named" in item ? [] : [item.from, item.to])));
  if (own.length > MAX_CHARACTERS) return undefined;
  const codes = new Set(SAMPLED);
  for (const code of own)
    codes
      .add(code - 1)
      .add(code)
      .add(code + 1);
  const characters = new Map<string, readonly boolean[]>();
  for (const code of codes) {
    const character = code < 0 || code > 0x10ffff ? "" : String.fromCodePoint(code);
    const forms = anyCase ? [character, character.toLowerCase(), character.toUpperCase()] : [character];
    const single = forms.filter((form) => form.length === (codeOf(form) > 0xffff ? 2 : 1));
    const member = isIn.map((test) => single.some(test));
    characters.set(member.join(), member);
  }
  return { sets, characters: [...characters.values()] };
}

function charactersIn(part: Part): readonly string[] {
  return part.kind === "character" ? [part.text] : inside(part).flatMap(charactersIn);
}

/** A range of characters, or a class by its name. */
type Item = { readonly from: number; readonly to: number } | { readonly named: RegExp; readonly text: string };

const CHARACTER = `(${ESCAPE}|[^])`;
const ITEMS = new RegExp(`\\[:\\w+:\\]|\\\\[dDs]|\\\\p(?:\\w|\\{\\w+\\})|${CHARACTER}(?:-${CHARACTER})?`, "gu");

/** Ranges and classes that a list, an escape or a character is made of. */
export function itemsOf(set: string): readonly Item[] {
  if (set === ".") return [{ from: 0, to: 0x10ffff }];
  const list = /^\[\^?(.+)\]$/su.exec(set)?.[1] ?? set;
  return Array.from(list.matchAll(ITEMS), ([item, from, to = from]) =>
    from === undefined || to === undefined
      ? { named: namedSet(item), text: item }
      : { from: writtenCode(from), to: writtenCode(to) },
  );
}

function namedSet(item: string): RegExp {
  if (item === "[:punct:]") return /[!-/:-@[-`{-~]/;
  if (item === "[:xdigit:]") return /[\da-f]/i;
  if (item === "[:digit:]") return /\d/;
  return new RegExp(item.replace(/^\\p(\w)$/, "\\p{$1}"), "u");
}

function setOf(set: string): (character: string) => boolean {
  const items = itemsOf(set);
  const isNegated = set.startsWith("[^");
  return (character) => {
    const code = codeOf(character);
    const found = items.some((item) =>
      "named" in item ? item.named.test(character) : item.from <= code && code <= item.to,
    );
    return found !== isNegated;
  };
}

const CONTROLS: Readonly<Record<string, number>> = { "\\a": 7, "\\t": 9, "\\n": 10, "\\v": 11, "\\f": 12, "\\r": 13 };

function writtenCode(written: string): number {
  const hex = /^\\x\{?(\w+)\}?$/.exec(written)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  return CONTROLS[written] ?? codeOf(written.length > 1 && written.startsWith("\\") ? written.slice(1) : written);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
