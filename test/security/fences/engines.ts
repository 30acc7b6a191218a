/** The engines of the experiment, and ways to make each plan differently. */
import { DuckDBInstance } from "@duckdb/node-api";
import { startPostgres } from "../../support/postgres.ts";
import { FENCES, POSITIONS, PREDICATES, type Shapes, setup } from "./shapes.ts";

export interface Engine {
  readonly shapes: Shapes;
  readonly version: string;
  /** Rows as canonical text, without order. Rejects with the engine's own error. */
  rows(sql: string): Promise<string>;
  execute(sql: string): Promise<void>;
  /** Whether the error is about the statement itself and would come over any rows. */
  isStatic(error: unknown): boolean;
  /** How many statements it is asked at once; one where they share a connection. */
  readonly atOnce?: number;
  /** The predicates of the whole experiment, where all of them would take hours. */
  readonly reported?: readonly string[];
  /** Positions that it has no grammar for. */
  readonly lacking: readonly string[];
  /** Names of ways to plan, each settings on top of the engine's defaults. */
  readonly modes: readonly string[];
  /** Ways to plan under which every fence is tried, and the fences that are tried under all others. */
  readonly thorough: readonly string[];
  readonly serious: readonly string[];
  use(mode: string): Promise<void>;
  close(): Promise<void>;
}

export const unordered = (rows: readonly unknown[]): string =>
  rows
    .map((row) => JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? `${value}` : value)))
    .sort()
    .join("\n");

/** Settings under which PostgreSQL chooses what it otherwise would not, so that what it may do is seen and not what it likes. */
const POSTGRES_MODES: Record<string, readonly string[]> = {
  "no statistics": [],
  defaults: [],
  "index scans": ["enable_seqscan=off", "enable_bitmapscan=off"],
  "nested loops": ["enable_hashjoin=off", "enable_mergejoin=off"],
  "merge joins": ["enable_hashjoin=off", "enable_nestloop=off"],
  "hash joins": ["enable_mergejoin=off", "enable_nestloop=off"],
  "no materialize, memoize, sort": ["enable_material=off", "enable_memoize=off", "enable_sort=off"],
  parallel: [
    "parallel_setup_cost=0",
    "parallel_tuple_cost=0",
    "min_parallel_table_scan_size=0",
    "min_parallel_index_scan_size=0",
    "debug_parallel_query=on",
  ],
};

export async function openPostgresEngine(rows: number): Promise<Engine> {
  const database = await startPostgres();
  const client = await database.connect();
  for (const statement of setup(rows)) await client.query(statement);
  for (const column of ["secrets (owner)", "other (k)", "grants (owner)"])
    await client.query(`CREATE INDEX ON ${column}`);
  const { rows: version } = await client.query<{ server_version: string }>("SHOW server_version");
  return {
    shapes: { predicates: PREDICATES.postgres, positions: POSITIONS, fences: FENCES },
    version: `PostgreSQL ${version[0]?.server_version}`,
    rows: async (sql) => unordered((await client.query({ text: sql, rowMode: "array" })).rows),
    execute: async (sql) => void (await client.query(sql)),
    // 42: syntax and names, 0A: not supported.
    isStatic: (error) => /^(42|0A)/.test((error as { code?: string }).code ?? ""),
    lacking: [],
    modes: Object.keys(POSTGRES_MODES),
    thorough: ["defaults"],
    serious: ["none", "OFFSET 0", "MATERIALIZED"],
    use: async (mode) => {
      await client.query("RESET ALL");
      if (mode !== "no statistics") await client.query("ANALYZE");
      for (const setting of POSTGRES_MODES[mode] ?? []) await client.query(`SET ${setting}`);
    },
    close: () => database.stop(),
  };
}

/** Tables of a database file, and one Parquet file, which cannot be undone. Both hold dictionaries, as large data does. */
const DUCKDB_MODES: Record<string, readonly string[]> = {
  defaults: [],
  "four threads": ["SET threads = 4"],
  "no order kept": ["SET threads = 2", "SET preserve_insertion_order = false"],
  Parquet: ["RESET preserve_insertion_order"],
};

export async function openDuckDbEngine(rows: number, directory: string): Promise<Engine> {
  const instance = await DuckDBInstance.create(`${directory}/fences.duckdb`, { threads: "2" });
  const connection = await instance.connect();
  const execute = async (sql: string): Promise<void> => void (await connection.run(sql));
  await execute("SET force_compression = 'dictionary'");
  for (const statement of setup(rows)) await execute(statement);
  await execute("CHECKPOINT");
  const version = (await connection.runAndReadAll("SELECT version()")).getRows()[0]?.[0];
  return {
    shapes: { predicates: PREDICATES.duckdb, positions: POSITIONS, fences: FENCES },
    version: `DuckDB ${version}`,
    rows: async (sql) => unordered((await connection.runAndReadAll(sql)).getRowsJson()),
    execute,
    isStatic: (error) => /^(Binder|Parser|Catalog|Not implemented) Error/.test((error as Error).message),
    lacking: [],
    modes: Object.keys(DUCKDB_MODES),
    thorough: ["defaults", "Parquet"],
    serious: ["none", "OFFSET 0", "MATERIALIZED, OFFSET 0"],
    use: async (mode) => {
      for (const statement of DUCKDB_MODES[mode] ?? []) await execute(statement);
      if (mode !== "Parquet") return;
      await execute(`COPY secrets TO '${directory}/secrets.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
      await execute("DROP TABLE secrets");
      await execute(`CREATE VIEW secrets AS SELECT * FROM read_parquet('${directory}/secrets.parquet')`);
    },
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
