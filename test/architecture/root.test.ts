import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Configurations belong beside what they configure, so that the first page of the repository can be read. */
const MOST = 25;

test(`the root directory has at most ${MOST} entries`, () => {
  const files = execFileSync("git", ["ls-files"], { cwd: join(import.meta.dirname, "../.."), encoding: "utf8" });
  const entries = new Set(files.split("\n").flatMap((file) => (file === "" ? [] : [file.split("/")[0]])));
  expect([...entries].sort()).toHaveLength(Math.min(entries.size, MOST));
});
