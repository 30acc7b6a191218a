/** Runs everything that docs/evidence/parity.md reports on one target. */
import { execFileSync } from "node:child_process";
import { version as duckDbVersion } from "@duckdb/node-api";
import { CORPUS_ENGINES } from "../corpus/engines.ts";
import { corpusOutcomes } from "../corpus/outcome.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf } from "../support/plan.ts";
import { ANALYST_QUERIES } from "./analyst.ts";
import { CONSTRUCTS } from "./constructs.ts";
import { type Engine, OTHER_ENGINES, openEngines, versionOf } from "./engines.ts";
import { ask, judgeAgainst, judgeRows, type Verdict } from "./judge.ts";
import type { KeptTarget } from "./kept.ts";

/** PostgreSQL and DuckDB are always there. */
export const TARGETS = ["postgres", "duckdb", ...OTHER_ENGINES] as const;
export type Target = (typeof TARGETS)[number];

async function analystOutcomes(engine: Engine): Promise<readonly Verdict["outcome"][]> {
  const manifest = manifestOf(plainManifest(engine.source));
  const outcomes: Verdict["outcome"][] = [];
  for (const { sql, ordered, expected } of ANALYST_QUERIES) {
    const answer = await ask(sql, manifest, engine.source, engine.opened, engine.settings);
    outcomes.push(("outcome" in answer ? answer : judgeRows(answer, expected, ordered)).outcome);
  }
  return outcomes;
}

async function constructOutcomes(
  queries: readonly string[],
  engine: Engine,
  reference: Engine,
): Promise<readonly Verdict["outcome"][]> {
  const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
  const outcomes: Verdict["outcome"][] = [];
  for (const sql of queries) {
    const meant = await ask(sql, manifest, reference.source, reference.opened);
    const answer =
      engine === reference ? meant : await ask(sql, manifest, engine.source, engine.opened, engine.settings);
    if ("outcome" in meant) outcomes.push(meant.outcome);
    else outcomes.push(("outcome" in answer ? answer : judgeAgainst(meant, answer)).outcome);
  }
  return outcomes;
}

export async function runTarget(target: Target): Promise<KeptTarget> {
  // Before the queries: a commit made while they run is not theirs.
  const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" }).trim();
  const named = OTHER_ENGINES.filter((name) => name === target);
  const { postgres, duckdb, others, close } = await openEngines(named);
  try {
    const engine = target === "postgres" ? postgres : target === "duckdb" ? duckdb : others[0];
    if (engine === undefined) throw new Error(`${target} does not run here.`);
    const constructs: Record<string, readonly Verdict["outcome"][]> = {};
    for (const [name, queries] of Object.entries(CONSTRUCTS))
      constructs[name] = await constructOutcomes(Object.values(queries), engine, postgres);
    const inCorpus = CORPUS_ENGINES.filter(({ label }) => label === engine.label);
    const corpus: Record<string, Verdict["outcome"]> = {};
    for await (const { query, verdict } of corpusOutcomes(inCorpus)) corpus[query.id] = verdict.outcome;
    const version = target === "duckdb" ? `DuckDB ${duckDbVersion()}` : await versionOf(engine);
    return {
      label: engine.label,
      day: new Date().toISOString().slice(0, 10),
      commit,
      version: target === "duckdb" || target === "postgres" ? version : `${engine.label} ${version}`,
      analyst: await analystOutcomes(engine),
      constructs,
      corpus: inCorpus.length === 0 ? undefined : corpus,
    };
  } finally {
    await close();
  }
}
