/**
 * Metadata reports tables over which reading may fail. PostgreSQL, MySQL, MariaDB and ClickHouse's engine run here; the statements for
 * Snowflake, Databricks, BigQuery, Doris, Redshift, Athena, Oracle and SQL Server run in DuckDB over fakes of their catalogues.
 */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAthenaCatalog } from "../../../src/connectors/catalog/athena.ts";
import { readClickHouseCatalog } from "../../../src/connectors/catalog/clickhouse.ts";
import { readDatabricksCatalog } from "../../../src/connectors/catalog/databricks.ts";
import { readDorisCatalog } from "../../../src/connectors/catalog/doris.ts";
import { readMsSqlCatalog } from "../../../src/connectors/catalog/mssql.ts";
import { readOracleCatalog } from "../../../src/connectors/catalog/oracle.ts";
import { readRedshiftCatalog } from "../../../src/connectors/catalog/redshift.ts";
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
      NULL AS table_comment, NULL AS remarks, * FROM (VALUES ${kinds.map((kind) => `(${kind.map((each) => `'${each}'`).join(", ")})`).join(", ")})
      AS t(table_name, ${columns})`);
    const source = streaming(async (sql) => {
      const tables = /FROM (?:information_schema\.tables|pg_catalog\.svv_tables)/i;
      if (!tables.test(sql)) return [];
      const over = sql.replace(tables, "FROM fake");
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

  test("Redshift: views, late-binding ones too, and tables of external schemas", async () => {
    const read = (source: Pick<Connector, "query">) => readRedshiftCatalog(source, REQUEST, OPTIONS);
    expect(
      await asked(read, "table_type", [
        ["a", "BASE TABLE"],
        ["late", "LATE BINDING VIEW"],
        ["spectrum", "EXTERNAL TABLE"],
        ["v", "VIEW"],
      ]),
    ).toEqual(["late", "spectrum", "v"]);
  });

  test("Athena: views; its tables are files, of any format", async () => {
    const read = (source: Pick<Connector, "query">) => readAthenaCatalog(source, REQUEST, OPTIONS);
    expect(
      await asked(read, "table_type", [
        ["a", "BASE TABLE"],
        ["v", "VIEW"],
      ]),
    ).toEqual(["v"]);
  });

  /** The statement for tables, and that for columns, over tables of the same names in a schema of DuckDB. */
  const inSchema = (schema: string, statements: readonly string[], rewritten: (sql: string) => string) => {
    const before = [`DROP SCHEMA IF EXISTS ${schema} CASCADE`, `CREATE SCHEMA ${schema}`, `USE ${schema}`];
    return streaming(async (sql) => {
      if (/primary|constraint/i.test(sql)) return [];
      for (const statement of [...before, ...statements]) await duckdb.run(statement);
      const rows = (await duckdb.runAndReadAll(rewritten(sql))).getRowsJson();
      await duckdb.run("USE main");
      return rows as (string | null)[][];
    });
  };

  test("Oracle: views, external tables, hybrid partitioned tables, virtual columns", async () => {
    const names = ["STORED", "OUTSIDE", "HYBRID", "COMPUTED"];
    const values = names.map((name) => `('SHOP', '${name}')`).join(", ");
    const source = inSchema(
      "oracle",
      [
        "CREATE TABLE all_users AS SELECT 'SHOP' AS username, 'N' AS oracle_maintained",
        `CREATE TABLE all_tables AS SELECT *, 'NO' AS nested, 'N' AS secondary FROM (VALUES ${values}) AS t(owner, table_name)`,
        "CREATE TABLE all_views AS SELECT 'SHOP' AS owner, 'V' AS view_name",
        "CREATE TABLE all_external_tables AS SELECT 'SHOP' AS owner, 'OUTSIDE' AS table_name",
        "CREATE TABLE all_xternal_part_tables AS SELECT 'SHOP' AS owner, 'HYBRID' AS table_name",
        "CREATE TABLE all_tab_comments AS SELECT 'SHOP' AS owner, '' AS table_name, '' AS comments",
        `CREATE TABLE all_tab_columns AS SELECT *, 'ID' AS column_name, 'NUMBER' AS data_type, 'Y' AS nullable, 1 AS column_id
          FROM (VALUES ${values}) AS t(owner, table_name)`,
        `CREATE TABLE all_tab_cols AS SELECT *, if(table_name = 'COMPUTED', 'YES', 'NO') AS virtual_column FROM all_tab_columns`,
        "CREATE TABLE all_col_comments AS SELECT 'SHOP' AS owner, '' AS table_name, '' AS column_name, '' AS comments",
      ],
      (sql) => sql,
    );
    expect(mayFail(await readOracleCatalog(source, REQUEST, OPTIONS))).toEqual(["COMPUTED", "HYBRID", "OUTSIDE", "V"]);
  });

  test("SQL Server: views, external tables, computed columns that are not persisted", async () => {
    const source = inSchema(
      "sys",
      [
        "CREATE OR REPLACE MACRO DB_NAME() AS 'shop'",
        "CREATE TABLE schemas AS SELECT 1 AS schema_id, 'dbo' AS name",
        `CREATE TABLE objects AS SELECT *, 1 AS schema_id, 0 AS is_ms_shipped
          FROM (VALUES (1, 'stored', 'U'), (2, 'outside', 'U'), (3, 'computed', 'U'), (4, 'persisted', 'U'), (5, 'v', 'V')) AS t(object_id, name, type)`,
        "CREATE TABLE tables AS SELECT object_id, CAST(object_id = 2 AS INT) AS is_external FROM objects WHERE type = 'U'",
        "CREATE TABLE extended_properties (class INT, major_id INT, minor_id INT, name TEXT, value TEXT)",
        "CREATE TABLE columns AS SELECT object_id, 'id' AS name, 1 AS column_id, 56 AS user_type_id, 56 AS system_type_id, 1 AS is_nullable FROM objects",
        "CREATE TABLE types AS SELECT 56 AS user_type_id, 'int' AS name, 0 AS is_assembly_type",
        "CREATE TABLE computed_columns AS SELECT object_id, 1 AS column_id, CAST(object_id = 4 AS INT) AS is_persisted FROM objects WHERE object_id IN (3, 4)",
      ],
      (sql) => sql.replaceAll("COLLATE Latin1_General_100_BIN2", "").replaceAll("NVARCHAR(MAX)", "TEXT"),
    );
    expect(mayFail(await readMsSqlCatalog(source, REQUEST, OPTIONS))).toEqual(["computed", "outside", "v"]);
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
