import type { Subject } from "./subject.ts";

/** Every kind of JSON value, JSON's null, and NULL; text keys that look like indexes. */
const VALUES = [
  `'{"a":1}'`,
  `'{"b":1,"a":"x"}'`,
  `'{"a":null}'`,
  `'{"A":2,"0":"zero","-1":"minus"}'`,
  `'["a","b"]'`,
  `'["b",1,null,["a"]]'`,
  `'[]'`,
  `'{}'`,
  `'"a"'`,
  `'"b"'`,
  "'1'",
  "'true'",
  "'null'",
  "NULL",
  `'{"a":["p",{"b":true}]}'`,
];
const documents = (type: "json" | "jsonb"): string =>
  `(VALUES ${VALUES.map((value, index) => `(${index + 1}, ${value}${index === 0 ? `::${type}` : ""})`).join(", ")}) AS t(id, j)`;
const from = (type: "json" | "jsonb", items: string): string =>
  `SELECT id, ${items} FROM ${documents(type)} ORDER BY id`;

/**
 * JSON operators and functions over every kind of value (docs/decisions/0048-json-is-compared-by-value.md#decision). Searched: `?`,
 * `?|`, `?&` with literal, empty and computed keys; `->`, `->>`, `#>`, `#>>`, subscripts and the functions of paths by names,
 * indexes from both ends, names that look like indexes or hold signs of paths, steps that are computed, elements of jsonb's
 * scalars; comparisons, which DuckDB makes by text; texts of objects, arrays and numbers of every spelling by all that gives one
 * (`->>`, casts, paths, elements, members, `concat`), of documents, parts and what is built; more of them in
 * `test/parity/random/documents.ts`.
 */
export const JSON_VALUES: Subject = {
  name: "values of JSON",
  queries: {
    "id-0-b-and": from("jsonb", "j ? 'a' AS a, j ? '0' AS zero, j ? '' AS none, j ? 'b' AND j ? 'a' AS both"),
    "where-not": `SELECT id FROM ${documents("jsonb")} WHERE NOT (j ? 'a') ORDER BY id`,
    "or-array-and": from(
      "jsonb",
      `j ?| ARRAY['a', 'c'] AS x, j ?& ARRAY['a', 'b'] AS y, j ?& ARRAY[]::text[] AS z, j ?| '{b}' AS w`,
    ),
    "id-k-order": from("jsonb", "j ? k AS x")
      .replace(" FROM ", ` FROM (VALUES ('a'), ('0'), (NULL), ('a/b~')) k(k), `)
      .replace("ORDER BY id", "ORDER BY id, k"),
    "member-text-member-json-typeof": from(
      "json",
      `j ->> 'a' IS NULL AS t, (j -> 'a') IS NULL AS v, json_typeof(j -> 'a') AS k`,
    ),
    "json-typeof-member-minus": from(
      "json",
      `json_typeof(j) AS k, json_typeof(j -> 0) AS first, json_typeof(j -> -1) AS last, (j -> 9) IS NULL AS far`,
    ),
    "member-text-null-member": from(
      "json",
      `j ->> 0 IS NULL AS a, j -> 0 ->> 'a' AS b, j ->> '0' AS c, j ->> '-1' AS d, j ->> 'A' AS e`,
    ),
    "path-text-json-typeof-path": from(
      "json",
      `j #>> '{a,0}' AS a, j #>> '{a,1,b}' AS b, j #>> '{0}' AS c, j #>> '{a,-1,b}' AS d, json_typeof(j #> '{a}') AS e`,
    ),
    "jsonb-typeof-member-minus": from(
      "jsonb",
      `jsonb_typeof(j -> 0) AS a, jsonb_typeof(j -> -1) AS b, j -> 0 IS NULL AS c, j -> 1 IS NULL AS d`,
    ),
    "jsonb-typeof-member-path": from(
      "jsonb",
      "jsonb_typeof(j[0]) AS a, jsonb_typeof(j[n]) AS e, jsonb_typeof(j -> n) AS b, j ->> n IS NULL AS c, jsonb_typeof(j #> '{0}') AS d",
    )
      .replace(" FROM ", " FROM (VALUES (0), (-1), (7), (NULL)) n(n), ")
      .replace("ORDER BY id", "ORDER BY id, n"),
    "member-text-minus-member": `SELECT j ->> 0 AS a, j ->> -1 AS b, (j -> 0) ->> 0 AS c FROM (VALUES ('1'::jsonb), ('"x"'), ('true'), (NULL)) t(j) ORDER BY 1`,
    "element-by-column": "SELECT j[k] FROM (VALUES ('[1]'::jsonb, '0')) t(j, k)",
    "json-extract-path-text": from(
      "json",
      `json_extract_path_text(j, 'a', '0') AS a, json_typeof(json_extract_path(j, 'a', '1')) AS b`,
    ),
    "jsonb-typeof-subscripts": from("jsonb", "jsonb_typeof(j['a']) AS a, jsonb_typeof(j['a'][1]) AS b"),
    "member-member-text-null": from("json", "j -> k ->> 'b' AS x, j ->> k IS NULL AS y")
      .replace(" FROM ", " FROM (VALUES ('a'), ('0'), (NULL)) k(k), ")
      .replace("ORDER BY id", "ORDER BY id, k"),
    "member-text-json-typeof-member": from("json", "j ->> n IS NULL AS x, json_typeof(j -> n) AS y")
      .replace(" FROM ", " FROM (VALUES (0), (-1), (7), (NULL)) n(n), ")
      .replace("ORDER BY id", "ORDER BY id, n"),
    "jsonb-array-length": `SELECT jsonb_array_length(j) FROM (VALUES ('[]'::jsonb), ('[1,null]'), (NULL)) t(j) ORDER BY 1`,
    "member-text": String.raw`SELECT j ->> 'a b', j ->> 'c"d', j ->> 'e\f', j ->> 'g.h', j ->> '*', j ->> '$', j ->> '', j ->> 'i/j', j ->> '~', j ->> '[0]' FROM (VALUES ('{"a b":1,"c\"d":2,"e\\f":3,"g.h":4,"*":5,"$":6,"":7,"i/j":8,"~":9,"[0]":10}'::jsonb)) t(j)`,
    "member-text-path-text": `SELECT j ? '*', j ->> '*', j #>> '{a,*}', j #>> '{a,"",b}' FROM (VALUES ('{"x":1,"a":{"y":1,"":{"b":2}}}'::jsonb)) t(j)`,
    "coalesce-member-text-case": `SELECT coalesce(j, '{"a":9}') ->> 'a', CASE WHEN j IS NULL THEN '{"a":8}' ELSE j END ->> 'a' FROM (VALUES ('{"a":1}'::jsonb), (NULL)) t(j) ORDER BY 1`,
    "int-plus-boolean": `SELECT (j ->> 'a')::int + 1, (j -> 'a')::text, (j ->> 'b')::boolean FROM (VALUES ('{"a":5,"b":true}'::jsonb)) t(j)`,
    "equal-texts": `SELECT j = '{"b":1, "a":2}', j <> '{"a":2.0}' FROM (VALUES ('{"a":2,"b":1}'::jsonb)) t(j)`,
    "distinct-not-in": from(
      "jsonb",
      `j = 'null', j -> 'a' = 'null', j = '[]', j IS DISTINCT FROM '"a"', j NOT IN ('1', '{}')`,
    ),
    contains: from(
      "jsonb",
      `j @> '{"a": 1.0}', j @> '["a"]', j @> '"a"', j <@ '["a", "b", 1]', '{}' <@ j, j @> '[[]]', j @> '[["a"]]'`,
    ),
    "joined-and-minus": `SELECT (j || '{"a": {"c": 2}, "x": null}')::text, ('{"a": 1, "k": 1}' || j)::text, (j - 'a')::text, (j - ARRAY['a', 'b'])::text FROM (VALUES (1, '{"a":{"b":1.50},"b":2}'::jsonb), (2, NULL)) t(id, j) ORDER BY id`,
    "contains-equal": `SELECT j @> k, j = k FROM (VALUES ('[1]'::jsonb, '1'::jsonb)) t(j, k)`,
    "count-group": `SELECT count(*) FROM (VALUES ('[1]'::jsonb), ('[1.0]')) t(j) GROUP BY j`,
    "distinct-first": `SELECT DISTINCT j -> 0 FROM (VALUES ('[1]'::jsonb), ('[1.0]')) t(j)`,
    "first-as-text": `SELECT j ->> 0 FROM (VALUES ('["b"]'::jsonb), ('[2]')) t(j) ORDER BY j`,
    "first-in": `SELECT j -> 0 IN ('1', '2') FROM (VALUES ('[1.0]'::jsonb)) t(j)`,
    // Blanks, order, names that stand twice, digits, escapes: the text of jsonb is made anew, that of json is what was written.
    "text-member-text-path-text": String.raw`SELECT j::text, j ->> 'o', j ->> 'n', j #>> '{o,k:}', (j -> 'o')::text FROM (VALUES ('{"o" : {"long":1.50, "k:":[1,{}], "é":"a, b: \"c\""}, "n":-0.10, "o2":1, "o2":2}'::jsonb)) t(j)`,
    "jsonb-each-text": `SELECT k, v FROM (VALUES ('{"o":{"long":[1,2],"k":1},"n":1.50}'::jsonb)) t(j), jsonb_each_text(j) AS e(k, v) ORDER BY k`,
    "member-text-member-text": `SELECT j ->> 'o', (j -> 'o')::text, j ->> 'n', j::text FROM (VALUES ('{"o":{"long":1e2,"k":[1,2]},"n":1.50}'::json), ('{"o": {"long": 1, "k": 1E5}, "n": 1e2}')) t(j)`,
    "json-array-elements-text": `SELECT v FROM (VALUES ('[{"b": 1, "a": 1.50}, 1.50, null, "x"]'::json)) t(j), json_array_elements_text(j) WITH ORDINALITY AS e(v, n) ORDER BY n`,
    "json-build-object-json-build-array": `SELECT json_build_object('a', 1, 'b', ARRAY[1, 2])::text, json_build_array('x', NULL)::text, jsonb_build_object('long', 1.50, 'a', '{"x":1}'::jsonb)::text`,
    "jsonb-object-agg-text": `SELECT jsonb_object_agg(k, v ORDER BY v)::text FROM (VALUES ('long', 1), ('a', 2), ('long', 3)) t(k, v)`,
    "jsonb-to-recordset-t-numeric": `SELECT t.*, a + 1 FROM (VALUES (1, '[{"a":1,"b":"x","c":1.50,"D":true},{"b":{"k": [1]},"a":"2"},{}]'::jsonb), (2, '[]'), (3, NULL)) s(id, j), jsonb_to_recordset(j) AS t(a int, b text, c numeric(10,2), "D" boolean) ORDER BY id, a`,
    "json-to-record-date": `SELECT r.x, r.d, y FROM (VALUES (1, '{"x":"a","d":"2024-01-31"}'::json), (2, NULL)) s(id, j), json_to_record(j) AS r(x text, d date, y float) ORDER BY id`,
    "count-sum-json-to-recordset": `SELECT count(*), sum(n) FROM json_to_recordset('[{"n":1},{"n":2}]') AS (n int)`,
    "je-member-text-text": `SELECT _j._je ->> 'o', (_je)::text FROM (VALUES ('{"o":{"b":1.50,"a":2}}'::jsonb)) _j(_je)`,
    // Only the row shows what cannot be said: how json was written around its parts, and what jsonb makes of an exponent.
    "member-text-o": `SELECT j ->> 'o' FROM (VALUES ('{"o" :{"a":1}}'::json)) t(j)`,
    "member-text-member": `SELECT x ->> 'o' FROM (SELECT j -> 'p' AS x FROM (VALUES ('{"p":{"o":{"a":1}}}'::json)) t(j)) s`,
    "member-text-n": `SELECT j ->> 'n' FROM (VALUES ('{"n":1e2}'::jsonb)) t(j)`,
  },
};

export const RAISING_JSON: readonly string[] = [
  `SELECT jsonb_array_length('{"a":1}'::jsonb)`,
  "SELECT jsonb_array_length('1'::jsonb)",
  "SELECT jsonb_array_length('null'::jsonb)",
];
