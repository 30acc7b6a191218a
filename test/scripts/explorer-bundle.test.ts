/** The compressed size of the page: its first files, and all of them. */
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

/** Files that the HTML names, and those that their scripts import before they run. */
function firstFiles(): readonly string[] {
  const named = [...text("index.html").matchAll(/\/explore\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
  const found = new Set(["index.html", ...named]);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    for (const [, imported = ""] of text(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) found.add(imported);
  }
  return [...found];
}

test("40 KiB are there at first, and 220 in all", () => {
  const first = firstFiles();
  expect(first.length).toBeGreaterThan(2);
  expect(weight(first)).toBeLessThanOrEqual(40);
  expect(weight(readdirSync(directory))).toBeLessThanOrEqual(220);
});

test("nothing is inline, and nothing of another host is named", () => {
  expect(text("index.html")).not.toMatch(/<script(?![^>]*src=)|<style|style=| on\w+=|https?:/);
});
