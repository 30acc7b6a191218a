/**
 * Queries for sources that cannot be run in tests: every query of the other engines, over models with the source's
 * types whose tables are files of DuckDB, on which the statements are read back.
 */
import { fileURLToPath } from "node:url";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import type { Plan } from "../../../src/planner/plan.ts";
import { corpusManifest } from "../../corpus/manifest.ts";
import { CORPUS } from "../../corpus/schemas.ts";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS } from "../../parity/questions.ts";
import { plainManifest } from "../../support/analyst.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { type Benchmark, tryLoadTpc } from "../tpc.ts";
import { plainModels } from "../tpc-tables.ts";

export interface Question {
  readonly name: string;
  readonly sql: string;
  readonly manifest: Manifest;
  readonly source: PlannedSource;
}

/** A source on which nothing can be run. */
export interface Unexecuted {
  readonly source: PlannedSource;
  /** Its own name for a type of the models. */
  readonly ownType: (type: string) => string;
  /** Where its tables are without a word. */
  readonly schema: string;
}

export const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));

const WITHOUT_TABLES = manifestOf({ catalog: "c", schema: "s", models: [] });

/** Plain models, their types by the source's names and their tables somewhere else. */
function ownModels(
  { ownType }: Unexecuted,
  models: unknown,
  elsewhere: (table: string) => string = (table) => table,
): Manifest {
  const text = JSON.stringify(models, (key, value: unknown) => {
    if (key === "type" && typeof value === "string") return ownType(value);
    return key === "table" && typeof value === "string" ? elsewhere(value) : value;
  });
  return manifestOf(JSON.parse(text));
}

export const analystQuestions = (own: Unexecuted): readonly Question[] => {
  const manifest = ownModels(own, plainManifest("local_file"), (table) => `${EXAMPLES}/${table}`);
  return ANALYST_QUERIES.map(({ id, sql }) => ({ name: id, sql, manifest, source: own.source }));
};

export const constructQuestions = ({ source }: Unexecuted): readonly Question[] =>
  CONSTRUCT_QUESTIONS.map((question) => ({ ...question, manifest: WITHOUT_TABLES, source }));

export const functionQuestions = ({ source }: Unexecuted): readonly Question[] =>
  FUNCTION_QUESTIONS.map((question) => ({ ...question, manifest: WITHOUT_TABLES, source }));

export function benchmarkQuestions(own: Unexecuted, { tables, queries, data }: Benchmark): readonly Question[] {
  const manifest = ownModels(
    own,
    plainModels(tables, (table) => ({ table: `${data}/${table}.parquet` })),
  );
  return queries.map((sql, index) => ({ name: String(index + 1), sql, manifest, source: own.source }));
}

/** Empty where the benchmarks cannot be fetched; the suite of their texts says why. */
export function tpcQuestions(own: Unexecuted): {
  readonly tpch: readonly Question[];
  readonly tpcds: readonly Question[];
} {
  const outcome = tryLoadTpc();
  if ("notRun" in outcome) return { tpch: [], tpcds: [] };
  return { tpch: benchmarkQuestions(own, outcome.corpus.tpch), tpcds: benchmarkQuestions(own, outcome.corpus.tpcds) };
}

export const corpusQuestions = ({ source, ownType, schema: name }: Unexecuted): readonly Question[] =>
  CORPUS.flatMap(({ schema, queries }) => {
    const manifest = corpusManifest(schema, {
      tableReference: (table) => ({ schema: name, table }),
      typeName: ownType,
    });
    return queries.map(({ id, sql }) => ({ name: id, sql, manifest, source }));
  });

interface PlannedAnswer {
  readonly statement: string;
  readonly columns: Plan["columns"];
}

/** The planned statement, or why there is none. */
export function answerOf({ sql, manifest, source }: Question): PlannedAnswer | { readonly refusal: string } {
  try {
    const { sql: statement, columns } = planned(sql, manifest, { source });
    return { statement, columns };
  } catch (error) {
    if (error instanceof PlannerError && error.reason === "UNSUPPORTED_ON_SOURCE") return { refusal: error.message };
    throw error;
  }
}

export interface PlannedQuestion extends Question, PlannedAnswer {}

export function plannedQuestions(questions: readonly Question[]): readonly PlannedQuestion[] {
  return questions.flatMap((question) => {
    const answer = answerOf(question);
    return "statement" in answer ? [{ ...question, ...answer }] : [];
  });
}
