/** Statements with arrays for Redshift, by its manual; `test/engines/redshift/arrays.test.ts` runs some of them. */
import { manifestOfTable } from "../../support/plan.ts";
import { over, values, within } from "./group.ts";

export const REDSHIFT_ARRAYS_TABLE = manifestOfTable({
  id: "INT",
  s: "VARCHAR",
  a: "ARRAY(VARCHAR)",
  b: "ARRAY(VARCHAR)",
  k: "ARRAY(INTEGER)",
});

export const REDSHIFT_ARRAYS = [
  ...over(REDSHIFT_ARRAYS_TABLE, {
    arrays: values([
      "'x' = ANY (a)",
      "id = ANY (k)",
      "cardinality(a)",
      "array_length(k, 1)",
      "array_upper(k, 1)",
      "a[1]",
      "k[3]",
      "a[2:3]",
      "a[:2]",
      "a[2:]",
      "a[3:1]",
      "a @> ARRAY['x']",
      "ARRAY[1, 2] <@ k",
      "a && ARRAY['x', 'y']",
      "a = '{}'",
      "a <> ARRAY[]::text[]",
      "a || 'x'::text",
      "array_append(k, id)",
      "array_prepend(0, k)",
      "array_cat(a, b)",
      "ARRAY['x', s, NULL]",
      "ARRAY[1, id]",
      "ARRAY[]::text[]",
      "cardinality(ARRAY[1, 2])",
      "array_position(ARRAY['a', 'b'], s)",
      "string_to_array(s, ',')",
      "coalesce(a, ARRAY['none'])",
      "array_agg(s)",
      "array_agg(s ORDER BY s DESC)",
      "array_agg(s ORDER BY id DESC)",
      "array_agg(id ORDER BY s, id)",
    ]),
    "elements of an array in FROM": within("SELECT 1 AS one FROM ", "", [
      "t, unnest(a) AS e",
      "t CROSS JOIN LATERAL unnest(t.a) WITH ORDINALITY AS e(x, n)",
      "t JOIN LATERAL unnest(t.a) AS e(x) ON TRUE",
      "t JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(u.a) AS e(x)",
      "t LEFT JOIN t AS u ON u.id = t.id CROSS JOIN LATERAL unnest(t.a) AS e(x)",
      "t, unnest(k) AS e(x), unnest(t.a) AS f(y) WHERE e.x = 1",
      "t JOIN t AS u USING (id) CROSS JOIN LATERAL unnest(u.a) AS e(id)",
    ]),
  }),
];
