/**
 * `npm run storm` attacks a sidecar for ten minutes, honest statements beside it, and writes docs/evidence/storm.md; `STORM_SECONDS`
 * sets another time. Ends with 1 when an honest statement noticed.
 */
import { writeFileSync } from "node:fs";
import { version as duckDbVersion } from "@duckdb/node-api";
import { storm } from "./storm.ts";

const SECONDS = Number(process.env["STORM_SECONDS"] ?? 600);
const ATTACKERS = 3;
const HONEST = 3;

const started = Date.now();
const { attacks, honest, faults, resident } = await storm({
  isOver: () => Date.now() - started > SECONDS * 1000,
  attackers: ATTACKERS,
  honest: HONEST,
});
const seconds = (Date.now() - started) / 1000;

const thousands = (count: number): string => count.toLocaleString("en-US");
const sorted = [...honest].sort((a, b) => a - b);
const quantile = (share: number): string => `${((sorted[Math.floor(sorted.length * share)] ?? 0) / 1000).toFixed(2)} s`;
const total = [...attacks.values()].flatMap((ends) => [...ends.values()]).reduce((sum, count) => sum + count, 0);
const rows = [...attacks].map(([name, ends]) => {
  const told = [...ends].sort(([, a], [, b]) => b - a).map(([end, count]) => `${thousands(count)} ${end}`);
  return `| ${name} | ${told.join(", ")} |`;
});
const lines = [
  "# Storm",
  "",
  "Statements that crash DuckDB, fill its memory, hold it beyond their time or are left by their callers, beside honest ones",
  "over Parquet and JSON whose rows are known, all against one sidecar with 256 MB for a statement. Every honest answer must",
  "be right, every attack end in one typed failure, and the sidecar stay the same process. `test/sidecar/storm` says how;",
  "`npm run test:all` runs a few seconds of it. Written by `npm run storm`.",
  "",
  `Run on ${new Date().toISOString().slice(0, 10)} for ${Math.round(seconds)} s with DuckDB ${duckDbVersion()} and Node ${process.versions.node}: ${ATTACKERS} attackers and ${HONEST} honest callers, each without a pause.`,
  "",
  "| | |",
  "|---|---|",
  `| Attacks | ${thousands(total)} |`,
  `| Honest statements | ${thousands(honest.length)}, the median in ${quantile(0.5)}, 99 of 100 within ${quantile(0.99)} |`,
  `| Honest statements that failed or were wrong, attacks with another end, processes left | ${faults.length} |`,
  `| The sidecar's own memory, before and after | ${resident[0]} MiB, ${resident[1]} MiB |`,
  "",
  "| Attack | Ends |",
  "|---|---|",
  ...rows,
  "",
  "The times are of a machine on which attackers and honest callers share the processors, and each attack costs a process.",
  "",
];
writeFileSync(new URL("../../../docs/evidence/storm.md", import.meta.url), lines.join("\n"));
for (const fault of faults.slice(0, 20)) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
