/**
 * Metadata reports tables over which reading may fail. PostgreSQL, MySQL, MariaDB and ClickHouse's engine run here; of Snowflake,
 * Databricks, BigQuery and Doris the statements run in DuckDB over fakes of their information schemas.
 */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readClickHouseCatalog } from "../../../src/connectors/catalog/clickhouse.ts";
import { readDatabricksCatalog } from "../../../src/connectors/catalog/databricks.ts";
import { readDorisCatalog } from "../../../src/connectors/catalog/doris.ts";
import { readSnowflakeCatalog } from "../../../src/connectors/catalog/snowflake.ts";
import type { TableRecord } from "../../../src/connectors/catalog/types.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ResultStream, Row } from "../../../src/result/types.ts";
import { startClickHouse } from "../../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../../support/clickhouse-server.ts";
import { startMySql } from "../../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { startPostgres } from "../../support/postgres.ts";
import { openMySqlDatabase, openPostgresDatabase } from "../../support/sources.ts";

const REQUEST = { kind: "tables", filter: {}, limit: undefined } as const;
const OPTIONS = { signal: new AbortController().signal, timeoutMs: 60_000 };

const mayFail = (tables: readonly TableRecord[]): readonly string[] =>
  tables.flatMap(({ name, readMayFail }) => (readMayFail === true ? [name.split(".").at(-1) ?? ""] : [])).sort();

const names = (tables: readonly TableRecord[]): readonly string[] => tables.map(({ name }) => name).sort();

test("PostgreSQL: views, foreign tables, tables with foreign partitions, generated columns that are not stored", async () => {
  const database = await startPostgres();
  const client = await database.connect();
  await client.query(`
    CREATE TABLE stored (id int, v text, twice int GENERATED ALWAYS AS (id * 2) STORED);
    CREATE TABLE computed (id int, v text, n int GENERATED ALWAYS AS (1 / id) VIRTUAL);
    CREATE VIEW casting AS SELECT v::int AS n FROM stored;
    CREATE MATERIALIZED VIEW kept AS SELECT v FROM stored;
    CREATE FOREIGN DATA WRAPPER elsewhere;
    CREATE SERVER far FOREIGN DATA WRAPPER elsewhere;
    CREATE FOREIGN TABLE remote (id int) SERVER far;
    CREATE TABLE parts (id int) PARTITION BY RANGE (id);
    CREATE TABLE near_part PARTITION OF parts FOR VALUES FROM (0) TO (10);
    CREATE TABLE mixed (id int) PARTITION BY RANGE (id);
    CREATE TABLE mixed_inner PARTITION OF mixed FOR VALUES FROM (0) TO (10) PARTITION BY RANGE (id);
    CREATE FOREIGN TABLE far_part PARTITION OF mixed_inner FOR VALUES FROM (0) TO (5) SERVER far;
    CREATE TABLE parent (id int);
    CREATE FOREIGN TABLE child (extra int) INHERITS (parent) SERVER far`);
  const opened = await openPostgresDatabase(database);
  const tables = await opened.connector.catalog(REQUEST, OPTIONS);
  expect(mayFail(tables)).toEqual(
    ["casting", "child", "computed", "far_part", "mixed", "mixed_inner", "parent", "remote"].sort(),
  );
  expect(names(tables)).toHaveLength(12);
  expect(tables.find(({ name }) => name === "public.stored")).not.toHaveProperty("readMayFail");
  await opened.close();
  await database.stop();
});

for (const flavor of MYSQL_FLAVORS) {
  test.skipIf(!hasMySql(flavor))(
    hasMySql(flavor) ? `${flavor}: views, columns that are computed when read` : withoutMySql(flavor),
    async () => {
      const database = await startMySql(flavor);
      await database.query(`
        CREATE TABLE kept (id int, twice int AS (id * 2) STORED);
        CREATE TABLE computed (id int, n int AS (id + 1) VIRTUAL);
        CREATE TABLE texts (id int NOT NULL) ENGINE = CSV;
        CREATE VIEW casting AS SELECT id FROM kept`);
      const opened = await openMySqlDatabase(database);
      const tables = await opened.connector.catalog({ ...REQUEST, filter: { schema: database.database } }, OPTIONS);
      expect(mayFail(tables)).toEqual(["casting", "computed", "texts"]);
      await opened.close();
      await database.stop();
    },
  );
}

test.skipIf(!hasClickHouse())(
  hasClickHouse() ? "ClickHouse: views, aliases, tables over other tables" : WITHOUT_CLICKHOUSE,
  async () => {
    const database = await startClickHouse();
    for (const statement of [
      "CREATE TABLE kept (id Int32, twice Int32 MATERIALIZED id * 2) ENGINE = MergeTree ORDER BY id",
      "CREATE TABLE computed (id Int32, n Int32 ALIAS intDiv(1, id)) ENGINE = MergeTree ORDER BY id",
      "CREATE TABLE in_memory (id Int32) ENGINE = Memory",
      "CREATE VIEW casting AS SELECT id FROM kept",
      "CREATE TABLE merged AS kept ENGINE = Merge(currentDatabase(), '^kept$')",
    ])
      await database.query(statement);
    const source = streaming(async (sql) => await database.query(sql));
    const tables = await readClickHouseCatalog(source, { ...REQUEST, filter: { schema: database.database } }, OPTIONS);
    expect(mayFail(tables)).toEqual(["casting", "computed", "merged"]);
    await database.stop();
  },
);

describe("in DuckDB, over fakes of information schemas", () => {
  let instance: DuckDBInstance;
  let duckdb: DuckDBConnection;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(":memory:");
    duckdb = await instance.connect();
    await duckdb.run("CREATE MACRO CURRENT_CATALOG() AS 'internal'");
  });
  afterAll(() => {
    duckdb.closeSync();
    instance.closeSync();
  });

  /** `tables`: of each, what its kind is by the columns of the source's view. */
  async function asked(
    read: (source: Pick<Connector, "query">) => Promise<readonly TableRecord[]>,
    columns: string,
    kinds: readonly (readonly string[])[],
  ): Promise<readonly string[]> {
    await duckdb.run(`CREATE OR REPLACE TABLE fake AS SELECT 'c' AS table_catalog, 'main' AS table_schema, NULL AS comment,
      NULL AS table_comment, * FROM (VALUES ${kinds.map((kind) => `(${kind.map((each) => `'${each}'`).join(", ")})`).join(", ")})
      AS t(table_name, ${columns})`);
    const source = streaming(async (sql) => {
      if (!/FROM information_schema\.tables/i.test(sql)) return [];
      const over = sql.replace(/information_schema\.tables/i, "fake");
      return (await duckdb.runAndReadAll(over)).getRowsJson() as (string | null)[][];
    });
    return mayFail(await read(source));
  }

  test("Snowflake: views, external tables, and kinds that are new", async () => {
    const read = (source: Pick<Connector, "query">) =>
      readSnowflakeCatalog((sql) => source.query({ sql, columns: [], session: [], reads: [] }, OPTIONS), REQUEST);
    expect(
      await asked(read, "table_type", [
        ["a", "BASE TABLE"],
        ["b", "TEMPORARY TABLE"],
        ["v", "VIEW"],
        ["w", "MATERIALIZED VIEW"],
        ["x", "EXTERNAL TABLE"],
        ["y", "SOMETHING NEW"],
      ]),
    ).toEqual(["v", "w", "x", "y"]);
  });

  test("Databricks: views, foreign tables, and external ones but for Delta's", async () => {
    const read = (source: Pick<Connector, "query">) => readDatabricksCatalog(source, REQUEST, OPTIONS);
    expect(
      await asked(read, "table_type, data_source_format", [
        ["a", "MANAGED", "DELTA"],
        ["b", "EXTERNAL", "DELTA"],
        ["c", "STREAMING_TABLE", "DELTA"],
        ["v", "VIEW", "UNKNOWN"],
        ["x", "EXTERNAL", "CSV"],
        ["y", "FOREIGN", "POSTGRESQL_FORMAT"],
      ]),
    ).toEqual(["v", "x", "y"]);
  });

  test("Doris: views, and tables of other engines", async () => {
    const read = (source: Pick<Connector, "query">) => readDorisCatalog(source, REQUEST, OPTIONS);
    expect(
      await asked(read, "table_type, engine", [
        ["a", "BASE TABLE", "Doris"],
        ["v", "VIEW", "View"],
        ["x", "BASE TABLE", "jdbc"],
      ]),
    ).toEqual(["v", "x"]);
  });
});

/** A source of texts. */
function streaming(rows: (sql: string) => Promise<readonly (readonly (string | null)[])[]>): Pick<Connector, "query"> {
  return {
    query: async ({ sql }) => {
      const found = await rows(sql);
      async function* batches(): AsyncGenerator<readonly Row[]> {
        yield found as readonly Row[];
      }
      return { columns: [], batches: batches() } as unknown as ResultStream;
    },
  };
}
