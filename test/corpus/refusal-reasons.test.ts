/** Every refusal on the page has a line, and every line is of a refusal: `npm run evidence -- refusals` writes the page. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PLANNED_SOURCES } from "../support/statements.ts";
import { howPlanned, JUST, NOT_YET, whyJust } from "./refusal-reasons.ts";

const PAGE = readFileSync(new URL("../../docs/evidence/refusals.md", import.meta.url), "utf8");

/** Sources and the reasons in their sections. */
const REFUSED = PLANNED_SOURCES.map((source) => {
  const [, section = ""] = PAGE.split(`\n## ${source}\n`);
  const [rows = ""] = section.split("\n## ");
  const cells = [...rows.matchAll(/^\| (?!Reason \|)(.*?) \| \d+ \| (.*?) ?\|$/gm)];
  return {
    source,
    reasons: cells.map(([, reason = "", line = ""]) => ({ reason: reason.replaceAll("\\|", "|"), line })),
  };
});

describe.each(REFUSED)("$source", ({ source, reasons }) => {
  test("each reason has the line that the lists give it", () => {
    expect(reasons.filter(({ line }) => line === "")).toEqual([]);
    const other = reasons.filter(
      ({ reason, line }) => (whyJust(reason, source) ?? howPlanned(reason, source)) !== line,
    );
    expect(other).toEqual([]);
  });
});

test.each([
  ["JUST", JUST, whyJust],
  ["NOT_YET", NOT_YET, howPlanned],
] as const)("%s has no line of which no refusal is", (_name, lines, lineOf) => {
  const given = new Set(REFUSED.flatMap(({ source, reasons }) => reasons.map(({ reason }) => lineOf(reason, source))));
  expect(lines.filter(({ line }) => !given.has(line)).map(({ reason }) => reason.source)).toEqual([]);
});

test.each([...JUST, ...NOT_YET].map(({ line }) => line))("%s", (line) => {
  expect(line).toMatch(/^[A-Z].*\.$/);
});
