/** The records of docs/decisions: their numbers, their index and their form. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const RECORDS = readdirSync("docs/decisions").filter((file) => file !== "index.md");
const REQUIRED = ["Context", "Decision", "Consequence"];
const WITH_ALTERNATIVES = ["Context", "Decision", "Alternatives", "Consequence"];
/** A record without alternatives is short. One that weighs alternatives may fill a page. */
const MAX_WORDS = { short: 260, full: 500 } as const;

const headingsOf = (text: string): string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);

test("no number stands for two records, and the index names each record once by its title", () => {
  expect(RECORDS.length).toBeGreaterThan(60);
  const numbers = RECORDS.map((file) => file.slice(0, 4));
  expect(numbers.filter((number, index) => !/^\d{4}$/.test(number) || numbers.indexOf(number) !== index)).toEqual([]);
  const lines = RECORDS.map((file) => {
    const [, title] = /^# (.+)$/m.exec(readFileSync(`docs/decisions/${file}`, "utf8")) ?? [];
    return `* [${file.slice(0, 4)}](${file}): ${title}`;
  });
  const index = readFileSync("docs/decisions/index.md", "utf8");
  expect([...index.matchAll(/^\* .+$/gm)].map(([line]) => line).sort()).toEqual(lines.sort());
});

test.each(RECORDS)("%s has a context, a decision and a consequence", (file) => {
  const text = readFileSync(`docs/decisions/${file}`, "utf8");
  const headings = headingsOf(text);
  const weighs = headings.includes("Alternatives");
  expect(headings).toEqual(weighs ? WITH_ALTERNATIVES : REQUIRED);
  expect(text.split(/\s+/).length).toBeLessThan(weighs ? MAX_WORDS.full : MAX_WORDS.short);
});

/** Decisions from which much else follows have to name what was weighed. */
test.each([
  "0002-exact-values.md",
  "0019-functions.md",
  "0020-row-rules.md",
  "0021-one-meaning.md",
  "0055-one-owner-per-engine.md",
  "0059-parameters-are-literals.md",
  "0060-projects.md",
])("%s names its alternatives", (file) => {
  expect(headingsOf(readFileSync(`docs/decisions/${file}`, "utf8"))).toEqual(WITH_ALTERNATIVES);
});
