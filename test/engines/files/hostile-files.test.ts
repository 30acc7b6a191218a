/**
 * 2,000 damaged and hostile Parquet files, and 1,000 of CSV, JSON, gzip and Zstandard, in the files Worker's engine and in the sidecar's:
 * equal rows, or an error with a reason. `npm run fuzz:files` judges more.
 */
import { expect, it } from "vitest";
import { addReport, countOf, described, emptyReport, type FilesReport } from "../../fuzz/files/report.ts";
import { runFiles } from "../../fuzz/files/run.ts";

const INPUTS = 3_000;
const SHARD = 1_500;
/** Behind the seeds of the unit tests. */
const FIRST = 100_000;

it(`${INPUTS} files from seed ${FIRST}`, { timeout: 1_200_000 }, async () => {
  const total: FilesReport = emptyReport();
  const shards = Array.from({ length: INPUTS / SHARD }, (_, index) => runFiles(FIRST + index * SHARD, SHARD));
  for (const report of await Promise.all(shards)) addReport(total, report);
  process.stdout.write(`${JSON.stringify([...total.verdicts].map(([origin, own]) => [origin, ...own]))}\n`);
  process.stdout.write(total.once.map((stop) => `once: ${stop}\n`).join(""));
  expect(described(total)).toBe("");
  expect(total.crashes).toEqual([]);
  expect(total.once.length).toBeLessThan(10);
  expect(countOf(total, "equal")).toBeGreaterThan(INPUTS / 10);
  expect(countOf(total, "refused in both")).toBeGreaterThan(INPUTS / 10);
});
