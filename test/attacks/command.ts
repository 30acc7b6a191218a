/**
 * `npm run attacks`: the attack tests on this checkout and on one from before the faults were closed, whose files come from
 * `git archive` and whose `test/` is replaced by today's. Prints a table, and writes it to docs/evidence/attacks.md with `--write`.
 * Exit code 1: an attack succeeds here, or a test does not show it there. A test shows an attack by a failed assertion; a file that
 * cannot be loaded shows nothing.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { writeEvidence } from "../support/evidence.ts";

/** Names of attacks behind the options; all of them without. */
const NAMES = process.argv.slice(2).filter((word) => !word.startsWith("--"));
/** The last commit that the attacks were found on. */
const BEFORE = "47709d91";
const ROOT = join(import.meta.dirname, "../..");
const PAGE = new URL("../../docs/evidence/attacks.md", import.meta.url);

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
  }[];
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The first line of the first failure, or why the file could not be loaded. */
  readonly first: string;
}

/** `test/tsconfig.json` refers to the others, which were elsewhere before. */
const CONFIGURATIONS = [
  "vitest.config.ts",
  "tsconfig.json",
  "src/tsconfig.json",
  "src/planner/tsconfig.json",
  "sidecar/tsconfig.json",
];

/** The files of a commit with today's tests, and the packages of this checkout. */
function checkout(commit: string): string {
  const directory = mkdtempSync(join(tmpdir(), "siskin-attacks-"));
  const archive = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x", "-C", directory], { input: archive });
  rmSync(join(directory, "test"), { recursive: true });
  cpSync(join(ROOT, "test"), join(directory, "test"), { recursive: true });
  for (const name of CONFIGURATIONS) cpSync(join(ROOT, name), join(directory, name));
  mkdirSync(join(directory, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name !== ".cache" && name !== ".vite" && name !== "@siskin") {
      symlinkSync(join(ROOT, "node_modules", name), join(directory, "node_modules", name));
    }
  }
  return directory;
}

/** The outcome of each attack file, by name. */
function outcomes(directory: string): ReadonlyMap<string, Outcome> {
  const file = join(mkdtempSync(join(tmpdir(), "siskin-report-")), "report.json");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const files = NAMES.length === 0 ? ["test/attacks"] : NAMES.map((name) => `test/attacks/${name}`);
  const words = [vitest, "run", ...files, "--reporter=json", `--outputFile=${file}`];
  const { stderr } = spawnSync(process.execPath, words, { cwd: directory, encoding: "utf8", timeout: 1_800_000 });
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    throw new Error(`vitest wrote no report in ${directory}: ${stderr.slice(-2000)}`);
  }
  return new Map(
    report.testResults.map(({ name, message, assertionResults }) => {
      const of = (status: string) => assertionResults.filter((result) => result.status === status);
      const [failure = message] = of("failed").flatMap(({ failureMessages }) => failureMessages);
      const first = failure.split("\n", 1)[0] ?? "";
      return [basename(name, ".test.ts"), { passed: of("passed").length, failed: of("failed").length, first }];
    }),
  );
}

const [here, directory] = [outcomes(ROOT), checkout(BEFORE)];
const before = outcomes(directory);
// Some attacks leave processes there that turn forever; their words name the directory.
spawnSync("pkill", ["-KILL", "-f", directory]);
rmSync(directory, { recursive: true, force: true });

const plain = (text: string): string => text.replaceAll("|", "\\|").replaceAll(directory, "").slice(0, 120);
const lines = [`| Attack | on ${BEFORE} | here | the first failure on ${BEFORE} |`, "|---|---|---|---|"];
let isShown = here.size > 0;
for (const [name, now] of [...here].sort(([one], [other]) => one.localeCompare(other))) {
  const then = before.get(name) ?? { passed: 0, failed: 0, first: "the file did not run" };
  const ranThen = then.failed === 0 ? "**shows nothing**" : `${then.failed} of ${then.failed + then.passed} fail`;
  const ranNow = now.failed > 0 || now.passed === 0 ? `**${now.failed} fail**` : `${now.passed} pass`;
  isShown &&= then.failed > 0 && now.failed === 0 && now.passed > 0;
  lines.push(`| ${name} | ${ranThen} | ${ranNow} | ${plain(then.first)} |`);
}
console.log(lines.join("\n"));
if (process.argv.includes("--write")) writeEvidence(PAGE, "npm run attacks -- --write", "attacks", lines);
process.exitCode = isShown ? 0 : 1;
