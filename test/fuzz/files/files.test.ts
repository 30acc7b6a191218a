/**
 * Damaged and hostile files in both places: equal rows, or an error with a reason. A failure names its seed; `FILES_SEED` and
 * `FILES_INPUTS` judge other seeds, or one alone. The engine suites judge 3,000 (test/engines/files/hostile-files.test.ts).
 */
import { expect, it } from "vitest";
import { countOf, described } from "./report.ts";
import { runFiles } from "./run.ts";

const INPUTS = Number(process.env["FILES_INPUTS"] ?? 90);
const FIRST = Number(process.env["FILES_SEED"] ?? 1);

it(`${INPUTS} files from seed ${FIRST} are read as native DuckDB reads them, or refused`, {
  timeout: 300_000,
}, async () => {
  const report = await runFiles(FIRST, INPUTS);
  expect(described(report)).toBe("");
  expect(report.crashes).toEqual([]);
  if (INPUTS < 90) return;
  expect(countOf(report, "equal")).toBeGreaterThan(INPUTS / 10);
  expect(countOf(report, "refused in both")).toBeGreaterThan(INPUTS / 10);
});
