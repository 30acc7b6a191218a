import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FINE = 'import { test } from "vitest"; test("fine", () => {});';
const WRONG = 'import { test } from "vitest"; test("wrong", () => { throw new Error("wrong"); });';
const UNREADABLE = "export const = 1;";
const UNHANDLED = `import { test } from "vitest"; test("late", async () => {
  void Promise.reject(new Error("late"));
  await new Promise((resolve) => setTimeout(resolve, 50));
});`;
const ENDED = `import { test } from "vitest"; test("ended", async () => {
  process.kill(process.pid, "SIGSEGV");
  await new Promise(() => {});
});`;

const made: string[] = [];
afterEach(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true });
});

async function run(files: readonly string[]): Promise<{ readonly failed: boolean; readonly lost: string }> {
  // Below the root, where `vitest` is found.
  const directory = await mkdtemp(join(ROOT, "node_modules/.lost-files-"));
  made.push(directory);
  await Promise.all(files.map((text, at) => writeFile(join(directory, `${at}.test.js`), text)));
  const list = join(directory, "lost");
  const reporter = join(ROOT, "test/tiers/lost-files.ts");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const args = [
    vitest,
    "run",
    "--root",
    directory,
    "--config",
    "none.ts",
    `--reporter=${reporter}`,
    "--dir",
    directory,
  ];
  await writeFile(join(directory, "none.ts"), "export default { test: { include: ['*.test.js'], exclude: [] } };");
  const { status } = spawnSync(process.execPath, args, { env: { ...process.env, LOST_FILES: list }, encoding: "utf8" });
  return { failed: status !== 0, lost: existsSync(list) ? readFileSync(list, "utf8").trim() : "" };
}

test.each([
  ["nothing, when all is well", [FINE], false, ""],
  ["the file whose process ended", [FINE, ENDED], true, "1.test.js"],
  ["nothing, when a test failed as well", [ENDED, WRONG], true, ""],
  ["nothing, when a file cannot be read", [ENDED, UNREADABLE], true, ""],
  ["nothing, when an error was not handled", [ENDED, UNHANDLED], true, ""],
  ["nothing, when a test failed", [WRONG], true, ""],
])("the list names %s", async (_what, files, failed, lost) => {
  const outcome = await run(files);
  expect(outcome.failed).toBe(failed);
  expect(basename(outcome.lost)).toBe(lost);
});
