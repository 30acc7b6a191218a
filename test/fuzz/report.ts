/**
 * `npm run fuzz:long` judges a million inputs, hands a part of the plans to the engines' own parsers, and writes
 * docs/evidence/fuzzing.md. `FUZZ_INPUTS`, `FUZZ_SEED` and `FUZZ_THREADS` change what is run; `FUZZ_TARGETS=all` plans each input for every
 * dialect, and `FUZZ_MINUTES=10` goes on for that long. Ends with 1 when anything is wrong.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { version as duckDbVersion } from "@duckdb/node-api";
import { targetsOf } from "./checks.ts";
import { openParsers } from "./engines.ts";
import { ORIGINS } from "./inputs.ts";
import { rerun, runRange } from "./run.ts";
import { addReport, BUDGET_MILLISECONDS, emptyReport, type Finding, type Range, type ShardReport } from "./shard.ts";

const INPUTS = Number(process.env["FUZZ_INPUTS"] ?? 1_000_000);
/** No range begins behind these minutes; without them all inputs are judged. */
const MINUTES = process.env["FUZZ_MINUTES"] === undefined ? undefined : Number(process.env["FUZZ_MINUTES"]);
/** Behind the seeds of `npm run test:all`. */
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1_000_001);
const THREADS = Number(process.env["FUZZ_THREADS"] ?? availableParallelism());
const SHARD = MINUTES === undefined ? 10_000 : 500;
const SAMPLE_EVERY = 5;

const start = performance.now();

async function runAll(): Promise<ShardReport> {
  const total = emptyReport();
  const waiting: Range[] = Array.from({ length: Math.ceil(INPUTS / SHARD) }, (_, index) => ({
    first: FIRST + index * SHARD,
    count: Math.min(SHARD, INPUTS - index * SHARD),
    sampleEvery: SAMPLE_EVERY,
  }));
  const work = async (): Promise<void> => {
    const isOver = (): boolean => MINUTES !== undefined && performance.now() - start > MINUTES * 60_000;
    for (let range = waiting.shift(); range !== undefined && !isOver(); range = waiting.shift()) {
      const report = await runRange(range);
      addReport(total, report);
      for (const { seed, problem } of report.findings) process.stderr.write(`seed ${seed}, ${problem}\n`);
      process.stderr.write(`${range.first + range.count - FIRST} of ${INPUTS}\n`);
    }
  };
  await Promise.all(Array.from({ length: THREADS }, work));
  return total;
}

const thousands = (count: number): string => count.toLocaleString("en-US");

function rows(entries: Iterable<readonly (string | number)[]>): string {
  return [...entries]
    .map((cells) => `| ${cells.map((cell) => (typeof cell === "number" ? thousands(cell) : cell)).join(" | ")} |`)
    .join("\n");
}

/** Over how many targets outcomes are counted. */
const TARGETS = targetsOf({ seed: FIRST }).length;

const COMMAND = ["FUZZ_INPUTS", "FUZZ_MINUTES", "FUZZ_TARGETS"]
  .flatMap((name) => (process.env[name] === undefined ? [] : [`${name}=${process.env[name]} `]))
  .join("");

function page(report: ShardReport, refused: readonly Finding[], seconds: number, postgresVersion: string): string {
  const outcomes = [...report.outcomes].sort(([, a], [, b]) => b - a);
  const origins = ORIGINS.flatMap((origin) => {
    const counts = report.origins.get(origin);
    return counts === undefined ? [] : [[origin, counts.inputs, counts.planned] as const];
  });
  const sampled = (engine: string): number => report.samples.filter((sample) => sample.engine === engine).length;
  const faults = [...report.findings, ...refused];
  const judged = [...report.origins.values()].reduce((sum, { inputs }) => sum + inputs, 0);
  return `# Fuzzing

Queries derived from the grammar of the input language, queries of the test corpora, and damaged, spliced, nested and
senseless ones, over every manifest of the acceptance cases and damaged copies of them, planned for PostgreSQL, DuckDB, the
input language and, in turn, one of the other dialects and their variants, or for all of these (\`FUZZ_TARGETS=all\`). \`npm run test:all\` judges 15,000; this page is the last long run. One seed makes one input, on every machine:
\`${rerun(FIRST)}\`.

What must hold for each: a plan or one typed error, nothing thrown, no stack overflow in 1 MiB; an error has a known reason, a
message without traces of the program, a place inside the text, a hint that is a sentence, and no name of a hidden column; a
plan's SQL for PostgreSQL and in the input language reads again and prints as the same text, its origins ascend and lie
inside both texts; no plan takes more nodes or steps than its budget allows; planning takes at most ${BUDGET_MILLISECONDS} ms per target, of processor time in the quickest of five runs. Every ${SAMPLE_EVERY}th plan goes to the
engine's own parser, unless it may hold SQL that the planner does not read (a modeller's own, unknown functions). None of this says that a plan is right: docs/evidence/parity.md does.

| | |
|---|---|
| Date | ${new Date().toISOString().slice(0, 10)} |
| Command | \`${COMMAND}npm run fuzz:long\` |
| Seeds | ${thousands(FIRST)} to ${thousands(FIRST + judged - 1)} |
| Inputs | ${thousands(judged)}, each for ${TARGETS} targets |
| Faults | ${thousands(faults.length)} |
| Slower than ${BUDGET_MILLISECONDS} ms | ${thousands(report.slow.length)} |
| Read by PostgreSQL's parser | ${thousands(sampled("postgres"))} plans, ${refused.filter(({ problem }) => problem.startsWith("postgres")).length} refused |
| Read by DuckDB's parser | ${thousands(sampled("duckdb"))} plans, ${refused.filter(({ problem }) => problem.startsWith("duckdb")).length} refused |
| Time | ${thousands(Math.round(seconds))} s in ${THREADS} processes |
| Versions | Node ${process.versions.node}, ${postgresVersion}, DuckDB ${duckDbVersion()} |

## Inputs

| Made as | Inputs | Planned for at least one target |
|---|---:|---:|
${rows(origins)}

## Outcomes

Over all targets: each input counts ${TARGETS} times.

| Outcome | Count |
|---|---:|
${rows(outcomes)}
`;
}

const report = await runAll();
const parsers = await openParsers();
let refused: readonly Finding[];
let postgresVersion: string;
try {
  refused = await parsers.refused(report.samples);
  postgresVersion = await parsers.postgresVersion();
} finally {
  await parsers.close();
}
for (const { seed, problem } of refused) process.stderr.write(`seed ${seed}, ${problem}\n`);
for (const { seed, milliseconds, length } of report.slow) {
  process.stderr.write(`seed ${seed} takes ${milliseconds.toFixed(0)} ms for ${length} characters\n`);
}
const seconds = (performance.now() - start) / 1000;
writeFileSync(
  new URL("../../docs/evidence/fuzzing.md", import.meta.url),
  page(report, refused, seconds, postgresVersion),
);
if (report.findings.length + refused.length + report.slow.length > 0) process.exitCode = 1;
