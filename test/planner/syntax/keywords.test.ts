/** Words that need no quotes: the lexer reads each as one word. */
import { expect, test } from "vitest";
import { isReservedAsName, isReservedWord, isWord } from "../../../src/planner/syntax/keywords.ts";

test.each<readonly [name: string, is: boolean]>([
  ["a", true],
  ["Z", true],
  ["_", true],
  ["a1$_Z", true],
  ["1a", false],
  ["$a", false],
  ["a-b", false],
  ["a b", false],
  ["[a", false],
  ["@a", false],
  ["`a", false],
  ["{a", false],
  ["a\u0000", false],
  ["", false],
  ["é", true],
  ["aé1", true],
  ["1é", false],
  ["a😀", false],
])("%j is a word: %s", (name, is) => {
  expect(isWord(name)).toBe(is);
});

test("a reserved word is one in any case, if it is asked for with its case", () => {
  expect([isReservedAsName("Select"), isReservedWord("select"), isReservedWord("SELECT")]).toEqual([true, true, false]);
  expect([isReservedAsName("Name"), isReservedWord("name")]).toEqual([false, false]);
});
