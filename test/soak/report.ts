/**
 * `npm run soak` keeps 50 callers at the service for half an hour, `SOAK_MINUTES` for another time, and writes
 * docs/evidence/reliability.md. Ends with 1 when anything was wrong, untyped or grew.
 */
import { writeFileSync } from "node:fs";
import { version as duckDbVersion } from "@duckdb/node-api";
import { isLongEnough, MEASURES, type Measure, trendOf } from "./samples.ts";
import { soak } from "./soak.ts";

const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 30);
/** Points of the table over time. */
const POINTS = 11;
const CALLERS = 50;
const SEED = Number(process.env["SOAK_SEED"] ?? 11);

const report = await soak({
  progress: (_, milliseconds) => milliseconds / (MINUTES * 60_000),
  callers: CALLERS,
  sampleMs: Math.max(500, (MINUTES * 60_000) / 720),
  seed: SEED,
});
const { right, hits, left, timeOuts, closed, excused, windows, samples, milliseconds, faults } = report;

const thousands = (count: number): string => count.toLocaleString("en-US");
const sorted = milliseconds.toSorted((a, b) => a - b);
const quantile = (share: number): string => thousands(sorted[Math.floor(sorted.length * share)] ?? 0);
const answers = [...right.values()].reduce((sum, count) => sum + count, 0);
const failed = windows.map(({ name, began, ended }) => {
  const counts = [...(excused.get(name) ?? [])].map(([reason, count]) => `${thousands(count)} ${reason}`);
  return `| ${name} | ${((ended - began) / 1000).toFixed(1)} s | ${counts.join(", ") || "none"} |`;
});
const trends = (Object.keys(MEASURES) as Measure[]).map((measure) => {
  const { median, most, growth, bound } = trendOf(samples, measure);
  return `| ${MEASURES[measure].title} | ${median} | ${most} | ${growth.toFixed(1)} | ${bound.toFixed(1)} |`;
});
const withHeaps = samples.filter(({ apiHeap }) => apiHeap !== undefined);
const sampled = Array.from(
  { length: POINTS },
  (_, point) => withHeaps[Math.round((point * (withHeaps.length - 1)) / (POINTS - 1))],
);
const series = (Object.keys(MEASURES) as Measure[]).map(
  (measure) => `| ${MEASURES[measure].title} | ${sampled.map((sample) => sample?.[measure] ?? "").join(" | ")} |`,
);
const lines = [
  "# Reliability",
  "",
  "`npm run serve` under mixed work: questions whose rows are known, of PostgreSQL and of a Parquet file, as JSON, NDJSON, CSV and",
  "Arrow, with the query cache and without; 5 in 100 callers go at a moment of chance, half by a reset and half without a word;",
  "2 in 100 statements have no end and ask for a second; PostgreSQL is restarted, and later the sidecar, as their",
  "administrators would. Every answer is compared with its rows. A failure counts as excused only with a type, and only for",
  "reasons that what was going on explains. `test/soak` says how; `npm run test:all` runs a short one.",
  "",
  `Written by \`SOAK_MINUTES=${MINUTES} npm run soak\` on ${new Date().toISOString().slice(0, 10)}: **${MINUTES} minutes**, ${CALLERS} callers without a pause, DuckDB ${duckDbVersion()}, PostgreSQL 18, Node ${process.versions.node}.`,
  "",
  "| | |",
  "|---|---|",
  `| Answers that were compared | ${thousands(answers)}, ${thousands(hits)} of them from the cache |`,
  `| Time of an answer under this load | median ${quantile(0.5)} ms, 99 of 100 within ${quantile(0.99)} ms |`,
  `| Callers that went | ${thousands(left)} |`,
  `| Kept connections that workerd had closed before the request on them, which was sent again and never reached the Worker before | ${thousands(closed)} |`,
  `| Statements ended by the time they asked for | ${thousands(timeOuts)} |`,
  `| Wrong answers, failures that nothing excuses, growth beyond its bound, anything left behind | ${faults.length} |`,
  "",
  "| Answers | Right |",
  "|---|---|",
  ...[...right].sort().map(([kind, count]) => `| ${kind} | ${thousands(count)} |`),
  "",
  "What failed while something was restarted, including those that begin up to two seconds after:",
  "",
  "| Restart | Lasted | Failures |",
  "|---|---|---|",
  ...failed,
  "",
  `What the service held, from ${samples.length} samples. Growth is that of the straight line through the second half, from its beginning to its`,
  `end; restarts and warming up are in the first.${isLongEnough(samples) ? "" : " **Too short to be judged**: under ten minutes, heaps are still filling up."}`,
  "",
  "Live heaps are what JavaScript holds, buffers included, when all garbage has been collected, which every eighth look does;",
  "requests that run just then are in them. That of workerd is the API Worker's: the source and the files are the sidecar's here.",
  "",
  "| | Median of the second half | Most | Growth | Bound |",
  "|---|---|---|---|---|",
  ...trends,
  "",
  `| After seconds | ${sampled.map((sample) => Math.round(sample?.seconds ?? 0)).join(" | ")} |`,
  `|---|${"---|".repeat(POINTS)}`,
  ...series,
  "",
  "Afterwards no statement ran on PostgreSQL, and when the service had ended, no connection and no process was left.",
  "",
];
if (faults.length === 0)
  writeFileSync(new URL("../../docs/evidence/reliability.md", import.meta.url), lines.join("\n"));
else console.error(lines.join("\n"));
for (const fault of faults.slice(0, 30)) console.error(fault.slice(0, 500));
process.exitCode = faults.length === 0 ? 0 : 1;
