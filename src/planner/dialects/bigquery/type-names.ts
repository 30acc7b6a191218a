/**
 * BigQuery's names of types. Whole numbers have 64 bits under every name, a TIMESTAMP is an instant and a DATETIME what clocks show.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types, and for the names of its older SQL
 * https://cloud.google.com/bigquery/docs/reference/rest/v2/tables#TableFieldSchema
 */
import { BIGINT, DOUBLE, type SqlType, TIMESTAMPTZ, type TypeNames } from "../../types.ts";

const INTEGERS = "int64 integer int smallint bigint tinyint byteint".split(" ");
const OPAQUE = "geography interval range record".split(" ");

export const BIGQUERY_TYPE_NAMES: TypeNames = {
  names: new Map<string, SqlType>([
    ...INTEGERS.map((name): [string, SqlType] => [name, BIGINT]),
    ["float", DOUBLE],
    ["timestamp", TIMESTAMPTZ],
    ...OPAQUE.map((name): [string, SqlType] => [name, { kind: "opaque", name }]),
  ]),
  // `ARRAY<INT64>` is the language's `array(int64)`, and members of a STRUCT stand in parentheses too.
  respelled: (text) => text.replaceAll("<", "(").replaceAll(">", ")"),
};
