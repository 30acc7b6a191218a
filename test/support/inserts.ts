/** Tables of Parquet files, copied by statements of INSERT: for MySQL and MariaDB. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

export interface CopiedTable {
  readonly name: string;
  readonly file: string;
  /** Behind the columns, with the comma in front of it. */
  readonly constraint?: string;
}

const TYPES: Readonly<Record<string, string>> = { VARCHAR: "varchar(255)", TIMESTAMP: "datetime(6)" };
const ROWS_AT_ONCE = 1000;

/** Creates and fills `tables` in the database that `run` is connected to. */
export async function copyByInserts(
  run: (sql: string) => Promise<unknown>,
  tables: readonly CopiedTable[],
): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    for (const table of tables) await copyTable(run, duckdb, table);
    await run(`ANALYZE TABLE ${tables.map(({ name }) => name).join(", ")}`);
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
}

async function copyTable(
  run: (sql: string) => Promise<unknown>,
  duckdb: DuckDBConnection,
  { name, file, constraint = "" }: CopiedTable,
): Promise<void> {
  const described = await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM '${file}'`);
  const columns = described.getRowsJson().map(([column, type]) => [String(column), String(type)] as const);
  const declared = columns.map(([column, type]) => `\`${column}\` ${TYPES[type] ?? type}`);
  await run(`CREATE TABLE \`${name}\` (${declared.join(", ")}${constraint})`);
  const texts = columns.map(([column, type]) => `"${column}"${type === "BOOLEAN" ? "::int" : ""}::varchar`);
  const rows = (await duckdb.runAndReadAll(`SELECT ${texts.join(", ")} FROM '${file}'`)).getRowsJson();
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const lines = rows.slice(at, at + ROWS_AT_ONCE).map((row) => `(${row.map(literal).join(", ")})`);
    await run(`INSERT INTO \`${name}\` VALUES ${lines.join(", ")}`);
  }
}

function literal(value: unknown): string {
  return value === null ? "NULL" : `'${String(value).replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
