/** The tables of the analyst queries in a schema of an account: as models, and as statements that its owner runs. */
import { fileURLToPath } from "node:url";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import { plainManifest } from "../../support/analyst.ts";

const FILES = fileURLToPath(new URL("../../../examples/tpch/", import.meta.url));
const ROWS_AT_ONCE = 200;

type TypeName = "INTEGER" | "VARCHAR" | "DECIMAL(15,2)" | "BOOLEAN" | "DATE" | "TIMESTAMP" | "JSON";

/** The types of the tables by the source's names, where those are others. */
const TYPES: Readonly<Partial<Record<PlannedSource, Readonly<Partial<Record<TypeName, string>>>>>> = {
  postgres: { VARCHAR: "text" },
  redshift: { JSON: "VARCHAR" },
  mysql: { VARCHAR: "VARCHAR(255)", TIMESTAMP: "DATETIME(6)" },
  mssql: {
    VARCHAR: "NVARCHAR(255)",
    BOOLEAN: "BIT",
    TIMESTAMP: "DATETIME2(6)",
    JSON: "NVARCHAR(255)",
  },
  clickhouse: {
    INTEGER: "Nullable(Int32)",
    VARCHAR: "Nullable(String)",
    "DECIMAL(15,2)": "Nullable(Decimal(15,2))",
    BOOLEAN: "Nullable(Bool)",
    DATE: "Nullable(Date32)",
    TIMESTAMP: "Nullable(DateTime64(6))",
    JSON: "Nullable(String)",
  },
  trino: { TIMESTAMP: "TIMESTAMP(6)", JSON: "VARCHAR" },
  spark: { VARCHAR: "STRING", TIMESTAMP: "TIMESTAMP_NTZ", JSON: "STRING" },
  databricks: { VARCHAR: "STRING", TIMESTAMP: "TIMESTAMP_NTZ", JSON: "STRING" },
  bigquery: {
    INTEGER: "INT64",
    VARCHAR: "STRING",
    "DECIMAL(15,2)": "NUMERIC(15,2)",
    BOOLEAN: "BOOL",
    TIMESTAMP: "DATETIME",
  },
};

/** Where a backslash in a text stands for itself only when it is doubled. */
const ESCAPING: ReadonlySet<PlannedSource> = new Set(["bigquery", "clickhouse", "databricks", "mysql", "spark"]);
/** Where a name is quoted by backticks. */
const BACKTICKS: ReadonlySet<PlannedSource> = new Set(["bigquery", "clickhouse", "databricks", "mysql", "spark"]);
/** Where texts stand in columns of dates without a word. */
const UNTYPED: ReadonlySet<PlannedSource> = new Set(["mssql", "clickhouse"]);

function typeIn(source: PlannedSource, type: string): string {
  const names: Readonly<Record<string, string>> = TYPES[source] ?? {};
  return names[type] ?? type;
}

interface Model {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

const { models, ...rest } = plainManifest("local_file") as { readonly models: readonly Model[] };

/** The manifest of the tables in `schema`. */
export function manifestIn(source: PlannedSource, schema: string): unknown {
  const own = models.map((model) => ({
    ...model,
    tableReference: { schema, table: model.name },
    columns: model.columns.map((column) => ({ ...column, type: typeIn(source, column.type) })),
  }));
  return { ...rest, models: own };
}

export const TABLES: readonly string[] = models.map(({ name }) => name);

/** Statements that make the tables in a schema that is there, each with its rows. */
export async function* statementsFor(source: PlannedSource, schema: string): AsyncGenerator<string> {
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    for (const model of models) yield* tableStatements(duckdb, source, schema, model);
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
}

async function* tableStatements(
  duckdb: DuckDBConnection,
  source: PlannedSource,
  schema: string,
  { name, columns }: Model,
): AsyncGenerator<string> {
  const quoted = (word: string): string => (BACKTICKS.has(source) ? `\`${word}\`` : `"${word}"`);
  const table = `${quoted(schema)}.${quoted(name)}`;
  const declared = columns.map((column) => `${quoted(column.name)} ${typeIn(source, column.type)}`);
  const behind = source === "clickhouse" ? " ENGINE = MergeTree ORDER BY tuple()" : "";
  yield `CREATE TABLE ${table} (${declared.join(", ")})${behind}`;
  const texts = columns.map((column) => `"${column.name}"::varchar`).join(", ");
  const rows = (await duckdb.runAndReadAll(`SELECT ${texts} FROM '${FILES}${name}.parquet'`)).getRowsJson();
  const types = columns.map(({ type }) => type);
  const tuples = rows.map(
    (row) => `(${row.map((cell, index) => literal(source, cell, types[index] ?? "")).join(", ")})`,
  );
  for (let at = 0; at < tuples.length; at += ROWS_AT_ONCE)
    yield `INSERT INTO ${table} VALUES ${tuples.slice(at, at + ROWS_AT_ONCE).join(", ")}`;
}

function literal(source: PlannedSource, cell: unknown, type: string): string {
  if (cell === null) return "NULL";
  const text = String(cell);
  if (type === "INTEGER" || type.startsWith("DECIMAL")) return text;
  if (type === "BOOLEAN") return source === "mssql" ? String(Number(text === "true")) : text;
  const escaped = ESCAPING.has(source)
    ? text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")
    : text.replaceAll("'", "''");
  if (type === "JSON" && source === "bigquery") return `JSON '${escaped}'`;
  const word = UNTYPED.has(source) || !["DATE", "TIMESTAMP"].includes(type) ? "" : `${kindOf(source, type)} `;
  const prefix = source === "mssql" && word === "" ? "N" : "";
  return `${prefix}${word}'${escaped}'`;
}

function kindOf(source: PlannedSource, type: string): string {
  if (type === "DATE") return type;
  if (source === "bigquery") return "DATETIME";
  return source === "spark" || source === "databricks" ? "TIMESTAMP_NTZ" : type;
}
