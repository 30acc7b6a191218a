/**
 * Catalogue records (docs/spec/contract.md#metadata-of-each-source) of the current Doris catalogue, which is `internal`
 * unless the user has another default, from its information schema
 * (https://doris.apache.org/docs/dev/admin-manual/system-tables/overview).
 */
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

/** Returns records in order of schema, table and position. The server shows only objects that the connection's user may see. */
export function readDorisCatalog<K extends CatalogRequest["kind"]>(
  source: Pick<Connector, "query">,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  return readInformationSchema<K>(eachRowOf(source, options), INFORMATION_SCHEMA, request);
}

/** The service's names of the server's types (docs/spec/contract.md#type-names-of-metadata). */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["char", "CHAR"],
  ["varchar", "VARCHAR"],
  ["string", "VARCHAR"],
  ["hll", "VARCHAR"],
  ["bitmap", "VARCHAR"],
  ["quantile_state", "VARCHAR"],
  ["agg_state", "VARCHAR"],
  ["tinytext", "TEXT"],
  ["text", "TEXT"],
  ["mediumtext", "TEXT"],
  ["longtext", "TEXT"],
  ["tinyint", "TINYINT"],
  ["smallint", "SMALLINT"],
  ["mediumint", "INTEGER"],
  ["int", "INTEGER"],
  ["integer", "INTEGER"],
  ["bigint", "BIGINT"],
  // The name's type must hold every value.
  ["largeint", "DECIMAL"],
  ["bool", "BOOL"],
  ["boolean", "BOOL"],
  ["float", "FLOAT8"],
  ["double", "DOUBLE"],
  ["decimal", "DECIMAL"],
  ["decimalv3", "DECIMAL"],
  ["numeric", "NUMERIC"],
  ["date", "DATE"],
  ["datev2", "DATE"],
  ["datetime", "TIMESTAMP"],
  ["datetimev2", "TIMESTAMP"],
  ["timestamp", "TIMESTAMPTZ"],
  ["timestamptz", "TIMESTAMPTZ"],
  ["time", "TIME"],
  ["json", "JSON"],
  ["jsonb", "JSON"],
  ["variant", "JSON"],
  ["array", "JSON"],
  ["map", "JSON"],
  ["struct", "JSON"],
  ["ipv4", "INET"],
  ["ipv6", "INET"],
]);

/** Ignores parameters in brackets. */
function dorisTypeName(native: string): string {
  const [name = ""] = /^[a-z0-9_]+/.exec(native.toLowerCase()) ?? [];
  return TYPE_NAMES.get(name) ?? "UNKNOWN";
}

const NOT_SYSTEM = "NOT IN ('information_schema', '__internal_schema', 'mysql', 'performance_schema', 'sys')";

/** Texts are ordered by their bytes. Keys are reported for unique table models only. */
const INFORMATION_SCHEMA: InformationSchema = {
  tables: `
SELECT '', TABLE_SCHEMA, TABLE_NAME, TABLE_COMMENT,
  IF(TABLE_TYPE = 'BASE TABLE' AND ENGINE = 'Doris' AND CURRENT_CATALOG() = 'internal', 'NO', 'YES') FROM information_schema.tables
WHERE TABLE_SCHEMA ${NOT_SYSTEM} ORDER BY TABLE_SCHEMA, TABLE_NAME`,
  columns: `
SELECT '', TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT FROM information_schema.columns
WHERE TABLE_SCHEMA ${NOT_SYSTEM} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
  primaryKeys: `
SELECT '', TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME FROM information_schema.columns
WHERE COLUMN_KEY IN ('UNI', 'PRI') AND TABLE_SCHEMA ${NOT_SYSTEM} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
  schemas: `
SELECT CURRENT_CATALOG(), SCHEMA_NAME FROM information_schema.schemata WHERE SCHEMA_NAME ${NOT_SYSTEM} ORDER BY SCHEMA_NAME`,
  // `version()` is the compatible version of MySQL.
  version: "SELECT @@version_comment",
  typeName: dorisTypeName,
  nameOf: ({ schema, table }) => `${schema}.${table}`,
};
