/**
 * Tables, columns and databases of ClickHouse (docs/spec/contract.md#metadata-of-each-source): all that the user may see, except
 * the system's. ClickHouse keys are sort keys with repeated values, so no keys are reported. For compatibility with clients, every
 * column is reported as nullable.
 */
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

export function readClickHouseCatalog<K extends CatalogRequest["kind"]>(
  source: Pick<Connector, "query">,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  return readInformationSchema<K>(eachRowOf(source, options), CLICKHOUSE, request);
}

const NOT_SYSTEM = "NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema', 'pg_catalog')";

const CLICKHOUSE: InformationSchema = {
  catalogs: "none",
  tables: `
    SELECT '', database, name, comment,
      if(engine LIKE '%MergeTree' OR engine IN ('Memory', 'Log', 'TinyLog', 'StripeLog', 'MaterializedView'), 'NO', 'YES')
    FROM system.tables
    WHERE database ${NOT_SYSTEM} AND NOT is_temporary ORDER BY database, name`,
  columns: `
    SELECT '', database, table, name, type, 'YES', comment, if(default_kind = 'ALIAS', 'YES', 'NO')
    FROM system.columns
    WHERE database ${NOT_SYSTEM} ORDER BY database, table, position`,
  schemas: `SELECT '', name FROM system.databases WHERE name ${NOT_SYSTEM} ORDER BY name`,
  version: "SELECT version()",
  typeName: clickHouseTypeName,
  nameOf: ({ schema, table }) => `${schema}.${table}`,
};

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["boolean", "BOOL"],
  ["bool", "BOOL"],
  ["int8", "TINYINT"],
  ["uint8", "INT2"],
  ["int16", "INT2"],
  ["uint16", "INT2"],
  ["int32", "INT4"],
  ["uint32", "INT4"],
  ["int64", "INT8"],
  ["uint64", "INT8"],
  ["int128", "NUMERIC"],
  ["uint128", "NUMERIC"],
  ["int256", "NUMERIC"],
  ["uint256", "NUMERIC"],
  ["numeric", "NUMERIC"],
  ["decimal", "DECIMAL"],
  ["float32", "FLOAT4"],
  ["float64", "FLOAT8"],
  ["date", "DATE"],
  ["date32", "DATE"],
  ["datetime", "TIMESTAMP"],
  ["datetime64", "TIMESTAMP"],
  ["string", "VARCHAR"],
  ["fixedstring", "CHAR"],
  ["uuid", "UUID"],
  ["enum8", "ENUM"],
  ["enum16", "ENUM"],
  ["ipv4", "INET"],
  ["ipv6", "INET"],
  ["nothing", "NULL"],
  ["json", "JSON"],
  // For compatibility with clients: composite types have no names.
  ["array", "VARCHAR"],
  ["map", "VARCHAR"],
  ["tuple", "VARCHAR"],
]);

/** The service's type names (docs/spec/contract.md#type-names-of-metadata), after removing wrapper types. @public For tests. */
export function clickHouseTypeName(native: string): string {
  let type = native.trim().toLowerCase();
  for (let wrapped = WRAPPER.exec(type); wrapped !== null; wrapped = WRAPPER.exec(type))
    type = (wrapped[1] ?? "").trim();
  if (ZONED.test(type)) return "TIMESTAMPTZ";
  const [, family = ""] = /^([a-z0-9]+)/.exec(type) ?? [];
  return TYPE_NAMES.get(family) ?? "UNKNOWN";
}

/** A time whose column names the zone that its parts and texts are of. */
const ZONED = /^datetime(?:64)?\((?: *\d *,)? *'/;

const WRAPPER = /^(?:lowcardinality|nullable)\((.*)\)$/s;
