// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { wordsOf } from "../../scripts/words/literals.ts";
import { findings, findingsIn } from "../../scripts/words.ts";

const rulesIn = (source: string): readonly string[] =>
  findingsIn(source, true).map(({ line, rule }) => `${line}: ${rule}`);

const COMMENT = "begin a comment with a noun or a verb";
const CONSTRUCT = "name the construct that the caller wrote";

describe("the rules of words find", () => {
  test.each<[string, readonly string[]]>([
    ["// Of a decimal that is written out.", [`1: ${COMMENT}`]],
    ["const a = 1; // As written.", [`1: ${COMMENT}`]],
    ["\n/** What it is. */", [`2: ${COMMENT}`]],
    ["/**\n * Whoever asks.\n */", [`1: ${COMMENT}`]],
    ["// The first line,\n// Of a comment of two.", []],
    ["// Offset of a row.", []],
    ['throw unsupported("this percentile", span);', [`1: ${CONSTRUCT}`]],
    ["throw new PlannerError('X', `such a ${kind}`, { span });", [`1: ${CONSTRUCT}`]],
    ['const NO = { refused: "of another kind" };', [`1: ${CONSTRUCT}`]],
    ['fail("must be a whole number")', ['1: write "integer" for "whole number"']],
    ['const hint = "x", e = { hint: "Dates end in 2299 there." };', ['1: write "the engine or the place" for "there"']],
    ['fail("there is no range")', []],
    ['fail(`${name("this one")} is no number`)', []],
    ['const path = "./open-here.ts"; import x from "there";', []],
    ['const r = /["`]/; fail("not here")', ['1: write "the engine, the option or the place" for "here"']],
    ["fail(`a ${`b ${c}`} // Of no comment`)", []],
  ])("%s", (source, rules) => {
    expect(rulesIn(source)).toEqual(rules);
  });

  test("nothing in errors of files that no caller sees", () => {
    expect(findingsIn('throw new Error("this is a test");', false)).toEqual([]);
  });
});

test("literals know their call and their property", () => {
  const { literals } = wordsOf('fail("a", { hint: `b ${c("d")}`, span });');
  expect(literals.map(({ text, callee, property }) => [text, callee, property])).toEqual([
    ["a", "fail", ""],
    ["d", "c", "hint"],
    ["b …", "fail", "hint"],
  ]);
});

test("the repository keeps the rules", () => {
  expect(findings()).toEqual([]);
}, 120_000);

test("npm run check asks for them", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  expect(scripts["check"]).toContain("npm run --silent words");
  expect(scripts["words"]).toMatch(/ scripts\/words\.ts$/);
});
