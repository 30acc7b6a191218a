import type { Subject } from "./subject.ts";

/**
 * DuckDB joins `t, unnest(t.a)` by a hash join, which gives each list from its end and computes it before WHERE. Searched: all
 * set-returning functions in FROM, comma, CROSS, INNER and LEFT JOIN, ordinality, aggregates in the order of rows, errors over rows
 * that WHERE leaves out; arrays of arrays in unnest, `= ANY`, `||`, casts; DISTINCT ON beside a set-returning function.
 */
export const LISTS_IN_FROM: Subject = {
  name: "lists in FROM, and arrays of arrays",
  queries: {
    "string-agg-unnest-group": `SELECT id, string_agg(u, ',') FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a), unnest(a) u GROUP BY id ORDER BY id`,
    "string-agg-unnest": `SELECT string_agg(u, ',') FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y']), (3, NULL), (4, ARRAY[]::text[])) t(id,a), unnest(a) u`,
    "string-agg-coalesce-joined": `SELECT string_agg(coalesce(u, '-') || id, ',') FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y']), (3, NULL), (4, ARRAY[]::text[])) t(id,a) LEFT JOIN unnest(a) u ON true`,
    "left-lateral-ordinality": `SELECT id, u, o FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y']), (3, NULL), (4, ARRAY[]::text[])) t(id,a) LEFT JOIN LATERAL unnest(a) WITH ORDINALITY u(u,o) ON true`,
    "unnest-ordinality": `SELECT id, u, o FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a), unnest(a) WITH ORDINALITY u(u,o)`,
    "u-unnest-ordinality": `SELECT id, u, o FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a) JOIN unnest(a) WITH ORDINALITY u(u,o) ON u.o <> 2`,
    "left-unnest": `SELECT id, u FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a) LEFT JOIN unnest(a) u(u) ON u.u <> 'a' ORDER BY id, u`,
    "array-agg-json-agg-unnest": `SELECT id, array_agg(u), json_agg(u) FROM (VALUES (1, ARRAY['a','b','c']), (2, ARRAY['x','y'])) t(id,a), unnest(a) u GROUP BY id ORDER BY id`,
    "json-object-agg-json-each": `SELECT json_object_agg(k, v) FROM (VALUES (1, '{"a":1,"b":2}'::json)) t(id,j), json_each(j) e(k,v)`,
    "path-text-jsonb-array-elements": `SELECT string_agg(v #>> '{}', ',') FROM (VALUES (1, '[1,2,3]'::jsonb)) t(id,j), jsonb_array_elements(j) v`,
    "string-agg-jsonb-array-elements-text": `SELECT string_agg(v, ',') FROM (VALUES (1, '[1,2,3]'::jsonb)) t(id,j), jsonb_array_elements_text(j) v`,
    "string-agg-regexp-split-to-table": `SELECT string_agg(p, ',') FROM (VALUES (1, 'a b c')) t(id,s), regexp_split_to_table(s, ' ') p`,
    "string-agg-text-generate-series": `SELECT string_agg(x::text, ',') FROM (VALUES (1,3),(2,2)) t(a,b), generate_series(a, b + 1) x`,
    "jsonb-array-elements-jsonb-typeof": `SELECT v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{"a":1}'::jsonb)) e(id,p), jsonb_array_elements(p) v WHERE jsonb_typeof(p) = 'array'`,
    "elements-where-array": `SELECT v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{"a":1}'::jsonb)) e(id,p) CROSS JOIN LATERAL jsonb_array_elements(p) v WHERE jsonb_typeof(p) = 'array'`,
    "elements-join-on-array": `SELECT v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{"a":1}'::jsonb)) e(id,p) JOIN LATERAL jsonb_array_elements(p) v ON jsonb_typeof(p) = 'array'`,
    "jsonb-array-elements-where-text": `SELECT v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{"a":1}'::jsonb)) e(id,p), jsonb_array_elements(p) v WHERE id = 1 AND v::text <> '1'`,
    "jsonb-object-keys-jsonb-typeof": `SELECT k FROM (VALUES (1,'[1,2]'::jsonb),(2,'{"a":1}'::jsonb)) e(id,p), jsonb_object_keys(p) k WHERE jsonb_typeof(p) = 'object'`,
    "jsonb-each-x-jsonb-typeof": `SELECT k, v FROM (VALUES (1,'[1,2]'::jsonb),(2,'{"a":1}'::jsonb)) e(id,p), jsonb_each(p) x(k,v) WHERE jsonb_typeof(p) = 'object'`,
    "jsonb-typeof-jsonb-array-elements": `SELECT e.id, v FROM (SELECT * FROM (VALUES (1,'[1,2]'::jsonb),(2,'{"a":1}'::jsonb)) e(id,p) WHERE jsonb_typeof(p) = 'array') e, jsonb_array_elements(p) v`,
    "distinct-on-series": "SELECT DISTINCT ON (i) i, generate_series(1,2) FROM (VALUES (1),(2)) t(i) ORDER BY i",
    "distinct-on-series-ordered": `SELECT DISTINCT ON (i) i, generate_series(1,2) AS g FROM (VALUES (1),(2)) t(i) ORDER BY i, g`,
    "distinct-on-series-desc": `SELECT DISTINCT ON (i) i, generate_series(1,2) AS g FROM (VALUES (1),(2)) t(i) ORDER BY i, g DESC`,
    "distinct-unnest-array": `SELECT DISTINCT ON (i) i, j, unnest(ARRAY[7,8]) FROM (VALUES (1,2),(2,3),(1,1)) t(i,j) ORDER BY i, j`,
    "distinct-series": "SELECT DISTINCT i, generate_series(1,2) FROM (VALUES (1),(2)) t(i) ORDER BY 1, 2",
    "series-limit": "SELECT i, generate_series(1,2) FROM (VALUES (1),(2)) t(i) ORDER BY i LIMIT 3",
    "distinct-on-series-limit": `SELECT DISTINCT ON (i) i, generate_series(1,2) FROM (VALUES (1),(2)) t(i) ORDER BY i LIMIT 3`,
    joined: "SELECT ARRAY[[1,2]] || ARRAY[3,4] AS a",
    "array-cat": "SELECT array_cat(ARRAY[[1,2]], ARRAY[[3,4]]) AS a",
    "array-cat-row": "SELECT array_cat(ARRAY[[1,2]], ARRAY[3,4]) AS a",
    "equal-any-array": "SELECT 3 = ANY(ARRAY[[1,2],[3,4]]) AS a",
    "equal-all-array": "SELECT 3 = ALL(ARRAY[[1,2],[3,4]]) AS a",
    "cardinality-array-array-length": `SELECT cardinality(ARRAY[[1,2],[3,4]]), array_length(ARRAY[[1,2],[3,4]], 2), (ARRAY[[1,2],[3,4]])[1][2]`,
    "array-to-string": "SELECT array_to_string(ARRAY[[1,2],[3,4]], ',') AS a",
    "array-position-null-array-remove": "SELECT array_position(ARRAY['a'], NULL), array_remove(ARRAY['a',NULL], NULL)",
    "unnest-in-select": "SELECT unnest(ARRAY[[1,2],[3,4]]) AS a",
    "unnest-in-from": "SELECT a FROM unnest(ARRAY[[1,2],[3,4]]) t(a)",
    "array-text": "SELECT ARRAY[['a']]::text[] AS a",
    "array-int": "SELECT ARRAY[['1','2']]::int[] AS a",
    cardinality: "SELECT cardinality(ARRAY[[1,2],[3,4]]), cardinality(ARRAY[1,2]) AS b",
  },
};
