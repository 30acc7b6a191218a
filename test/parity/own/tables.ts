/** The tables of the analyst queries in a schema of an account: as models, and as statements that its owner runs. */
import { fileURLToPath } from "node:url";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { plainManifest } from "../../support/analyst.ts";

const FILES = fileURLToPath(new URL("../../../examples/tpch/", import.meta.url));
const ROWS_AT_ONCE = 200;

export type TypeName = "INTEGER" | "BIGINT" | "VARCHAR" | "DECIMAL(15,2)" | "BOOLEAN" | "DATE" | "TIMESTAMP" | "JSON";

/** How a source's statements are written, where not as in PostgreSQL. */
interface Notation {
  /** Types by the source's names. */
  readonly types: Readonly<Partial<Record<TypeName, string>>>;
  /** Around a name; it stands bare where that folds it to what a manifest's lower-case name finds. */
  readonly quote?: "`" | "";
  /** A backslash in a text stands for itself when it is doubled. */
  readonly escapes?: true;
  /** Before a text that is a date or a timestamp; texts stand in such columns without a word where it is empty. */
  readonly words?: Readonly<Partial<Record<TypeName, string>>>;
  /** Behind the columns of a table. */
  readonly behind?: string;
  readonly booleans?: readonly [whenFalse: string, whenTrue: string];
  /** A statement adds one row after another by SELECT, for VALUES has one alone. */
  readonly rowsBySelect?: true;
}

const SPARK: Notation = {
  types: { VARCHAR: "STRING", TIMESTAMP: "TIMESTAMP_NTZ", JSON: "STRING" },
  words: { TIMESTAMP: "TIMESTAMP_NTZ " },
  quote: "`",
  escapes: true,
};

const NOTATIONS: Readonly<Partial<Record<DataSource, Notation>>> = {
  postgres: { types: { VARCHAR: "text" } },
  redshift: { types: { JSON: "VARCHAR" } },
  mysql: { types: { VARCHAR: "VARCHAR(255)", TIMESTAMP: "DATETIME(6)" }, quote: "`", escapes: true },
  doris: {
    types: { VARCHAR: "VARCHAR(1024)", TIMESTAMP: "DATETIME(6)" },
    words: { DATE: "", TIMESTAMP: "" },
    quote: "`",
    escapes: true,
    behind: ` DISTRIBUTED BY RANDOM BUCKETS 1 PROPERTIES ("replication_num" = "1")`,
  },
  mssql: {
    types: { VARCHAR: "NVARCHAR(255)", BOOLEAN: "BIT", TIMESTAMP: "DATETIME2(6)", JSON: "NVARCHAR(255)" },
    words: { DATE: "", TIMESTAMP: "", VARCHAR: "N", JSON: "N" },
    booleans: ["0", "1"],
  },
  oracle: {
    types: {
      INTEGER: "NUMBER(10)",
      BIGINT: "NUMBER(19)",
      VARCHAR: "VARCHAR2(255)",
      "DECIMAL(15,2)": "NUMBER(15,2)",
      BOOLEAN: "NUMBER(1)",
      TIMESTAMP: "TIMESTAMP(6)",
      JSON: "VARCHAR2(255)",
    },
    booleans: ["0", "1"],
    rowsBySelect: true,
  },
  snowflake: {
    types: { TIMESTAMP: "TIMESTAMP_NTZ", JSON: "VARCHAR" },
    words: { DATE: "", TIMESTAMP: "" },
    quote: "",
    escapes: true,
  },
  clickhouse: {
    types: {
      INTEGER: "Nullable(Int32)",
      BIGINT: "Nullable(Int64)",
      VARCHAR: "Nullable(String)",
      "DECIMAL(15,2)": "Nullable(Decimal(15,2))",
      BOOLEAN: "Nullable(Bool)",
      DATE: "Nullable(Date32)",
      TIMESTAMP: "Nullable(DateTime64(6))",
      JSON: "Nullable(String)",
    },
    words: { DATE: "", TIMESTAMP: "" },
    quote: "`",
    escapes: true,
    behind: " ENGINE = MergeTree ORDER BY tuple()",
  },
  trino: { types: { TIMESTAMP: "TIMESTAMP(6)", JSON: "VARCHAR" } },
  spark: SPARK,
  databricks: SPARK,
  bigquery: {
    types: {
      INTEGER: "INT64",
      BIGINT: "INT64",
      VARCHAR: "STRING",
      "DECIMAL(15,2)": "NUMERIC(15,2)",
      BOOLEAN: "BOOL",
      TIMESTAMP: "DATETIME",
    },
    words: { TIMESTAMP: "DATETIME ", JSON: "JSON " },
    quote: "`",
    escapes: true,
  },
};

const notationOf = (source: PlannedSource): Notation => NOTATIONS[source] ?? { types: {} };

const typeIn = ({ types }: Notation, type: string): string => types[type as TypeName] ?? type;

export interface TableColumns {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

const { models, ...rest } = plainManifest("local_file") as { readonly models: readonly TableColumns[] };

/** The manifest of the tables in `schema`. */
export function manifestIn(source: PlannedSource, schema: string): unknown {
  const notation = notationOf(source);
  const own = models.map((model) => ({
    ...model,
    tableReference: { schema, table: model.name },
    columns: model.columns.map((column) => ({ ...column, type: typeIn(notation, column.type) })),
  }));
  return { ...rest, models: own };
}

export const TABLES: readonly string[] = models.map(({ name }) => name);

/** One for the whole process: native DuckDB is least reliable while it opens and closes. */
let reader: Promise<DuckDBConnection> | undefined;

/** Statements that make the tables in an existing schema, each with its rows. */
export async function* statementsFor(source: PlannedSource, schema: string): AsyncGenerator<string> {
  reader ??= DuckDBInstance.create(":memory:").then((instance) => instance.connect());
  const duckdb = await reader;
  for (const model of models) {
    yield* tableStatements(duckdb, source, { schema, ...model, rows: `'${FILES}${model.name}.parquet'` });
  }
}

/** The table's name as the statements of `tableStatements` write it. */
export function tableIn(source: PlannedSource, schema: string | undefined, name: string): string {
  const { quote = '"' } = notationOf(source);
  const quoted = `${quote}${name}${quote}`;
  return schema === undefined ? quoted : `${quote}${schema}${quote}.${quoted}`;
}

/** Statements that make one table with the rows of a DuckDB relation. */
export async function* tableStatements(
  duckdb: DuckDBConnection,
  source: PlannedSource,
  { schema, name, columns, rows: relation }: TableColumns & { readonly schema?: string; readonly rows: string },
): AsyncGenerator<string> {
  const notation = notationOf(source);
  const { quote = '"', behind = "", rowsBySelect } = notation;
  const quoted = (word: string): string => `${quote}${word}${quote}`;
  const table = tableIn(source, schema, name);
  const declared = columns.map((column) => `${quoted(column.name)} ${typeIn(notation, column.type)}`);
  yield `CREATE TABLE ${table} (${declared.join(", ")})${behind}`;
  const texts = columns.map((column) => `"${column.name}"::varchar`).join(", ");
  const rows = (await duckdb.runAndReadAll(`SELECT ${texts} FROM ${relation}`)).getRowsJson();
  const types = columns.map(({ type }) => type as TypeName);
  const values = rows.map((row) => row.map((cell, at) => literal(notation, cell, types[at] ?? "VARCHAR")).join(", "));
  for (let at = 0; at < values.length; at += ROWS_AT_ONCE) {
    const some = values.slice(at, at + ROWS_AT_ONCE);
    yield rowsBySelect
      ? `INSERT INTO ${table} ${some.map((row) => `SELECT ${row} FROM DUAL`).join(" UNION ALL ")}`
      : `INSERT INTO ${table} VALUES ${some.map((row) => `(${row})`).join(", ")}`;
  }
}

function literal({ booleans, escapes, words = {} }: Notation, cell: unknown, type: TypeName): string {
  if (cell === null) return "NULL";
  const text = String(cell);
  if (type === "INTEGER" || type === "BIGINT" || type === "DECIMAL(15,2)") return text;
  if (type === "BOOLEAN") return booleans?.[text === "true" ? 1 : 0] ?? text;
  const escaped = escapes ? text.replaceAll("\\", "\\\\").replaceAll("'", "\\'") : text.replaceAll("'", "''");
  const word = words[type] ?? (type === "DATE" || type === "TIMESTAMP" ? `${type} ` : "");
  return `${word}'${escaped}'`;
}
