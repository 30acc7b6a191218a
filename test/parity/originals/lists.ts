import type { Subject } from "./subject.ts";

/**
 * DuckDB joins `t, unnest(t.a)` by a hash join, which gives each list from its end and computes it before WHERE. Searched: all
 * set-returning functions in FROM, comma, CROSS, INNER and LEFT JOIN, ordinality, aggregates in the order of rows, errors over rows
 * that WHERE leaves out; arrays of arrays in unnest, `= ANY`, `||`, casts; DISTINCT ON beside a set-returning function.
 */
export const LISTS_IN_FROM: Subject = {
  name: "lists in FROM, and arrays of arrays",
  queries: [
    "SELECT id, string_agg(u, ',') FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a), unnest(a) u GROUP BY id ORDER BY id",
    "SELECT string_agg(u, ',') FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y']), (3, NULL), (4, ARRAY[]::text[])) t(id,a), unnest(a) u",
    "SELECT string_agg(coalesce(u, '-') || id, ',') FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y']), (3, NULL), (4, ARRAY[]::text[])) t(id,a) LEFT JOIN unnest(a) u ON true",
    "SELECT id, u, o FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y']), (3, NULL), (4, ARRAY[]::text[])) t(id,a) LEFT JOIN LATERAL unnest(a) WITH ORDINALITY u(u,o) ON true",
    "SELECT id, u, o FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a), unnest(a) WITH ORDINALITY u(u,o)",
    "SELECT id, u, o FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a) JOIN unnest(a) WITH ORDINALITY u(u,o) ON u.o <> 2",
    "SELECT id, u FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a) LEFT JOIN unnest(a) u(u) ON u.u <> 'a' ORDER BY id, u",
    "SELECT id, array_agg(u), json_agg(u) FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a), unnest(a) u GROUP BY id ORDER BY id",
    'SELECT json_object_agg(k, v) FROM (VALUES (1, \'{"a":1,"b":2}\'::json)) t(id,j), json_each(j) e(k,v)',
    "SELECT string_agg(v #>> '{}', ',') FROM (VALUES (1, '[1,2,3]'::jsonb)) t(id,j), jsonb_array_elements(j) v",
    "SELECT string_agg(v, ',') FROM (VALUES (1, '[1,2,3]'::jsonb)) t(id,j), jsonb_array_elements_text(j) v",
    "SELECT string_agg(p, ',') FROM (VALUES (1, 'a b c')) t(id,s), regexp_split_to_table(s, ' ') p",
    "SELECT string_agg(x::text, ',') FROM (VALUES (1,3),(2,2)) t(a,b), generate_series(a, b + 1) x",
    "SELECT v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{\"a\":1}'::jsonb)) e(id,p), jsonb_array_elements(p) v WHERE jsonb_typeof(p) = 'array'",
    "SELECT v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{\"a\":1}'::jsonb)) e(id,p) CROSS JOIN LATERAL jsonb_array_elements(p) v WHERE jsonb_typeof(p) = 'array'",
    "SELECT v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{\"a\":1}'::jsonb)) e(id,p) JOIN LATERAL jsonb_array_elements(p) v ON jsonb_typeof(p) = 'array'",
    "SELECT v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{\"a\":1}'::jsonb)) e(id,p), jsonb_array_elements(p) v WHERE id = 1 AND v::text <> '1'",
    "SELECT k FROM (VALUES (1,'[1,2]'::jsonb),(2,'{\"a\":1}'::jsonb)) e(id,p), jsonb_object_keys(p) k WHERE jsonb_typeof(p) = 'object'",
    "SELECT k, v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{\"a\":1}'::jsonb)) e(id,p), jsonb_each(p) x(k,v) WHERE jsonb_typeof(p) = 'object'",
    "SELECT e.id, v FROM (SELECT * FROM (VALUES (1,'[1,2]'::jsonb),(2,'{\"a\":1}'::jsonb)) e(id,p) WHERE jsonb_typeof(p) = 'array') e, jsonb_array_elements(p) v",
    "SELECT DISTINCT ON (i) i, generate_series(1,2) FROM (VALUES (1),(2)) t(i) ORDER BY i",
    "SELECT DISTINCT ON (i) i, generate_series(1,2) AS g FROM (VALUES (1),(2)) t(i) ORDER BY i, g",
    "SELECT DISTINCT ON (i) i, generate_series(1,2) AS g FROM (VALUES (1),(2)) t(i) ORDER BY i, g DESC",
    "SELECT DISTINCT ON (i) i, j, unnest(ARRAY[7,8]) FROM (VALUES (1,2),(2,3),(1,1)) t(i,j) ORDER BY i, j",
    "SELECT DISTINCT i, generate_series(1,2) FROM (VALUES (1),(2)) t(i) ORDER BY 1, 2",
    "SELECT i, generate_series(1,2) FROM (VALUES (1),(2)) t(i) ORDER BY i LIMIT 3",
    "SELECT DISTINCT ON (i) i, generate_series(1,2) FROM (VALUES (1),(2)) t(i) ORDER BY i LIMIT 3",
    "SELECT ARRAY[[1,2]] || ARRAY[3,4] AS a",
    "SELECT array_cat(ARRAY[[1,2]], ARRAY[[3,4]]) AS a",
    "SELECT array_cat(ARRAY[[1,2]], ARRAY[3,4]) AS a",
    "SELECT 3 = ANY(ARRAY[[1,2],[3,4]]) AS a",
    "SELECT 3 = ALL(ARRAY[[1,2],[3,4]]) AS a",
    "SELECT cardinality(ARRAY[[1,2],[3,4]]), array_length(ARRAY[[1,2],[3,4]], 2), (ARRAY[[1,2],[3,4]])[1][2]",
    "SELECT array_to_string(ARRAY[[1,2],[3,4]], ',') AS a",
    "SELECT array_position(ARRAY['a'], NULL), array_remove(ARRAY['a',NULL], NULL)",
    "SELECT unnest(ARRAY[[1,2],[3,4]]) AS a",
    "SELECT a FROM unnest(ARRAY[[1,2],[3,4]]) t(a)",
    "SELECT ARRAY[['a']]::text[] AS a",
    "SELECT ARRAY[['1','2']]::int[] AS a",
    "SELECT cardinality(ARRAY[[1,2],[3,4]]), cardinality(ARRAY[1,2]) AS b",
  ],
};
