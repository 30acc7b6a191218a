/** All statements of the repository that are planned somewhere, each with its manifest: for what holds of every plan. */
import { readFileSync } from "node:fs";
import type { Manifest } from "../../src/planner/index.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { namingFor } from "../corpus/engines.ts";
import { corpusManifest } from "../corpus/manifest.ts";
import { CORPUS } from "../corpus/schemas.ts";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { CAST_QUERIES } from "../parity/casts.ts";
import { manifestOfTables } from "../parity/originals-over-tables.ts";
import {
  CONSTRUCT_QUESTIONS,
  FUNCTION_QUESTIONS,
  ORIGINAL_QUESTIONS,
  OVER_TABLES_QUESTIONS,
} from "../parity/questions.ts";
import { plainManifest } from "./analyst.ts";
import { manifestOf } from "./plan.ts";
import { randomQuery } from "./random-query.ts";

/** Sources that are planned for otherwise than others: for files in buckets, plans are those for files of a directory. */
export const PLANNED_SOURCES: readonly DataSource[] = DATA_SOURCES.filter(
  (source) => !/^(?:s3|minio|gcs)_file$/.test(source),
);

export interface StatementGroup {
  readonly name: string;
  readonly manifest: Manifest;
  readonly session?: ReadonlyMap<string, string>;
  readonly statements: readonly string[];
}

const textsOf = (questions: readonly { readonly sql: string }[]): readonly string[] => questions.map(({ sql }) => sql);

const RANDOM_QUERIES = 300;

/** Statements with the table and type names in manifests of `source`. The source rejects some of them. */
export function statementsFor(source: DataSource): readonly StatementGroup[] {
  const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
  const naming = namingFor(source);
  return [
    { name: "analyst", manifest: manifestOf(plainManifest(source)), statements: textsOf(ANALYST_QUERIES) },
    { name: "constructs", manifest: withoutTables, statements: textsOf(CONSTRUCT_QUESTIONS) },
    { name: "functions", manifest: withoutTables, statements: textsOf(FUNCTION_QUESTIONS) },
    { name: "casts", manifest: withoutTables, statements: textsOf(CAST_QUERIES) },
    { name: "originals", manifest: withoutTables, statements: textsOf(ORIGINAL_QUESTIONS) },
    {
      name: "originals over tables",
      manifest: manifestOfTables({ schema: "public" }),
      statements: textsOf(OVER_TABLES_QUESTIONS),
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
