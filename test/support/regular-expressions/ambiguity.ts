/**
 * Whether a backtracking engine may need more than linear time for an expression, decided from the expression alone.
 *
 * An engine that backtracks tries every way to read a text before it says no. So its time grows with the number of ways, and that
 * number is bounded unless one of two things is in the automaton: a place that one word leads back to in two ways (then
 * the ways double with each repetition of the word), or two places, each of which the word leads back to, and the first to
 * the second as well (then they grow with a power). A search that is tied to no start is a first such place by itself: it begins anew at each
 * letter. Timing would find the same with luck, for texts that somebody thought of; this finds the text, and says the same on any machine.
 *
 * Places from which the word passes a match are left out: where a match is behind every way, none of them fails.
 */
import { type Automaton, automatonOf, type Edge, passes } from "./automaton.ts";
import { type Alphabet, alphabetOf, bitOf } from "./letters.ts";
import { parseExpression } from "./parse.ts";

export interface Ambiguity {
  readonly growth: "exponential" | "polynomial";
  /** The repeated part. */
  readonly pump: string;
  /** A text that leads to where the pump works. */
  readonly prefix: string;
}

/** The place of a search that has not begun to match. */
const SEARCH = -1;
const MOST_STATES = 400_000;

export function ambiguityOf(source: string, flags: string): Ambiguity | undefined {
  const tree = parseExpression(source, flags);
  const alphabet = alphabetOf(tree, /[uv]/.test(flags));
  return new Analysis(automatonOf(tree, alphabet), alphabet, !flags.includes("y")).found();
}

interface Step {
  readonly to: number;
  readonly ways: number;
}

class Analysis {
  readonly #automaton: Automaton;
  readonly #alphabet: Alphabet;
  readonly #searches: boolean;
  readonly #searchEdges: readonly Edge[];
  readonly #component = new Map<number, number>();
  readonly #steps = new Map<number, readonly Step[]>();
  readonly #reach = new Map<number, ReadonlySet<number>>();

  constructor(automaton: Automaton, alphabet: Alphabet, searches: boolean) {
    this.#automaton = automaton;
    this.#alphabet = alphabet;
    this.#searches = searches;
    this.#searchEdges = [{ to: SEARCH, conditions: [] }, ...automaton.first];
    this.#findComponents();
  }

  found(): Ambiguity | undefined {
    const looping = [...this.#component.keys()].filter((place) => this.#reachable(place).has(place));
    for (const place of looping) {
      if (place === SEARCH) continue;
      const pump = this.#twoWaysBack(place);
      if (pump !== undefined) return { growth: "exponential", pump, prefix: this.#prefix(place) };
    }
    for (const first of looping) {
      for (const second of looping) {
        if (first === second || second === SEARCH || this.#component.get(first) === this.#component.get(second))
          continue;
        if (!this.#reachable(first).has(second)) continue;
        const pump = this.#loopsAndCrosses(first, second);
        if (pump !== undefined) return { growth: "polynomial", pump, prefix: this.#prefix(first) };
      }
    }
    return undefined;
  }

  /** A word that leads from a place back to it in two ways. */
  #twoWaysBack(place: number): string | undefined {
    const home = this.#component.get(place);
    const isHome = (at: number) => this.#component.get(at) === home;
    return this.#word(
      [place, place],
      (state, ways) => state[0] === place && state[1] === place && ways > 1,
      (at) => isHome(at),
      place,
    );
  }

  /** A word that leads from the first place to itself and to the second, and from the second to itself. */
  #loopsAndCrosses(first: number, second: number): string | undefined {
    const homes = [first, second].map((place) => this.#component.get(place));
    return this.#word(
      [first, first, second],
      (state) => state[0] === first && state[1] === second && state[2] === second,
      (at, index) =>
        index === 0
          ? this.#component.get(at) === homes[0]
          : index === 1
            ? at === second || this.#reachable(at).has(second)
            : this.#component.get(at) === homes[1],
      second,
    );
  }

  /** The shortest word along which all of `start` goes to the target at once, without a match behind `failing`. */
  #word(
    start: readonly number[],
    isTarget: (state: readonly number[], ways: number) => boolean,
    mayPass: (at: number, index: number) => boolean,
    failing: number,
  ): string | undefined {
    const letters = this.#alphabet.groups.length;
    for (let begun = 0; begun < letters; begun++) {
      if (!start.every((at) => this.#has(at, begun))) continue;
      type Open = { state: readonly number[]; ways: number; letter: number; after: ReadonlySet<number>; from?: Open };
      const seen = new Set<string>();
      let open: Open[] = [{ state: start, ways: 1, letter: begun, after: new Set([failing]) }];
      while (open.length > 0) {
        const next: Open[] = [];
        for (const at of open) {
          for (let letter = 0; letter < letters; letter++) {
            const after = this.#all(at.after, at.letter, letter);
            if (after === undefined) continue;
            for (const { state, ways } of this.#together(at.state, at.letter, letter, mayPass)) {
              const differs = state.length === 2 && state[0] !== state[1] ? 2 : 1;
              const one = { state, ways: Math.max(at.ways, ways, differs), letter, after, from: at };
              const key = `${state.join()}/${one.ways > 1}/${letter}/${[...after].sort((a, b) => a - b).join()}`;
              if (seen.has(key)) continue;
              seen.add(key);
              if (seen.size > MOST_STATES) throw new Error("The expression is too large to be judged.");
              if (letter === begun && isTarget(state, one.ways)) return this.#spelt(one);
              next.push(one);
            }
          }
        }
        open = next;
      }
    }
    return undefined;
  }

  #spelt(last: { letter: number; from?: { letter: number; from?: unknown } }): string {
    let text = "";
    type Link = { letter: number; from?: Link };
    for (let at = last as Link; at.from !== undefined; at = at.from) text = this.#alphabet.groups[at.letter] + text;
    return text;
  }

  /** All places that a word leads to; nothing where a match is among them. */
  #all(places: ReadonlySet<number>, before: number, letter: number): ReadonlySet<number> | undefined {
    const all = new Set<number>();
    for (const place of places) {
      for (const { to } of this.#step(place, before, letter)) {
        if (this.#automaton.accepts.has(to)) return undefined;
        all.add(to);
      }
    }
    return all;
  }

  #together(
    state: readonly number[],
    before: number,
    letter: number,
    mayPass: (at: number, index: number) => boolean,
  ): { state: readonly number[]; ways: number }[] {
    let all: { state: readonly number[]; ways: number }[] = [{ state: [], ways: 1 }];
    for (const [index, at] of state.entries()) {
      const steps = this.#step(at, before, letter).filter(({ to }) => mayPass(to, index));
      all = all.flatMap((one) =>
        steps.map(({ to, ways }) => ({ state: [...one.state, to], ways: Math.max(one.ways, ways) })),
      );
    }
    return all;
  }

  #step(at: number, before: number, letter: number): readonly Step[] {
    const key = ((at + 1) * 128 + before) * 128 + letter;
    const known = this.#steps.get(key);
    if (known !== undefined) return known;
    const ways = new Map<number, number>();
    for (const { to, conditions } of this.#edges(at)) {
      if (!this.#has(to, letter) || !passes(conditions, before, letter, this.#alphabet)) continue;
      ways.set(to, (ways.get(to) ?? 0) + 1);
    }
    const steps = [...ways].map(([to, count]) => ({ to, ways: count }));
    this.#steps.set(key, steps);
    return steps;
  }

  #edges(at: number): readonly Edge[] {
    return at === SEARCH ? this.#searchEdges : (this.#automaton.next[at] ?? []);
  }

  #has(at: number, letter: number): boolean {
    return at === SEARCH || ((this.#automaton.letters[at] ?? 0n) & bitOf(letter)) !== 0n;
  }

  #reachable(from: number): ReadonlySet<number> {
    const known = this.#reach.get(from);
    if (known !== undefined) return known;
    const found = new Set<number>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const { to } of this.#edges(at)) {
        if (found.has(to)) continue;
        found.add(to);
        open.push(to);
      }
    }
    this.#reach.set(from, found);
    return found;
  }

  #findComponents(): void {
    const places = [...(this.#searches ? [SEARCH] : []), ...this.#automaton.letters.keys()];
    let component = 0;
    for (const place of places) {
      if (this.#component.has(place)) continue;
      this.#component.set(place, ++component);
      for (const other of this.#reachable(place)) {
        if (!this.#component.has(other) && this.#reachable(other).has(place)) this.#component.set(other, component);
      }
    }
  }

  /** A text that leads from the start to a place. */
  #prefix(place: number): string {
    if (place === SEARCH) return "";
    const seen = new Map<number, string>();
    let open: [number, number | undefined][] = [];
    const visit = (edges: readonly Edge[], before: number | undefined, text: string, into: [number, number][]) => {
      for (const { to, conditions } of edges) {
        if (seen.has(to)) continue;
        const letter = this.#alphabet.groups.findIndex(
          (_, at) => this.#has(to, at) && passes(conditions, before, at, this.#alphabet),
        );
        if (letter < 0) continue;
        seen.set(to, text + this.#alphabet.groups[letter]);
        into.push([to, letter]);
      }
    };
    const begun: [number, number][] = [];
    visit(this.#automaton.first, undefined, "", begun);
    open = begun;
    while (open.length > 0 && !seen.has(place)) {
      const next: [number, number][] = [];
      for (const [at, letter] of open) visit(this.#edges(at), letter, seen.get(at) ?? "", next);
      open = next;
    }
    return seen.get(place) ?? "";
  }
}
