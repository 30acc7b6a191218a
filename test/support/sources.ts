/** Real sources behind their connectors, for tests that plan and run. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeDial } from "../../sidecar/dial.ts";
import { parseClickHouseConnection } from "../../src/connectors/connection/clickhouse.ts";
import { parseDuckDbConnection } from "../../src/connectors/connection/duckdb.ts";
import { parseLocalFileConnection } from "../../src/connectors/connection/local-file.ts";
import { parseMySqlConnection } from "../../src/connectors/connection/mysql.ts";
import { parsePostgresConnection } from "../../src/connectors/connection/postgres.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { openClickHouse } from "../../src/connectors/http/clickhouse.ts";
import { openMySql as connectMySql } from "../../src/connectors/socket/mysql.ts";
import { openPostgres as connectPostgres } from "../../src/connectors/socket/postgres.ts";
import { variantAt } from "../../src/connectors/sources.ts";
import type { Variant } from "../../src/planner/plan.ts";
import { type ClickHouseTestDatabase, startClickHouse } from "./clickhouse.ts";
import { openDuckDbIn } from "./duckdb.ts";
import { type MySqlTestDatabase, startMySql } from "./mysql.ts";
import type { MySqlFlavor } from "./mysql-server.ts";
import { startPostgres, type TestDatabase } from "./postgres.ts";
import { loadTpchByInserts, TPCH_TABLES } from "./tpch.ts";

export interface OpenedSource {
  readonly connector: Connector;
  /** The server's variant, if plans depend on it. */
  readonly variant?: Variant | undefined;
  close(): Promise<void>;
}

/** The files below `root`, by native DuckDB. */
export function openDuckDbFiles(root: string): Promise<OpenedSource> {
  return openDuckDbIn(root, parseLocalFileConnection({ url: "/", format: "parquet" }).info);
}

/** The databases below `root`, which are catalogs called like their files. */
export function openDuckDbDatabases(root: string): Promise<OpenedSource> {
  return openDuckDbIn(root, parseDuckDbConnection({ url: "/", format: "duckdb" }).info);
}

/** A database of its own with the TPC-H tables. */
export async function openPostgres(): Promise<OpenedSource> {
  const database = await startPostgres({ tpch: true });
  const { connector } = await openPostgresDatabase(database);
  return {
    connector,
    close: async () => {
      await connector.close();
      await database.stop();
    },
  };
}

export async function openPostgresDatabase(database: TestDatabase): Promise<OpenedSource> {
  const { info } = parsePostgresConnection({ connectionUrl: database.url });
  const host = { dial: nodeDial(["*"]), fetch, connectTimeoutMs: 10_000 };
  const connector = await connectPostgres(info, host, { signal: new AbortController().signal });
  return { connector, close: () => connector.close() };
}

/** A database of its own on MySQL or MariaDB, with the TPC-H tables. */
export function openMySqlTpch(flavor: MySqlFlavor): Promise<OpenedSource> {
  return openMySqlWith(flavor, loadTpchByInserts);
}

/** A database of its own, filled by `fill`. */
export async function openMySqlWith(
  flavor: MySqlFlavor,
  fill: (run: (sql: string) => Promise<unknown>) => Promise<void>,
): Promise<OpenedSource> {
  const database = await startMySql(flavor);
  await fill((sql) => database.query(sql));
  const { connector, variant } = await openMySqlDatabase(database);
  return {
    connector,
    variant,
    close: async () => {
      await connector.close();
      await database.stop();
    },
  };
}

export async function openMySqlDatabase(database: MySqlTestDatabase): Promise<OpenedSource> {
  const { info } = parseMySqlConnection({ connectionUrl: database.url });
  const host = { dial: nodeDial(["*"]), fetch, connectTimeoutMs: 10_000 };
  const { signal } = new AbortController();
  const connector = await connectMySql(info, host, { signal });
  const version = await connector.catalog({ kind: "version" }, { signal, timeoutMs: 10_000 });
  return { connector, variant: variantAt("mysql", version), close: () => connector.close() };
}

/** A database of its own on ClickHouse's engine, with the TPC-H tables. */
export function openClickHouseTpch(): Promise<OpenedSource> {
  const tables = TPCH_TABLES.map((name) => ({ name, file: join(EXAMPLES, "tpch", `${name}.parquet`) }));
  return openClickHouseWith((database) => copyIntoClickHouse(database, tables));
}

/** A database of its own on ClickHouse's engine, with what `fill` puts there. */
export async function openClickHouseWith(
  fill: (database: ClickHouseTestDatabase) => Promise<void>,
  fields: Readonly<Record<string, string>> = {},
): Promise<OpenedSource> {
  const database = await startClickHouse();
  await fill(database);
  // With several, rows without an order come in any.
  const { info } = parseClickHouseConnection({ ...database.fields, ...fields, settings: { max_threads: 1 } });
  const connector = await openClickHouse(info, { fetch }, { signal: new AbortController().signal });
  return {
    connector,
    close: async () => {
      await connector.close();
      await database.stop();
    },
  };
}

/** Creates tables with the rows of Parquet files, which ClickHouse reads by itself. */
export async function copyIntoClickHouse(
  database: ClickHouseTestDatabase,
  tables: readonly { readonly name: string; readonly file: string }[],
): Promise<void> {
  for (const { name, file } of tables) {
    const rows = `file('${file}')`;
    const columns = (await database.query(`DESCRIBE ${rows}`)).map(([column = ""]) => column);
    const [nulls = []] = await database.query(
      `SELECT ${columns.map((column) => `countIf(isNull(${column}))`)} FROM ${rows}`,
    );
    // Columns without NULLs are not Nullable there, mostly.
    const items = columns.map((column, at) => (nulls[at] === "0" ? `assumeNotNull(${column}) AS ${column}` : column));
    await database.query(`CREATE TABLE ${name} ENGINE = MergeTree ORDER BY tuple() AS SELECT ${items} FROM ${rows}`);
  }
}

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
