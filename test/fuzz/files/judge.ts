/**
 * One mutant in both places. Allowed are equal rows, and an error with a reason of its own in the files Worker; whatever else comes is a
 * finding: rows that differ, rows where native DuckDB refuses the file, an engine that breaks down, anything that is thrown untyped.
 */
import { inspect } from "node:util";
import { type BothEngines, difference, type Outcome, outcomeOf } from "../../connectors/duckdb-wasm/both-engines.ts";
import type { Mutant } from "./mutants.ts";

/** The caller's own mistakes and files: no fault of the service. */
const REFUSALS: ReadonlySet<string> = new Set([
  "FILE_INVALID",
  "NEEDS_SIDECAR",
  "SOURCE_ERROR",
  "SOURCE_INVALID_SQL",
  "SOURCE_OUT_OF_MEMORY",
]);

export type Verdict = "equal" | "refused in both" | "refused in the files Worker alone";

export interface Judged {
  readonly verdict: Verdict | undefined;
  readonly problem: string | undefined;
}

export async function judge(
  { native, wasm }: Pick<BothEngines, "native" | "wasm">,
  { path, sql }: Mutant,
  begins: (place: "native" | "wasm") => void,
): Promise<Judged> {
  begins("wasm");
  const ours = await outcome(wasm, path, sql);
  begins("native");
  const theirs = await outcome(native, path, sql);
  for (const [place, { reason, message }] of [
    ["files Worker", ours],
    ["sidecar", theirs],
  ] as const) {
    if (reason !== undefined && !REFUSALS.has(reason)) return found(`${place}: ${reason} ${message}`);
  }
  if (ours.reason !== undefined) {
    return {
      verdict: theirs.reason === undefined ? "refused in the files Worker alone" : "refused in both",
      problem: undefined,
    };
  }
  if (theirs.reason !== undefined) {
    return found(`rows in the files Worker, and native DuckDB: ${theirs.message}; ${shown(ours.rows)}`);
  }
  const differs = difference(ours, theirs);
  return differs === "none" ? { verdict: "equal", problem: undefined } : found(`rows differ: ${differs}`);
}

const found = (problem: string): Judged => ({ verdict: undefined, problem: problem.slice(0, 600) });
const shown = (rows: unknown): string => inspect(rows, { depth: 5, breakLength: Number.POSITIVE_INFINITY });

async function outcome(connector: BothEngines["native"], path: string, sql: string) {
  try {
    const told: Outcome = await outcomeOf(connector, path, { sql });
    return told;
  } catch (error) {
    return { reason: "UNTYPED", message: String(error instanceof Error ? error.stack : error) };
  }
}
