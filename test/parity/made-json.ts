/** JSON that is made of values of every kind that has one form of it, with NULLs, of rows in an order, and within other JSON. */

const TEXTS = ["", "plain", `a"b\\c/d`, "[x]", "line\nbreak\ttab\rreturn", "\u0001\u001f\b\f", "añb€c😀", "null", "{}"];

const TEXT_ROWS = [...TEXTS.map((text) => `'${text.replaceAll("'", "''")}'`), "NULL"];

const texts = `(VALUES ${TEXT_ROWS.map((text, id) => `(${id}, ${text}::text, ${id % 3})`).join(", ")}) AS t(id, s, k)`;

const values = `(SELECT id, d::numeric(10, 2) AS d, n, b, day, at FROM (VALUES
  (1, 12.50, 9007199254740993, TRUE, DATE '2024-02-29', TIMESTAMP '2024-01-02 03:04:05.25'),
  (2, -0.05, -1, FALSE, DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59'),
  (3, 0, 0, NULL, DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00'),
  (4, NULL, NULL, TRUE, NULL, NULL)) AS v(id, d, n, b, day, at)) AS t`;

const DOCUMENT = `'{"a": {"b": [1, "x", null, true]}, "n": 12, "s": "q\\"r", "z": null}'::json`;

export const MADE_JSON: readonly string[] = [
  `SELECT id, json_build_object('s', s, 'k', k, 'a"b', NULL, 'c', 'd"\\e') AS x FROM ${texts} ORDER BY id`,
  `SELECT id, to_json(s) AS a, to_jsonb(k) AS b, jsonb_build_array(s, k, NULL, TRUE, 1.50, 'y') AS c FROM ${texts} ORDER BY id`,
  `SELECT id, json_build_object('d', d, 'n', n, 'b', b, 'day', day, 'at', at) AS x FROM ${values} ORDER BY id`,
  `SELECT id, to_json(d) AS d, to_json(n) AS n, to_json(b) AS b, to_jsonb(day) AS day, to_json(at) AS at FROM ${values} ORDER BY id`,
  `SELECT k, json_agg(s ORDER BY id DESC) AS a, jsonb_agg(id ORDER BY k, id) AS b FROM ${texts} GROUP BY k ORDER BY k`,
  `SELECT json_agg(d ORDER BY id) AS a, json_agg(b ORDER BY id) AS b, json_agg(at ORDER BY id) AS c, json_agg(NULL::int) AS e FROM ${values}`,
  `SELECT json_agg(s ORDER BY id) AS a, json_agg(id ORDER BY id) AS b, count(*) AS n FROM ${texts} WHERE id > 100`,
  `SELECT coalesce(json_agg(s ORDER BY id), '[]'::json) AS a, coalesce(jsonb_agg(id), '[]') AS b FROM ${texts} WHERE id > 100`,
  `SELECT k, json_agg(json_build_object('id', id, 's', s, 'more', json_build_array(k, json_build_object())) ORDER BY id) AS x FROM ${texts} GROUP BY k ORDER BY k`,
  `SELECT json_object_agg(coalesce(s, 'NULL'), id ORDER BY id) AS a, jsonb_object_agg(coalesce(s, 'NULL'), s) AS b FROM ${texts}`,
  `SELECT k, json_build_object('n', count(*), 'sum', sum(id), 'least', min(s), 'all', json_agg(id ORDER BY id)) AS x FROM ${texts} GROUP BY k ORDER BY k`,
  `SELECT json_agg(u ORDER BY u.id) AS x FROM (SELECT id, s FROM ${texts}) AS u`,
  `SELECT id, row_to_json(u) AS x FROM (SELECT id, d, b FROM ${values}) AS u ORDER BY id`,
  `SELECT id, CASE WHEN k = 1 THEN json_build_array(s) END AS x FROM ${texts} ORDER BY id`,
  `SELECT u.x, u.x IS NULL AS missing, json_build_object('in', u.x) AS y FROM (SELECT k, json_agg(id ORDER BY id) AS x FROM ${texts} GROUP BY k) AS u ORDER BY u.k`,
  `SELECT jsonb_build_object('a', 1, 'bb', id, 'a', s) AS x, json_build_object() AS y, json_build_array() AS z FROM ${texts} ORDER BY id`,
  `SELECT id, json_build_array(id) AS x FROM ${values} WHERE id < 3 UNION ALL SELECT id, json_build_object('d', d) FROM ${values} WHERE id = 4 ORDER BY id`,
];

/** With parts of documents that the source has. */
export const JSON_IN_JSON: readonly string[] = [
  `SELECT json_build_object('j', ${DOCUMENT}, 'k', 1) AS x`,
  `SELECT json_build_array(j -> 'a', j -> 'n', j -> 's', j -> 'z', j -> 'missing', j -> 'a' -> 'b' -> 1) AS x`,
  `SELECT json_agg(j -> 'n' ORDER BY id) AS x FROM (VALUES (1), (2)) AS t(id)`,
].map((sql) => sql.replaceAll("j ->", `${DOCUMENT} ->`));
