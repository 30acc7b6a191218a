/**
 * Arrays, structures and columns that cannot be NULL pass the fences of row rules unchanged, on the engines whose fences are proven: the
 * answer over a ruled model is that over a copy of the rows that the rule leaves, while excluded rows make the statement fail.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { type DataSource, statementOf } from "../../src/planner/plan.ts";
import { readCells } from "../support/canonical-cells.ts";
import { hasClickHouse } from "../support/clickhouse-server.ts";
import { hasMySql } from "../support/mysql-server.ts";
import { manifestOf, plannedOn } from "../support/plan.ts";
import { startPostgres } from "../support/postgres.ts";
import {
  type OpenedSource,
  openClickHouseWith,
  openDuckDbFiles,
  openMySqlWith,
  openPostgresDatabase,
} from "../support/sources.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino } from "../support/trino-server.ts";

interface Engine {
  readonly source: DataSource;
  readonly isHere: boolean;
  readonly types: Readonly<Record<string, string>>;
  /** Expressions over `m` beside those of every engine. */
  readonly expressions: readonly string[];
  readonly open: () => Promise<OpenedSource & { readonly table: (name: string) => object }>;
}

const WHERE = "WHERE owner = 'a'";
const VALUES: Readonly<Record<string, string>> = { id: "INTEGER", owner: "VARCHAR", v: "VARCHAR" };
const inSchema = (table: string): object => ({ tableReference: { table } });

const ENGINES: Readonly<Record<string, Engine>> = {
  PostgreSQL: {
    source: "postgres",
    isHere: true,
    types: { ...VALUES, tags: "INTEGER[]", texts: "VARCHAR[]", doc: "JSON" },
    expressions: ["m.tags", "m.tags[1]", "m.texts", "cardinality(m.texts)", "m.doc ->> 'a'"],
    open: async () => {
      const database = await startPostgres();
      const client = await database.connect();
      await client.query(`
        CREATE TABLE kept (id int NOT NULL, owner text NOT NULL, v text NOT NULL, tags int[] NOT NULL, texts text[], doc jsonb NOT NULL);
        INSERT INTO kept SELECT i, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END, CASE WHEN i % 2 = 0 THEN '7' ELSE 'poison' END,
          ARRAY[i, 2 * i], CASE WHEN i % 4 = 0 THEN ARRAY['x', NULL, 'y' || i] END, jsonb_build_object('a', i)
          FROM generate_series(1, 40) AS i;
        CREATE TABLE visible AS SELECT * FROM kept ${WHERE}`);
      const opened = await openPostgresDatabase(database);
      return { ...opened, close: () => database.stop(), table: inSchema };
    },
  },
  DuckDB: {
    source: "local_file",
    isHere: true,
    types: { ...VALUES, tags: "INTEGER[]", texts: "VARCHAR[]", place: "STRUCT(city VARCHAR, at INTEGER)" },
    expressions: ["m.tags", "m.tags[1]", "m.texts", "cardinality(m.texts)", "m.place", "(m.place).city"],
    open: async () => {
      const directory = mkdtempSync(join(tmpdir(), "siskin-ruled-types-"));
      const instance = await DuckDBInstance.create(":memory:");
      const connection = await instance.connect();
      await connection.run(`CREATE TABLE kept AS SELECT i::INTEGER AS id, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS owner,
        CASE WHEN i % 2 = 0 THEN '7' ELSE 'poison' END AS v, [i::INTEGER, (2 * i)::INTEGER] AS tags,
        CASE WHEN i % 4 = 0 THEN ['x', NULL, 'y' || i] END AS texts, {'city': 'c' || (i % 3), 'at': i::INTEGER} AS place
        FROM range(1, 41) AS g(i)`);
      await connection.run(`COPY kept TO '${directory}/kept.parquet' (FORMAT parquet)`);
      await connection.run(`COPY (SELECT * FROM kept ${WHERE}) TO '${directory}/visible.parquet' (FORMAT parquet)`);
      connection.closeSync();
      instance.closeSync();
      const opened = await openDuckDbFiles(directory);
      return {
        ...opened,
        close: async () => {
          await opened.close();
          rmSync(directory, { recursive: true, force: true });
        },
        table: (name) => inSchema(`${name}.parquet`),
      };
    },
  },
  MySQL: {
    source: "mysql",
    isHere: hasMySql("mysql"),
    types: { ...VALUES, doc: "JSON" },
    expressions: ["m.doc ->> 'a'"],
    open: async () => ({
      ...(await openMySqlWith("mysql", async (run) => {
        await run(
          "CREATE TABLE kept (id int NOT NULL, owner varchar(9) NOT NULL, v varchar(9) NOT NULL, doc json NOT NULL)",
        );
        await run(`INSERT INTO kept WITH RECURSIVE g (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM g WHERE i < 40)
          SELECT i, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END, CASE WHEN i % 2 = 0 THEN '7' ELSE 'poison' END, json_object('a', i) FROM g`);
        await run(`CREATE TABLE visible AS SELECT * FROM kept ${WHERE}`);
      })),
      table: inSchema,
    }),
  },
  "ClickHouse's engine": {
    source: "clickhouse",
    isHere: hasClickHouse(),
    types: { ...VALUES, tags: "Array(Int32)", texts: "Array(Nullable(String))", place: "Tuple(city String, at Int32)" },
    expressions: ["m.tags", "m.tags[1]", "m.texts", "cardinality(m.texts)"],
    open: async () => ({
      ...(await openClickHouseWith(async ({ query }) => {
        await query(`CREATE TABLE kept (id Int32, owner LowCardinality(String), v LowCardinality(String), tags Array(Int32),
          texts Array(Nullable(String)), place Tuple(city String, at Int32)) ENGINE = MergeTree ORDER BY id`);
        await query(`INSERT INTO kept SELECT i, if(i % 2 = 0, 'a', 'b'), if(i % 2 = 0, '7', 'poison'), [i, 2 * i],
          if(i % 4 = 0, ['x', NULL, concat('y', toString(i))], []), ('c', i) FROM (SELECT toInt32(number + 1) AS i FROM numbers(40))`);
        await query(`CREATE TABLE visible ENGINE = MergeTree ORDER BY id AS SELECT * FROM kept ${WHERE}`);
      })),
      table: inSchema,
    }),
  },
  Trino: {
    source: "trino",
    isHere: hasTrino(),
    types: { ...VALUES, tags: "array(integer)", texts: "array(varchar)", place: "row(city varchar, at integer)" },
    // Rows and their members are not supported on Trino.
    expressions: ["m.tags", "m.tags[1]", "m.texts", "cardinality(m.texts)"],
    open: async () => {
      const schema = await openTrinoSchema();
      await schema.run(`CREATE TABLE kept AS SELECT CAST(i AS integer) AS id, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS owner,
        CASE WHEN i % 2 = 0 THEN '7' ELSE 'poison' END AS v, ARRAY[CAST(i AS integer), CAST(2 * i AS integer)] AS tags,
        CASE WHEN i % 4 = 0 THEN ARRAY['x', NULL, 'y' || CAST(i AS varchar)] END AS texts,
        CAST(ROW('c' || CAST(i % 3 AS varchar), i) AS row(city varchar, at integer)) AS place FROM UNNEST(sequence(1, 40)) AS g(i)`);
      await schema.run(`CREATE TABLE visible AS SELECT * FROM kept ${WHERE}`);
      return { connector: schema.connector, close: () => schema.close(), table: inSchema };
    },
  },
};

describe.each(Object.entries(ENGINES))("%s", (_engine, { source, isHere, types, expressions, open }) => {
  test.skipIf(!isHere)(
    "answers over a ruled model are those over the rows that the rule leaves",
    async () => {
      const opened = await open();
      const columns = Object.entries(types).map(([name, type]) => ({ name, type, notNull: name !== "texts" }));
      const rule = (condition: string): object => ({
        rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition }],
      });
      const manifest = manifestOf({
        catalog: "c",
        schema: "s",
        models: [
          { name: "literal", ...opened.table("kept"), columns, ...rule("owner = 'a'") },
          {
            name: "subquery",
            ...opened.table("kept"),
            columns,
            ...rule("id IN (SELECT w.id FROM whole w WHERE w.owner = 'a')"),
          },
          { name: "whole", ...opened.table("kept"), columns },
          { name: "visible", ...opened.table("visible"), columns },
        ],
      });
      const ask = async (sql: string) => {
        const plan = plannedOn(opened.variant, sql, manifest, { source });
        const call = { signal: new AbortController().signal, timeoutMs: 60_000, isolation: "types" };
        const { rows } = await readCells(await opened.connector.query(statementOf(plan), call));
        // MySQL's integers have the width that the plan gives them.
        const widened = rows.map((row) => row.map((cell) => (typeof cell === "bigint" ? Number(cell) : cell)));
        return { rows: widened, guarantee: plan.rowRules, nullable: plan.columns.map(({ nullable }) => nullable) };
      };
      try {
        for (const expression of ["m.id", "m.v", ...expressions]) {
          for (const write of [
            (model: string) =>
              `SELECT m.id, ${expression} AS e FROM ${model} m WHERE CAST(m.v AS INTEGER) > 0 ORDER BY m.id`,
            (model: string) =>
              `SELECT w.id, m.e FROM whole w LEFT JOIN (SELECT m.id, ${expression} AS e, CAST(m.v AS INTEGER) AS n FROM ${model} m) m
              ON m.id = w.id AND m.n > 0 ORDER BY w.id`,
          ]) {
            await expect(ask(write("whole")), `armed: ${expression}`).rejects.toThrow();
            const wanted = await ask(write("visible"));
            expect(wanted.rows.length).toBeGreaterThan(0);
            for (const model of ["literal", "subquery"]) {
              const found = await ask(write(model));
              expect(found, `${model}: ${expression}`).toEqual({ ...wanted, guarantee: "fenced" });
            }
          }
        }
      } finally {
        await opened.close();
      }
    },
    240_000,
  );
});
