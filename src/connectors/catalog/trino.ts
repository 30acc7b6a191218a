/**
 * Tables, columns, schemas and version of the connection's catalog and schema (docs/spec/contract.md#metadata-of-each-source). The
 * queries refer to those of the session, so they contain no text from outside. Trino has no keys.
 */
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import { withoutParameters } from "./type-text.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

export function readTrinoCatalog<K extends CatalogRequest["kind"]>(
  source: Pick<Connector, "query">,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  return readInformationSchema<K>(eachRowOf(source, options), TRINO, request);
}

const TRINO: InformationSchema = {
  tables: `
    SELECT t.table_catalog, t.table_schema, t.table_name, c.comment,
      CASE t.table_type WHEN 'VIEW' THEN 'YES' ELSE 'NO' END
    FROM information_schema.tables t
    LEFT JOIN system.metadata.table_comments c
      ON c.catalog_name = current_catalog AND c.schema_name = t.table_schema AND c.table_name = t.table_name
    WHERE t.table_schema = current_schema
    ORDER BY t.table_name`,
  // The column `comment` is hidden, but can be selected.
  columns: `
    SELECT table_catalog, table_schema, table_name, column_name, data_type, is_nullable, comment
    FROM information_schema.columns WHERE table_schema = current_schema
    ORDER BY table_name, ordinal_position`,
  schemas: `
    SELECT catalog_name, schema_name FROM information_schema.schemata
    WHERE schema_name <> 'information_schema' ORDER BY schema_name`,
  version: "SELECT version()",
  typeName: trinoTypeName,
  nameOf: ({ catalog, schema, table }) => `${catalog}.${schema}.${table}`,
};

/** The service's names of Trino's types (docs/spec/contract.md#type-names-of-metadata). */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["boolean", "BOOL"],
  ["tinyint", "TINYINT"],
  ["smallint", "SMALLINT"],
  ["integer", "INTEGER"],
  ["bigint", "BIGINT"],
  ["real", "REAL"],
  ["double", "DOUBLE"],
  ["decimal", "DECIMAL"],
  ["char", "CHAR"],
  ["varchar", "VARCHAR"],
  ["varbinary", "BYTEA"],
  ["json", "JSON"],
  ["uuid", "UUID"],
  ["ipaddress", "INET"],
  ["date", "DATE"],
  ["time", "TIME"],
  ["time with time zone", "TIME"],
  ["timestamp", "TIMESTAMP"],
  ["timestamp with time zone", "TIMESTAMPTZ"],
  ["interval day to second", "INTERVAL"],
  ["interval year to month", "INTERVAL"],
]);

/** Ignores parameters; composite types are returned unchanged. @public For tests. */
export function trinoTypeName(native: string): string {
  if (/^(?:array|map|row)\(/.test(native)) return native;
  return TYPE_NAMES.get(withoutParameters(native)) ?? "UNKNOWN";
}
