/** docs/guide/model-as-code.md: its commands run in order, and print what is shown below them. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf } from "../support/documents.ts";

const ROOT = join(import.meta.dirname, "../..");
const blocks = blocksOf(readFileSync(join(ROOT, "docs/guide/model-as-code.md"), "utf8"));

let directory: string;
let path: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-guide-"));
  const bin = mkdtempSync(join(tmpdir(), "siskin-bin-"));
  symlinkSync(join(ROOT, "cli/bin/siskin.mjs"), join(bin, "siskin"));
  path = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);
});
afterAll(() => rmSync(directory, { recursive: true }));

test("the commands print what the guide shows", () => {
  const commands = blocks.filter(({ language }) => language === "sh");
  expect(commands.length).toBeGreaterThan(6);
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== "sh") continue;
    const env = { PATH: path, HOME: directory };
    const { stdout, stderr, status } = spawnSync("bash", ["-e", "-c", text], { cwd: directory, encoding: "utf8", env });
    const next = blocks[index + 1];
    const shown = next?.language === "text" && !next.text.startsWith("shop/siskin.yml") ? next.text : undefined;
    expect({ text, status, error: status === 0 ? "" : stderr }).toEqual({ text, status: 0, error: "" });
    if (shown === undefined) continue;
    const printed = stdout === "" ? stderr : stdout;
    expect(printed.trimEnd()).toBe(shown.trimEnd());
  }
});
