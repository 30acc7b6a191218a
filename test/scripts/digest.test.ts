/** When the Workers are built again: the digest of their inputs decides, not the times of files. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { digestOf } from "../../scripts/service/digest.ts";

const root = mkdtempSync(join(tmpdir(), "siskin-digest-"));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, "src/deep"), { recursive: true });
const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
const digest = (): string => digestOf(["src", "package.json"], root);
write("src/a.ts", "a");
write("src/deep/b.ts", "b");
write("package.json", "{}");
const first = digest();

test("temporary files of wrangler change nothing", () => {
  mkdirSync(join(root, "src/.wrangler/tmp"), { recursive: true });
  write("src/.wrangler/tmp/x.js", "x");
  expect(digest()).toBe(first);
});

test("a new time of a file changes nothing", () => {
  utimesSync(join(root, "src/a.ts"), new Date(0), new Date(0));
  expect(digest()).toBe(first);
});

test.each([
  ["a text", () => write("src/deep/b.ts", "c"), () => write("src/deep/b.ts", "b")],
  ["a file more", () => write("src/deep/c.ts", ""), () => rmSync(join(root, "src/deep/c.ts"))],
  ["a file outside of directories", () => write("package.json", "{ }"), () => write("package.json", "{}")],
  [
    "letters that move to the next file",
    () => [write("src/a.ts", ""), write("src/deep/b.ts", "ab")],
    () => [write("src/a.ts", "a"), write("src/deep/b.ts", "b")],
  ],
])("%s changes the digest", (_what, change, undo) => {
  change();
  expect(digest()).not.toBe(first);
  undo();
  expect(digest()).toBe(first);
});
