/**
 * Redshift's functions of arrays as its manual describes them, as macros of DuckDB over JSON. Paths, rows of a path, casts of SUPER values and
 * LISTAGG are written in DuckDB's words. It is *not* Redshift.
 * https://docs.aws.amazon.com/redshift/latest/dg/Array_Functions.html
 */
import type { OpenedSource } from "../../support/sources.ts";
import { openLists, sayCalls } from "../unexecuted/lists.ts";

/** A word of DuckDB for the elements, and for the array of elements. */
const ELEMENTS = "CAST(a AS JSON[])";
const isNull = (value: string): string => `(${value} IS NULL OR json_type(${value}) = 'NULL')`;

/** Indexes are counted from 0. With `TRUE` a NULL is a value; with `FALSE` it may be any. */
const MACROS: readonly string[] = [
  "rs_is_array(a) AS json_type(a) = 'ARRAY'",
  "rs_get_array_length(a) AS json_array_length(a)",
  "rs_json_parse(x) AS CAST(x AS JSON)",
  "rs_json_serialize(a) AS CAST(a AS VARCHAR)",
  "rs_json_typeof(a) AS CASE json_type(a) WHEN 'VARCHAR' THEN 'string' WHEN 'NULL' THEN 'null' WHEN 'ARRAY' THEN 'array' WHEN 'BOOLEAN' THEN 'boolean' WHEN 'OBJECT' THEN 'object' WHEN 'BIGINT' THEN 'number' WHEN 'UBIGINT' THEN 'number' WHEN 'DOUBLE' THEN 'number' END",
  `rs_array_position(a, x, n) AS coalesce(list_position(list_transform(${ELEMENTS}, lambda e: CASE WHEN ${isNull("e")} THEN 'null' ELSE CAST(e AS VARCHAR) END), coalesce(CAST(to_json(x) AS VARCHAR), 'null')), 0) - 1`,
  `rs_array_contains(a, x, n) AS CASE WHEN NOT n AND x IS NULL THEN NULL WHEN rs_array_position(a, x, n) >= 0 THEN true WHEN NOT n AND rs_array_position(a, NULL, n) >= 0 THEN NULL ELSE false END`,
  `rs_subarray(a, f, n) AS to_json((${ELEMENTS})[f + 1:f + n])`,
  "rs_array_concat(a, b) AS to_json(list_concat(CAST(a AS JSON[]), CAST(b AS JSON[])))",
  "rs_array_flatten(a) AS to_json(flatten(CAST(a AS JSON[][])))",
  "rs_strpos(x, y) AS strpos(x, y)",
];

const NAMES =
  /\b(IS_ARRAY|GET_ARRAY_LENGTH|JSON_PARSE|JSON_SERIALIZE|JSON_TYPEOF|ARRAY_(?:POSITION|CONTAINS|CONCAT|FLATTEN)|SUBARRAY)\(/g;

function inDuckDb(sql: string): string {
  const said = sayCalls(sql, "COLLATE", (written) => written.replace(/, 'case_sensitive'$/, ""));
  return (
    said
      .replaceAll(/(?<!\w)ARRAY\(/g, "json_array(")
      .replaceAll("VARCHAR(65535)", "VARCHAR")
      .replaceAll(/\blistagg\((.+?), ','\)(?: WITHIN GROUP \((.+?)\))?(?= \|\| '\]')/g, "string_agg($1, ',' $2)")
      .replaceAll(/\blen\(/gi, "length(")
      // A text out of JSON, without its quotes.
      .replaceAll(/CAST\(([\w".]+\[\d+\]|_unnest_\w+) AS VARCHAR\)/g, (_, value: string) => `(${value} ->> '$')`)
      .replaceAll(/([\w".]+)\[(\d+)\]/g, (_, array: string, place: string) => `json_extract(${array}, '$[${place}]')`)
      .replaceAll(
        /, ((?:"?\w+"?\.)"?\w+"?) AS (_unnest_\w+)(?: AT (_unnest_\w+))?/g,
        (_, array: string, element: string, place = "_place") =>
          ` CROSS JOIN LATERAL (SELECT unnest(_a) AS ${element}, generate_subscripts(_a, 1) - 1 AS ${place} ` +
          `FROM (SELECT CAST(${array} AS JSON[]) AS _a)) AS of_${element}`,
      )
      .replace(NAMES, "rs_$1(")
  );
}

export const openManualArrays = (tables: readonly string[]): Promise<OpenedSource> =>
  openLists({ macros: MACROS, inDuckDb, tables });
