/**
 * Runs the benchmarks one after the other, each in a process of its own, and writes `docs/evidence/benchmarks.md`.
 *
 *     npm run bench             all of them, in five to fifteen minutes
 *     npm run bench -- NAME     one of them; prints its section and leaves the page alone
 *     npm run bench -- --against COMMIT NAME…     these of COMMIT and of this tree by turns
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runAgainst } from "./against.ts";
import { facts, foreignLoad } from "./notebook/machine.ts";
import { budgetTable, type Entry, page, sectionText } from "./notebook/page.ts";
import { standardQueries } from "./rig/queries.ts";
import { buildWorker } from "./rig/worker-bundle.ts";
import type { Material, Section } from "./subject.ts";
import { SUBJECTS } from "./subjects.ts";

/** A benchmark that takes longer is ended and fails the run. */
const TIME_LIMIT_MS = 300_000;

let running: ChildProcess | undefined;
const directory = mkdtempSync(join(tmpdir(), "siskin-bench-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // It ends what it started; this process follows it.
    if (running === undefined) process.exit(1);
    running.kill("SIGTERM");
  });
}

async function runOne(name: string, material: Material): Promise<Entry> {
  const busy = await foreignLoad();
  const started = performance.now();
  process.stderr.write(`${name} … `);
  const section = await sectionOf(name, material);
  const seconds = (performance.now() - started) / 1000;
  process.stderr.write(`${seconds.toFixed(0)} s\n`);
  return { section, foreignLoad: busy, seconds };
}

function sectionOf(name: string, material: Material): Promise<Section> {
  const child = fork(new URL("run-subject.ts", import.meta.url), [name, JSON.stringify(material)], {
    execArgv: ["--experimental-strip-types", "--disable-warning=ExperimentalWarning", "--expose-gc"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  running = child;
  const limit = setTimeout(() => child.kill("SIGTERM"), TIME_LIMIT_MS);
  return new Promise((resolve, reject) => {
    let section: Section | undefined;
    child.once("message", (message) => {
      section = message as Section;
    });
    child.once("exit", () => {
      clearTimeout(limit);
      running = undefined;
      if (section === undefined) reject(new Error(`The benchmark ${name} failed.`));
      else resolve(section);
    });
  });
}

const [first, ...others] = process.argv.slice(2);
const [commit, ...compared] = first === "--against" ? others : [];
const only = first === "--against" ? undefined : first;
const unknown = [...compared, ...(only === undefined ? [] : [only])].find((name) => SUBJECTS[name] === undefined);
if (unknown !== undefined || (first === "--against" && compared.length === 0)) {
  const problem =
    unknown === undefined ? "--against takes a commit and benchmarks." : `Unknown benchmark "${unknown}".`;
  console.error(`${problem} Benchmarks: ${Object.keys(SUBJECTS).join(", ")}`);
  process.exit(1);
}
try {
  if (commit !== undefined) {
    runAgainst(commit, compared, directory);
    process.exit();
  }
  const material: Material = { bundle: await buildWorker(directory), standard: standardQueries() };
  if (only !== undefined) {
    const entry = await runOne(only, material);
    console.log(`${sectionText(entry)}\n\n${budgetTable(entry.section.budgets)}`);
  } else {
    const entries: Entry[] = [];
    const about = await facts();
    for (const name of Object.keys(SUBJECTS)) entries.push(await runOne(name, material));
    writeFileSync(
      fileURLToPath(new URL("../docs/evidence/benchmarks.md", import.meta.url)),
      page({ facts: about, entries }),
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
