/** A range of seeds, judged one after the other: what came out, what should not have, and what took long. */
import { judge, targetsOf } from "./checks.ts";
import { fuzzInput, type Origin } from "./inputs.ts";

export interface Range {
  /** First seed. */
  readonly first: number;
  readonly count: number;
  /** Every how many plans the SQL is kept for the engines' own parsers; 0 keeps none. */
  readonly sampleEvery: number;
}

export interface Finding {
  readonly seed: number;
  readonly problem: string;
}

export interface SlowInput {
  readonly seed: number;
  /** Processor time of the quickest of several runs. */
  readonly milliseconds: number;
  /** UTF-16 units of the text. */
  readonly length: number;
}

/** The SQL of one plan, to be read by the engine itself. */
export interface Sample {
  readonly seed: number;
  readonly engine: "postgres" | "duckdb";
  readonly sql: string;
}

export interface ShardReport {
  /** Inputs per origin, and how many of them at least one target planned. */
  readonly origins: Map<Origin, { readonly inputs: number; readonly planned: number }>;
  /** Plans and refusals per reason, over all targets. */
  readonly outcomes: Map<string, number>;
  /** At most `MAX_FINDINGS`. */
  readonly findings: Finding[];
  readonly slow: SlowInput[];
  readonly samples: Sample[];
}

/** Planning one query for one target may take this long (milliseconds). */
export const BUDGET_MILLISECONDS = 50;

const MAX_FINDINGS = 50;
/** Compilation and collection of garbage come and go; what is slow is slow in every run. */
const TIMINGS = 5;

/** Milliseconds that this thread has had of a processor: a busy machine does not make a query slow. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function emptyReport(): ShardReport {
  return { origins: new Map(), outcomes: new Map(), findings: [], slow: [], samples: [] };
}

/** Judges `range`; `begin` hears every seed before its input is made. */
export function runShard(range: Range, begin: (seed: number) => void): ShardReport {
  const report = emptyReport();
  let plans = 0;
  for (let seed = range.first; seed < range.first + range.count; seed++) {
    begin(seed);
    const input = fuzzInput(seed);
    const verdict = judge(input);
    const before = report.origins.get(input.origin) ?? { inputs: 0, planned: 0 };
    const planned = verdict.outcomes.includes("planned") ? 1 : 0;
    report.origins.set(input.origin, { inputs: before.inputs + 1, planned: before.planned + planned });
    for (const outcome of verdict.outcomes) report.outcomes.set(outcome, (report.outcomes.get(outcome) ?? 0) + 1);
    for (const problem of verdict.faults) {
      if (report.findings.length < MAX_FINDINGS) report.findings.push({ seed, problem });
    }
    if (verdict.milliseconds > BUDGET_MILLISECONDS) {
      let milliseconds = verdict.milliseconds;
      for (let run = 0; run < TIMINGS && milliseconds > BUDGET_MILLISECONDS; run++) {
        milliseconds = Math.min(milliseconds, judge(input, threadTime).milliseconds);
      }
      if (milliseconds > BUDGET_MILLISECONDS) report.slow.push({ seed, milliseconds, length: input.sql.length });
    }
    // Native SQL and unknown functions are skipped: only the source can judge them.
    if (range.sampleEvery === 0 || input.manifest.native !== "no" || input.unknownFunctions !== "refuse") continue;
    for (const [index, { source }] of targetsOf(input).entries()) {
      const sql = verdict.plans[index]?.sql;
      if (sql === undefined || (source !== "postgres" && source !== "duckdb")) continue;
      if (plans++ % range.sampleEvery === 0) report.samples.push({ seed, engine: source, sql });
    }
  }
  return report;
}

/** Adds `other` to `total`. */
export function addReport(total: ShardReport, other: ShardReport): void {
  for (const [origin, { inputs, planned }] of other.origins) {
    const before = total.origins.get(origin) ?? { inputs: 0, planned: 0 };
    total.origins.set(origin, { inputs: before.inputs + inputs, planned: before.planned + planned });
  }
  for (const [outcome, count] of other.outcomes) {
    total.outcomes.set(outcome, (total.outcomes.get(outcome) ?? 0) + count);
  }
  total.findings.push(...other.findings);
  total.slow.push(...other.slow);
  total.samples.push(...other.samples);
}
