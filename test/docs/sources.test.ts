/** docs/reference/sources.md has a current section for every source, with all of its parts. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { pageWithSections, SOURCES, verifiedIn } from "./dialects/sources.ts";

const PAGE = readFileSync(new URL("../../docs/reference/sources.md", import.meta.url), "utf8");
const PARTS = [
  "```json",
  "* **Connector**",
  "* **SQL**",
  "* **Not run**",
  "* **Row rules by default**",
  "* **With `ROW_RULES=besteffort`**",
  "| Type |",
  "Refused of ",
  "Refused operators",
];

test("the sections are current: npm run dialects writes them", () => {
  expect(PAGE).toBe(pageWithSections(PAGE));
});

test("every source has a row in the table and a section", () => {
  expect([...SOURCES].sort()).toEqual([...DATA_SOURCES].sort());
  expect([...verifiedIn(PAGE).keys()].sort()).toEqual([...DATA_SOURCES].sort());
});

test.each(DATA_SOURCES)("the section of %s has all parts", (source) => {
  const section = PAGE.split(`### \`${source}\``)[1]?.split("\n### ")[0] ?? "";
  expect(PARTS.filter((part) => !section.includes(part))).toEqual([]);
});

test.each(DATA_SOURCES)("the section of %s claims a product only where it was executed", (source) => {
  const { connector = "" } = verifiedIn(PAGE).get(source) ?? {};
  const section = PAGE.split(`### \`${source}\``)[1]?.split("\n### ")[0] ?? "";
  const isOther = source === "s3_file" || source === "gcs_file" || !connector.startsWith("executed");
  expect(/\*\*Not run\*\*: .* itself/.test(section)).toBe(isOther);
});
