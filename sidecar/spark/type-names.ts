/** The service's names of Spark's types (docs/spec/contract.md#type-names-of-metadata). */

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["string", "VARCHAR"],
  ["varchar", "VARCHAR"],
  ["char", "CHAR"],
  ["bigint", "BIGINT"],
  ["int", "INTEGER"],
  ["smallint", "SMALLINT"],
  ["tinyint", "TINYINT"],
  ["float", "REAL"],
  ["double", "DOUBLE"],
  ["decimal", "DECIMAL"],
  ["boolean", "BOOL"],
  ["timestamp", "TIMESTAMP"],
  ["timestamp_ntz", "TIMESTAMP"],
  ["timestamp_ltz", "TIMESTAMPTZ"],
  ["date", "DATE"],
  ["binary", "BYTEA"],
  ["variant", "VARIANT"],
  ["interval", "INTERVAL"],
  ["void", "NULL"],
]);

/**
 * By the first word: `decimal(10,2)`, `interval day to second`, `string collate UNICODE`. Arrays, maps and structs are UNKNOWN:
 * as JSON they would be cast to text, and Spark writes `{a -> 1}`.
 */
export function sparkTypeName(native: string): string {
  return TYPE_NAMES.get(/^\w+/.exec(native.toLowerCase())?.[0] ?? "") ?? "UNKNOWN";
}
