/** Results of one target of `npm run parity`, kept so that the page is written from runs of several days or machines. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Verdict } from "./judge.ts";

export interface KeptTarget {
  readonly label: string;
  readonly version: string;
  /** The day, as YYYY-MM-DD, and the abbreviated commit of the run. */
  readonly day: string;
  readonly commit: string;
  readonly analyst: readonly Verdict["outcome"][];
  /** By the name of a construct, the outcomes of its queries. */
  readonly constructs: Readonly<Record<string, readonly Verdict["outcome"][]>>;
  /** By the name of a query; absent for targets that are not given the corpus. */
  readonly corpus: Readonly<Record<string, Verdict["outcome"]>> | undefined;
}

const DIRECTORY = fileURLToPath(new URL("../../.siskin/parity/", import.meta.url));
const fileOf = (target: string): string => `${DIRECTORY}${target}.json`;

export function keep(target: string, result: KeptTarget): void {
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(fileOf(target), JSON.stringify(result));
}

/** Undefined for a target without a run. */
export function kept(target: string): KeptTarget | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(target), "utf8")) as KeptTarget;
  } catch {
    return undefined;
  }
}

const OUTCOMES: readonly Verdict["outcome"][] = ["right", "refused", "engine error", "wrong"];

export const counts = (outcomes: readonly Verdict["outcome"][]): readonly number[] =>
  OUTCOMES.map((outcome) => outcomes.filter((each) => each === outcome).length);

/** `3 right`, or `2 right, 1 refused`. */
export function summary(outcomes: readonly Verdict["outcome"][]): string {
  return counts(outcomes)
    .map((number, index) => [number, OUTCOMES[index]] as const)
    .filter(([number]) => number > 0)
    .map(([number, outcome]) => `${number} ${outcome}`)
    .join(", ");
}
