/** The result of a range of seeds. */

/** Where a mutant is read; the process writes the number of the one that it is at. */
export const PLACES = ["wasm", "native"] as const;

export interface FilesReport {
  /** By origin, how often each verdict came. */
  readonly verdicts: Map<string, Map<string, number>>;
  readonly findings: { readonly seed: number; readonly problem: string }[];
  /** Seeds whose file ends native DuckDB's process: the sidecar answers `SOURCE_CRASHED`, and starts another one. */
  readonly crashes: number[];
  /** Processes that ended or hung at a seed which a process of its own judged. */
  readonly once: string[];
}

export const emptyReport = (): FilesReport => ({ verdicts: new Map(), findings: [], crashes: [], once: [] });

export function addVerdict({ verdicts }: FilesReport, origin: string, verdict: string, count = 1): void {
  const own = verdicts.get(origin) ?? new Map<string, number>();
  own.set(verdict, (own.get(verdict) ?? 0) + count);
  verdicts.set(origin, own);
}

export function addReport(total: FilesReport, { verdicts, findings, crashes, once }: FilesReport): void {
  for (const [origin, own] of verdicts) for (const [verdict, count] of own) addVerdict(total, origin, verdict, count);
  total.findings.push(...findings);
  total.crashes.push(...crashes);
  total.once.push(...once);
}

export function countOf({ verdicts }: FilesReport, verdict: string): number {
  return [...verdicts.values()].reduce((sum, own) => sum + (own.get(verdict) ?? 0), 0);
}

/** The command that judges one seed alone. */
const rerun = (seed: number): string => `FILES_SEED=${seed} FILES_INPUTS=1 npx vitest run test/fuzz/files`;

export const described = ({ findings }: FilesReport): string =>
  findings.map(({ seed, problem }) => `seed ${seed}, ${problem}\n  ${rerun(seed)}`).join("\n");
