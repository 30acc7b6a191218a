/**
 * Generated and damaged queries against every manifest of the acceptance cases and damaged ones: a plan or a typed error,
 * whatever comes in. A failure names its seed; `FUZZ_SEED` and `FUZZ_INPUTS` judge other seeds, or one alone. Timings
 * are for the long run (`npm run fuzz:long`): here only a hang fails.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineParsers, openParsers } from "./engines.ts";
import { rerun, runRange } from "./run.ts";
import { addReport, emptyReport, type Finding, type Range, type Sample } from "./shard.ts";

const INPUTS = Number(process.env["FUZZ_INPUTS"] ?? 15_000);
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);
const SAMPLE_EVERY = 5;
const SHARD = 10_000;

const ranges: readonly Range[] = Array.from({ length: Math.ceil(INPUTS / SHARD) }, (_, index) => ({
  first: FIRST + index * SHARD,
  count: Math.min(SHARD, INPUTS - index * SHARD),
  sampleEvery: INPUTS < SHARD ? 1 : SAMPLE_EVERY,
}));

const described = (findings: readonly Finding[]): string =>
  findings.map(({ seed, problem }) => `seed ${seed}, ${problem}\n  ${rerun(seed)}`).join("\n");

describe(`${INPUTS} inputs from seed ${FIRST}`, () => {
  const total = emptyReport();
  let parsers: EngineParsers;

  beforeAll(async () => {
    parsers = await openParsers();
  });
  afterAll(async () => {
    await parsers.close();
  });

  test.each(ranges)("$count from $first are planned or refused", { timeout: 300_000 }, async (range) => {
    const report = await runRange(range);
    addReport(total, report);
    expect(described(report.findings)).toBe("");
  });

  test("the engines' parsers read what is planned for them", { timeout: 300_000 }, async () => {
    const samples: readonly Sample[] = total.samples;
    expect(described(await parsers.refused(samples))).toBe("");
  });

  test.runIf(INPUTS >= SHARD)("inputs reach every stage: a good part is planned, and every way to fail is met", () => {
    const counts = [...total.origins.values()];
    expect(counts.reduce((sum, { inputs }) => sum + inputs, 0)).toBe(INPUTS);
    expect(counts.reduce((sum, { planned }) => sum + planned, 0)).toBeGreaterThan(INPUTS / 10);
    const reasons = [...total.outcomes.keys()];
    expect(reasons).toEqual(expect.arrayContaining([...REASONS]));
    expect(new Set(total.samples.map((sample) => sample.engine)).size).toBe(2);
  });
});

test("a process that stays at one seed is ended, and the seed is named", async () => {
  // Any input of more than a millisecond or two hangs by this measure.
  const range = { first: 1, count: 100_000, sampleEvery: 0 };
  await expect(runRange(range, 1)).rejects.toThrow(/^seed \d+ hangs: FUZZ_SEED=\d+ FUZZ_INPUTS=1 npx vitest run/);
});

/** Reasons that no generated input may fail to meet: a generator that lost one of them has lost its bite. */
const REASONS = (
  "planned SYNTAX SEVERAL_STATEMENTS UNSUPPORTED_STATEMENT LIMIT_DEPTH LIMIT_SIZE MODEL_NOT_FOUND COLUMN_NOT_FOUND " +
  "AMBIGUOUS_COLUMN UNGROUPED_COLUMN INVALID_QUERY TYPE_MISMATCH FUNCTION_NOT_FOUND FUNCTION_NOT_ALLOWED " +
  "UNSUPPORTED_ON_SOURCE MANIFEST_JSON MANIFEST_SCHEMA MANIFEST_LAYOUT_VERSION MANIFEST_DUPLICATE MANIFEST_SOURCE " +
  "MANIFEST_EXPRESSION MANIFEST_RELATIONSHIP MANIFEST_CYCLE"
).split(" ");
