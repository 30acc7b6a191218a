/** Other commits of this repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./worker-bundle.ts";

export const git = (...words: readonly string[]): Buffer =>
  execFileSync("git", words, { cwd: ROOT, maxBuffer: 1 << 30 });

export const headCommit = (): string => git("rev-parse", "--short=8", "HEAD").toString().trim();

/** Unpacks `src` and `package.json` of a commit into a new folder of `directory`, and returns its path. */
export function unpacked(commit: string, directory: string): string {
  const root = join(directory, commit);
  mkdirSync(root);
  execFileSync("tar", ["x", "-C", root], { input: git("archive", commit, "src", "package.json") });
  return root;
}
