/**
 * Catalogue records of all Oracle objects that the connection's user may read (docs/spec/contract.md#metadata-of-each-source).
 */
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

/** Returns records in order of owner, table and position. */
export function readOracleCatalog<K extends CatalogRequest["kind"]>(
  source: Pick<Connector, "query">,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  return readInformationSchema<K>(eachRowOf(source, options), ORACLE_CATALOG, request);
}

/** The service's names of the server's types (docs/spec/contract.md#type-names-of-metadata), without their digits. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["CHAR", "CHAR"],
  ["NCHAR", "CHAR"],
  ["ROWID", "CHAR"],
  ["UROWID", "CHAR"],
  ["VARCHAR2", "VARCHAR"],
  ["NVARCHAR2", "VARCHAR"],
  ["CLOB", "TEXT"],
  ["NCLOB", "TEXT"],
  ["LONG", "TEXT"],
  ["NUMBER", "DECIMAL"],
  ["FLOAT", "FLOAT8"],
  ["BINARY_FLOAT", "FLOAT8"],
  ["BINARY_DOUBLE", "DOUBLE"],
  ["BOOLEAN", "BOOL"],
  ["DATE", "TIMESTAMP"],
  ["TIMESTAMP", "TIMESTAMP"],
  ["TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"],
  ["TIMESTAMP WITH LOCAL TIME ZONE", "TIMESTAMPTZ"],
  ["INTERVAL YEAR TO MONTH", "INTERVAL"],
  ["INTERVAL DAY TO SECOND", "INTERVAL"],
  ["BLOB", "BYTEA"],
  ["BFILE", "BYTEA"],
  ["RAW", "BYTEA"],
  ["LONG RAW", "BYTEA"],
  ["JSON", "JSON"],
]);

/** `TIMESTAMP(6) WITH TIME ZONE` is one type, with any number of digits. */
function oracleTypeName(native: string): string {
  return TYPE_NAMES.get(native.replaceAll(/\(\d+\)/g, "").toUpperCase()) ?? "UNKNOWN";
}

/** Owners that came with the database have system tables, which are omitted; those of the connection's user are kept. */
const OF_USERS = "IN (SELECT u.username FROM all_users u WHERE u.oracle_maintained = 'N' OR u.username = USER)";

/** The name of a dropped table until it is purged. */
const NOT_DROPPED = "NOT LIKE 'BIN$%'";

/**
 * A connection leads to one database, whose name is not part of a table's name. Names are reported unchanged; most are in upper
 * case. https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/static-data-dictionary-views.html
 */
const LISTED = `
(SELECT t.owner AS owner, t.table_name AS name FROM all_tables t
 WHERE t.owner ${OF_USERS} AND t.nested = 'NO' AND t.secondary = 'N' AND t.table_name ${NOT_DROPPED}
 UNION SELECT v.owner, v.view_name FROM all_views v WHERE v.owner ${OF_USERS})`;

export const ORACLE_CATALOG: InformationSchema = {
  // The view of partitioned external tables lists hybrid ones, too: tables some of whose partitions are files.
  tables: `
SELECT '', l.owner, l.name, c.comments,
  CASE WHEN EXISTS (SELECT 1 FROM all_views v WHERE v.owner = l.owner AND v.view_name = l.name)
    OR EXISTS (SELECT 1 FROM all_external_tables e WHERE e.owner = l.owner AND e.table_name = l.name)
    OR EXISTS (SELECT 1 FROM all_xternal_part_tables p WHERE p.owner = l.owner AND p.table_name = l.name) THEN 'YES' ELSE 'NO' END
FROM ${LISTED} l
LEFT JOIN all_tab_comments c ON c.owner = l.owner AND c.table_name = l.name
ORDER BY l.owner, l.name`,
  columns: `
SELECT '', l.owner, l.name, k.column_name, k.data_type, CASE k.nullable WHEN 'N' THEN 'NO' ELSE 'YES' END, c.comments,
  (SELECT x.virtual_column FROM all_tab_cols x
   WHERE x.owner = k.owner AND x.table_name = k.table_name AND x.column_name = k.column_name)
FROM ${LISTED} l
JOIN all_tab_columns k ON k.owner = l.owner AND k.table_name = l.name
LEFT JOIN all_col_comments c ON c.owner = l.owner AND c.table_name = l.name AND c.column_name = k.column_name
ORDER BY l.owner, l.name, k.column_id`,
  primaryKeys: `
SELECT '', c.owner, c.table_name, k.column_name FROM all_constraints c
JOIN all_cons_columns k ON k.owner = c.owner AND k.constraint_name = c.constraint_name
WHERE c.constraint_type = 'P' AND c.owner ${OF_USERS} AND c.table_name ${NOT_DROPPED}
ORDER BY c.owner, c.table_name, k.position`,
  foreignKeys: `
SELECT '', c.owner, c.table_name, k.column_name, r.owner, r.table_name, rk.column_name FROM all_constraints c
JOIN all_cons_columns k ON k.owner = c.owner AND k.constraint_name = c.constraint_name
JOIN all_constraints r ON r.owner = c.r_owner AND r.constraint_name = c.r_constraint_name
JOIN all_cons_columns rk ON rk.owner = r.owner AND rk.constraint_name = r.constraint_name AND rk.position = k.position
WHERE c.constraint_type = 'R' AND c.owner ${OF_USERS} AND c.table_name ${NOT_DROPPED}
ORDER BY c.owner, c.table_name, c.constraint_name, k.position`,
  schemas: `
SELECT '', o.owner FROM (SELECT DISTINCT l.owner FROM ${LISTED} l) o ORDER BY o.owner`,
  // Readable for every user, unlike v$instance.
  version: `
SELECT p.product || ' ' || p.version || ' (' || p.version_full || ')' FROM product_component_version p
WHERE p.product LIKE 'Oracle%' AND ROWNUM = 1`,
  typeName: oracleTypeName,
  nameOf: ({ schema, table }) => `${schema}.${table}`,
};
