/** Catalogue records of MySQL and MariaDB (docs/spec/contract.md#metadata-of-each-source). */
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

/** Returns records in order of schema, table and position. The server shows only objects that the connection's user may see. */
export function readMySqlCatalog<K extends CatalogRequest["kind"]>(
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
  ["enum", "VARCHAR"],
  ["set", "VARCHAR"],
  ["tinytext", "TEXT"],
  ["text", "TEXT"],
  ["mediumtext", "TEXT"],
  ["longtext", "TEXT"],
  ["bit", "TINYINT"],
  ["tinyint", "TINYINT"],
  ["smallint", "SMALLINT"],
  ["mediumint", "INTEGER"],
  ["int", "INTEGER"],
  ["integer", "INTEGER"],
  ["bigint", "BIGINT"],
  ["bool", "BOOL"],
  ["boolean", "BOOL"],
  ["float", "FLOAT8"],
  ["double", "DOUBLE"],
  ["decimal", "DECIMAL"],
  ["numeric", "NUMERIC"],
  ["date", "DATE"],
  ["datetime", "TIMESTAMP"],
  ["timestamp", "TIMESTAMPTZ"],
  ["time", "TIME"],
  ["year", "INTEGER"],
  ["json", "JSON"],
  ["uuid", "UUID"],
  ["inet4", "INET"],
  ["inet6", "INET"],
  ["tinyblob", "BYTEA"],
  ["blob", "BYTEA"],
  ["mediumblob", "BYTEA"],
  ["longblob", "BYTEA"],
  ["binary", "BYTEA"],
  ["varbinary", "BYTEA"],
  ["geometry", "GEOMETRY"],
  ["point", "GEOMETRY"],
  ["linestring", "GEOMETRY"],
  ["polygon", "GEOMETRY"],
  ["multipoint", "GEOMETRY"],
  ["multilinestring", "GEOMETRY"],
  ["multipolygon", "GEOMETRY"],
  ["geometrycollection", "GEOMETRY"],
  ["geomcollection", "GEOMETRY"],
]);

/** The name's type must hold every value: unsigned and wider types are reported as the next larger type. */
function mysqlTypeName(native: string): string {
  const [, type = "", width] = /^([a-z0-9_]+)(?:\((\d+))?/.exec(native.toLowerCase()) ?? [];
  if (type === "bit") return bitName(Number(width ?? 1));
  const name = TYPE_NAMES.get(type) ?? "UNKNOWN";
  return /\bunsigned\b/i.test(native) ? (UNSIGNED_NAMES.get(type) ?? name) : name;
}

/** Names that no other type of the server has, so that plans can recognise bit columns (`planner/dialects/mysql/bits.ts`). */
function bitName(width: number): string {
  if (width < 8) return "TINYINT";
  return width < 64 ? "INT64" : "BIGNUMERIC";
}

const UNSIGNED_NAMES: ReadonlyMap<string, string> = new Map([
  ["tinyint", "SMALLINT"],
  ["smallint", "INTEGER"],
  ["int", "BIGINT"],
  ["bigint", "DECIMAL"],
]);

const NOT_SYSTEM = "NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')";

/** Engines whose rows are in files or on other servers. */
const OF_OTHER_SYSTEMS = "'FEDERATED', 'CONNECT', 'SPIDER', 'CSV', 'S3', 'SphinxSE'";

/**
 * A server has one catalogue without a name. Rows are ordered by bytes: in the dictionary's collation, names that differ only in
 * case would have no fixed order.
 */
const INFORMATION_SCHEMA: InformationSchema = {
  // The comment of a view is just `VIEW`.
  tables: `
SELECT '', TABLE_SCHEMA, TABLE_NAME, IF(TABLE_TYPE = 'VIEW', '', TABLE_COMMENT),
  IF(TABLE_TYPE = 'VIEW' OR ENGINE IN (${OF_OTHER_SYSTEMS}), 'YES', 'NO') FROM information_schema.TABLES
WHERE TABLE_SCHEMA ${NOT_SYSTEM} AND TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')
ORDER BY BINARY TABLE_SCHEMA, BINARY TABLE_NAME`,
  columns: `
SELECT '', TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT,
  IF(EXTRA LIKE '%VIRTUAL%', 'YES', 'NO') FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA ${NOT_SYSTEM} ORDER BY BINARY TABLE_SCHEMA, BINARY TABLE_NAME, ORDINAL_POSITION`,
  primaryKeys: `
SELECT '', TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE
WHERE CONSTRAINT_NAME = 'PRIMARY' AND TABLE_SCHEMA ${NOT_SYSTEM}
ORDER BY BINARY TABLE_SCHEMA, BINARY TABLE_NAME, ORDINAL_POSITION`,
  foreignKeys: `
SELECT '', TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE
WHERE REFERENCED_TABLE_NAME IS NOT NULL AND TABLE_SCHEMA ${NOT_SYSTEM}
ORDER BY BINARY TABLE_SCHEMA, BINARY TABLE_NAME, BINARY CONSTRAINT_NAME, ORDINAL_POSITION`,
  schemas: `
SELECT '', SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME ${NOT_SYSTEM} ORDER BY BINARY SCHEMA_NAME`,
  version: "SELECT version()",
  typeName: mysqlTypeName,
  nameOf: ({ schema, table }) => `${schema}.${table}`,
};
