/** Columns of odd types on real engines: a manifest that is built from metadata, and questions whose answer is the same on all. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CatalogAnswers } from "../../src/connectors/catalog/types.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { ODD_KINDS, ODD_SETUP, type OddEngine } from "../corpus/odd-types.ts";
import { ask } from "../parity/judge.ts";
import { makeWith } from "../sidecar/duckdb/fixtures.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres } from "../support/postgres.ts";
import {
  type OpenedSource,
  openClickHouseWith,
  openDuckDbFiles,
  openMySqlWith,
  openPostgresDatabase,
} from "../support/sources.ts";
import { openSparkTables } from "../support/spark.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

interface Engine {
  readonly name: OddEngine;
  readonly source: DataSource;
  readonly isThere: boolean;
  readonly without: string;
  readonly open: () => Promise<OpenedSource>;
}

const SPARK_SCHEMA = "odd_types";
const tableOf = (index: number): string => `odd_${index}`;

/** The kinds of an engine, with their numbers. */
const kindsOf = (name: OddEngine) =>
  ODD_KINDS.flatMap(({ kind, columns, questions }, index) => {
    const column = columns[name];
    return column === undefined ? [] : [{ kind, column, questions, index }];
  });

/** Two statements a table. */
const statements = (name: OddEngine, id: string, end = "", schema = ""): readonly string[] => [
  ...(ODD_SETUP[name] ?? []),
  ...kindsOf(name).flatMap(({ column: { type, values }, index }) => [
    `CREATE TABLE ${schema}${tableOf(index)} (id ${id}, v ${type})${end}`,
    `INSERT INTO ${schema}${tableOf(index)} VALUES ${values.map((value, at) => `(${at + 1}, ${value})`).join(", ")}`,
  ]),
];

const ENGINES: readonly Engine[] = [
  {
    name: "PostgreSQL",
    source: "postgres",
    isThere: true,
    without: "",
    open: async () => {
      const database = await startPostgres();
      const client = await database.connect();
      for (const sql of statements("PostgreSQL", "int")) await client.query(sql);
      await client.end();
      const opened = await openPostgresDatabase(database);
      return { ...opened, close: () => opened.close().finally(() => database.stop()) };
    },
  },
  ...MYSQL_FLAVORS.map(
    (flavor): Engine => ({
      name: flavor,
      source: "mysql",
      isThere: hasMySql(flavor),
      without: withoutMySql(flavor),
      open: () =>
        openMySqlWith(flavor, async (run) => {
          for (const sql of statements(flavor, "INT PRIMARY KEY")) await run(sql);
        }),
    }),
  ),
  {
    name: "ClickHouse",
    source: "clickhouse",
    isThere: hasClickHouse(),
    without: WITHOUT_CLICKHOUSE,
    open: () =>
      openClickHouseWith(async ({ query }) => {
        for (const sql of statements("ClickHouse", "Int32", " ENGINE = MergeTree ORDER BY id")) await query(sql);
      }),
  },
  {
    name: "DuckDB",
    source: "local_file",
    isThere: true,
    without: "",
    open: async () => {
      const root = mkdtempSync(join(tmpdir(), "siskin-odd-"));
      const copied = kindsOf("DuckDB").map(
        ({ index }) => `COPY ${tableOf(index)} TO '${join(root, `${tableOf(index)}.parquet`)}' (FORMAT parquet)`,
      );
      await makeWith([...statements("DuckDB", "INTEGER"), ...copied]);
      const opened = await openDuckDbFiles(root);
      return { ...opened, close: () => opened.close().finally(() => rmSync(root, { recursive: true })) };
    },
  },
  {
    name: "Trino",
    source: "trino",
    isThere: hasTrino(),
    without: WITHOUT_TRINO,
    open: async () => {
      const schema = await openTrinoSchema();
      for (const sql of statements("Trino", "INTEGER")) await schema.run(sql);
      return schema;
    },
  },
  {
    name: "Spark",
    source: "spark",
    isThere: hasSpark(),
    without: WITHOUT_SPARK,
    open: async () => {
      await runOnSpark(`CREATE DATABASE ${SPARK_SCHEMA}`);
      await runOnSpark(...statements("Spark", "INT", " USING parquet", `${SPARK_SCHEMA}.`));
      const opened = await openSparkTables(SPARK_SCHEMA, []);
      const drop = () => runOnSpark(`DROP DATABASE ${SPARK_SCHEMA} CASCADE`);
      return { ...opened, close: () => opened.close().finally(drop) };
    },
  },
];

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each)).replaceAll(
    /"(-?\d+)n"/g,
    "$1",
  );

for (const { name, source, isThere, without, open } of ENGINES) {
  describe.skipIf(!isThere)(isThere ? name : without, () => {
    let opened: OpenedSource;
    let tables: CatalogAnswers["tables"];
    beforeAll(async () => {
      opened = await open();
      const request = { kind: "tables", filter: { table: "odd_*" }, limit: undefined } as const;
      const { signal } = new AbortController();
      tables = await opened.connector.catalog(request, { signal, timeoutMs: 60_000 });
    }, 300_000);
    afterAll(() => opened?.close());

    const questions = kindsOf(name).flatMap(({ kind, column, questions, index }) =>
      questions.map((question) => [kind, question.sql, { question, column, index }] as const),
    );
    test.each(questions)("%s: %s", async (_kind, _sql, { question, column, index }) => {
      const table = tables.find(
        ({ name: each, properties }) => each === tableOf(index) || properties?.table === tableOf(index),
      );
      const { catalog = null, schema = null, path = null } = table?.properties ?? {};
      const manifest = manifestOf({
        catalog: "c",
        schema: "s",
        models: [
          {
            name: "t",
            tableReference: {
              ...(catalog !== null && { catalog }),
              ...(schema !== null && { schema }),
              table: path ?? tableOf(index),
            },
            columns: table?.columns.map(({ name: each, type }) => ({
              name: each,
              type: each === "v" ? (column.declared ?? type) : type,
            })),
          },
        ],
      });
      const given = await ask(question.sql, manifest, source, opened);
      const refusal = question.refused?.[name];
      if (refusal !== undefined) {
        expect(given).toMatchObject({ outcome: "refused", detail: expect.stringContaining(refusal) });
        return;
      }
      expect("rows" in given ? asText(given.rows) : given.detail).toBe(question.other?.[name] ?? question.answer);
    });
  });
}
