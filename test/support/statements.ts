/** All statements of the repository that are planned somewhere, each with its manifest: for what holds of every plan. */
import { readFileSync } from "node:fs";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { targetOf } from "../../src/planner/dialects/targets.ts";
import type { Manifest } from "../../src/planner/index.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { CORPUS_ENGINES } from "../corpus/engines.ts";
import { corpusManifest } from "../corpus/manifest.ts";
import { CORPUS } from "../corpus/schemas.ts";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { CONSTRUCTS } from "../parity/constructs.ts";
import { FUNCTION_QUERIES } from "../parity/functions.ts";
import { AGGREGATES_OF_THE_QUERY_AROUND, PERCENTILES } from "../parity/originals/aggregates.ts";
import { INTERVALS } from "../parity/originals/intervals.ts";
import { JSON_VALUES } from "../parity/originals/json.ts";
import { IMPLICIT_NAMES } from "../parity/originals/names.ts";
import { EQUAL_QUOTIENTS, EXACT_AND_REAL } from "../parity/originals/quotients.ts";
import { DISTINCT_VALUES, LIMITS, SERIES, SUMS } from "../parity/originals/rows.ts";
import { TEXTS_OF_VALUES } from "../parity/originals/texts.ts";
import { GROWING_DECIMALS, MISSING_GROUPS, RANGES, SMALL_FUNCTIONS } from "../parity/originals/values.ts";
import { manifestOfTables, OVER_TABLES } from "../parity/originals-over-tables.ts";
import { plainManifest } from "./analyst.ts";
import { manifestOf } from "./plan.ts";
import { randomQuery } from "./random-query.ts";

/** Sources whose dialect is complete. */
export const PLANNED_SOURCES: readonly DataSource[] = DATA_SOURCES.filter((source) => {
  try {
    targetOf(source);
    return true;
  } catch (error) {
    if (error instanceof PlannerError && error.reason === "NOT_IMPLEMENTED") return false;
    throw error;
  }
});

export interface StatementGroup {
  readonly name: string;
  readonly manifest: Manifest;
  readonly session?: ReadonlyMap<string, string>;
  readonly statements: readonly string[];
}

const ORIGINALS = [
  ...[SERIES, DISTINCT_VALUES, LIMITS, SUMS, EQUAL_QUOTIENTS, EXACT_AND_REAL, IMPLICIT_NAMES, JSON_VALUES],
  ...[TEXTS_OF_VALUES, PERCENTILES, AGGREGATES_OF_THE_QUERY_AROUND, INTERVALS, GROWING_DECIMALS, SMALL_FUNCTIONS],
  ...[MISSING_GROUPS, RANGES],
];

interface Listed {
  readonly queries: readonly (string | { readonly sql: string })[];
}

const textsOf = (subjects: readonly Listed[]): readonly string[] =>
  subjects.flatMap(({ queries }) => queries.map((query) => (typeof query === "string" ? query : query.sql)));

const RANDOM_QUERIES = 300;

/** What the manifests of `source` call its tables and types. Some of the statements are refused there. */
export function statementsFor(source: DataSource): readonly StatementGroup[] {
  const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
  const [postgres] = CORPUS_ENGINES;
  const naming = CORPUS_ENGINES.find((engine) => engine.source === source) ?? postgres;
  if (naming === undefined) throw new Error("the corpus has no engines");
  return [
    { name: "analyst", manifest: manifestOf(plainManifest(source)), statements: ANALYST_QUERIES.map(({ sql }) => sql) },
    { name: "constructs", manifest: withoutTables, statements: textsOf(CONSTRUCTS) },
    { name: "functions", manifest: withoutTables, statements: FUNCTION_QUERIES },
    { name: "originals", manifest: withoutTables, statements: textsOf(ORIGINALS) },
    {
      name: "originals over tables",
      manifest: manifestOfTables({ schema: "public" }),
      statements: textsOf(OVER_TABLES),
    },
    {
      name: "random",
      manifest: withoutTables,
      statements: Array.from({ length: RANDOM_QUERIES }, (_, seed) => randomQuery(seed)),
    },
    ...CORPUS.map(({ schema, queries }) => ({
      name: `corpus ${schema.name}`,
      manifest: corpusManifest(schema, naming),
      statements: queries.map(({ sql }) => sql),
    })),
    ...acceptanceCases(),
  ];
}

/** Over models with calculated columns, row rules, cubes' bases, metrics, views. */
function acceptanceCases(): readonly StatementGroup[] {
  const file = JSON.parse(readFileSync(new URL("../cases/planner-cases.json", import.meta.url), "utf8")) as {
    readonly manifests: Readonly<Record<string, unknown>>;
    readonly cases: readonly {
      readonly id: string;
      readonly operation: string;
      readonly manifest: string;
      readonly sql?: string | null;
      readonly sessionProperties: Readonly<Record<string, string>>;
    }[];
  };
  return file.cases.flatMap(({ id, operation, manifest, sql, sessionProperties }) => {
    if (!(operation === "query" || operation === "dialect") || typeof sql !== "string") return [];
    const session = new Map(
      Object.entries(sessionProperties ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    try {
      return [{ name: `case ${id}`, manifest: manifestOf(file.manifests[manifest]), session, statements: [sql] }];
    } catch {
      // Cases about manifests that are not accepted.
      return [];
    }
  });
}
