/**
 * `npm run noninterference:long` asks 100,000 statements of the three worlds and writes docs/evidence/noninterference.md.
 * `NONINTERFERENCE_STATEMENTS`, `NONINTERFERENCE_SEED` and `NONINTERFERENCE_SECONDS` (an end before all are asked) change what is
 * run. Ends with 1 when the worlds answered differently.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { LEFT_OUT } from "./rules.ts";
import { type Run, rerun, runSeeds, told } from "./run.ts";
import { openTargets, WORLDS } from "./worlds.ts";

const STATEMENTS = Number(process.env["NONINTERFERENCE_STATEMENTS"] ?? 100_000);
/** Behind the seeds of `npm run test:all`. */
const FIRST = Number(process.env["NONINTERFERENCE_SEED"] ?? 1_000_001);
const SECONDS = Number(process.env["NONINTERFERENCE_SECONDS"] ?? Number.POSITIVE_INFINITY);

const thousands = (count: number): string => count.toLocaleString("en-US");

/** Keys down, engines across. */
function table(what: string, counts: Run["rules"], engines: readonly string[]): string {
  const rows = [...counts]
    .map(([key, row]) => ({ key, row, sum: [...row.values()].reduce((sum, each) => sum + each, 0) }))
    .sort((a, b) => b.sum - a.sum);
  return [
    `| ${what} | ${engines.join(" | ")} |`,
    `|---|${engines.map(() => "---:|").join("")}`,
    ...rows.map(
      ({ key, row }) => `| ${key} | ${engines.map((engine) => thousands(row.get(engine) ?? 0)).join(" | ")} |`,
    ),
  ].join("\n");
}

function page(run: Run, seconds: number, versions: readonly string[]): string {
  const engines = [...new Set([...run.rules.values()].flatMap((row) => [...row.keys()]))].sort();
  const [cpu] = cpus();
  return `# Noninterference

Three worlds of one shop: ${WORLDS.join("; ")}. What is visible is equal in all of them, and so is everything that a caller
sends. So must be the answer, to the last character: status, columns and their types, rows (in order where the statement fixes
it), warnings, and of an error its code, reason, message, hint and place. Statements are random, over every kind of row rule with
column rules beside it, and go the way of a request: manifest, planner, connector, what is told of failures. One seed makes
one statement, on every machine: \`${rerun(run.first)}\`. \`npm run test:all\` asks 2,000 others, and shows that a fence that is taken
away, a rule that is not there and types inferred from rows are found (\`test/security/noninterference/\`).

| | |
|---|---|
| Date | ${new Date().toISOString().slice(0, 10)} |
| Commit | ${execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim()} |
| Seeds | ${thousands(run.first)} to ${thousands(run.first + run.statements - 1)} |
| Statements | ${thousands(run.statements)}${run.statements < STATEMENTS ? ` of ${thousands(STATEMENTS)}, ended by NONINTERFERENCE_SECONDS=${SECONDS}` : ""}, each in three worlds |
| Answered, refused, failed | ${thousands(run.total.answered)}, ${thousands(run.total.refused)}, ${thousands(run.total.failed)} |
| Answers that differ | ${thousands(run.findings.length)} |
| Time | ${thousands(Math.round(seconds))} s |
| Machine | ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, used by others too |
| Versions | ${versions.join(", ")}, Node ${process.versions.node} |

## Findings

${run.findings.length === 0 ? "None." : run.findings.map((each) => `* ${each.engine}, rule ${each.rule}, seed ${each.seed}: \`${each.question}\``).join("\n")}

## Engines

| Engine | Answered | Refused | Failed |
|---|---:|---:|---:|
${[...run.engines]
  .sort()
  .map(
    ([engine, { answered, refused, failed }]) =>
      `| ${engine} | ${thousands(answered)} | ${thousands(refused)} | ${thousands(failed)} |`,
  )
  .join("\n")}

## Rules

${table("Rule", run.rules, engines)}

## Constructs

A statement shows several.

${table("Construct", run.constructs, engines)}

## Left out

${Object.entries(LEFT_OUT)
  .map(([what, why]) => `* ${what}: ${why}`)
  .join("\n")}
`;
}

const start = performance.now();
const seconds = (): number => (performance.now() - start) / 1000;
const targets = await openTargets();
let toldFindings = 0;
const run = await runSeeds(targets, {
  first: FIRST,
  statements: STATEMENTS,
  enough: ({ statements, findings }) => {
    for (const finding of findings.slice(toldFindings)) console.log(`${told(finding)}\n`);
    toldFindings = findings.length;
    if (statements % 1000 === 0) console.log(`${statements} statements, ${seconds().toFixed(0)} s`);
    return seconds() >= SECONDS;
  },
});
await targets.close();
writeFileSync(
  new URL("../../../docs/evidence/noninterference.md", import.meta.url),
  page(run, seconds(), targets.versions),
);
if (run.findings.length > 0) process.exitCode = 1;
