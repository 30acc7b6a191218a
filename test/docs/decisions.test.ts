/** Code and documents cite a decision by its number, so no number may stand for two. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const NUMBERS = [...readFileSync("docs/decisions.md", "utf8").matchAll(/^\| ([A-Z]\d+) \|/gm)].map(
  ([, number]) => number,
);

test("each number of docs/decisions.md stands for one decision", () => {
  expect(NUMBERS.length).toBeGreaterThan(400);
  expect(NUMBERS.filter((number, index) => NUMBERS.indexOf(number) !== index)).toEqual([]);
});

const RECORDS = readdirSync("docs/decisions").filter((file) => file !== "index.md");

test("records are numbered from 0001 without gaps, and the index names each by its title", () => {
  expect(RECORDS.map((file) => Number(file.slice(0, 4)))).toEqual(RECORDS.map((_, index) => index + 1));
  const index = readFileSync("docs/decisions/index.md", "utf8");
  for (const file of RECORDS) {
    const [, title] = /^# (.+)$/m.exec(readFileSync(`docs/decisions/${file}`, "utf8")) ?? [];
    expect(index).toContain(`* [${file.slice(0, 4)}](${file}): ${title}\n`);
  }
});

test.each(RECORDS)("%s has a context, a decision and a consequence on half a page", (file) => {
  const text = readFileSync(`docs/decisions/${file}`, "utf8");
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
    "Context",
    "Decision",
    "Consequence",
  ]);
  expect(text.split(/\s+/).length).toBeLessThan(250);
});
