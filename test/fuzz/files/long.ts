/**
 * `npm run fuzz:files` judges 30,000 files in both places and prints what they came to. `FILES_INPUTS`, `FILES_SEED` and `FILES_THREADS`
 * change what is run. Ends with 1 when anything is found.
 */
import { availableParallelism } from "node:os";
import { addReport, described, emptyReport } from "./report.ts";
import { runFiles } from "./run.ts";

const INPUTS = Number(process.env["FILES_INPUTS"] ?? 30_000);
/** Behind the seeds of the gate. */
const FIRST = Number(process.env["FILES_SEED"] ?? 1_000_000);
const THREADS = Number(process.env["FILES_THREADS"] ?? availableParallelism());
const SHARD = 500;

const total = emptyReport();
const waiting = Array.from({ length: Math.ceil(INPUTS / SHARD) }, (_, index) => FIRST + index * SHARD);
const work = async (): Promise<void> => {
  for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
    const report = await runFiles(first, Math.min(SHARD, FIRST + INPUTS - first));
    addReport(total, report);
    if (report.findings.length > 0) process.stderr.write(`${described(report)}\n`);
  }
};
await Promise.all(Array.from({ length: THREADS }, work));
for (const [origin, verdicts] of total.verdicts) {
  process.stdout.write(`${origin}: ${[...verdicts].map(([verdict, count]) => `${verdict} ${count}`).join(", ")}\n`);
}
for (const stop of total.once) process.stdout.write(`once: ${stop}\n`);
process.stdout.write(
  `${INPUTS} files, ${total.findings.length} findings; native DuckDB crashed at ${total.crashes.join(", ") || "none"}\n`,
);
if (total.findings.length > 0) process.exitCode = 1;
