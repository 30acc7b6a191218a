/** Patterns against a matcher that is written as plainly as can be, and against DuckDB's own. */
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { patternMatcher } from "../../../src/connectors/files/glob.ts";
import {
  Comparisons,
  MOST_COMPARISONS,
  MOST_PATTERN_LETTERS,
  MOST_WILDCARDS,
  stepMatcher,
} from "../../../src/connectors/files/step-pattern.ts";

/** Numbers below `below` from a seed (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function textOf(parts: readonly string[], most: number, random: (below: number) => number): string {
  return Array.from({ length: random(most + 1) }, () => parts[random(parts.length)]).join("");
}

type Plain = { readonly star: true } | { readonly star: false; readonly takes: (letter: string) => boolean };

/** The meaning of a step, item by item. */
function itemsOf(step: string): Plain[] {
  const letters = [...step];
  const items: Plain[] = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at]!;
    let first = at + (letters[at + 1] === "!" ? 2 : 1);
    let close = letters.indexOf("]", first);
    if (close === first && letters.indexOf("]", first + 1) > 0) close = letters.indexOf("]", first + 1);
    if (letter === "*") items.push({ star: true });
    else if (letter === "?") items.push({ star: false, takes: () => true });
    else if (letter === "[" && close > 0) {
      const isNegated = first === at + 2 && close > first;
      const ranges: [string, string][] = [];
      while (first < close) {
        const isRange = letters[first + 1] === "-" && first + 2 < close;
        ranges.push([letters[first]!, letters[isRange ? first + 2 : first]!]);
        first += isRange ? 3 : 1;
      }
      const code = (of: string) => of.codePointAt(0)!;
      const isIn = (of: string) => ranges.some(([from, to]) => code(from) <= code(of) && code(of) <= code(to));
      items.push({ star: false, takes: (of) => isIn(of) !== isNegated });
      at = close;
    } else items.push({ star: false, takes: (of) => of === letter });
  }
  return items;
}

/** All pairs of a beginning of the pattern and one of the name. */
function plainlyMatches(step: string, name: string): boolean {
  if (name.startsWith(".") && !step.startsWith(".")) return false;
  const letters = [...name];
  let ends = new Set([0]);
  for (const item of itemsOf(step)) {
    const next = new Set<number>();
    for (const end of ends) {
      if (item.star) for (let to = end; to <= letters.length; to++) next.add(to);
      else if (end < letters.length && item.takes(letters[end]!)) next.add(end + 1);
    }
    ends = next;
  }
  return ends.has(letters.length);
}

const PARTS = [
  "*",
  "*",
  "?",
  "a",
  "b",
  "ab",
  "-",
  "]",
  "[",
  "!",
  "[ab]",
  "[!a]",
  "[a-c]",
  "[c-a]",
  "[]a]",
  "[a-]",
  "ä",
  "😀",
  ".",
  "^",
];
const NAMES = ["a", "a", "b", "c", "ab", "-", "]", "[", "!", "ä", "😀", ".", "^"];

describe("a step", () => {
  it("matches as the plain matcher says, 40,000 times", () => {
    let matches = 0;
    for (let seed = 1; seed <= 40_000; seed++) {
      const random = numbers(seed);
      const [step, name] = [textOf(PARTS, 7, random), textOf(NAMES, 8, random)];
      const expected = plainlyMatches(step, name);
      if (expected) matches++;
      const found = stepMatcher(step, new Comparisons(step))(name);
      if (found !== expected) expect({ seed, step, name, found }).toEqual({ seed, step, name, found: expected });
    }
    expect(matches).toBeGreaterThan(1000);
  });

  it("matches as DuckDB says, where both have the same signs", async () => {
    const cases: { step: string; name: string }[] = [];
    const plain = (text: string) => /^[\x21-\x7e]*$/.test(text);
    for (let seed = 1; cases.length < 5000; seed++) {
      const random = numbers(seed);
      const step = textOf(PARTS, 7, random);
      const name = textOf(NAMES, 8, random);
      // DuckDB counts bytes, knows no hidden names here, and takes a dash before the end of a set, and a set without one, otherwise.
      const isOdd = /\[(?![^\]]*\])|\[!?\]|\[[^\]]*-\]|\[[^\]]*-[^\]]*-/.test(step);
      if (plain(step) && plain(name) && !name.startsWith(".") && !isOdd) cases.push({ step, name });
    }
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    const rows = cases.map(({ step, name }, at) => `(${at}, ${quoted(name)}, ${quoted(step)})`).join(", ");
    const sql = `SELECT n GLOB p FROM (VALUES ${rows}) AS v(i, n, p) ORDER BY i`;
    const told = (await (await connection.run(sql)).getRows()).map(([value]) => value);
    connection.closeSync();
    instance.closeSync();
    const ours = cases.map(({ step, name }) => stepMatcher(step, new Comparisons(step))(name));
    const differing = cases.flatMap((each, at) => (told[at] === ours[at] ? [] : [{ ...each, duckdb: told[at] }]));
    expect(differing).toEqual([]);
    expect(told.filter(Boolean).length).toBeGreaterThan(200);
  });
});

/** Comparisons that a pattern takes with a path. */
function comparisonsOf(pattern: string, path: string): number {
  const comparisons = new Comparisons(pattern);
  patternMatcher(pattern, comparisons)(path);
  return comparisons.count;
}

describe("the work", () => {
  it.each<[pattern: string, path: (length: number) => string]>([
    [`${"*a".repeat(50)}*b`, (length) => "a".repeat(length)],
    [`${"*[a]".repeat(50)}b`, (length) => "a".repeat(length)],
    [`${"*?".repeat(50)}b`, (length) => "a".repeat(length)],
    [`${"*a?".repeat(20)}*[b]`, (length) => "a".repeat(length)],
    [`*${"a".repeat(300)}[b]*`, (length) => "a".repeat(length)],
    [`${"**/".repeat(50)}b`, (length) => "a/".repeat(length / 2)],
    [`${"**/*a*/".repeat(25)}b`, (length) => "aa/".repeat(length / 3)],
    ["data/year=*/month=??/part-*.parquet", (length) => `data/year=2024/month=01/part-${"0".repeat(length)}.parquet`],
  ])("of %s grows no faster than the path", (pattern, path) => {
    const [once, twice] = [3000, 6000].map((length) => comparisonsOf(pattern, path(length)));
    expect(twice! / once!).toBeLessThan(2.2);
    expect(twice).toBeLessThan(6000 * pattern.length);
  });

  it("of an honest pattern over as many keys as are listed is far from the limit", () => {
    const pattern = "data/year=20[0-9][0-9]/*/part-*.parquet";
    const one = comparisonsOf(pattern, `data/year=2024/month=01/part-${"0".repeat(60)}.parquet`);
    expect(one * 100_000).toBeLessThan(MOST_COMPARISONS / 5);
  });

  it("is limited for all paths of a pattern together", () => {
    const pattern = `*${"a".repeat(500)}[b]*`;
    const matches = patternMatcher(pattern);
    const path = "a".repeat(1000);
    expect(() => {
      for (let at = 0; at < 100_000; at++) matches(path);
    }).toThrow(expect.objectContaining({ reason: "FILE_INVALID" }));
  });

  it.each([
    ["a".repeat(MOST_PATTERN_LETTERS + 1)],
    ["*a".repeat(MOST_WILDCARDS + 1)],
    ["[a]".repeat(MOST_WILDCARDS + 1)],
    ["?".repeat(MOST_WILDCARDS + 1)],
  ])("of a pattern that is too large is not begun: case %#", (pattern) => {
    expect(() => patternMatcher(pattern)).toThrow(expect.objectContaining({ reason: "FILE_INVALID" }));
  });
});
