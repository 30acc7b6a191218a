/**
 * Snowflake's functions of arrays as its manual describes them, as macros of DuckDB over lists: statements planned for Snowflake run on
 * it once FLATTEN and ARRAY_AGG are written in DuckDB's words. It shows that the parts of a plan fit together, and is *not* Snowflake.
 * https://docs.snowflake.com/en/sql-reference/functions-semistructured
 */
import type { OpenedSource } from "../../support/sources.ts";
import { closing, openLists } from "../unexecuted/lists.ts";

/** Indexes are counted from 0, NULLs are equal, and a NULL among the arguments gives NULL. */
const MACROS: readonly string[] = [
  "sf_array_size(a) AS len(a)",
  "sf_get(a, i) AS a[i + 1]",
  "sf_to_variant(x) AS x",
  "sf_array_compact(a) AS list_filter(a, lambda x: x IS NOT NULL)",
  "sf_array_contains(v, a) AS list_contains(a, v)",
  "sf_arrays_overlap(a, b) AS list_has_any(a, b)",
  "sf_array_cat(a, b) AS CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN list_concat(a, b) END",
  "sf_array_slice(a, f, t) AS CASE WHEN a IS NOT NULL THEN list_slice(a, f + 1, t) END",
  "sf_array_position(v, a) AS nullif(list_position(a, v), 0) - 1",
  "sf_array_generate_range(f, t) AS range(f, t)",
  "sf_array_to_string(a, s) AS CASE WHEN a IS NOT NULL THEN coalesce(array_to_string(a, s), '') END",
  "sf_split(x, s) AS string_split(x, s)",
];

const NAMES = /\b(ARRAY_(?!AGG)\w+|ARRAYS_OVERLAP|GET|SPLIT|TO_VARIANT)\(/gi;
const COLLECTED =
  /CASE WHEN count\((.+?)\) > 0 THEN ARRAY_AGG\((DISTINCT )?\1\)(?: WITHIN GROUP \((.+?NULLS \w+)\))? END/g;
const JOINED = /listagg\((.+?), ('.*?')\) WITHIN GROUP \((.+?NULLS \w+)\)/g;

function inDuckDb(sql: string): string {
  const gathered = sql.replace(COLLECTED, (_, value: string, distinct = "", order = "") => {
    return `(array_agg(${distinct}${value} ${order}) FILTER (WHERE ${value} IS NOT NULL))`;
  });
  let flat = gathered.replace(JOINED, "string_agg($1, $2 $3)");
  for (let at = flat.indexOf(FLATTEN); at >= 0; at = flat.indexOf(FLATTEN)) {
    const end = closing(flat, at + FLATTEN.length);
    const input = flat.slice(at + FLATTEN.length, end);
    const rows = `(SELECT unnest(_i) AS "VALUE", generate_subscripts(_i, 1) - 1 AS "INDEX" FROM (SELECT ${input} AS _i))`;
    flat = flat.slice(0, at) + rows + flat.slice(end + 1);
  }
  return flat.replaceAll("ARRAY_CONSTRUCT(", "list_value(").replace(NAMES, "sf_$1(");
}

const FLATTEN = "FLATTEN(INPUT => ";

export const openManualArrays = (tables: readonly string[]): Promise<OpenedSource> =>
  openLists({ macros: MACROS, inDuckDb, tables });
