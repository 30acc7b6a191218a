/** Code and documents cite a decision by its number, so no number may stand for two. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const NUMBERS = [...readFileSync("docs/decisions.md", "utf8").matchAll(/^\| ([A-Z]\d+) \|/gm)].map(
  ([, number]) => number,
);

test("each number of docs/decisions.md stands for one decision", () => {
  expect(NUMBERS.length).toBeGreaterThan(400);
  expect(NUMBERS.filter((number, index) => NUMBERS.indexOf(number) !== index)).toEqual([]);
});
