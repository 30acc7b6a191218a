/**
 * Snowflake's names of types. Whole numbers are NUMBER(38, 0) under every name and floating ones have 64 bits, CHAR is not filled up,
 * and TIMESTAMP is the one without a zone unless an account was set otherwise (TIMESTAMP_TYPE_MAPPING).
 * https://docs.snowflake.com/en/sql-reference/intro-summary-data-types
 */
import { BIGINT, DOUBLE, JSON_TYPE, NUMERIC, type SqlType, TEXT, type TypeNames } from "../../types.ts";

const named = (type: SqlType, names: string): [string, SqlType][] => names.split(" ").map((name) => [name, type]);

export const SNOWFLAKE_TYPE_NAMES: TypeNames = {
  names: new Map([
    ...named(BIGINT, "int integer bigint smallint tinyint byteint"),
    ...named(DOUBLE, "float float4 float8 double real"),
    ...named(NUMERIC, "decfloat"),
    // FIXED is the drivers' name for NUMBER.
    ...named(NUMERIC, "fixed"),
    ...named(TEXT, "char character nchar"),
    // Elements of an array are asked for as those of json.
    ...named(JSON_TYPE, "variant object array"),
    ...["geography", "geometry", "vector", "map", "file"].map((name): [string, SqlType] => [
      name,
      { kind: "opaque", name },
    ]),
  ]),
};
