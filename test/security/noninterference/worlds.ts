/**
 * Three shops whose visible rows are equal. In the first every hidden row makes something fail that touches it, in the second
 * other rows are hidden, more of them and harmless, in the third none. What column rules withhold differs as well.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import { openDuckDbDatabases, openDuckDbFiles, openPostgresDatabase } from "../../support/sources.ts";
import { LEFT, statements } from "../access-rows.ts";
import type { World } from "../access-world.ts";

export const WORLDS = ["hidden rows that fail when touched", "other hidden rows", "no hidden row"] as const;
export type WorldName = (typeof WORLDS)[number];

const ORDER_COLUMNS = `(id, customer_id, owner, area, amount, units, code, note, doc, pattern, day_text, day, big,
  canary_owner_key, canary_secret, canary_salary)`;

/** SQL of all engines (on MySQL with `PIPES_AS_CONCAT`), after `statements()`. */
export const CHANGES: Readonly<Record<WorldName, readonly string[]>> = {
  "hidden rows that fail when touched": [
    ...[1, 2, 3, 4].map(
      (
        times,
      ) => `INSERT INTO orders ${ORDER_COLUMNS} SELECT id + ${times * 10_000}, customer_id, owner, area, amount, units,
        code, note, doc, pattern, day_text, day, big, canary_owner_key, canary_secret, canary_salary FROM orders
        WHERE id > 4 AND id < 10000`,
    ),
  ],
  "other hidden rows": [
    ...hiddenGone(),
    `INSERT INTO orders ${ORDER_COLUMNS} WITH RECURSIVE g (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM g WHERE i < 700)
      SELECT i + 50, 3, CASE WHEN i % 3 = 0 THEN 'cid' ELSE 'bob' END, 'south', i, 7, '77',
      'other ' || i, '{"zz": [1]}', 'z', '2020-02-02', DATE '2020-02-02', 5, 'KEYCANARY-other', 'x', 1
      FROM g`,
    "INSERT INTO customers VALUES (3, 'Three', 'bob', '3', 'y'), (9, 'Nine', 'cid', '9', 'y')",
    "INSERT INTO grants VALUES ('bob', 'south'), ('dora', 'north'), ('dora', 'south')",
    "UPDATE orders SET canary_secret = 'other' || id, canary_salary = id",
    "UPDATE customers SET canary_ssn = 'other'",
  ],
  "no hidden row": [
    ...hiddenGone(),
    "UPDATE orders SET canary_secret = NULL, canary_salary = NULL",
    "UPDATE customers SET canary_ssn = NULL",
  ],
};

function hiddenGone(): readonly string[] {
  return Object.entries(LEFT).map(([table, condition]) => `DELETE FROM ${table} WHERE (${condition}) IS NOT TRUE`);
}

const TABLES = Object.keys(LEFT);

/** A way to ask the three worlds. */
export interface Target {
  readonly engine: string;
  readonly source: DataSource;
  /** The tables as the manifest describes them. */
  readonly shop: Pick<World, "jsonColumn"> & { readonly table: (name: string) => object };
  readonly connectors: Readonly<Record<WorldName, Connector>>;
  /** Statements are planned with barriers that are not proven, too. */
  readonly bestEffort?: true;
}

export interface Targets {
  readonly postgres: readonly Target[];
  readonly files: readonly Target[];
  readonly versions: readonly string[];
  close(): Promise<void>;
}

/** By which PostgreSQL plans as it otherwise would not. */
const PLANNER_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  "PostgreSQL, defaults": [],
  "PostgreSQL, index scans": ["enable_seqscan", "enable_bitmapscan"],
  "PostgreSQL, nested loops": ["enable_hashjoin", "enable_mergejoin"],
  "PostgreSQL, merge joins": ["enable_hashjoin", "enable_nestloop"],
  "PostgreSQL, no sort, no materialize": ["enable_sort", "enable_material", "enable_memoize"],
};

export async function openTargets(): Promise<Targets> {
  const [postgres, files] = [await openPostgresTargets(), await openFileTargets()];
  return {
    postgres: postgres.targets,
    files: files.targets,
    versions: [postgres.version, files.version],
    close: async () => {
      await files.close();
      await postgres.close();
    },
  };
}

async function openPostgresTargets() {
  const databases = new Map<WorldName, TestDatabase>();
  let version = "";
  for (const world of WORLDS) {
    const database = await startPostgres();
    databases.set(world, database);
    const client = await database.connect();
    for (const statement of [...statements(), ...CHANGES[world]]) await client.query(statement);
    for (const table of ["orders", "customers", "items"])
      await client.query(`ALTER TABLE ${table} ADD PRIMARY KEY (id)`);
    for (const column of ["orders (owner)", "orders (note)", "grants (user_name)"])
      await client.query(`CREATE INDEX ON ${column}`);
    await client.query("ANALYZE");
    version = `PostgreSQL ${(await client.query<{ server_version: string }>("SHOW server_version")).rows[0]?.server_version}`;
  }
  const targets: Target[] = [];
  for (const [engine, settings] of Object.entries(PLANNER_SETTINGS)) {
    const connectors: [WorldName, Connector][] = [];
    for (const [world, database] of databases) {
      const client = await database.connect();
      await client.query(`ALTER DATABASE ${database.database} RESET ALL`);
      for (const setting of settings) await client.query(`ALTER DATABASE ${database.database} SET ${setting} = off`);
      connectors.push([world, (await openPostgresDatabase(database)).connector]);
    }
    targets.push({
      engine,
      source: "postgres",
      shop: {
        jsonColumn: "CASE WHEN id <= 4 THEN doc::json END",
        table: (table) => ({ tableReference: { schema: "public", table } }),
      },
      connectors: Object.fromEntries(connectors) as Record<WorldName, Connector>,
    });
  }
  return {
    targets,
    version,
    close: async () => {
      for (const { connectors } of targets) for (const world of WORLDS) await connectors[world].close();
      for (const database of databases.values()) await database.stop();
    },
  };
}

/** How the tables of a world get into files, and how a manifest names one. */
const FORMATS: Readonly<
  Record<
    string,
    { readonly write: (db: DuckDBConnection, directory: string) => Promise<void>; readonly extension: string }
  >
> = {
  Parquet: { write: (db, directory) => copied(db, directory, "parquet"), extension: ".parquet" },
  CSV: { write: (db, directory) => copied(db, directory, "csv"), extension: ".csv" },
  "JSON lines": {
    write: (db, directory) => asJson(db, directory, (lines) => lines.join("\n"), "ndjson"),
    extension: ".ndjson",
  },
  JSON: {
    write: (db, directory) => asJson(db, directory, (lines) => `[${lines.join(",\n")}]`, "json"),
    extension: ".json",
  },
  "DuckDB database": {
    write: async (db, directory) => {
      await db.run(`ATTACH '${join(directory, "shop.duckdb")}' AS shop; SET force_compression = 'dictionary'`);
      for (const table of TABLES) await db.run(`CREATE TABLE shop.${table} AS SELECT * FROM ${table}`);
      await db.run("CHECKPOINT shop; DETACH shop");
    },
    extension: "",
  },
};

async function copied(db: DuckDBConnection, directory: string, format: string): Promise<void> {
  for (const table of TABLES)
    await db.run(`COPY ${table} TO '${join(directory, `${table}.${format}`)}' (FORMAT ${format})`);
}

/** Hidden orders have keys that no visible one has, and objects where those have texts. */
async function asJson(
  db: DuckDBConnection,
  directory: string,
  text: (lines: readonly string[]) => string,
  extension: string,
): Promise<void> {
  for (const table of TABLES) {
    const rows = (await db.runAndReadAll(`SELECT * FROM ${table}`)).getRowObjectsJson();
    const lines = rows.map((row) => {
      const hidden = table === "orders" && Number(row["id"]) > 4;
      return JSON.stringify(hidden ? { ...row, [`secret ${row["id"]}`]: 1, doc: { [`key ${row["id"]}`]: 1 } } : row);
    });
    await writeFile(join(directory, `${table}.${extension}`), text(lines));
  }
}

async function openFileTargets() {
  const root = await mkdtemp(join(tmpdir(), "siskin-worlds-"));
  const connectors = new Map(Object.keys(FORMATS).map((format) => [format, new Map<WorldName, Connector>()]));
  const fileRoots = new Map<WorldName, string>();
  let version = "";
  for (const [index, world] of WORLDS.entries()) {
    const instance = await DuckDBInstance.create(":memory:");
    const db = await instance.connect();
    for (const statement of [...statements(), ...CHANGES[world]]) await db.run(statement);
    version = `DuckDB ${(await db.runAndReadAll("SELECT version()")).getRows()[0]?.[0]}`;
    // Each world is below a root of its own, so that equal names mean its files.
    const directory = join(root, `${index}`);
    await mkdir(directory);
    fileRoots.set(world, directory);
    for (const { write } of Object.values(FORMATS)) await write(db, directory);
    db.closeSync();
    instance.closeSync();
    for (const format of Object.keys(FORMATS)) {
      const opened = await (format === "DuckDB database" ? openDuckDbDatabases : openDuckDbFiles)(directory);
      connectors.get(format)?.set(world, opened.connector);
    }
  }
  const targets = Object.entries(FORMATS).map(
    ([engine, { extension }]): Target => ({
      engine,
      source: engine === "DuckDB database" ? "duckdb" : "local_file",
      shop: { jsonColumn: "doc", table: (table) => ({ tableReference: { table: `${table}${extension}` } }) },
      connectors: Object.fromEntries(connectors.get(engine) ?? []) as Record<WorldName, Connector>,
    }),
  );
  return {
    targets,
    version,
    close: async () => {
      for (const each of connectors.values()) for (const connector of each.values()) await connector.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
