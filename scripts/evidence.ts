/** `npm run evidence -- NAME`: makes a long run and stamps its row of docs/evidence/index.md. Without a name it prints the runs. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { evidencePage, type Made, madeIn } from "./evidence/page.ts";
import { type EvidenceRun, RUNS } from "./evidence/runs.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PAGE = `${ROOT}docs/evidence/index.md`;
const git = (...words: readonly string[]): string =>
  execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

function commitsSince(made: Made | undefined, { code }: EvidenceRun): string {
  if (made === undefined) return "never made";
  try {
    const count = git("rev-list", "--count", `${made.commit}..HEAD`, "--", ...code);
    return `${made.date} on ${made.commit}, ${count} commits of its code since`;
  } catch {
    return `${made.date} on ${made.commit}, which this history does not hold`;
  }
}

const runs: ReadonlyMap<string, EvidenceRun> = new Map(Object.entries(RUNS));
const [name, ...words] = process.argv.slice(2);
const made = madeIn(readFileSync(PAGE, "utf8"));
const run = name === undefined ? undefined : runs.get(name);
if (run === undefined) {
  if (name !== undefined) console.error(`There is no run ${name}.`);
  for (const [each, definition] of runs) {
    console.log(`${each.padEnd(16)} ${definition.takes.padEnd(13)} ${definition.page}: ${definition.proves}.`);
    console.log(`${" ".repeat(31)}${commitsSince(made.get(each), definition)}`);
  }
  process.exitCode = name === undefined ? 0 : 1;
} else {
  const commit = git("rev-parse", "--short=8", "HEAD");
  const command = ["run", run.script, "--", ...(run.words ?? []), ...words];
  const { status } = spawnSync("npm", command, { cwd: ROOT, stdio: "inherit" });
  process.exitCode = status ?? 1;
  if (status === 0) {
    // Another run may have stamped its row meanwhile.
    const latest = new Map(madeIn(readFileSync(PAGE, "utf8")));
    latest.set(name ?? "", { date: new Date().toISOString().slice(0, 10), commit });
    writeFileSync(PAGE, evidencePage(latest));
  }
}
