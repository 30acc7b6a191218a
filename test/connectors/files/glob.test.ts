import { describe, expect, it } from "vitest";
import { catalogMatcher } from "../../../src/connectors/catalog/filter.ts";
import { type DirectoryEntry, escapePattern, expandPattern } from "../../../src/connectors/files/glob.ts";
import { failureOf } from "../../connectors/contract.ts";

const TREE = [
  "a.csv",
  "b.csv",
  ".hidden.csv",
  "x[1].csv",
  "x1.csv",
  "d/a.csv",
  "d/e/a.csv",
  "d/e/f/z.csv",
  "d/.secret/a.csv",
  "ä.csv",
];

/** The entries directly below `directory`. */
async function read(directory: string): Promise<DirectoryEntry[]> {
  const prefix = directory === "" ? "" : `${directory}/`;
  const below = TREE.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const names = new Map(below.map((path) => [path.split("/")[0] ?? "", path.includes("/")]));
  return [...names].map(([name, isDirectory]) => ({ name, isDirectory }));
}

describe("patterns", () => {
  it.each<[pattern: string, paths: string[]]>([
    ["*.csv", ["a.csv", "b.csv", "x1.csv", "x[1].csv", "ä.csv"]],
    ["?.csv", ["a.csv", "b.csv", "ä.csv"]],
    ["[ab].csv", ["a.csv", "b.csv"]],
    ["[!a].csv", ["b.csv", "ä.csv"]],
    ["[a-b].csv", ["a.csv", "b.csv"]],
    ["[b-a].csv", []],
    ["[.csv", []],
    ["x[[]1].csv", ["x[1].csv"]],
    ["x[1].csv", ["x1.csv"]],
    [".*.csv", [".hidden.csv"]],
    ["d/*.csv", ["d/a.csv"]],
    ["*/a.csv", ["d/a.csv"]],
    ["d/*/a.csv", ["d/e/a.csv"]],
    ["**/a.csv", ["a.csv", "d/a.csv", "d/e/a.csv"]],
    ["d/**", ["d/a.csv", "d/e", "d/e/a.csv", "d/e/f", "d/e/f/z.csv"]],
    ["d/**/**/z.csv", ["d/e/f/z.csv"]],
    ["a.csv/*", []],
    ["(a|b)*.csv", []],
    ["a+*.csv", []],
  ])("%s", async (pattern, paths) => {
    expect(await expandPattern(pattern, read)).toEqual(paths);
  });

  it("escaped match themselves alone", async () => {
    for (const path of TREE) {
      const escaped = escapePattern(path);
      expect(await expandPattern(escaped.includes("[") ? escaped : `${path.slice(0, -1)}[v]`, read)).toEqual([path]);
    }
  });

  it("that stand for too much are refused", async () => {
    const many = async (): Promise<DirectoryEntry[]> =>
      Array.from({ length: 400 }, (_, i) => ({ name: `n${i}`, isDirectory: true }));
    expect(await failureOf(expandPattern("*/*/*", many))).toMatchObject({ reason: "FILE_INVALID" });
    expect(await failureOf(expandPattern("**/x", many))).toMatchObject({ reason: "FILE_INVALID" });
  });
});

describe("filters of the catalogue", () => {
  it.each<[pattern: string, name: string, matches: boolean]>([
    ["*", "", true],
    ["sales*", "SALES_2024", true],
    ["*_2024", "sales_2024", true],
    ["s?les", "sales", true],
    ["s?les", "sles", false],
    ["*a*b*c", "xxaxxbxxbxxc", true],
    ["*a*b*c", "xxaxxcxxb", false],
    ["", "x", false],
    ["a.c", "abc", false],
    ["[a]", "a", false],
    ["?", "😀", true],
    [`${"*a".repeat(50)}b`, "a".repeat(10_000), false],
  ])("%s and %s: %s", (table, name, matches) => {
    expect(catalogMatcher({ table })({ table: name })).toBe(matches);
  });
});
