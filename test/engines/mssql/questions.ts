/**
 * What is asked of SQL Server's planner: every query that other engines are asked, over models whose types are SQL Server's own
 * and whose tables are files of DuckDB, on which the statements are read back.
 */
import { fileURLToPath } from "node:url";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import { corpusManifest } from "../../corpus/manifest.ts";
import { CORPUS } from "../../corpus/schemas.ts";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { CONSTRUCTS } from "../../parity/constructs.ts";
import { FUNCTION_QUERIES } from "../../parity/functions.ts";
import { plainManifest } from "../../support/analyst.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { type Benchmark, tryLoadTpc } from "../tpc.ts";
import { plainModels } from "../tpc-tables.ts";

export interface Question {
  readonly name: string;
  readonly sql: string;
  readonly manifest: Manifest;
}

export const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));

const WITHOUT_TABLES = manifestOf({ catalog: "c", schema: "s", models: [] });

/** Where SQL Server has the type under another name; its TIMESTAMP is the version of a row. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: "BIT",
  boolean: "BIT",
  DOUBLE: "FLOAT",
  "double precision": "FLOAT",
  json: "JSON",
  jsonb: "JSON",
  text: "NVARCHAR",
  TIMESTAMP: "DATETIME2",
  timestamp: "DATETIME2",
  timestamptz: "DATETIMEOFFSET",
  uuid: "UNIQUEIDENTIFIER",
};

const ownType = (type: string): string => OWN_TYPES[type] ?? type;

/** Plain models, their types by SQL Server's names and their tables somewhere else. */
function ownModels(models: unknown, elsewhere: (table: string) => string = (table) => table): Manifest {
  const text = JSON.stringify(models, (key, value: unknown) => {
    if (key === "type" && typeof value === "string") return ownType(value);
    return key === "table" && typeof value === "string" ? elsewhere(value) : value;
  });
  return manifestOf(JSON.parse(text));
}

export const analystQuestions = (): readonly Question[] => {
  const manifest = ownModels(plainManifest("local_file"), (table) => `${EXAMPLES}/${table}`);
  return ANALYST_QUERIES.map(({ id, sql }) => ({ name: id, sql, manifest }));
};

export const constructQuestions = (): readonly Question[] =>
  CONSTRUCTS.flatMap(({ queries }) => queries.map((sql) => ({ name: sql, sql, manifest: WITHOUT_TABLES })));

export const functionQuestions = (): readonly Question[] =>
  FUNCTION_QUERIES.map((sql) => ({ name: sql, sql, manifest: WITHOUT_TABLES }));

export function benchmarkQuestions({ tables, queries, data }: Benchmark): readonly Question[] {
  const manifest = ownModels(plainModels(tables, (table) => ({ table: `${data}/${table}.parquet` })));
  return queries.map((sql, index) => ({ name: String(index + 1), sql, manifest }));
}

/** Empty where the benchmarks cannot be fetched; the suite of their texts says why. */
export function tpcQuestions(): { readonly tpch: readonly Question[]; readonly tpcds: readonly Question[] } {
  const outcome = tryLoadTpc();
  if ("notRun" in outcome) return { tpch: [], tpcds: [] };
  return { tpch: benchmarkQuestions(outcome.corpus.tpch), tpcds: benchmarkQuestions(outcome.corpus.tpcds) };
}

export const corpusQuestions = (): readonly Question[] =>
  CORPUS.flatMap(({ schema, queries }) => {
    const manifest = corpusManifest(schema, {
      tableReference: (table) => ({ schema: "dbo", table }),
      typeName: ownType,
    });
    return queries.map(({ id, sql }) => ({ name: id, sql, manifest }));
  });

/** The planned statement, or why there is none. */
export function answerOf({ sql, manifest }: Question): { readonly statement: string } | { readonly refusal: string } {
  try {
    return { statement: planned(sql, manifest, { source: "mssql" }).sql };
  } catch (error) {
    if (error instanceof PlannerError && error.reason === "UNSUPPORTED_ON_SOURCE") return { refusal: error.message };
    throw error;
  }
}

export interface PlannedQuestion extends Question {
  readonly statement: string;
}

export function plannedQuestions(questions: readonly Question[]): readonly PlannedQuestion[] {
  return questions.flatMap((question) => {
    const answer = answerOf(question);
    return "statement" in answer ? [{ ...question, statement: answer.statement }] : [];
  });
}
