/** Code cites documents of this repository alone, by an anchor that exists. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILES = ["src", "sidecar", "supervisor", "scripts", "bench", "test"]
  .flatMap((place) => globSync(`${place}/**/*.ts`, { cwd: ROOT }))
  .filter((file) => !file.includes("node_modules") && file !== "test/docs/citations.test.ts");

const texts = new Map(FILES.map((file) => [file, readFileSync(`${ROOT}${file}`, "utf8")]));
const CITED = /\b(docs\/[\w./-]+\.md)#([\w-]+)/g;
const PAGES = /\bdocs\/(?:spec|decisions)\/[\w./-]+\.md/g;

/** Anchors as GitHub makes them of headings: lower case, blanks as hyphens, without signs. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );

test("each cited anchor exists", () => {
  const cited = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(CITED)].map(([, page = "", anchor = ""]) => ({ file, page, anchor })),
  );
  const anchors = new Map(
    [...new Set(cited.map(({ page }) => page))].map((page) => [
      page,
      anchorsOf(readFileSync(`${ROOT}${page}`, "utf8")),
    ]),
  );
  expect(cited.length).toBeGreaterThan(200);
  expect(cited.filter(({ page, anchor }) => anchors.get(page)?.has(anchor) !== true)).toEqual([]);
});

test("each cited page exists", () => {
  const cited = new Set([...texts.values()].flatMap((text) => [...text.matchAll(PAGES)].map(([page]) => page)));
  expect(cited.size).toBeGreaterThan(40);
  expect([...cited].filter((page) => !existsSync(`${ROOT}${page}`))).toEqual([]);
});

test("no document outside of the repository is cited", () => {
  const outside =
    /\b(?:[Cc]ontract,? (?:§|Appendix)|(?<!docs\/spec\/)planner\.md|semantics\.md|specification §|decisions? [A-RT-Z]\d)/;
  expect([...texts].filter(([, text]) => outside.test(text)).map(([file]) => file)).toEqual([]);
});
