/** A schema's rows on a real engine, by statements that differ in how names and values are written alone. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type pg from "pg";
import { Random } from "../support/random-query.ts";
import type { Naming } from "./manifest.ts";
import { type Cell, type CorpusSchema, type CorpusTable, columnType } from "./tables.ts";

const ROWS_PER_INSERT = 500;

/** How an engine writes names, and values of PostgreSQL's `type`. */
interface Notation {
  readonly name: (name: string) => string;
  readonly literal: (cell: Cell, type: string, notNull: boolean) => string;
}

type TypeNaming = Naming["typeName"];

const STANDARD: Notation = { name: (name) => `"${name}"`, literal };
const MYSQL: Notation = { name: (name) => `\`${name}\``, literal: mySqlLiteral };

/** Tables, rows, then keys; `shuffle` is the seed of another physical order of the same rows. */
export async function loadPostgres(client: pg.Client, { tables }: CorpusSchema, shuffle?: number): Promise<void> {
  const random = shuffle === undefined ? undefined : new Random(shuffle);
  for (const table of tables) {
    await client.query(createTable(table, (type) => type, STANDARD));
    for (const sql of inserts(table, STANDARD, random)) await client.query(sql);
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
  typeName: TypeNaming,
): Promise<{ readonly root: string; remove(): Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), `siskin-corpus-${name}-`));
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    await duckdb.run("SET TimeZone = 'UTC'");
    for (const table of tables) {
      await duckdb.run(createTable(table, typeName, STANDARD));
      for (const sql of inserts(table, STANDARD)) await duckdb.run(sql);
      await duckdb.run(`COPY "${table.name}" TO '${join(root, `${table.name}.parquet`)}' (FORMAT parquet)`);
    }
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

/**
 * Types stored under another name than in manifests: metadata calls a TIMESTAMP TIMESTAMPTZ, intervals are texts, and arrays documents.
 */
const KEPT_BY_MYSQL: Readonly<Record<string, string>> = {
  "text[]": "json",
  interval: "varchar(40)",
  timestamptz: "timestamp(6)",
};

/** Tables, rows, then primary keys, in the database that `run` is connected to. */
export async function loadMySql(
  run: (sql: string) => Promise<unknown>,
  { tables }: CorpusSchema,
  typeName: TypeNaming,
): Promise<void> {
  const kept: TypeNaming = (type, notNull) => KEPT_BY_MYSQL[type] ?? typeName(type, notNull);
  await run("SET time_zone = '+00:00'");
  for (const table of tables) {
    await run(createTable(table, kept, MYSQL));
    for (const sql of inserts(table, MYSQL)) await run(sql);
    const key = table.primaryKey.map(MYSQL.name).join(", ");
    if (key !== "") await run(`ALTER TABLE ${MYSQL.name(table.name)} ADD PRIMARY KEY (${key})`);
  }
  await run(`ANALYZE TABLE ${tables.map(({ name }) => MYSQL.name(name)).join(", ")}`);
}

const CLICKHOUSE: Notation = { name: (name) => `\`${name}\``, literal: clickHouseLiteral };

/** ClickHouse keeps documents as texts, and arrays that may be NULL and intervals too, since its tables have no column for them. */
const KEPT_BY_CLICKHOUSE = /^(?:json|jsonb|interval|Nullable\(Array\(.*\)\))$/;

/** Tables and rows. */
export async function loadClickHouse(
  run: (sql: string) => Promise<unknown>,
  { tables }: CorpusSchema,
  typeName: TypeNaming,
): Promise<void> {
  const kept: TypeNaming = (type, notNull) => {
    const own = typeName(type, notNull);
    if (!KEPT_BY_CLICKHOUSE.test(own)) return own;
    return notNull ? "String" : "Nullable(String)";
  };
  for (const { name, columns } of tables) {
    const list = Object.entries(columns).map(([column, declared]) => {
      const { type, notNull } = columnType(declared);
      return `${CLICKHOUSE.name(column)} ${kept(type, notNull)}`;
    });
    await run(`CREATE TABLE ${CLICKHOUSE.name(name)} (${list.join(", ")}) ENGINE = MergeTree ORDER BY tuple()`);
  }
  for (const table of tables) for (const sql of inserts(table, CLICKHOUSE)) await run(sql);
}

function createTable({ name, columns }: CorpusTable, typeName: TypeNaming, notation: Notation): string {
  const list = Object.entries(columns).map(([column, declared]) => {
    const { type, notNull } = columnType(declared);
    return `${notation.name(column)} ${typeName(type, notNull)}${notNull ? " NOT NULL" : ""}`;
  });
  return `CREATE TABLE ${notation.name(name)} (${list.join(", ")})`;
}

function inserts({ name, columns, rows }: CorpusTable, notation: Notation, random?: Random): readonly string[] {
  const types = Object.values(columns).map(columnType);
  const ordered = random === undefined ? rows : shuffled(rows, random);
  const statements: string[] = [];
  const valueOf = (cell: Cell, { type, notNull } = { type: "", notNull: false }): string =>
    notation.literal(cell, type, notNull);
  for (let from = 0; from < ordered.length; from += ROWS_PER_INSERT) {
    const values = ordered
      .slice(from, from + ROWS_PER_INSERT)
      .map((row) => `(${row.map((cell, index) => valueOf(cell, types[index])).join(", ")})`);
    statements.push(`INSERT INTO ${notation.name(name)} VALUES ${values.join(",\n")}`);
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

/** Backslashes escape there, arrays are documents, and instants are written in the session's zone, UTC. */
function mySqlLiteral(cell: Cell, type: string): string {
  if (typeof cell === "object" && cell !== null) return mySqlLiteral(JSON.stringify(cell), "json");
  if (typeof cell !== "string") return literal(cell, type);
  const text = type === "timestamptz" ? inUtc(cell) : cell;
  return literal(text.replaceAll("\\", "\\\\"), type);
}

/** Texts are read as whatever the column has, `'[…]'` as an array where it holds them; digits beyond a decimal's are cut off. */
function clickHouseLiteral(cell: Cell, type: string, notNull: boolean): string {
  if (typeof cell === "object" && cell !== null) {
    if (!notNull) return clickHouseLiteral(JSON.stringify(cell), "json", true);
    return `[${cell.map((each) => clickHouseLiteral(each, type.replace(/\[\]$/, ""), true)).join(", ")}]`;
  }
  const [, scale] = /^numeric\(\d+, *(\d+)\)/.exec(type) ?? [];
  if (typeof cell === "number") return `'${scale === undefined ? cell : cell.toFixed(Number(scale))}'`;
  if (typeof cell !== "string") return literal(cell, type);
  const text = type === "timestamptz" ? inUtc(cell) : cell;
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}

/** `2023-01-29 21:38:33.000001+01` as `2023-01-29 20:38:33.000001`. */
function inUtc(instant: string): string {
  const [, seconds = "", fraction = "", hours = "", minutes = ":00"] =
    /^(.{19})(\.\d+)?([+-]\d\d)(:\d\d)?$/.exec(instant) ?? [];
  return new Date(`${seconds}${hours}${minutes}`).toISOString().replace("T", " ").replace(".000Z", fraction);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
