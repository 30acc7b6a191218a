/** What DuckDB says about databases and files, as catalogue records (contract §7.2, §7.3, §7.5). Platform-neutral: rows in, records out. */
import type { Row, Value } from "../../result/types.ts";
import { catalogMatcher } from "./filter.ts";
import type { CatalogAnswers, CatalogRequest, ColumnRecord, ConstraintRecord, TableRecord } from "./types.ts";

/** The service's names of DuckDB's types (contract §7.5), by DuckDB's own text in upper case. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  BIGINT: "INT64",
  HUGEINT: "INT64",
  UBIGINT: "INT64",
  UHUGEINT: "INT64",
  BIT: "INT2",
  SMALLINT: "INT2",
  TINYINT: "INT2",
  USMALLINT: "INT2",
  UTINYINT: "INT2",
  INTEGER: "INT",
  UINTEGER: "INT",
  BLOB: "BYTES",
  BOOLEAN: "BOOL",
  DATE: "DATE",
  DOUBLE: "DOUBLE",
  FLOAT: "FLOAT",
  INTERVAL: "INTERVAL",
  JSON: "JSON",
  TIME: "TIME",
  TIME_NS: "TIME",
  TIMESTAMP: "TIMESTAMP",
  TIMESTAMP_S: "TIMESTAMP",
  TIMESTAMP_MS: "TIMESTAMP",
  TIMESTAMP_NS: "TIMESTAMP",
  "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ",
  UUID: "UUID",
  VARCHAR: "STRING",
};

/** `UNKNOWN` for nested types, enums and everything else without a name of its own. */
export function duckDbTypeName(native: string): string {
  if (/^DECIMAL\(\d+,\s*\d+\)$/i.test(native)) return "DECIMAL";
  return TYPE_NAMES[native.toUpperCase()] ?? "UNKNOWN";
}

/** `described` are the rows of `DESCRIBE SELECT …`: name, type and more. */
export function fileTable(name: string, path: string, described: readonly Row[]): TableRecord {
  return {
    name,
    columns: described.map(([column, type]) => columnRecord(text(column), text(type), false, null)),
    description: null,
    properties: { schema: null, catalog: null, table: name, path },
    primaryKey: null,
  };
}

/** Runs a query of ours on DuckDB and gives its rows. */
export type RunQuery = (sql: string) => Promise<readonly Row[]>;

/**
 * The catalogue of attached databases. A table is called `schema.table`; with several databases `catalog.schema.table`,
 * since two of them may hold a table of the same name. Columns of composite keys are one record each, in key order.
 */
export async function readDatabaseCatalog<K extends CatalogRequest["kind"]>(
  run: RunQuery,
  request: Extract<CatalogRequest, { kind: K }>,
): Promise<CatalogAnswers[K]> {
  return (await answer(run, request)) as CatalogAnswers[K];
}

function answer(run: RunQuery, request: CatalogRequest): Promise<CatalogAnswers[CatalogRequest["kind"]]> {
  switch (request.kind) {
    case "tables":
      return readTables(run, request);
    case "constraints":
      return readConstraints(run, request);
    case "schemas":
      return readSchemas(run, request);
    case "version":
      return run("SELECT version()").then(([row]) => text(row?.[0]));
    default:
      return request satisfies never;
  }
}

const ATTACHED =
  "database_name IN (SELECT database_name FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL)";

const DATABASES = `SELECT count(DISTINCT database_name) FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL`;

const TABLES = `
  SELECT database_name, schema_name, table_name, comment FROM duckdb_tables() WHERE NOT internal AND ${ATTACHED}
  UNION ALL
  SELECT database_name, schema_name, view_name, comment FROM duckdb_views() WHERE NOT internal AND ${ATTACHED}
  ORDER BY ALL`;

const COLUMNS = `
  SELECT database_name, schema_name, table_name, column_name, data_type, NOT is_nullable, comment
  FROM duckdb_columns() WHERE NOT internal AND ${ATTACHED}
  ORDER BY database_name, schema_name, table_name, column_index`;

const KEYS = `
  SELECT database_name, schema_name, table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
  FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') AND ${ATTACHED}
  ORDER BY database_name, schema_name, table_name, constraint_index`;

const SCHEMAS = `
  SELECT DISTINCT database_name, schema_name FROM duckdb_schemas()
  WHERE schema_name NOT IN ('information_schema', 'pg_catalog') AND ${ATTACHED} ORDER BY ALL`;

type Listing<K extends "tables" | "constraints" | "schemas"> = Extract<CatalogRequest, { kind: K }>;

async function readTables(run: RunQuery, { filter, limit }: Listing<"tables">): Promise<TableRecord[]> {
  const nameOf = await naming(run);
  const columns = new Map<string, ColumnRecord[]>();
  for (const [catalog, schema, table, column, type, notNull, comment] of await run(COLUMNS)) {
    const key = keyOf(catalog, schema, table);
    const record = columnRecord(text(column), text(type), notNull === true, textOrNull(comment));
    const known = columns.get(key);
    if (known === undefined) columns.set(key, [record]);
    else known.push(record);
  }
  const primaryKeys = new Map<string, string>();
  for (const [catalog, schema, table, kind, names] of await run(KEYS)) {
    if (kind === "PRIMARY KEY") primaryKeys.set(keyOf(catalog, schema, table), texts(names).join(","));
  }
  const matches = catalogMatcher(filter);
  return (await run(TABLES))
    .filter(([catalog, schema, table]) => matches({ catalog: text(catalog), schema: text(schema), table: text(table) }))
    .slice(0, limit)
    .map(([catalog, schema, table, comment]) => ({
      name: nameOf(catalog, schema, table),
      columns: columns.get(keyOf(catalog, schema, table)) ?? [],
      description: textOrNull(comment),
      properties: { schema: text(schema), catalog: text(catalog), table: text(table), path: null },
      primaryKey: primaryKeys.get(keyOf(catalog, schema, table)) ?? "",
    }));
}

/** Foreign keys. DuckDB has none across schemas, so the referenced table stands in the schema of the referencing one. */
async function readConstraints(run: RunQuery, { filter, limit }: Listing<"constraints">): Promise<ConstraintRecord[]> {
  const nameOf = await naming(run);
  const matches = catalogMatcher(filter);
  const tables = new Set<string>();
  const records: ConstraintRecord[] = [];
  for (const [catalog, schema, table, kind, names, parent, parentNames] of await run(KEYS)) {
    if (kind !== "FOREIGN KEY") continue;
    if (!matches({ catalog: text(catalog), schema: text(schema), table: text(table) })) continue;
    tables.add(keyOf(catalog, schema, table));
    if (limit !== undefined && tables.size > limit) break;
    const parentColumns = texts(parentNames);
    for (const [i, column] of texts(names).entries()) {
      const parentColumn = parentColumns[i] ?? "";
      records.push({
        constraintName: `${text(table)}_${column}_${text(parent)}_${parentColumn}`,
        constraintType: "FOREIGN KEY",
        constraintTable: nameOf(catalog, schema, table),
        constraintColumn: column,
        constraintedTable: nameOf(catalog, schema, parent),
        constraintedColumn: parentColumn,
      });
    }
  }
  return records;
}

async function readSchemas(run: RunQuery, { filter, limit }: Listing<"schemas">): Promise<CatalogAnswers["schemas"]> {
  const matches = catalogMatcher({ ...filter, table: "*" });
  const schemas = new Map<string, string[]>();
  for (const [catalog, schema] of await run(SCHEMAS)) {
    if (!matches({ catalog: text(catalog), schema: text(schema) })) continue;
    const known = schemas.get(text(catalog));
    if (known === undefined) schemas.set(text(catalog), [text(schema)]);
    else known.push(text(schema));
  }
  return [...schemas].slice(0, limit).map(([name, names]) => ({ name, schemas: names }));
}

async function naming(
  run: RunQuery,
): Promise<(catalog: Value | undefined, schema: Value | undefined, table: Value | undefined) => string> {
  const [[databases] = []] = await run(DATABASES);
  const isOne = databases === 1n;
  return (catalog, schema, table) =>
    (isOne ? [schema, table] : [catalog, schema, table]).map((part) => text(part)).join(".");
}

function keyOf(...names: readonly (Value | undefined)[]): string {
  return JSON.stringify(names.map(text));
}

function columnRecord(name: string, type: string, notNull: boolean, description: string | null): ColumnRecord {
  return { name, type: duckDbTypeName(type), notNull, description, properties: null, nestedColumns: null };
}

function text(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

function textOrNull(value: Value | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function texts(value: Value | undefined): string[] {
  return Array.isArray(value) ? value.map(text) : [];
}
