import type { Subject } from "./subject.ts";

/**
 * Texts of values inside functions: `concat` and its kin write booleans as `t`, a cast as `true`; floats take an exponent
 * where PostgreSQL's do. Searched: booleans, integers, decimals, floats and reals of every size, dates, times, timestamps
 * with and without zone, uuids, NULL; in casts, `||`, concat, concat_ws, string_agg, array_to_string over literals and
 * columns, left, replace, lpad, split_part, LIKE. Refused there: arrays, bytes, quotients; `format` anywhere.
 */
export const TEXTS_OF_VALUES: Subject = {
  name: "texts of values",
  queries: {
    "concat-ws-null-false": `SELECT concat_ws(',', true, 1, NULL, false), concat_ws(',', NULL), concat_ws(NULL, 'a', true), concat_ws('', 'a', NULL, 'b')`,
    "concat-boolean-concat-ws": `SELECT true::text, true || '', concat(true), concat(NULL::boolean, NULL), concat_ws(',', NULL::boolean, 'x')`,
    "concat-concat-ws-text": `SELECT concat(b), concat_ws('-', b, b), b::text FROM (VALUES (true), (false), (NULL)) t(b) ORDER BY b`,
    "concat-ws-float8-numeric": `SELECT concat_ws('|', 2::float8, 1.10::numeric(10, 2), timestamp '2024-01-02 00:00:00', date '2024-01-02', time '01:02:03.5', timestamptz '2024-01-02 03:04:05+00')`,
    "concat-joined-array-to-string": `SELECT x::text, concat(x), x || '', array_to_string(ARRAY[x], ',') FROM (VALUES (1e15::float8), (1234567890123456.5), (-1e15), (999999999999999.9), (1e16), (123456789012345678), (0), (-0.5), (1e-5), (1e300), ('NaN'), ('-Infinity'), (NULL), (100000000000000)) t(x) ORDER BY x`,
    "text-concat-joined": `SELECT x::text, concat(x), x || '' FROM (VALUES (1e6::real), (1234567.5), (-1e6), (999999.5), (1e10), (123456789), (0), (-0.5), (1e-5), (1e16), ('NaN'), ('Infinity'), (NULL), (100000)) t(x) ORDER BY x`,
    "array-to-string-array-float8": `SELECT array_to_string(ARRAY[true, false, NULL], ','), array_to_string(ARRAY[true, NULL], ',', 'x'), array_to_string(ARRAY[1.5::float8, 2], ','), array_to_string(ARRAY['a', NULL, 'b'], ',', 'x')`,
    "array-to-string-array-date": `SELECT array_to_string(ARRAY[date '2024-01-02'], ','), array_to_string(ARRAY[timestamp '2024-01-02 03:04:05', timestamp '2024-01-02 03:04:05.5'], ',')`,
    "array-to-string-array-agg": `SELECT array_to_string(array_agg(b ORDER BY b), ','), array_to_string(array_agg(x ORDER BY x), ','), array_to_string(array_agg(n ORDER BY n), ',', '-') FROM (VALUES (true, 2::float8, 1), (false, 1.5, 2)) t(b, x, n)`,
    "array-to-string-null-text": `SELECT array_to_string(a, ',', 'x') FROM (VALUES (ARRAY[true, NULL]), (ARRAY[]::boolean[]), (NULL)) t(a) ORDER BY 1`,
    "string-agg-text-distinct": `SELECT string_agg(b::text, ',' ORDER BY b), string_agg(DISTINCT b::text, ',') FROM (VALUES (true), (false), (true)) t(b)`,
    "left-length-replace": `SELECT left(b::text, 1), length(b::text), upper(b::text), replace(b::text, 'r', 'x'), split_part(b::text, 'r', 1), b::text LIKE 't%', lpad(b::text, 6, '*') FROM (VALUES (true), (false)) t(b) ORDER BY 1`,
    // Nothing of them is ever there, and they are texts all the same.
    "int-upper-nullif": `SELECT 'x' || NULL::int AS a, s || upper(NULL::text) AS b, CASE WHEN TRUE THEN s || nullif(1, 1) END AS c, s || left(to_char(NULL::timestamp, 'YYYY'), length(s)) AS d FROM (VALUES ('a'), (NULL)) t(s)`,
    "concat-ws-avg": "SELECT concat_ws(',', avg(x)) FROM (VALUES (1.5), (2)) t(x)",
    "array-to-string-array-agg-divided": "SELECT array_to_string(array_agg(x / 3), ',') FROM (VALUES (1.5), (2)) t(x)",
  },
};

/** Texts that PostgreSQL does not read as numbers, and DuckDB does. Searched: everything its casts accept, by spelling. */
export const RAISING_NUMBERS: readonly string[] = [
  "SELECT s::int FROM (VALUES ('2'), ('1.5')) t(s)",
  "SELECT s::bigint FROM (VALUES ('2'), ('1e2')) t(s)",
  "SELECT CAST(s AS smallint) FROM (VALUES ('2'), ('5.')) t(s)",
  "SELECT s::float8 FROM (VALUES ('2'), ('1_000')) t(s)",
  "SELECT s::real FROM (VALUES ('2'), ('1_0.5')) t(s)",
];
