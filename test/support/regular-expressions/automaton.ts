/**
 * An expression as an automaton of positions (Glushkov's): one state for each place of a letter, and one edge for each way
 * that a backtracking engine may go from one to the next. Ways are counted, not merged: two ways are what backtracking is made of.
 */
import { type Alphabet, bitOf, type Letters } from "./letters.ts";
import type { Tree } from "./parse.ts";

/** A condition between two letters: which may stand before it, and which behind. */
export interface Condition {
  readonly before: Letters;
  readonly after: Letters;
  /** Whether the condition also holds where no letter is before it, and where none is behind. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
  /** True of `\b`, whose two sides depend on each other. */
  readonly word?: "edge" | "none";
}

export interface Edge {
  readonly to: number;
  readonly conditions: readonly Condition[];
}

export interface Automaton {
  /** Letters of each position. */
  readonly letters: readonly Letters[];
  readonly next: readonly (readonly Edge[])[];
  readonly first: readonly Edge[];
  /** Positions behind which the expression has matched, whatever follows. */
  readonly accepts: ReadonlySet<number>;
}

type Way = { readonly at: number; readonly conditions: readonly Condition[] };

interface Part {
  readonly empty: readonly (readonly Condition[])[];
  readonly first: readonly Way[];
  readonly last: readonly Way[];
}

const NOTHING: Part = { empty: [[]], first: [], last: [] };

/** Repetitions of one letter are counted up to here, and of more than a letter up to the next: beyond they are as good as endless. */
const COUNTED_LETTERS = 64;
const COUNTED_GROUPS = 8;

export function automatonOf(tree: Tree, alphabet: Alphabet): Automaton {
  const builder = new Builder(alphabet);
  const part = builder.part(tree);
  return {
    letters: builder.letters,
    next: builder.next,
    first: part.first.map(({ at, conditions }) => ({ to: at, conditions })),
    accepts: new Set(part.last.filter(({ conditions }) => conditions.length === 0).map(({ at }) => at)),
  };
}

class Builder {
  readonly letters: Letters[] = [];
  readonly next: Edge[][] = [];
  readonly #alphabet: Alphabet;

  constructor(alphabet: Alphabet) {
    this.#alphabet = alphabet;
  }

  part(tree: Tree): Part {
    switch (tree.kind) {
      case "empty":
      case "back":
        return NOTHING;
      case "atom":
        return this.#letter(this.#alphabet.matched(tree));
      case "sequence":
        return tree.parts.map((part) => this.part(part)).reduce((left, right) => this.#joined(left, right), NOTHING);
      case "either": {
        const parts = tree.parts.map((part) => this.part(part));
        return {
          empty: parts.flatMap(({ empty }) => empty),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
        };
      }
      case "edge":
        return { ...NOTHING, empty: [[this.#edge(tree.at)]] };
      case "look":
        return this.#look(tree);
      case "repeat":
        return this.#repeat(tree.body, tree.least, tree.most);
    }
  }

  #letter(letters: Letters): Part {
    const at = this.letters.push(letters) - 1;
    this.next.push([]);
    return { empty: [], first: [{ at, conditions: [] }], last: [{ at, conditions: [] }] };
  }

  #joined(left: Part, right: Part): Part {
    this.#connect(left.last, right.first);
    return {
      empty: left.empty.flatMap((one) => right.empty.map((other) => [...one, ...other])),
      first: [...left.first, ...behind(left.empty, right.first)],
      last: [...right.last, ...behind(right.empty, left.last)],
    };
  }

  #connect(last: readonly Way[], first: readonly Way[]): void {
    for (const from of last) {
      for (const to of first) {
        const conditions = [...from.conditions, ...to.conditions];
        this.next[from.at]?.push({ to: to.at, conditions });
      }
    }
  }

  #repeat(body: Tree, least: number, most: number): Part {
    if (most === 0) return NOTHING;
    const counted = body.kind === "atom" ? COUNTED_LETTERS : COUNTED_GROUPS;
    const fixed = Math.min(least, counted);
    let whole: Part = NOTHING;
    for (let at = 0; at < fixed; at++) whole = this.#joined(whole, this.part(body));
    if (most > counted) {
      // The last of those that must be there is the one that is repeated.
      const again = this.part(body);
      this.#connect(again.last, again.first);
      return this.#joined(whole, { empty: [[]], first: again.first, last: again.last });
    }
    let rest: Part = NOTHING;
    for (let at = least; at < most; at++) {
      const one = this.#joined(this.part(body), rest);
      rest = { empty: [[]], first: one.first, last: one.last };
    }
    return this.#joined(whole, rest);
  }

  #edge(at: Extract<Tree, { kind: "edge" }>["at"]): Condition {
    const { all, lineEnds } = this.#alphabet;
    if (at === "start") return { before: 0n, after: all, atStart: true, atEnd: true };
    if (at === "end") return { before: all, after: 0n, atStart: true, atEnd: true };
    if (at === "lineStart") return { before: lineEnds, after: all, atStart: true, atEnd: true };
    if (at === "lineEnd") return { before: all, after: lineEnds, atStart: true, atEnd: true };
    return { before: all, after: all, atStart: true, atEnd: true, word: at === "word" ? "edge" : "none" };
  }

  #look({ behind: isBehind, negated, body }: Extract<Tree, { kind: "look" }>): Part {
    const { all } = this.#alphabet;
    const single = this.#single(body);
    if (single !== undefined) {
      const letters = negated ? all & ~single.letters : single.letters;
      const atEdge = negated !== single.atEdge;
      const condition = isBehind
        ? { before: letters, after: all, atStart: atEdge, atEnd: true }
        : { before: all, after: letters, atStart: true, atEnd: atEdge };
      return { ...NOTHING, empty: [[condition]] };
    }
    // A look-around is read from each position where it is used, and nothing follows it.
    const looked = this.part(body);
    // The letters that end what is looked back at are before the place, at least.
    const isTied = isBehind && !negated && looked.empty.length === 0;
    const ends = looked.last.reduce((sum, { at }) => sum | (this.letters[at] ?? 0n), 0n);
    const maybe: Condition = { before: isTied ? ends : all, after: all, atStart: !isTied, atEnd: true };
    return { empty: [[maybe]], first: looked.first, last: [] };
  }

  /** Letters that a look-around of a single letter, or at an edge, accepts. */
  #single(body: Tree): { readonly letters: Letters; readonly atEdge: boolean } | undefined {
    if (body.kind === "atom") return { letters: this.#alphabet.matched(body), atEdge: false };
    if (body.kind === "edge" && (body.at === "start" || body.at === "end")) return { letters: 0n, atEdge: true };
    if (body.kind !== "either") return undefined;
    let letters = 0n;
    let atEdge = false;
    for (const part of body.parts) {
      const one = this.#single(part);
      if (one === undefined) return undefined;
      letters |= one.letters;
      atEdge ||= one.atEdge;
    }
    return { letters, atEdge };
  }
}

const behind = (empty: readonly (readonly Condition[])[], ways: readonly Way[]): Way[] =>
  empty.flatMap((skipped) => ways.map(({ at, conditions }) => ({ at, conditions: [...skipped, ...conditions] })));

/** Whether all conditions hold between two letters; `before` is undefined where the text begins. */
export function passes(
  conditions: readonly Condition[],
  before: number | undefined,
  after: number,
  { words }: Alphabet,
): boolean {
  return conditions.every((condition) => {
    if (before === undefined ? !condition.atStart : (condition.before & bitOf(before)) === 0n) return false;
    if ((condition.after & bitOf(after)) === 0n) return false;
    if (condition.word === undefined) return true;
    const isEdge = (before !== undefined && (words & bitOf(before)) !== 0n) !== ((words & bitOf(after)) !== 0n);
    return isEdge === (condition.word === "edge");
  });
}
