/** The pages of long runs: each has a row, its code exists, and it is not much older than the newest commit. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evidencePage, madeIn } from "../../scripts/evidence/page.ts";
import { RUNS } from "../../scripts/evidence/runs.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/evidence/index.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
const MOST_DAYS = 60;

/** Undefined in a checkout without its history. */
function git(...words: readonly string[]): string | undefined {
  try {
    return execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}
const newest = git("log", "-1", "--format=%cs");
const hasHistory = newest !== undefined && git("rev-parse", "--is-shallow-repository") === "false";

it("docs/evidence/index.md is as `npm run evidence` writes it", () => {
  expect(PAGE).toBe(evidencePage(madeIn(PAGE)));
});

describe.each(Object.entries(RUNS))("the evidence %s", (name, run) => {
  const made = madeIn(PAGE).get(name);

  it("has a page, a script and code", () => {
    expect(made).toBeDefined();
    expect(scripts).toHaveProperty([run.script]);
    expect([run.page, ...run.code].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.skipIf(!hasHistory)("names a commit of this history", () => {
    expect(git("cat-file", "-t", made?.commit ?? "")).toBe("commit");
  });

  it.skipIf(newest === undefined)(`is at most ${MOST_DAYS} days older than the newest commit`, () => {
    const days = (Date.parse(newest ?? "") - Date.parse(made?.date ?? "")) / 86_400_000;
    expect(days).toBeLessThanOrEqual(MOST_DAYS);
  });
});

it("an old row is read and written as it is", () => {
  const made = new Map([["parity", { date: "2020-01-02", commit: "0123456789" }]]);
  expect(madeIn(evidencePage(made))).toEqual(made);
});
