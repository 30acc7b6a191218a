/**
 * Doris' functions of arrays as its manual describes them, as macros of DuckDB over lists. Identifiers, types, LATERAL VIEW, GROUP_CONCAT
 * and lambdas are written in DuckDB's words. It is *not* Doris.
 * https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/array-functions/array
 */
import type { OpenedSource } from "../../support/sources.ts";
import { closing, openLists, sayCalls } from "../unexecuted/lists.ts";

/** Elements are counted from 1, NULLs are equal, and a NULL array gives NULL. */
const MACROS: readonly string[] = [
  "as_cardinality(a) AS len(a)",
  "as_element_at(a, i) AS a[i]",
  "as_to_json(a) AS a",
  "as_array_contains(a, x) AS CASE WHEN a IS NOT NULL THEN coalesce(CASE WHEN x IS NULL THEN len(list_filter(a, lambda e: e IS NULL)) > 0 ELSE list_contains(a, x) END, false) END",
  "as_arrays_overlap(a, b) AS CASE WHEN list_has_any(list_filter(a, lambda e: e IS NOT NULL), b) THEN true WHEN len(a) > list_count(a) OR len(b) > list_count(b) THEN NULL WHEN a IS NOT NULL AND b IS NOT NULL THEN false END",
  "as_array_concat(a, b) AS CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN list_concat(a, b) END",
  "as_array_slice(a, f, n := NULL) AS CASE WHEN n IS NULL THEN a[f:] WHEN n = 0 THEN a[1:0] ELSE a[f:f + n - 1] END",
  "as_array_position(a, x) AS coalesce(list_position(a, x), CASE WHEN a IS NOT NULL THEN 0 END)",
  "as_array_join(a, s, n := NULL) AS CASE WHEN a IS NOT NULL THEN coalesce(array_to_string(CASE WHEN n IS NULL THEN a ELSE list_transform(a, lambda e: coalesce(e, n)) END, s), '') END",
  "as_array_remove(a, x) AS list_filter(a, lambda e: e IS DISTINCT FROM x)",
  "as_array_sort(a) AS list_sort(a, 'ASC', 'NULLS FIRST')",
  "as_array_reverse_sort(a) AS list_sort(a, 'DESC', 'NULLS LAST')",
  "as_split_by_string(x, s) AS string_split(x, s)",
  "as_unhex(x) AS decode(unhex(x))",
  "as_array_enumerate(a) AS range(1, len(a) + 1)",
];

const NAMES =
  /\b(CARDINALITY|ELEMENT_AT|TO_JSON|ARRAYS_OVERLAP|SPLIT_BY_STRING|UNHEX|ARRAY_(?:CONTAINS|CONCAT|SLICE|POSITION|JOIN|REMOVE|SORT|REVERSE_SORT|ENUMERATE))\(/gi;

const VIEW = " LATERAL VIEW EXPLODE";

function inDuckDb(sql: string): string {
  let said = sql
    .replaceAll("`", '"')
    .replaceAll(/ARRAY<(\w+)>/g, "$1[]")
    .replaceAll("ARRAY_MAP(_e -> SUBSTRING(UNHEX(_e), 2), ", "list_transform_of(")
    .replaceAll("HEX(CONCAT('x', ", "HEX(('x' || ")
    .replaceAll("GROUP_CONCAT(", "string_agg(")
    .replaceAll(/\bARRAY\(/g, "list_value(");
  said = sayCalls(said, "collect_list", (value) => `(list(${value}) FILTER (WHERE (${value}) IS NOT NULL))`);
  said = sayCalls(said, "collect_set", (value) => `(list(DISTINCT ${value}) FILTER (WHERE (${value}) IS NOT NULL))`);
  for (let at = said.indexOf(VIEW); at >= 0; at = said.indexOf(VIEW)) said = withView(said, at);
  return said.replace(NAMES, "as_$1(");
}

/** `t LATERAL VIEW EXPLODE(a) e AS x`: a row for each place. */
function withView(sql: string, at: number): string {
  const start = sql.indexOf("(", at);
  const end = closing(sql, start + 1);
  const isOuter = sql.slice(at, start).endsWith("_OUTER");
  const [found = "", name = "", columns = ""] = /^ ("\w+") AS ("\w+"(?:, "\w+")*)/.exec(sql.slice(end + 1)) ?? [];
  const [array = ""] = sql.slice(start + 1, end).split(", ARRAY_ENUMERATE(");
  const [element = "", position = '"_p"'] = columns.split(", ");
  const rows =
    `(SELECT unnest(_a) AS ${element}, generate_subscripts(_a, 1) AS ${position} ` + `FROM (SELECT ${array} AS _a))`;
  const join = isOuter ? `LEFT JOIN LATERAL ${rows} AS ${name} ON TRUE` : `CROSS JOIN LATERAL ${rows} AS ${name}`;
  return `${sql.slice(0, at)} ${join}${sql.slice(end + 1 + found.length)}`;
}

/** Its CONCAT of a NULL is NULL. */
const TEXTS_OF = "list_transform_of(a) AS list_transform(a, lambda e: substring(decode(unhex(e)), 2))";

export const openManualArrays = (tables: readonly string[]): Promise<OpenedSource> =>
  openLists({
    settings: ["SET default_null_order = 'nulls_first_on_asc_last_on_desc'"],
    macros: [...MACROS, TEXTS_OF],
    inDuckDb,
    tables,
  });
