/** Statements with arrays for Snowflake, by its manual; `test/engines/snowflake/arrays.test.ts` runs some of them. */
import { manifestOfTable } from "../../support/plan.ts";
import { over, values } from "./group.ts";

export const SNOWFLAKE_ARRAYS_TABLE = manifestOfTable({
  id: "INT",
  s: "VARCHAR",
  a: "ARRAY(VARCHAR)",
  b: "ARRAY(VARCHAR)",
  k: "ARRAY(INTEGER)",
});

export const SNOWFLAKE_ARRAYS = [
  ...over(SNOWFLAKE_ARRAYS_TABLE, {
    "columns of arrays": values([
      "'x' = ANY (a)",
      "s <> ALL (a)",
      "id = ANY (k)",
      "array_contains(a, s)",
      "cardinality(a)",
      "array_length(k, 1)",
      "array_upper(k, 1)",
      "a[1]",
      "k[3]",
      "a[2:3]",
      "a[:2]",
      "a[2:]",
      "a[3:1]",
      "array_to_string(a, '; ')",
      "array_position(a, 'x')",
      "a @> ARRAY['x']",
      "ARRAY[1, 2] <@ k",
      "a && ARRAY['x', 'y']",
      "a && b",
      "a = '{}'",
      "a <> ARRAY[]::text[]",
      "a || 'x'::text",
      "array_append(k, id)",
      "array_prepend(0, k)",
      "array_cat(a, b)",
    ]),
    "arrays that are built": values([
      "ARRAY['x', s, NULL]",
      "ARRAY[1, id]",
      "ARRAY[true, id > 1]",
      "ARRAY[]::text[]",
      "cardinality(ARRAY[1, 2])",
      "array_position(ARRAY['a', 'b'], s)",
      "array_to_string(ARRAY['a', s], '-')",
      "array_to_string(ARRAY[1, 2], '-')",
      "string_to_array(s, ',')",
      "coalesce(a, ARRAY['none'])",
      "array_agg(s)",
      "array_agg(s ORDER BY id DESC)",
      "array_agg(DISTINCT id ORDER BY id) FILTER (WHERE id > 1)",
      "(array_agg(s ORDER BY id))[1]",
      "array_to_string(array_agg(DISTINCT s ORDER BY s), ', ')",
    ]),
    "elements of an array in FROM": [
      "SELECT id, e FROM t, unnest(a) AS e",
      "SELECT x, n FROM t CROSS JOIN LATERAL unnest(t.a) WITH ORDINALITY AS e(x, n)",
      "SELECT upper(x) AS u FROM t JOIN LATERAL unnest(t.a) AS e(x) ON TRUE",
      "SELECT x FROM t, unnest(string_to_array(t.s, ';')) AS e(x)",
      "SELECT x FROM t, unnest(coalesce(t.a, ARRAY['none'])) AS e(x)",
      "SELECT x, n FROM unnest(string_to_array('x;y', ';')) WITH ORDINALITY AS e(x, n)",
      // one value wherever they are named
      "SELECT array_agg(DISTINCT x ORDER BY x) AS b FROM t, unnest(a) AS e(x)",
      // named in all clauses of a query, and not in those around it
      "SELECT q.e AS v FROM (SELECT e, count(*) AS n FROM t, unnest(a) AS e WHERE e > 'a' GROUP BY e HAVING count(*) > 1 ORDER BY n, e LIMIT 9) AS q UNION SELECT e FROM t, unnest(b) AS e ORDER BY 1",
    ],
  }),
];
