/** docs/reference/dialects is what the tables of the dialects say, and every dialect is there. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PLANNED_SOURCES } from "../support/statements.ts";
import { pageOf } from "./dialects/page.ts";
import { PAGES, PLACE } from "./dialects/pages.ts";

test.each(PAGES)("the page of $source is current: npm run dialects writes it", (page) => {
  expect(readFileSync(new URL(`${page.source}.md`, PLACE), "utf8")).toBe(pageOf(page));
});

test("every dialect has one; files are read by DuckDB's", () => {
  expect(PAGES.map(({ source }) => source)).toEqual(
    PLANNED_SOURCES.filter((source) => source !== "local_file").toSorted(),
  );
});

/** Pages of dialects without rows from the source itself or the vendor's evaluator. */
const BY_MANUAL = PAGES.filter(({ evidence }) => evidence.includes("by its manual"));

test.each(BY_MANUAL)("every file of $source, which was never run, names its manual", (page) => {
  const files = pageOf(page)
    .split(/\n\* (?=`[^`]+\.ts`: )/)
    .slice(1);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !file.includes("https://"))).toEqual([]);
});
