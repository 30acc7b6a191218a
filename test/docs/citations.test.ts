/** Code, documents and test cases cite documents of this repository alone, by an anchor that exists. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { wordsOf } from "../../scripts/words/literals.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCES = ["src", "sidecar", "supervisor", "scripts", "bench", "test", "examples"];
const FILES = [
  ...SOURCES.flatMap((place) => globSync(`${place}/**/*.{ts,md}`, { cwd: ROOT })),
  ...globSync("{docs/**/,}*.md", { cwd: ROOT }),
  ...globSync("test/cases/*.json", { cwd: ROOT }),
].filter((file) => !file.includes("node_modules") && file !== "test/docs/citations.test.ts");

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
    /\b(?:[Cc]ontract,? (?:§|Appendix)|(?<!docs\/spec\/|\[|\/)planner\.md|semantics\.md|specification §|decisions?(?:\.md)?,? [A-Z](?:\d|\b(?= for|[).,;])))/;
  expect([...texts].filter(([, text]) => outside.test(text)).map(([file]) => file)).toEqual([]);
});

const TOKEN = /(?<![\w"'`$./-])[A-Z]{1,2}\d{1,3}(?![\w"'`/-])/g;
/** Names of products, algorithms and queries of TPC-H that look like a lettered citation. */
const NAMES = /^(?:S3|R2|V8|RE2|LZ4|MD5|BM25|[RPE]S\d{3}|Q\d{1,2})$/;
/** Rows of docs/reference/compatibility.md have numbers that its own tests use as keys. */
const ROWS_OF_COMPATIBILITY = [
  "docs/reference/compatibility.md",
  "test/docs/compatibility.test.ts",
  "test/engines/compatibility.test.ts",
];

/** Comments of code, Markdown without its code, notes of test cases. */
function prose(file: string, text: string): string {
  if (file.endsWith(".ts"))
    return wordsOf(text)
      .comments.map((comment) => comment.text)
      .join("\n");
  if (file.endsWith(".md")) return text.replaceAll(/```.*?```/gs, "").replaceAll(/`[^`\n]*`/g, "");
  return [...text.matchAll(/"(?:note|title|meaning|why)": ?"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value).join("\n");
}

test.each([
  ["a.ts", "/** Groups follow keys (S12). */", ["S12"]],
  ["a.ts", "// See X6.", ["X6"]],
  ["a.ts", 'const x = "P10";', []],
  ["a.md", "Refused by L1, not by `L2` or S3.", ["L1"]],
  ["a.json", '{"id": "J28", "note": "as P4"}', ["P4"]],
])("%s with %s has the lettered citations %j", (file, text, expected) => {
  expect(lettered(file, text)).toEqual(expected);
});

/** Reading comments is slow, so only files with such a token anywhere are read. */
const may = (text: string): boolean => [...text.matchAll(TOKEN)].some(([token]) => !NAMES.test(token));

function lettered(file: string, text: string): string[] {
  if (file.endsWith(".ts") && !may(text)) return [];
  const ids = new Set([...text.matchAll(/"id": ?"([A-Z]+\d+)"/g)].map(([, id]) => id));
  return [...prose(file, text).matchAll(TOKEN)]
    .map(([token]) => token)
    .filter((token) => !NAMES.test(token) && !ids.has(token));
}

test("nothing is cited by a letter and a number, which no reader can look up", () => {
  const found = [...texts]
    .filter(([file]) => !ROWS_OF_COMPATIBILITY.includes(file))
    .flatMap(([file, text]) => lettered(file, text).map((token) => `${file}: ${token}`));
  expect(found).toEqual([]);
});
