/**
 * Catalogue records of DuckDB databases and files (docs/spec/contract.md#metadata-of-each-source). Platform-neutral:
 * converts rows to records.
 */
import type { Row } from "../../result/types.ts";
import { type EachRow, text } from "./each-row.ts";
import { readInformationSchema, type TableNames } from "./information-schema.ts";
import type { CatalogAnswers, CatalogRequest, TableRecord } from "./types.ts";

/** The service's names of DuckDB's types (docs/spec/contract.md#type-names-of-metadata), by DuckDB's type text in upper case. */
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

/**
 * Lists, structs and maps by DuckDB's own text, which a manifest can declare; `UNKNOWN` for arrays of a fixed length, enums, unions and
 * all other types without a name, also within a nested type.
 */
export function duckDbTypeName(native: string): string {
  if (isNested(native)) return DECLARED_LATER.test(native) ? "UNKNOWN" : native;
  if (/^DECIMAL\(\d+,\s*\d+\)$/i.test(native)) return "DECIMAL";
  return TYPE_NAMES[native.toUpperCase()] ?? "UNKNOWN";
}

const isNested = (native: string): boolean => /^(?:STRUCT|MAP)\(/i.test(native) || native.endsWith("[]");

/** Types within a nested type that a manifest cannot declare. */
const DECLARED_LATER = /\[\d+\]|\b(?:ENUM|UNION)\(|\b(?:BIT|BIGNUM|VARIANT|NULL)\b|"/i;

/** `described` contains the rows of `DESCRIBE SELECT …`: name, type and more. */
export function fileTable(name: string, path: string, described: readonly Row[]): TableRecord {
  return {
    name,
    columns: described.map(([column, type]) => ({
      name: text(column),
      type: duckDbTypeName(text(type)),
      notNull: false,
      description: null,
      properties: null,
      nestedColumns: null,
    })),
    description: null,
    properties: { schema: null, catalog: null, table: name, path },
    primaryKey: null,
  };
}

/** Runs a query of the connector on DuckDB and returns its rows. */
export type RunQuery = (sql: string) => Promise<readonly Row[]>;

/**
 * The catalogue of attached databases. A table is named `schema.table`; with several databases `catalog.schema.table`, because
 * two of them may have a table of the same name. Columns of composite keys are one record each, in key order.
 */
export async function readDatabaseCatalog<K extends CatalogRequest["kind"]>(
  run: RunQuery,
  request: Extract<CatalogRequest, { kind: K }>,
): Promise<CatalogAnswers[K]> {
  const [[databases] = []] = await run(DATABASES);
  const isOne = databases === 1n;
  const nameOf = ({ catalog, schema, table }: TableNames): string =>
    (isOne ? [schema, table] : [catalog, schema, table]).join(".");
  const each: EachRow = async (sql, take) => (await run(sql)).forEach(take);
  return readInformationSchema<K>(each, { ...QUERIES, nameOf, typeName: duckDbTypeName }, request);
}

const ATTACHED =
  "database_name IN (SELECT database_name FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL)";

const DATABASES = `SELECT count(DISTINCT database_name) FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL`;

const QUERIES = {
  tables: `
    SELECT database_name, schema_name, table_name, comment FROM duckdb_tables() WHERE NOT internal AND ${ATTACHED}
    UNION ALL
    SELECT database_name, schema_name, view_name, comment FROM duckdb_views() WHERE NOT internal AND ${ATTACHED}
    ORDER BY ALL`,
  columns: `
    SELECT database_name, schema_name, table_name, column_name, data_type, if(is_nullable, 'YES', 'NO'), comment
    FROM duckdb_columns() WHERE NOT internal AND ${ATTACHED}
    ORDER BY database_name, schema_name, table_name, column_index`,
  primaryKeys: `
    SELECT database_name, schema_name, table_name, constraint_column_names[position]
    FROM (
      SELECT *, unnest(range(1, len(constraint_column_names) + 1)) AS position
      FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY' AND ${ATTACHED}
    )
    ORDER BY database_name, schema_name, table_name, position`,
  // No foreign keys cross schemas: the referenced table is in the schema of the referencing one.
  foreignKeys: `
    SELECT database_name, schema_name, table_name, constraint_column_names[position],
      schema_name, referenced_table, referenced_column_names[position]
    FROM (
      SELECT *, unnest(range(1, len(constraint_column_names) + 1)) AS position
      FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY' AND ${ATTACHED}
    )
    ORDER BY database_name, schema_name, table_name, constraint_index, position`,
  schemas: `
    SELECT DISTINCT database_name, schema_name FROM duckdb_schemas()
    WHERE schema_name NOT IN ('information_schema', 'pg_catalog') AND ${ATTACHED} ORDER BY ALL`,
  version: "SELECT version()",
} as const;
