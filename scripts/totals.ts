/**
 * Adds up vitest's JSON reports: the ten slowest files, then one closing line. Fails when nothing ran or something failed.
 * Usage: npm run totals -- REPORT.json …
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly FileResult[];
}

/** Times in milliseconds since 1970. */
interface FileResult {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly unknown[];
}

const total = { passed: 0, failed: 0, skipped: 0 };
const files: FileResult[] = [];
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, "utf8")) as Report;
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests;
  total.skipped += report.numPendingTests;
  files.push(...report.testResults);
}
const seconds = ({ startTime, endTime }: FileResult): number => (endTime - startTime) / 1000;
console.log("The ten slowest files:");
for (const file of files.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, 10)) {
  const time = seconds(file).toFixed(1).padStart(7);
  console.log(`${time} s  ${relative(process.cwd(), file.name)} (${file.assertionResults.length} tests)`);
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
