/**
 * `npm run bench -- --against COMMIT NAME…`: the named benchmarks of this tree and of an older commit by turns, two rounds of
 * each, so that both see the same machine. Prints the sections; the page stays as it is.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./rig/worker-bundle.ts";

const ROUNDS = 2;
/** Paths that a checkout lacks and benchmarks need: packages, and the programs that `npm run engines` unpacks. */
const LINKED = ["node_modules", "sidecar/node_modules", ".siskin"];

export function runAgainst(commit: string, names: readonly string[], directory: string): void {
  const old = join(directory, "old");
  mkdirSync(old);
  const archive = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1 << 30 });
  execFileSync("tar", ["x", "-C", old], { input: archive });
  for (const name of LINKED) {
    const target = join(ROOT, name);
    if (existsSync(target) && !existsSync(join(old, name))) symlinkSync(target, join(old, name));
  }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of names) {
      for (const [version, cwd] of [
        [commit, old],
        ["this tree", ROOT],
      ] as const) {
        const section = execFileSync("npm", ["run", "--silent", "bench", "--", name], { cwd, encoding: "utf8" });
        console.log(`# ${name}, ${version}, round ${round}\n\n${section}`);
      }
    }
  }
}
