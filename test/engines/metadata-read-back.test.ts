/**
 * Metadata → manifest → query on real engines, with a table for each type: metadata reports no type that a manifest cannot
 * declare, and a column that is declared by it has its value, is counted and filtered, or names its type in a refusal.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CatalogAnswers } from "../../src/connectors/catalog/types.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { ask } from "../parity/judge.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres } from "../support/postgres.ts";
import { type OpenedSource, openClickHouseWith, openMySqlWith, openPostgresDatabase } from "../support/sources.ts";
import { openSparkTables } from "../support/spark.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import {
  CLICKHOUSE_COLUMNS,
  type ColumnOfType,
  MYSQL_COLUMNS,
  POSTGRES_COLUMNS,
  SPARK_COLUMNS,
  TRINO_COLUMNS,
} from "./reported-types.ts";

interface Engine {
  readonly name: string;
  readonly source: DataSource;
  readonly isThere: boolean;
  readonly without: string;
  readonly columns: readonly ColumnOfType[];
  readonly open: (columns: readonly ColumnOfType[]) => Promise<OpenedSource>;
}

const SPARK_SCHEMA = "read_back";

/** Two statements a table, `read_<index>`: its columns, and a row with the value. */
const statements = (columns: readonly ColumnOfType[], id: string, end = "", schema = ""): readonly string[] =>
  columns.flatMap(({ type, written }, index) => [
    `CREATE TABLE ${schema}read_${index} (id ${id}, v ${type})${end}`,
    `INSERT INTO ${schema}read_${index} ${written === "" ? "SELECT 1, sumState(toInt64(1))" : `VALUES (1, ${written})`}`,
  ]);

const ENGINES: readonly Engine[] = [
  {
    name: "PostgreSQL",
    source: "postgres",
    isThere: true,
    without: "",
    columns: POSTGRES_COLUMNS,
    open: async (columns) => {
      const database = await startPostgres();
      const client = await database.connect();
      await client.query(
        "CREATE TYPE mood AS ENUM ('sad'); CREATE TYPE pair AS (a int, b int); CREATE DOMAIN dom AS int",
      );
      for (const sql of statements(columns, "int PRIMARY KEY")) await client.query(sql);
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
      columns: MYSQL_COLUMNS.map((each) =>
        each.type === "JSON" && flavor === "mariadb" ? { ...each, reported: "TEXT" } : each,
      ),
      open: (columns) =>
        openMySqlWith(flavor, async (run) => {
          for (const sql of statements(columns, "INT PRIMARY KEY")) await run(sql);
        }),
    }),
  ),
  {
    name: "ClickHouse",
    source: "clickhouse",
    isThere: hasClickHouse(),
    without: WITHOUT_CLICKHOUSE,
    columns: CLICKHOUSE_COLUMNS,
    open: (columns) =>
      openClickHouseWith(async ({ query }) => {
        for (const sql of statements(columns, "Int32", " ENGINE = MergeTree ORDER BY id")) await query(sql);
      }),
  },
  {
    name: "Trino",
    source: "trino",
    isThere: hasTrino(),
    without: WITHOUT_TRINO,
    columns: TRINO_COLUMNS,
    open: async (columns) => {
      const schema = await openTrinoSchema();
      for (const sql of statements(columns, "INTEGER")) await schema.run(sql);
      return schema;
    },
  },
  {
    name: "Spark",
    source: "spark",
    isThere: hasSpark(),
    without: WITHOUT_SPARK,
    columns: SPARK_COLUMNS,
    open: async (columns) => {
      await runOnSpark(`CREATE DATABASE ${SPARK_SCHEMA}`);
      await runOnSpark(...statements(columns, "INT", " USING parquet", `${SPARK_SCHEMA}.`));
      const opened = await openSparkTables(SPARK_SCHEMA, []);
      const drop = () => runOnSpark(`DROP DATABASE ${SPARK_SCHEMA} CASCADE`);
      return { ...opened, close: () => opened.close().finally(drop) };
    },
  },
];

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each));

for (const { name, source, isThere, without, columns, open } of ENGINES) {
  describe.skipIf(!isThere)(isThere ? name : without, () => {
    let opened: OpenedSource;
    let tables: CatalogAnswers["tables"];
    beforeAll(async () => {
      opened = await open(columns);
      const request = { kind: "tables", filter: { table: "read_*" }, limit: undefined } as const;
      const { signal } = new AbortController();
      tables = await opened.connector.catalog(request, { signal, timeoutMs: 60_000 });
    }, 300_000);
    afterAll(() => opened?.close());

    test.each(columns.map((column, index) => [column.type, column, index] as const))(
      "%s",
      async (_type, { reported, answer }, index) => {
        const table = tables.find(({ properties }) => properties?.table === `read_${index}`);
        const column = table?.columns.find(({ name: each }) => each === "v" || each.startsWith("v."));
        expect(column?.type).toBe(reported);
        const { catalog = null, schema = null } = table?.properties ?? {};
        const manifest = manifestOf({
          catalog: "c",
          schema: "s",
          models: [
            {
              name: "m",
              tableReference: {
                ...(catalog !== null && { catalog }),
                ...(schema !== null && { schema }),
                table: `read_${index}`,
              },
              columns: table?.columns.map(({ name: each, type }) => ({ name: each, type })),
              ...(table?.primaryKey && { primaryKey: table.primaryKey }),
            },
          ],
        });
        const asked = async (sql: string) => {
          const given = await ask(sql, manifest, source, opened);
          return "rows" in given ? asText(given.rows) : given.detail;
        };
        const own = `"${column?.name}"`;
        const value = await asked(`SELECT ${own} AS x FROM m`);
        if (typeof answer === "string") expect(value).toBe(`[[${answer}]]`);
        else expect(value).toContain(answer.refused);
        expect(await asked(`SELECT count(${own}) AS x FROM m`)).toBe('[["1n"]]');
        expect(await asked(`SELECT id FROM m WHERE ${own} IS NOT NULL`)).toBe("[[1]]");
      },
    );
  });
}
