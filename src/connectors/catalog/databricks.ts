/**
 * Tables, columns, keys, schemas and version of the default catalogue of a session, from its information schema
 * (docs/spec/contract.md#metadata-of-each-source;
 * https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-information-schema).
 */
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

export function readDatabricksCatalog<K extends CatalogRequest["kind"]>(
  source: Pick<Connector, "query">,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  return readInformationSchema<K>(eachRowOf(source, options), DATABRICKS, request);
}

const DATABRICKS: InformationSchema = {
  tables: `
    SELECT table_catalog, table_schema, table_name, comment,
      CASE WHEN table_type IN ('MANAGED', 'MANAGED_SHALLOW_CLONE', 'STREAMING_TABLE', 'MATERIALIZED_VIEW')
        OR (table_type IN ('EXTERNAL', 'EXTERNAL_SHALLOW_CLONE') AND data_source_format = 'DELTA')
        THEN 'NO' ELSE 'YES' END
    FROM information_schema.tables WHERE table_schema <> 'information_schema'
    ORDER BY table_schema, table_name`,
  columns: `
    SELECT table_catalog, table_schema, table_name, column_name, full_data_type, is_nullable, comment
    FROM information_schema.columns WHERE table_schema <> 'information_schema'
    ORDER BY table_schema, table_name, ordinal_position`,
  primaryKeys: `
    SELECT k.table_catalog, k.table_schema, k.table_name, k.column_name
    FROM information_schema.table_constraints c
    JOIN information_schema.key_column_usage k
      ON k.constraint_catalog = c.constraint_catalog AND k.constraint_schema = c.constraint_schema
      AND k.constraint_name = c.constraint_name
    WHERE c.constraint_type = 'PRIMARY KEY'
    ORDER BY k.table_schema, k.table_name, k.ordinal_position`,
  // A referenced table in another catalogue would be reported as one in this catalogue.
  foreignKeys: `
    SELECT k.table_catalog, k.table_schema, k.table_name, k.column_name, p.table_schema, p.table_name, p.column_name
    FROM information_schema.referential_constraints r
    JOIN information_schema.key_column_usage k
      ON k.constraint_catalog = r.constraint_catalog AND k.constraint_schema = r.constraint_schema
      AND k.constraint_name = r.constraint_name
    JOIN information_schema.key_column_usage p
      ON p.constraint_catalog = r.unique_constraint_catalog AND p.constraint_schema = r.unique_constraint_schema
      AND p.constraint_name = r.unique_constraint_name AND p.ordinal_position = k.position_in_unique_constraint
    WHERE p.table_catalog = k.table_catalog
    ORDER BY k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`,
  schemas: `
    SELECT catalog_name, schema_name FROM information_schema.schemata
    WHERE schema_name <> 'information_schema' ORDER BY schema_name`,
  version: "SELECT current_version().dbsql_version",
  typeName: databricksTypeName,
  nameOf: ({ catalog, schema, table }) => `${catalog}.${schema}.${table}`,
};

/** The service's names of Databricks' types (docs/spec/contract.md#type-names-of-metadata). */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["bigint", "BIGINT"],
  ["binary", "BYTEA"],
  ["boolean", "BOOL"],
  ["date", "DATE"],
  ["decimal", "DECIMAL"],
  ["double", "DOUBLE"],
  ["float", "FLOAT"],
  ["geography", "GEOGRAPHY"],
  ["geometry", "GEOMETRY"],
  ["int", "INTEGER"],
  ["object", "JSON"],
  ["smallint", "SMALLINT"],
  ["string", "STRING"],
  ["timestamp", "TIMESTAMP"],
  ["timestamp_ntz", "TIMESTAMP"],
  ["tinyint", "TINYINT"],
  ["variant", "VARIANT"],
]);

/** By the first word: `decimal(10,2)`, `string collate unicode`; composite types are returned unchanged. @public For tests. */
export function databricksTypeName(native: string): string {
  const text = native.toLowerCase();
  if (/^(?:array|map|struct)</.test(text)) return text;
  return TYPE_NAMES.get(/^\w+/.exec(text)?.[0] ?? "") ?? "UNKNOWN";
}
