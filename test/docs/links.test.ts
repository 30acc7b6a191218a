/** Links of all documents lead to files and anchors that exist, and docs/index.md names every page. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const pages = globSync(["*.md", "docs/**/*.md", "src/**/*.md", "test/**/*.md"], {
  cwd: ROOT,
  exclude: ["**/node_modules/**"],
}).sort();

/** GitHub's rule for the anchor of a heading. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...page.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
  return new Set(headings);
}

test.each(pages)("links of %s", (page) => {
  // A code span ends with as many backticks as it begins with.
  const code = /^```[\s\S]*?^```$|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/gm;
  const text = readFileSync(join(ROOT, page), "utf8").replaceAll(code, "");
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
    if (!existsSync(file)) return true;
    return anchor !== undefined && statSync(file).isFile() && !anchorsOf(readFileSync(file, "utf8")).has(anchor);
  });
  expect(broken).toEqual([]);
});

test("docs/index.md names every page of docs", () => {
  const index = readFileSync(join(ROOT, "docs/index.md"), "utf8");
  const missing = pages
    // Records of decisions have an index of their own (decisions.test.ts).
    .filter(
      (page) => page.startsWith("docs/") && !/^docs\/(?:index\.md$|reference\/dialects\/|decisions\/\d)/.test(page),
    )
    .filter((page) => !index.includes(`(${relative("docs", page)})`));
  expect(missing).toEqual([]);
});
