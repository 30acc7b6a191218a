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

/** Files that the HTML names, and those that their scripts import before they run. */
function firstFiles(page: string): readonly string[] {
  const named = [...text(page).matchAll(/\/explore\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
  const found = new Set([page, ...named]);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    for (const [, imported = ""] of text(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) found.add(imported);
  }
  return [...found];
}

test("40 KiB are there at first, and 220 in all", () => {
  for (const page of ["index.html", "reference.html"]) {
    const first = firstFiles(page);
    expect(first.length, page).toBeGreaterThan(2);
    expect(weight(first), page).toBeLessThanOrEqual(40);
  }
  expect(weight(names(/\.(?:js|css)$|^(?:index|reference)\.html$/))).toBeLessThanOrEqual(220);
});

test("each guide is there in 40 KiB", () => {
  const pages = names(/^guide-.*\.html$/);
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter((page) => weight(firstFiles(page)) > 40)).toEqual([]);
});

test("nothing is inline, and nothing of another host is loaded", () => {
  for (const page of names(/\.html$/)) {
    expect(text(page), page).not.toMatch(
      /<script(?![^>]*src="\/)|<style|style=|<[^>]* on\w+=|<(?:img|iframe|object)\b/,
    );
    expect(text(page), page).not.toMatch(/<(?:link|script)[^>]*https?:/);
  }
});
