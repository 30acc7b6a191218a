/** The compressed size of the pages: their first files, and all of them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { freshExplorer } from "../../scripts/service/explorer-bundle.ts";

const KIB = 1024;
let directory = "";
beforeAll(async () => {
  directory = await freshExplorer();
});

const text = (name: string): string => readFileSync(join(directory, name), "utf8");
const weight = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(text(name), { level: 9 }).length, 0) / KIB;

const names = (pattern: RegExp): readonly string[] => readdirSync(directory).filter((name) => pattern.test(name));

/** Statements of scripts that load others before they run, and those that load others later. */
const FIRST = /(?:from|import)"\.\/([^"]+)"/g;
const LATER = /import\("\.\/([^"]+)"\)/g;

/** Files that the HTML names, and those that their scripts import in these ways. */
function filesOf(page: string, ways: readonly RegExp[]): readonly string[] {
  const named = [...text(page).matchAll(/\/explore\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
  const found = new Set([page, ...named]);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    for (const way of ways) {
      for (const [, imported = ""] of text(name).matchAll(way)) found.add(imported);
    }
  }
  return [...found];
}

test.each(["index.html", "reference.html"])("%s has 40 KiB at first, and 220 in all", (page) => {
  const first = filesOf(page, [FIRST]);
  expect(first.length).toBeGreaterThan(2);
  expect(weight(first)).toBeLessThanOrEqual(40);
  expect(weight(filesOf(page, [FIRST, LATER]))).toBeLessThanOrEqual(220);
});

test("each script and style sheet belongs to a page", () => {
  const pages = names(/\.html$/);
  const loaded = new Set(pages.flatMap((page) => filesOf(page, [FIRST, LATER])));
  expect(names(/\.(?:js|css)$/).filter((name) => !loaded.has(name))).toEqual([]);
});

/** Pictures are loaded when they come into sight. */
const isText = (name: string): boolean => !name.endsWith(".png");

test("each guide is there in 40 KiB", () => {
  const pages = names(/^guide-.*\.html$/);
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter((page) => weight(filesOf(page, [FIRST]).filter(isText)) > 40)).toEqual([]);
});

test("the view for agents' hosts is one file of at most 60 KiB, which loads nothing", () => {
  expect(weight(["result.html"])).toBeLessThanOrEqual(60);
  const [head = ""] = text("result.html").split("<style>");
  expect(text("result.html")).not.toMatch(/<(?:script|link|img|iframe)\b[^>]* (?:src|href)=/);
  expect(head).toMatch(
    /content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/,
  );
});

test("nothing is inline, and nothing of another host is loaded", () => {
  for (const page of names(/(?<!^result)\.html$/)) {
    expect(text(page), page).not.toMatch(/<script(?![^>]*src="\/)|<style|style=|<[^>]* on\w+=|<(?:iframe|object)\b/);
    expect(text(page), page).not.toMatch(/<(?:link|script|img)[^>]*https?:/);
  }
});
