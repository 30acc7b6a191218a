/**
 * Tables of arrays, kept as documents of JSON where a source has none or none that may be NULL, and questions about them, which PostgreSQL
 * answers over arrays of its own.
 */
import type { Manifest } from "../../src/planner/index.ts";
import { manifestOf } from "../support/plan.ts";

/** Rows in the number that changes how an engine joins. */
const MANY = 300;
const manyTags = (id: number): readonly string[] | null =>
  id % 7 === 0 ? null : ["x", "X", "y", "go", "z"].slice(id % 5);

type Row = readonly [
  id: number,
  tags: readonly (string | null)[] | null,
  others: readonly (string | null)[] | null,
  places: readonly (bigint | null)[] | null,
  list: string | null,
];

const ROWS: readonly Row[] = [
  [1, ["x", "y", "vip"], ["y"], [1n, 2n, 3n], "a,b"],
  [2, [], [], [], ""],
  [3, null, ["x"], null, null],
  [4, [null, "A", "a ", "é😀", 'q"\\{},[', "", "null", "tab\tnl\n"], [null, "a"], [null, -5n, 2n ** 63n - 1n], ","],
  [5, ["x", "x", null], ["x", null], [7n, 7n], 'q"\\,é😀, [""],\t\n'],
  [6, ["z"], null, [0n, -(2n ** 63n)], '[,],""'],
];

export const BROKEN: readonly string[] = [
  '{"a": "x"}',
  '"x"',
  "5",
  "[5]",
  "[true]",
  '[["x"]]',
  '[{"k": "x"}]',
  '["x", 1]',
  '{"0": "x"}',
];

const ID = { name: "id", type: "integer", notNull: true };

/** The tables, which `schema` says more of, with arrays by these names of their types. */
export const manifestOfArrays = (
  schema: object,
  [texts, numbers]: readonly [texts: string, numbers: string],
): Manifest => {
  const models: Readonly<Record<string, readonly object[]>> = {
    t: [
      ID,
      { name: "tags", type: texts },
      { name: "others", type: texts },
      { name: "places", type: numbers },
      { name: "list", type: "varchar(50)" },
    ],
    many: [ID, { name: "tags", type: texts }],
    broken: [ID, { name: "tags", type: texts }],
  };
  return manifestOf({
    catalog: "c",
    schema: "public",
    models: Object.entries(models).map(([name, columns]) => ({
      name,
      tableReference: { ...schema, table: name },
      columns,
      primaryKey: ["id"],
    })),
  });
};

const json = (values: readonly (string | bigint | null)[]): string =>
  `[${values.map((each) => (typeof each === "bigint" ? String(each) : JSON.stringify(each))).join(", ")}]`;
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const escaped = (text: string): string => quoted(text.replaceAll("\\", "\\\\"));

const postgresArray = (values: readonly (string | bigint | null)[] | null, type: string): string => {
  if (values === null) return "NULL";
  const all = values.map((each) => (each === null ? "NULL" : typeof each === "bigint" ? `${each}` : quoted(each)));
  return `ARRAY[${all.join(", ")}]::${type}`;
};
const document = (values: readonly (string | bigint | null)[] | null): string =>
  values === null ? "NULL" : escaped(json(values));

const IDS = Array.from({ length: MANY }, (_, id) => id);

export const IN_POSTGRES = [
  "CREATE TABLE many (id int PRIMARY KEY, tags text[])",
  `INSERT INTO many VALUES ${IDS.map((id) => `(${id}, ${postgresArray(manyTags(id), "text[]")})`).join(", ")}`,
  "CREATE TABLE t (id int PRIMARY KEY, tags text[], others text[], places bigint[], list varchar(50))",
  ...ROWS.map(
    ([id, tags, others, places, list]) =>
      `INSERT INTO t VALUES (${id}, ${postgresArray(tags, "text[]")}, ${postgresArray(others, "text[]")}, ${postgresArray(places, "bigint[]")}, ${list === null ? "NULL" : quoted(list)})`,
  ),
];
/** The tables with documents, in columns of these types; `key` and `end` stand behind the key and the table. */
export const withDocuments = (texts: string, integer: string, list: string, end: string): readonly string[] => {
  const table = (name: string, columns: string, rows: readonly string[]): readonly string[] => [
    `CREATE TABLE ${name} (id ${integer}, ${columns})${end}`,
    `INSERT INTO ${name} VALUES ${rows.join(", ")}`,
  ];
  return [
    ...table(
      "many",
      `tags ${texts}`,
      IDS.map((id) => `(${id}, ${document(manyTags(id))})`),
    ),
    ...table(
      "t",
      `tags ${texts}, others ${texts}, places ${texts}, list ${list}`,
      ROWS.map(
        ([id, tags, others, places, text]) =>
          `(${id}, ${document(tags)}, ${document(others)}, ${document(places)}, ${text === null ? "NULL" : escaped(text)})`,
      ),
    ),
    ...table(
      "broken",
      `tags ${texts}`,
      BROKEN.map((text, index) => `(${index}, ${escaped(text)})`),
    ),
  ];
};

export const RIGHT: Readonly<Record<string, readonly string[]>> = {
  "columns of the answer": [
    "SELECT id, tags, others, places FROM t ORDER BY id",
    "SELECT id, d.tags FROM (SELECT * FROM t WHERE id > 1) AS d ORDER BY id",
    "SELECT id, coalesce(tags, ARRAY['none']) AS a, CASE WHEN id > 3 THEN places END AS b FROM t ORDER BY id",
    "SELECT count(tags) AS a, count(*) FILTER (WHERE tags IS NULL) AS b FROM t",
  ],
  elements: [
    "SELECT id, u.x FROM t, unnest(tags) AS u(x) ORDER BY id, u.x",
    "SELECT id, u.x, u.n FROM t CROSS JOIN LATERAL unnest(tags) WITH ORDINALITY AS u(x, n) ORDER BY id, u.n",
    "SELECT id, u.x, u.n FROM t LEFT JOIN LATERAL unnest(places) WITH ORDINALITY AS u(x, n) ON TRUE ORDER BY id, u.n",
    "SELECT id, unnest(others) AS x FROM t ORDER BY id, x",
    "SELECT x, count(*) AS n FROM t, unnest(tags) AS x GROUP BY x ORDER BY n DESC, x",
    "SELECT DISTINCT unnest(tags) AS x FROM t ORDER BY x",
    "SELECT a.x AS a, b.x AS b, count(*) AS n FROM t, unnest(t.tags) AS a(x), unnest(t.others) AS b(x) WHERE a.x < b.x GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT id, (SELECT sum(x) FROM unnest(places) AS x WHERE x < 100) AS s FROM t ORDER BY id",
    "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM unnest(tags) AS x WHERE upper(x) = 'A') ORDER BY id",
    "SELECT id, x FROM t, unnest(coalesce(tags, ARRAY['none'])) AS x ORDER BY id, x",
    "SELECT id, x, n FROM t, unnest(ARRAY[id, 7, NULL]) WITH ORDINALITY AS u(x, n) ORDER BY id, n",
    "SELECT x FROM unnest(ARRAY['b', 'a', NULL]) AS x ORDER BY x",
  ],
  "one element": [
    "SELECT id, tags[1] AS a, tags[2] AS b, tags[8] AS c, tags[0] AS d, places[2] AS e FROM t ORDER BY id",
    "SELECT tags[1] AS a, count(*) AS n FROM t GROUP BY tags[1] ORDER BY 1",
    "SELECT id FROM t WHERE tags[1] = 'x' ORDER BY tags[1], id",
  ],
  members: [
    "SELECT id, 'x' = ANY(tags) AS a, 'a' = ANY(tags) AS b, 'A' = ANY(tags) AS c, '' = ANY(tags) AS d FROM t ORDER BY id",
    "SELECT id, NOT ('x' = ANY(tags)) AS a, 'q' <> ALL(others) AS b, 7 = ANY(places) AS c, 2 < ANY(places) AS d, 0 <= ALL(places) AS e FROM t ORDER BY id",
    "SELECT id FROM t WHERE 'vip' = ANY(tags) ORDER BY id",
    "SELECT id FROM t WHERE NOT ('vip' = ANY(tags)) ORDER BY id",
    "SELECT id FROM t WHERE tags[1] = ANY(others) ORDER BY id",
    "SELECT id, NULL = ANY(tags) AS a, array_contains(tags, 'y') AS b FROM t ORDER BY id",
    "SELECT id FROM t WHERE 'a' = ANY(coalesce(others, '{}'::text[])) OR 'b' = ANY(string_to_array(list, ',')) ORDER BY id",
    "SELECT bool_or('x' = ANY(tags)) AS a, count(*) FILTER (WHERE 'x' = ANY(tags)) AS b FROM t",
    "SELECT a.id, b.id AS o FROM t AS a JOIN t AS b ON a.tags[1] = ANY(b.others) ORDER BY 1, 2",
  ],
  "conditions of many rows": [
    "SELECT count(*) AS n, min(id) AS a, max(id) AS b FROM many WHERE EXISTS (SELECT 1 FROM unnest(tags) AS s WHERE upper(s) = 'X')",
    "SELECT count(*) AS n, min(id) AS a, max(id) AS b FROM many WHERE NOT EXISTS (SELECT 1 FROM unnest(tags) AS s WHERE upper(s) = 'X')",
    "SELECT count(*) AS n FROM many WHERE 'X' IN (SELECT upper(s) FROM unnest(tags) AS s)",
    "SELECT count(*) AS n FROM many WHERE 'X' NOT IN (SELECT upper(s) FROM unnest(tags) AS s)",
    "SELECT count(*) AS n FROM many WHERE 'x' = ANY(tags)",
    "SELECT count(*) AS n FROM many WHERE NOT ('x' = ANY(tags)) AND 'y' = ANY(coalesce(tags, ARRAY['y']))",
    "SELECT count(*) AS n FROM many AS a JOIN many AS b ON a.id = b.id + 1 AND EXISTS (SELECT 1 FROM unnest(a.tags) AS s WHERE s = ANY(b.tags))",
    "SELECT count(*) AS n FROM many WHERE tags @> ARRAY['x', 'z'] OR tags && ARRAY['nope']",
    "SELECT count(*) AS n FROM many AS m WHERE id IN (SELECT o.id FROM many AS o, unnest(o.tags) AS s WHERE s = 'go')",
    "SELECT s, count(*) AS n FROM many, unnest(tags) AS s GROUP BY s ORDER BY s",
  ],
  "arrays in arrays": [
    "SELECT id, tags @> ARRAY['x', 'y'] AS a, tags @> ARRAY['x', NULL] AS b, tags @> others AS c, others <@ tags AS d, tags @> '{}' AS e FROM t ORDER BY id",
    "SELECT id, tags && ARRAY['vip', 'A'] AS a, tags && others AS b, ARRAY[7, 1]::bigint[] && places AS c, NOT tags && ARRAY['z'] AS d FROM t ORDER BY id",
    "SELECT a.id, b.id AS o FROM t AS a JOIN t AS b ON a.id < b.id AND a.tags && b.tags ORDER BY 1, 2",
    "SELECT id, tags = '{}' AS a, places <> '{}' AS b, tags = ARRAY[]::text[] AS c FROM t ORDER BY id",
  ],
  sizes: [
    "SELECT id, cardinality(tags) AS a, array_length(tags, 1) AS b, array_upper(places, 1) AS c, coalesce(array_length(others, 1), 0) AS d FROM t ORDER BY id",
    "SELECT cardinality(tags) AS n, count(*) AS m FROM t GROUP BY cardinality(tags) ORDER BY 1",
    "SELECT sum(cardinality(tags)) AS n, max(cardinality(places)) AS m FROM t WHERE cardinality(tags) > 0",
    "SELECT id FROM t WHERE cardinality(tags) > (SELECT count(DISTINCT x) FROM unnest(tags) AS x) ORDER BY id",
  ],
  texts: [
    "SELECT id, array_to_string(tags, ', ') AS a, array_to_string(tags, '|', '?') AS b, array_to_string(places, '+') AS c FROM t ORDER BY id",
    "SELECT array_to_string(others, '/') AS a, count(*) AS n FROM t GROUP BY 1 ORDER BY 1",
  ],
  places: [
    "SELECT id, array_position(tags, 'x') AS a, array_position(tags, 'a') AS b, array_position(tags, NULL) AS c, array_position(places, 7) AS d FROM t ORDER BY id",
    "SELECT id, array_position(tags, others[1]) AS a FROM t ORDER BY id",
    "SELECT array_position(ARRAY[1, NULL], NULL) AS a, array_position(ARRAY[NULL, 'x', NULL], NULL) AS b, array_position(ARRAY['x', 'y'], NULL) AS c",
    "SELECT id, array_position(ARRAY['x', others[1], 'z'], tags[1]) AS a, array_position(ARRAY[others[2], tags[9]], tags[2]) AS b FROM t ORDER BY id",
  ],
  "arrays that are changed": [
    "SELECT id, tags[2:] AS a, tags[1:2] AS b, tags[:1] AS c, tags[9:] AS d, places[2:3] AS e FROM t ORDER BY id",
    "SELECT id, array_remove(tags, 'x') AS a, array_remove(tags, NULL) AS b, array_replace(tags, 'x', 'é\"') AS c, array_replace(places, 7, NULL) AS d FROM t ORDER BY id",
    "SELECT id, tags || ARRAY['n'] AS a, tags || others AS b, array_append(tags, 'n') AS c, array_prepend('n', tags) AS d, places || 5::bigint AS e, array_cat(others, tags) AS f FROM t ORDER BY id",
    "SELECT id, array_append(tags, list) AS a FROM t ORDER BY id",
  ],
  "arrays that are written out": [
    "SELECT ARRAY[1, 2, NULL] AS a, ARRAY['x', NULL, 'q\"\\'] AS b, ARRAY[TRUE, FALSE, NULL] AS c, ARRAY[1.50, -0.25] AS d, ARRAY[DATE '2024-02-29'] AS e, ARRAY[]::text[] AS f, '{a,\"b c\",NULL}'::text[] AS g",
    "SELECT id, ARRAY[id, id + 1, NULL] AS a, ARRAY[list, 'x'] AS b FROM t ORDER BY id",
    "SELECT i, a, unnest(a) AS e FROM (VALUES (1, ARRAY['x', 'y']), (2, ARRAY['z']), (3, NULL), (4, ARRAY[]::text[])) AS v(i, a) ORDER BY i, e",
    "SELECT i, a && b AS x, a @> b AS y FROM (VALUES (1, ARRAY[1, 2], ARRAY[2, 3]), (2, ARRAY[1, NULL], ARRAY[NULL, 3]), (3, NULL, ARRAY[1]), (4, ARRAY[1], ARRAY[NULL]::int[])) AS v(i, a, b) ORDER BY i",
    "SELECT a AS x FROM (SELECT ARRAY[1, 2] AS a UNION ALL SELECT ARRAY[3]) AS u ORDER BY a[1]",
  ],
  "arrays of a text": [
    "SELECT id, string_to_array(list, ',') AS a FROM t ORDER BY id",
    "SELECT id, x, n FROM t, unnest(string_to_array(list, ',')) WITH ORDINALITY AS u(x, n) ORDER BY id, n",
    "SELECT id, trim(x) AS x FROM t LEFT JOIN LATERAL unnest(string_to_array(upper(list), ', ')) AS u(x) ON TRUE ORDER BY id, x",
    "SELECT x, count(*) AS n FROM t, unnest(string_to_array(list, ',')) AS x GROUP BY x ORDER BY n DESC, x",
    "SELECT id, array_to_string(string_to_array(list, ','), '|') AS a, 'b' = ANY(string_to_array(list, ',')) AS b, array_position(string_to_array(list, ','), '') AS c FROM t ORDER BY id",
    "SELECT id, string_to_array(replace(list, ',', ' [\"; '), '; ') AS a FROM t ORDER BY id",
  ],
  "collected rows": [
    "SELECT array_agg(id ORDER BY id DESC) AS a, array_agg(list ORDER BY id) AS b FROM t",
    "SELECT id > 3 AS k, array_agg(list ORDER BY id DESC) AS a, array_agg(DISTINCT id % 2 ORDER BY id % 2) AS b FROM t GROUP BY id > 3 ORDER BY k",
    "SELECT array_agg(DISTINCT x ORDER BY x) AS a, array_agg(x ORDER BY n, id) FILTER (WHERE n > 1) AS b FROM t, unnest(tags) WITH ORDINALITY AS u(x, n) WHERE x IS NOT NULL",
    "SELECT array_agg(list) AS a, array_agg(id) AS b FROM t WHERE FALSE",
    "SELECT array_agg(id % 2 = 0 ORDER BY id) AS a, array_agg(DATE '2024-02-28' + id ORDER BY id) AS b, array_agg((id / 4.0)::numeric(8, 2) ORDER BY id) AS c FROM t",
    "SELECT d.k, d.a, cardinality(d.a) AS n, 'a,b' = ANY(d.a) AS b FROM (SELECT id > 3 AS k, array_agg(list ORDER BY id) AS a FROM t GROUP BY id > 3) AS d ORDER BY d.k",
    "SELECT d.k, x FROM (SELECT id > 3 AS k, array_agg(id ORDER BY id) AS a FROM t GROUP BY id > 3) AS d, unnest(d.a) AS x ORDER BY 1, 2",
    "SELECT id > 3 AS k, array_agg(id ORDER BY id) AS a FROM t GROUP BY 1 HAVING count(*) > 2 ORDER BY 2 IS NULL, 1",
    "SELECT array_to_string(array_agg(DISTINCT lower(list) ORDER BY lower(list)), ' | ') AS a FROM t WHERE id < 3",
  ],
};

/** Over each document that is no array of texts. */
export const RAISED = [
  "SELECT x FROM broken, unnest(tags) AS x",
  "SELECT 'x' = ANY(tags) AS a FROM broken",
  "SELECT cardinality(tags) AS a FROM broken",
  "SELECT tags[1] AS a FROM broken",
  "SELECT tags FROM broken",
  "SELECT tags @> ARRAY['x'] AS a FROM broken",
  "SELECT array_to_string(tags, ',') AS a FROM broken",
  "SELECT tags || ARRAY['y'] AS a FROM broken",
];
