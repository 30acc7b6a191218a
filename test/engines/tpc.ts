/**
 * TPC-H and TPC-DS: the query texts, the tables and a little data, fetched once into `.siskin/tpc` (git-ignored) by
 * `tpc_fetch.py`: they come with DuckDB's extensions from PyPI and are not kept in the repository.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface BenchmarkTable {
  readonly name: string;
  /** Name and type of each column, in order. */
  readonly columns: readonly (readonly [name: string, type: string])[];
}

export interface Benchmark {
  /** Query texts in the order of their numbers. */
  readonly queries: readonly string[];
  readonly tables: readonly BenchmarkTable[];
  /** Directory with one Parquet file per table, scale factor 0.01. */
  readonly data: string;
}

export interface Corpus {
  readonly tpch: Benchmark;
  readonly tpcds: Benchmark;
}

export type CorpusOutcome = { readonly corpus: Corpus } | { readonly notRun: string };

const DIRECTORY = fileURLToPath(new URL("../../.siskin/tpc", import.meta.url));
const SCRIPT = fileURLToPath(new URL("tpc_fetch.py", import.meta.url));

/** The corpus, or why there is none on this machine: no Python, no network, an extension that does not load. */
export function tryLoadTpc(): CorpusOutcome {
  const file = `${DIRECTORY}/corpus.json`;
  if (!existsSync(file)) {
    mkdirSync(DIRECTORY, { recursive: true });
    const fetched = spawnSync("python3", [SCRIPT, DIRECTORY], { encoding: "utf8", timeout: 300_000 });
    if (fetched.error !== undefined) {
      return { notRun: `python3: ${fetched.error.message}` };
    }
    if (fetched.status !== 0) {
      const reason = fetched.stderr.trim().split("\n").at(-1);
      return { notRun: `the texts could not be fetched: ${reason || `exit code ${fetched.status}`}` };
    }
  }
  const content = JSON.parse(readFileSync(file, "utf8")) as {
    readonly [name in keyof Corpus]: Omit<Benchmark, "data">;
  };
  return {
    corpus: {
      tpch: { ...content.tpch, data: `${DIRECTORY}/tpch` },
      tpcds: { ...content.tpcds, data: `${DIRECTORY}/tpcds` },
    },
  };
}
