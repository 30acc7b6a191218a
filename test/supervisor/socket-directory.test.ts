import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { socketDirectory } from "../../supervisor/socket-directory.ts";

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true });
});
function directory(path: string): string {
  made.push(path);
  return path;
}

it("is for its owner alone", () => {
  expect(statSync(directory(socketDirectory())).mode & 0o777).toBe(0o700);
});

it("is where a directory can be made, and a socket's path is short enough", () => {
  const base = directory(mkdtempSync(join(tmpdir(), "siskin-test-")));
  const long = join(base, "l".repeat(90));
  mkdirSync(long);
  const found = socketDirectory([join(base, "nowhere"), long, base]);
  expect(dirname(found)).toBe(base);
});

it("is an error without such a place", () => {
  expect(() => socketDirectory(["/nowhere/at/all"])).toThrow(/ENOENT/);
});
