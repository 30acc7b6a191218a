/** Letters grouped by which atoms of an expression match them: one letter of each group stands for all of it. */
import type { Tree } from "./parse.ts";

/** Sets of groups are bits of a number, for which 32 would be too few. */
export type Letters = bigint;

export const bitOf = (group: number): Letters => 1n << BigInt(group);

export interface Alphabet {
  /** A letter of each group. */
  readonly groups: readonly string[];
  readonly words: Letters;
  readonly lineEnds: Letters;
  readonly all: Letters;
  matched(atom: { readonly text: string; readonly flags: string }): Letters;
}

const BEYOND_ASCII = [..."\u00a0éÉßſKµıİ\u2028\ufeffあ中٣½\u0301ⅷ“", "\ud83d", "\udc00", "😀"];

export function alphabetOf(tree: Tree, unicode: boolean): Alphabet {
  const atoms = new Map<string, RegExp>();
  collect(tree, atoms);
  const letters = new Set<string>(BEYOND_ASCII.filter((letter) => unicode || letter.length === 1));
  for (let code = 0; code < 128; code++) letters.add(String.fromCharCode(code));
  for (const key of atoms.keys()) {
    for (const escaped of key.matchAll(/\\u\{?([0-9a-fA-F]{4,6})\}?|\\x([0-9a-fA-F]{2})|([^\0-\x7f])/gu)) {
      const code = escaped[3]?.codePointAt(0) ?? Number.parseInt(escaped[1] ?? escaped[2] ?? "0", 16);
      for (const near of [code - 1, code, code + 1]) {
        if (near >= 0 && near <= (unicode ? 0x10ffff : 0xffff)) letters.add(String.fromCodePoint(near));
      }
    }
  }
  const tests = [...atoms.values(), /\w/, /[\n\r\u2028\u2029]/];
  const byAtoms = new Map<string, string>();
  // A letter that people can read stands for its group where there is one.
  const inOrder = [...letters].sort((a, b) => Number(isPlain(b)) - Number(isPlain(a)));
  for (const letter of inOrder) {
    const key = tests.map((test) => (test.test(letter) ? 1 : 0)).join("");
    if (!byAtoms.has(key)) byAtoms.set(key, letter);
  }
  const groups = [...byAtoms.values()];
  const bits = (test: RegExp) => groups.reduce((sum, letter, at) => sum | (test.test(letter) ? bitOf(at) : 0n), 0n);
  return {
    groups,
    words: bits(/\w/),
    lineEnds: bits(/[\n\r\u2028\u2029]/),
    all: groups.reduce((sum, _, at) => sum | bitOf(at), 0n),
    matched: (atom) => bits(atoms.get(keyOf(atom)) as RegExp),
  };
}

const isPlain = (letter: string) => /^[!-~]$/.test(letter);

const keyOf = (atom: { readonly text: string; readonly flags: string }) => `${atom.text}/${atom.flags}`;

function collect(tree: Tree, into: Map<string, RegExp>): void {
  if (tree.kind === "atom") {
    into.set(keyOf(tree), new RegExp(`^(?:${tree.text})$`, tree.flags.replaceAll(/[^iusv]/g, "")));
  } else if (tree.kind === "sequence" || tree.kind === "either") {
    for (const part of tree.parts) collect(part, into);
  } else if (tree.kind === "repeat" || tree.kind === "look") collect(tree.body, into);
}
