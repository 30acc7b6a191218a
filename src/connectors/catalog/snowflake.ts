/**
 * Tables, columns, keys, schemas and version of the connection's schema, from its information schema
 * (docs/spec/contract.md#metadata-of-each-source). That reports no columns of keys, so keys come from SHOW commands
 * (https://docs.snowflake.com/sql-reference/info-schema).
 */
import type { ResultStream, Row } from "../../result/types.ts";
import type { EachRow } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

export function readSnowflakeCatalog<K extends CatalogRequest["kind"]>(
  query: (sql: string) => Promise<ResultStream>,
  request: Extract<CatalogRequest, { kind: K }>,
): Promise<CatalogAnswers[K]> {
  const each: EachRow = async (sql, take) => {
    const result = await query(sql);
    const shown = SHOWN.get(sql);
    if (shown === undefined) {
      for await (const batch of result.batches) for (const row of batch) take(row);
      return;
    }
    const at = (name: string): number => result.columns.findIndex((column) => column.name.toLowerCase() === name);
    const order = [...shown.by, "key_sequence"].map(at);
    const rows: Row[] = [];
    for await (const batch of result.batches) rows.push(...batch);
    rows.sort((a, b) => compared(a, b, order));
    const columns = shown.columns.map(at);
    for (const row of rows) take(columns.map((index) => row[index] ?? null));
  };
  return readInformationSchema<K>(each, SNOWFLAKE, request);
}

/** Compares texts as texts and numbers as numbers. */
function compared(a: Row, b: Row, order: readonly number[]): number {
  for (const index of order) {
    const [left, right] = [a[index] ?? "", b[index] ?? ""];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

const PRIMARY_KEYS = "SHOW PRIMARY KEYS IN SCHEMA";
const IMPORTED_KEYS = "SHOW IMPORTED KEYS IN SCHEMA";

/** The required columns of each SHOW command, and the order of its rows. */
const SHOWN: ReadonlyMap<string, { readonly columns: readonly string[]; readonly by: readonly string[] }> = new Map([
  [PRIMARY_KEYS, { columns: ["database_name", "schema_name", "table_name", "column_name"], by: ["table_name"] }],
  [
    IMPORTED_KEYS,
    {
      columns: [
        "fk_database_name",
        "fk_schema_name",
        "fk_table_name",
        "fk_column_name",
        "pk_schema_name",
        "pk_table_name",
        "pk_column_name",
      ],
      by: ["fk_table_name", "fk_name"],
    },
  ],
]);

const SNOWFLAKE: InformationSchema = {
  tables: `
    SELECT table_catalog, table_schema, table_name, comment,
      CASE WHEN table_type IN ('BASE TABLE', 'TEMPORARY TABLE') THEN 'NO' ELSE 'YES' END
    FROM information_schema.tables
    WHERE table_schema = CURRENT_SCHEMA() ORDER BY table_name`,
  columns: `
    SELECT table_catalog, table_schema, table_name, column_name, data_type, is_nullable, comment
    FROM information_schema.columns WHERE table_schema = CURRENT_SCHEMA() ORDER BY table_name, ordinal_position`,
  primaryKeys: PRIMARY_KEYS,
  foreignKeys: IMPORTED_KEYS,
  schemas: `
    SELECT catalog_name, schema_name FROM information_schema.schemata
    WHERE schema_name <> 'INFORMATION_SCHEMA' ORDER BY schema_name`,
  version: "SELECT CURRENT_VERSION()",
  typeName: snowflakeTypeName,
  nameOf: ({ schema, table }) => `${schema}.${table}`,
};

/** The service's names of Snowflake's types (docs/spec/contract.md#type-names-of-metadata). */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["number", "NUMERIC"],
  ["decimal", "NUMERIC"],
  ["numeric", "NUMERIC"],
  ["int", "INTEGER"],
  ["integer", "INTEGER"],
  ["bigint", "BIGINT"],
  ["smallint", "SMALLINT"],
  ["tinyint", "TINYINT"],
  ["byteint", "TINYINT"],
  ["float4", "FLOAT4"],
  ["float", "FLOAT8"],
  ["float8", "FLOAT8"],
  ["double", "DOUBLE"],
  ["double precision", "DOUBLE"],
  ["real", "REAL"],
  ["varchar", "VARCHAR"],
  ["char", "CHAR"],
  ["character", "CHAR"],
  ["string", "STRING"],
  ["text", "TEXT"],
  ["boolean", "BOOL"],
  ["date", "DATE"],
  ["time", "TIME"],
  ["datetime", "TIMESTAMP"],
  ["timestamp", "TIMESTAMP"],
  ["timestamp_ntz", "TIMESTAMP"],
  ["timestamp_tz", "TIMESTAMPTZ"],
  ["timestamp_ltz", "TIMESTAMPTZ"],
  ["variant", "VARIANT"],
  ["array", "VARIANT"],
  ["object", "JSON"],
  ["binary", "BYTEA"],
  ["varbinary", "BYTEA"],
  ["geography", "GEOGRAPHY"],
  ["geometry", "GEOMETRY"],
]);

/** Ignores parameters. */
function snowflakeTypeName(native: string): string {
  return TYPE_NAMES.get((native.toLowerCase().split("(", 1)[0] ?? "").trim()) ?? "UNKNOWN";
}
