/** A schema's rows on a real engine. The statements are plain enough for all of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type pg from "pg";
import { Random } from "../support/random-query.ts";
import { type Cell, type CorpusSchema, type CorpusTable, columnType } from "./tables.ts";

const ROWS_PER_INSERT = 500;

/** Tables, rows, then keys; `shuffle` is the seed of another physical order of the same rows. */
export async function loadPostgres(client: pg.Client, { tables }: CorpusSchema, shuffle?: number): Promise<void> {
  const random = shuffle === undefined ? undefined : new Random(shuffle);
  for (const table of tables) {
    await client.query(createTable(table, (type) => type));
    for (const sql of inserts(table, random)) await client.query(sql);
  }
  for (const { name, primaryKey } of tables.filter((table) => table.primaryKey.length > 0))
    await client.query(`ALTER TABLE "${name}" ADD PRIMARY KEY (${quoted(primaryKey)})`);
  for (const { name, foreignKeys } of tables)
    for (const { columns, table, keys } of foreignKeys)
      await client.query(
        `ALTER TABLE "${name}" ADD FOREIGN KEY (${quoted(columns)}) REFERENCES "${table}" (${quoted(keys)})`,
      );
  await client.query("ANALYZE");
}

/** A directory with one Parquet file per table. */
export async function writeParquet(
  { name, tables }: CorpusSchema,
  typeName: (type: string) => string,
): Promise<{ readonly root: string; remove(): Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), `siskin-corpus-${name}-`));
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    await duckdb.run("SET TimeZone = 'UTC'");
    for (const table of tables) {
      await duckdb.run(createTable(table, typeName));
      for (const sql of inserts(table)) await duckdb.run(sql);
      await duckdb.run(`COPY "${table.name}" TO '${join(root, `${table.name}.parquet`)}' (FORMAT parquet)`);
    }
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

function createTable({ name, columns }: CorpusTable, typeName: (type: string) => string): string {
  const list = Object.entries(columns).map(([column, declared]) => {
    const { type, notNull } = columnType(declared);
    return `"${column}" ${typeName(type)}${notNull ? " NOT NULL" : ""}`;
  });
  return `CREATE TABLE "${name}" (${list.join(", ")})`;
}

function inserts({ name, columns, rows }: CorpusTable, random?: Random): readonly string[] {
  const types = Object.values(columns).map((declared) => columnType(declared).type);
  const ordered = random === undefined ? rows : shuffled(rows, random);
  const statements: string[] = [];
  for (let from = 0; from < ordered.length; from += ROWS_PER_INSERT) {
    const values = ordered
      .slice(from, from + ROWS_PER_INSERT)
      .map((row) => `(${row.map((cell, index) => literal(cell, types[index] ?? "")).join(", ")})`);
    statements.push(`INSERT INTO "${name}" VALUES ${values.join(",\n")}`);
  }
  return statements;
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [copy[last], copy[other]] = [copy[other] as T, copy[last] as T];
  }
  return copy;
}

function literal(cell: Cell, type: string): string {
  if (cell === null) return "NULL";
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  if (typeof cell === "number") return String(cell);
  if (typeof cell === "string") return `'${cell.replaceAll("'", "''")}'`;
  const element = type.replace(/\[\]$/, "");
  return cell.length === 0
    ? `CAST(ARRAY[] AS ${type})`
    : `ARRAY[${cell.map((each) => literal(each, element)).join(", ")}]`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
