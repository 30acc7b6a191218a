/** Every type of both engines, in a row of usual values, one of extreme ones, and one of NULLs: by column, its SQL. */

type Column = readonly [type: string, usual: string, extreme: string];

export const POSTGRES_TYPES: Readonly<Record<string, Column>> = {
  c_bool: ["bool", "true", "false"],
  c_int2: ["int2", "-1", "32767"],
  c_int4: ["int4", "7", "-2147483648"],
  c_int8: ["int8", "9007199254740993", "-9223372036854775808"],
  c_oid: ["oid", "1", "4294967295"],
  c_float4: ["float4", "1.1", "-3.4e38"],
  c_float8: ["float8", "0.1", "1e-300"],
  c_numeric: ["numeric", "0.33333333333333333333", "-123456789012345678901234567890123456789012.5"],
  c_numeric_sized: ["numeric(12,2)", "1234.50", "-9999999999.99"],
  c_numeric_38: ["numeric(38,9)", "0.5", "-12345678901234567890123456789.123456789"],
  c_numeric_50: ["numeric(50,2)", "0.5", "999999999999999999999999999999999999999999999999.99"],
  c_text: ["text", "'plain'", `E'"q", \\r\\n\\ttab ''s \\\\ 真夜中 😀'`],
  c_varchar: ["varchar(10)", "''", "'=1+1'"],
  c_char: ["char(4)", "'ab'", "'@x'"],
  c_long: ["text", "repeat('x', 100000)", "' '"],
  c_uuid: ["uuid", "'123e4567-e89b-12d3-a456-426614174000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  c_json: ["json", `'{"a": [1, null, "x"]}'`, "'null'"],
  c_jsonb: ["jsonb", `'{"b": 1, "a": 2}'`, "'[]'"],
  c_bytea: ["bytea", "'\\x00ff10'", "''"],
  c_date: ["date", "'2024-02-29'", "'0001-01-01'"],
  c_time: ["time", "'12:34:56.789012'", "'00:00:00'"],
  c_timetz: ["timetz", "'12:34:56+02'", "'23:59:59.999999-12'"],
  c_timestamp: ["timestamp", "'2024-02-29 12:34:56.789012'", "'1900-01-01 00:00:00'"],
  c_timestamptz: ["timestamptz", "'2024-07-01 12:34:56.000001+02'", "'1999-12-31 23:59:59.999999+00'"],
  c_interval: ["interval", "'14 mons 3 days 04:05:06.5'", "'-1 days +00:00:01'"],
  c_inet: ["inet", "'10.0.0.1/8'", "'::1'"],
  c_bit: ["varbit", "B'1011'", "B''"],
  c_range: ["int4range", "'[1,5)'", "'empty'"],
  c_point: ["point", "'(1,2)'", "'(-1.5,0)'"],
  c_ints: ["int4[]", "'{1,NULL,3}'", "'{}'"],
  c_texts: ["text[]", `'{a,"",NULL,"x,y"}'`, "'{}'"],
  c_numerics: ["numeric(10,2)[]", "'{1.50,NULL}'", "'{-0.01}'"],
  c_instants: ["timestamptz[]", "'{2024-07-01 12:00:00+00}'", "'{}'"],
  c_matrix: ["int4[]", "'{{1,2},{3,4}}'", "'{{5},{6}}'"],
};

export const DUCKDB_TYPES: Readonly<Record<string, Column>> = {
  c_bool: ["BOOLEAN", "true", "false"],
  c_int1: ["TINYINT", "-1", "127"],
  c_int2: ["SMALLINT", "-1", "32767"],
  c_int4: ["INTEGER", "7", "-2147483648"],
  c_int8: ["BIGINT", "9007199254740993", "-9223372036854775808"],
  c_int16: ["HUGEINT", "9007199254740993", "99999999999999999999999999999999999999"],
  c_uint1: ["UTINYINT", "1", "255"],
  c_uint2: ["USMALLINT", "1", "65535"],
  c_uint4: ["UINTEGER", "1", "4294967295"],
  c_uint8: ["UBIGINT", "1", "18446744073709551615"],
  c_float4: ["FLOAT", "1.1", "-3.4e38"],
  c_float8: ["DOUBLE", "0.1", "1e-300"],
  c_decimal: ["DECIMAL(18,3)", "1234.500", "-999999999999999.999"],
  c_decimal_38: ["DECIMAL(38,10)", "0.5", "-1234567890123456789012345678.0123456789"],
  c_text: ["VARCHAR", "'plain'", `'"q", ' || chr(13) || chr(10) || chr(9) || 'tab ''s \\ 真夜中 😀'`],
  c_empty: ["VARCHAR", "''", "'=1+1'"],
  c_uuid: ["UUID", "'123e4567-e89b-12d3-a456-426614174000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  c_json: ["JSON", `'{"a": [1, null, "x"]}'`, "'null'"],
  c_blob: ["BLOB", "'\\x00\\xFF\\x10'::BLOB", "''::BLOB"],
  c_bit: ["BIT", "'1011'", "'0'"],
  c_date: ["DATE", "'2024-02-29'", "'0001-01-01'"],
  c_time: ["TIME", "'12:34:56.789012'", "'00:00:00'"],
  c_timestamp: ["TIMESTAMP", "'2024-02-29 12:34:56.789012'", "'1900-01-01 00:00:00'"],
  c_timestamp_s: ["TIMESTAMP_S", "'2024-02-29 12:34:56'", "'1900-01-01 00:00:00'"],
  c_timestamp_ms: ["TIMESTAMP_MS", "'2024-02-29 12:34:56.789'", "'1900-01-01 00:00:00'"],
  c_timestamp_ns: ["TIMESTAMP_NS", "'2024-02-29 12:34:56.789012345'", "'1970-01-01 00:00:00'"],
  c_timestamptz: ["TIMESTAMPTZ", "'2024-07-01 12:34:56.000001+02'", "'1999-12-31 23:59:59.999999+00'"],
  c_interval: ["INTERVAL", "'14 months 3 days 04:05:06.5'", "'-1 days 00:00:01'"],
  c_enum: ["ENUM('new', 'old')", "'new'", "'old'"],
  c_ints: ["INTEGER[]", "[1, NULL, 3]", "[]"],
  c_texts: ["VARCHAR[][]", "[['a', ''], NULL]", "[]"],
  c_array: ["INTEGER[2]", "[1, 2]", "[3, NULL]"],
  c_struct: [
    `STRUCT(a BIGINT, "b c" VARCHAR, d DECIMAL(5,2))`,
    "{'a': 1, 'b c': 'x', 'd': 1.50}",
    "{'a': NULL, 'b c': '', 'd': NULL}",
  ],
  c_map: ["MAP(VARCHAR, INTEGER)", "MAP {'k': 1, 'l': NULL}", "MAP {}"],
};

/** A modeller's own SQL with the three rows, in order of `n`. */
export function rowsOf(types: Readonly<Record<string, Column>>): string {
  const row = (n: number, valueOf: (column: Column) => string): string => {
    const items = Object.entries(types).map(([name, column]) => `CAST(${valueOf(column)} AS ${column[0]}) AS ${name}`);
    return `SELECT ${n} AS n, ${items.join(", ")}`;
  };
  return [row(1, ([, usual]) => usual), row(2, ([, , extreme]) => extreme), row(3, () => "NULL")].join(" UNION ALL ");
}
