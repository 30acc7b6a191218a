/**
 * Tables, columns, keys and schemas of a Redshift database (docs/spec/contract.md#metadata-of-each-source), from the views that
 * show what the user may read (https://docs.aws.amazon.com/redshift/latest/dg/svv_views.html). Keys, which Redshift trusts and does
 * not enforce, come from PostgreSQL's own catalogue, read as Redshift's drivers read it: the leader node supports arrays and
 * `generate_series`.
 */
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import { withoutParameters } from "./type-text.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

export function readRedshiftCatalog<K extends CatalogRequest["kind"]>(
  source: Pick<Connector, "query">,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  return readInformationSchema<K>(eachRowOf(source, options), REDSHIFT, request);
}

/** `pg_` is reserved for the system: its catalogue, and sessions' temporary tables. */
const isOfUsers = (schema: string): string =>
  `${schema} <> 'information_schema' AND ${schema} NOT LIKE 'pg!_%' ESCAPE '!'`;

const COLUMNS_OF_KEYS = "pg_catalog.generate_series(1, 32) AS at(place)";

const REDSHIFT: InformationSchema = {
  tables: `
    SELECT table_catalog, table_schema, table_name, remarks,
      CASE WHEN table_type = 'BASE TABLE' THEN 'NO' ELSE 'YES' END
    FROM pg_catalog.svv_tables
    WHERE ${isOfUsers("table_schema")} ORDER BY table_schema, table_name`,
  columns: `
    SELECT table_catalog, table_schema, table_name, column_name, data_type, is_nullable, remarks
    FROM pg_catalog.svv_columns
    WHERE ${isOfUsers("table_schema")} ORDER BY table_schema, table_name, ordinal_position`,
  primaryKeys: `
    SELECT pg_catalog.current_database(), n.nspname, c.relname, a.attname
    FROM pg_catalog.pg_constraint k, pg_catalog.pg_class c, pg_catalog.pg_namespace n, pg_catalog.pg_attribute a,
      ${COLUMNS_OF_KEYS}
    WHERE k.contype = 'p' AND c.oid = k.conrelid AND n.oid = c.relnamespace
      AND a.attrelid = c.oid AND a.attnum = k.conkey[at.place] AND ${isOfUsers("n.nspname")}
    ORDER BY n.nspname, c.relname, at.place`,
  foreignKeys: `
    SELECT pg_catalog.current_database(), n.nspname, c.relname, a.attname, pn.nspname, pc.relname, pa.attname
    FROM pg_catalog.pg_constraint k, pg_catalog.pg_class c, pg_catalog.pg_namespace n, pg_catalog.pg_attribute a,
      pg_catalog.pg_class pc, pg_catalog.pg_namespace pn, pg_catalog.pg_attribute pa,
      ${COLUMNS_OF_KEYS}
    WHERE k.contype = 'f' AND c.oid = k.conrelid AND n.oid = c.relnamespace
      AND a.attrelid = c.oid AND a.attnum = k.conkey[at.place]
      AND pc.oid = k.confrelid AND pn.oid = pc.relnamespace
      AND pa.attrelid = pc.oid AND pa.attnum = k.confkey[at.place] AND ${isOfUsers("n.nspname")}
    ORDER BY n.nspname, c.relname, k.conname, at.place`,
  schemas: `
    SELECT pg_catalog.current_database(), n.nspname FROM pg_catalog.pg_namespace n
    WHERE ${isOfUsers("n.nspname")} AND pg_catalog.has_schema_privilege(n.nspname, 'USAGE') ORDER BY n.nspname`,
  // The version that clients expect: Redshift's own text changes from week to week, and begins with PostgreSQL's.
  version: "SELECT 'AWS Redshift - Follow AWS service versioning'",
  typeName: redshiftTypeName,
  nameOf: ({ schema, table }) => `${schema}.${table}`,
};

/** The service's names of Redshift's types (docs/spec/contract.md#type-names-of-metadata); external tables have Hive's types. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["boolean", "BOOL"],
  ["smallint", "SMALLINT"],
  ["integer", "INTEGER"],
  ["int", "INTEGER"],
  ["bigint", "BIGINT"],
  ["real", "REAL"],
  ["float", "REAL"],
  ["double", "DOUBLE"],
  ["double precision", "DOUBLE"],
  ["numeric", "DECIMAL"],
  ["decimal", "DECIMAL"],
  ["character", "CHAR"],
  ["char", "CHAR"],
  ["character varying", "VARCHAR"],
  ["varchar", "VARCHAR"],
  ["string", "VARCHAR"],
  ["text", "TEXT"],
  ["date", "DATE"],
  ["time without time zone", "TIME"],
  ["time with time zone", "TIME"],
  ["timestamp", "TIMESTAMP"],
  ["timestamp without time zone", "TIMESTAMP"],
  ["timestamp with time zone", "TIMESTAMPTZ"],
  ["interval year to month", "INTERVAL"],
  ["interval day to second", "INTERVAL"],
  ["super", "JSON"],
  ["varbyte", "BYTEA"],
  ["binary varying", "BYTEA"],
  ["geometry", "GEOMETRY"],
  ["geography", "GEOGRAPHY"],
]);

/** Ignores length, precision and members: `varchar(20)`, `decimal(10,2)`. */
function redshiftTypeName(native: string): string {
  return TYPE_NAMES.get(withoutParameters(native.toLowerCase()).trim()) ?? "UNKNOWN";
}
