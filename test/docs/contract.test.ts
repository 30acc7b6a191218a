/** docs/spec/contract.md: every section names its tests, and its lists are those of the code. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROUTES } from "../../src/api/routes.ts";
import { ERRORS } from "../../src/service/errors.ts";
import { OPERATIONS } from "../../src/service/operations.ts";

const PAGE = readFileSync("docs/spec/contract.md", "utf8");
const SECTIONS = PAGE.split(/^## /m)
  .slice(1)
  .map((text) => ({ heading: text.split("\n")[0] ?? "", text }));

const sectionOf = (heading: string): string => SECTIONS.find((section) => section.heading === heading)?.text ?? "";
const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, code = ""]) => code);

test.each(SECTIONS)("$heading names tests that exist", ({ text }) => {
  const [, tests = ""] = /^Tests: (.+)\.$/m.exec(text) ?? [];
  const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

/** Pairs of code and status. A row of the first table has two; the other statuses are prose. */
function statusesOf(text: string): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  const add = (codes: readonly string[], statuses: readonly number[]): void => {
    for (const code of codes) found.set(code, new Set([...(found.get(code) ?? []), ...statuses]));
  };
  for (const [row] of text.matchAll(/^\| `.*$/gm)) {
    const cells = row.split("|").slice(1, -1);
    for (let index = 0; index + 1 < cells.length; index += 2) {
      add(codesIn(cells[index] ?? ""), [...(cells[index + 1] ?? "").matchAll(/\b[45]\d\d\b/g)].map(Number));
    }
  }
  return found;
}

test("the error codes and their statuses are those of the table of errors", () => {
  const expected = new Map<string, Set<number>>();
  for (const { code, status } of Object.values(ERRORS))
    expected.set(code, new Set([...(expected.get(code) ?? []), status]));
  const sorted = (codes: ReadonlyMap<string, ReadonlySet<number>>) =>
    [...codes].map(([code, statuses]) => `${code} ${[...statuses].sort().join(" ")}`).sort();
  expect(sorted(statusesOf(sectionOf("Error codes")))).toEqual(sorted(expected));
});

test("the phases are those that an error can have", () => {
  const phases = new Set<string>(Object.values(OPERATIONS).map(({ phase }) => phase));
  for (const { phase } of Object.values(ERRORS)) if (phase !== null && phase !== "operation") phases.add(phase);
  expect([...codesIn(sectionOf("Phases"))].sort()).toEqual([...phases].sort());
});

test("the routes of connectors are in the table, and no others", () => {
  const routes = sectionOf("Routes");
  const names = new Set(ROUTES.filter(({ family }) => family !== "project").map(({ path }) => lastName(path)));
  expect([...names].filter((name) => !routes.includes(name))).toEqual([]);
  for (const [, name = ""] of routes.matchAll(/\/v3\/connector\/(?:\{source\}\/)?([a-z-]+)/g)) {
    expect([...names, "metadata", "validate", "function"]).toContain(name);
  }
});

function lastName(path: string): string {
  const names = path.split("/").filter((part) => part !== "" && !part.startsWith(":"));
  return names.at(-1) ?? "";
}
