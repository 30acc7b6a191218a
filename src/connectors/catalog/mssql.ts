/** Catalogue records of the connection's SQL Server database (docs/spec/contract.md#metadata-of-each-source). */
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

/** Returns records in order of schema, table and position. The server shows only objects that the connection's user may see. */
export function readMsSqlCatalog<K extends CatalogRequest["kind"]>(
  source: Pick<Connector, "query">,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  return readInformationSchema<K>(eachRowOf(source, options), MSSQL_CATALOG, request);
}

/** The service's names of the server's types (docs/spec/contract.md#type-names-of-metadata); each name's type holds every value. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["bit", "BOOL"],
  ["tinyint", "TINYINT"],
  ["smallint", "SMALLINT"],
  ["int", "INTEGER"],
  ["bigint", "BIGINT"],
  ["decimal", "DECIMAL"],
  ["numeric", "NUMERIC"],
  ["money", "DECIMAL"],
  ["smallmoney", "DECIMAL"],
  ["real", "FLOAT8"],
  ["float", "FLOAT8"],
  ["char", "CHAR"],
  ["nchar", "CHAR"],
  ["varchar", "VARCHAR"],
  ["nvarchar", "VARCHAR"],
  ["text", "TEXT"],
  ["ntext", "TEXT"],
  ["date", "DATE"],
  ["time", "TIME"],
  ["datetime", "TIMESTAMP"],
  ["datetime2", "TIMESTAMP"],
  ["smalldatetime", "TIMESTAMP"],
  ["datetimeoffset", "TIMESTAMPTZ"],
  ["uniqueidentifier", "UUID"],
  ["binary", "BYTEA"],
  ["varbinary", "BYTEA"],
  ["image", "BYTEA"],
  // A row version, not a time.
  ["timestamp", "BYTEA"],
  ["xml", "TEXT"],
  ["json", "JSON"],
]);

/** Ordered by bytes: in the database's collation, names that differ only in case would have no fixed order. */
const BYTES = "COLLATE Latin1_General_100_BIN2";

const OBJECTS = `sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id`;

/** Tables and views of users, without those of the server. */
const OF_USERS = "o.is_ms_shipped = 0";
const LISTED = `o.type IN ('U', 'V') AND ${OF_USERS}`;

/** The description of an object, or of one of its columns, as tools store it. */
const description = (column: string): string => `
  (SELECT CAST(p.value AS NVARCHAR(MAX)) FROM sys.extended_properties AS p
   WHERE p.class = 1 AND p.major_id = o.object_id AND p.minor_id = ${column} AND p.name = 'MS_Description')`;

/** https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/object-catalog-views-transact-sql */
export const MSSQL_CATALOG: InformationSchema = {
  tables: `
SELECT DB_NAME(), s.name, o.name, ${description("0")},
  CASE WHEN o.type = 'V' OR EXISTS (SELECT 1 FROM sys.tables AS e WHERE e.object_id = o.object_id AND e.is_external = 1)
    THEN 'YES' ELSE 'NO' END
FROM ${OBJECTS}
WHERE ${LISTED} ORDER BY s.name ${BYTES}, o.name ${BYTES}`,
  // An alias type is reported as its base type; a .NET type has no base type.
  columns: `
SELECT DB_NAME(), s.name, o.name, c.name, COALESCE(b.name, t.name), CASE c.is_nullable WHEN 1 THEN 'YES' ELSE 'NO' END,
  ${description("c.column_id")},
  CASE WHEN EXISTS (SELECT 1 FROM sys.computed_columns AS k
    WHERE k.object_id = c.object_id AND k.column_id = c.column_id AND k.is_persisted = 0) THEN 'YES' ELSE 'NO' END
FROM ${OBJECTS} JOIN sys.columns AS c ON c.object_id = o.object_id
JOIN sys.types AS t ON t.user_type_id = c.user_type_id
LEFT JOIN sys.types AS b ON b.user_type_id = c.system_type_id AND t.is_assembly_type = 0
WHERE ${LISTED} ORDER BY s.name ${BYTES}, o.name ${BYTES}, c.column_id`,
  primaryKeys: `
SELECT DB_NAME(), s.name, o.name, c.name FROM ${OBJECTS}
JOIN sys.indexes AS i ON i.object_id = o.object_id AND i.is_primary_key = 1
JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal > 0
JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE ${LISTED} ORDER BY s.name ${BYTES}, o.name ${BYTES}, k.key_ordinal`,
  foreignKeys: `
SELECT DB_NAME(), s.name, o.name, c.name, rs.name, ro.name, rc.name FROM ${OBJECTS}
JOIN sys.foreign_keys AS f ON f.parent_object_id = o.object_id
JOIN sys.foreign_key_columns AS k ON k.constraint_object_id = f.object_id
JOIN sys.columns AS c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id
JOIN sys.objects AS ro ON ro.object_id = k.referenced_object_id
JOIN sys.schemas AS rs ON rs.schema_id = ro.schema_id
JOIN sys.columns AS rc ON rc.object_id = k.referenced_object_id AND rc.column_id = k.referenced_column_id
WHERE ${LISTED} ORDER BY s.name ${BYTES}, o.name ${BYTES}, f.name ${BYTES}, k.constraint_column_id`,
  // Schemas of fixed database roles have ids from 16384 on.
  schemas: `
SELECT DB_NAME(), s.name FROM sys.schemas AS s
WHERE s.schema_id < 16384 AND s.name NOT IN ('sys', 'INFORMATION_SCHEMA') ORDER BY s.name ${BYTES}`,
  // Includes the compatibility level: servers keep the level of old databases.
  version: `SELECT @@VERSION + COALESCE((
SELECT CONCAT(N' (compatibility level ', compatibility_level, N')') FROM sys.databases WHERE database_id = DB_ID()), N'')`,
  typeName: (native) => TYPE_NAMES.get(native.toLowerCase()) ?? "UNKNOWN",
  nameOf: ({ schema, table }) => `${schema}.${table}`,
};
