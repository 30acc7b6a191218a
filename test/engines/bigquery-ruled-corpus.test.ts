/**
 * The corpus's queries in BigQuery's dialect over models with a row rule that excludes no row, on GoogleSQL's evaluator: the rows are those
 * of the same query over models without rules. One query in so many of a quarter of the schemas is asked, with `CORPUS_EVERY=1` all. Queries over types that the
 * evaluator's tables lack (instants, JSON) fail without rules and are left out.
 */
import { describe, expect, test } from "vitest";
import { type Manifest, type Outcome, plan } from "../../src/planner/index.ts";
import { type Plan, statementOf } from "../../src/planner/plan.ts";
import { duckDbEngine } from "../corpus/file-engines.ts";
import { writeParquet } from "../corpus/loading.ts";
import { corpusManifest } from "../corpus/manifest.ts";
import { CORPUS } from "../corpus/schemas.ts";
import type { CorpusTable } from "../corpus/tables.ts";
import { unordered } from "../security/fences/engines.ts";
import { readCells } from "../support/canonical-cells.ts";
import { openGoogleSql } from "../support/googlesql.ts";
import { hasGoogleSql, WITHOUT_GOOGLESQL } from "../support/googlesql-server.ts";
import { requestOf } from "../support/plan.ts";
import type { OpenedSource } from "../support/sources.ts";

const EVERY = Number(process.env["CORPUS_EVERY"] ?? 24);
/** Few enough for the evaluator's loops. */
const ROWS = 25;
const NOT_IN_TABLES = /\[\]$|^jsonb?$|^interval$/;
/** Statements that end the evaluator, with rules and without. */
const FATAL: ReadonlySet<string> = new Set(["freight/generated/power-bi-nesting", "realty/generated/power-query"]);

const typeName = (type: string, notNull: boolean): string =>
  NOT_IN_TABLES.test(type) ? "VARCHAR" : duckDbEngine.typeName(type, notNull);
const NAMING = { tableReference: (table: string) => ({ table }), typeName };
const ruleOf = ({ columns }: CorpusTable): string => `"${Object.keys(columns)[0]}" IS NOT NULL`;

function planFor(sql: string, manifest: Manifest): Outcome<Plan> {
  const options = { bestEffort: new Set(["bigquery"] as const) };
  return plan({ sql, ...requestOf(manifest, { source: "bigquery", options }) });
}

async function answer({ connector }: OpenedSource, made: Plan): Promise<string | Error> {
  const options = { signal: new AbortController().signal, timeoutMs: 60_000, isolation: "tests" };
  try {
    return unordered((await readCells(await connector.query(statementOf(made), options))).rows);
  } catch (error) {
    return error as Error;
  }
}

describe.skipIf(!hasGoogleSql())(hasGoogleSql() ? "the corpus" : WITHOUT_GOOGLESQL, () => {
  const schemas = CORPUS.filter((_, index) => EVERY === 1 || index % 4 === 0);
  test.each(schemas.map(({ schema, queries }) => ({ name: schema.name, schema, queries })))(
    "$name",
    async ({ schema, queries }) => {
      const tables = schema.tables.map((table) => ({ ...table, rows: table.rows.slice(0, ROWS) }));
      const files = await writeParquet({ ...schema, tables }, typeName);
      const opened = await openGoogleSql(tables.map(({ name }) => ({ name, file: `${files.root}/${name}.parquet` })));
      const different: string[] = [];
      let asked = 0;
      try {
        const free = corpusManifest(schema, NAMING);
        const ruled = corpusManifest(schema, NAMING, ruleOf);
        for (const { id, sql } of queries.filter((each, index) => index % EVERY === 0 && !FATAL.has(each.id))) {
          const without = planFor(sql, free);
          const under = planFor(sql, ruled);
          if (!without.ok || !under.ok || under.value.rowRules !== "besteffort") continue;
          const expected = await answer(opened, without.value);
          if (expected instanceof Error) continue;
          asked++;
          const rows = await answer(opened, under.value);
          if (rows !== expected) different.push(`${id}: ${rows instanceof Error ? rows.message : "other rows"}`);
        }
      } finally {
        await opened.close();
        await files.remove();
      }
      expect(different).toEqual([]);
      expect(asked).toBeGreaterThan(0);
    },
    300_000,
  );
});
