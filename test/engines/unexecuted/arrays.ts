/** Columns with arrays that are NULL or empty, and with elements that are NULL, and questions about them. */
import { manifestOfTable } from "../../support/plan.ts";
import { startPostgres } from "../../support/postgres.ts";
import { type OpenedSource, openPostgresDatabase } from "../../support/sources.ts";

export const ARRAY_ROWS: readonly (readonly [id: number, s: string | null, a: readonly (string | null)[] | null])[] = [
  [1, "x;y", ["x", "y"]],
  [2, "", []],
  [3, null, null],
  [4, "y", ["y", null, "z", "y"]],
  [5, "ä;;b", [null]],
];

export const arrayManifest = manifestOfTable({ id: "INTEGER", s: "VARCHAR", a: "ARRAY(VARCHAR)" });

/** PostgreSQL's words for what is asked of arrays. */
export const ARRAY_QUESTIONS: readonly string[] = [
  "SELECT id, a FROM t ORDER BY id",
  "SELECT id, e FROM t, unnest(a) AS e ORDER BY id, e",
  "SELECT id, x, n FROM t CROSS JOIN LATERAL unnest(t.a) WITH ORDINALITY AS e(x, n) ORDER BY id, n",
  "SELECT x, count(*) AS n, min(id) AS i FROM t JOIN LATERAL unnest(t.a) AS e(x) ON TRUE GROUP BY x ORDER BY n DESC, x",
  "SELECT p.x AS l, q.x AS r FROM t, unnest(a) AS p(x), unnest(a) AS q(x) WHERE p.x < q.x ORDER BY 1, 2",
  "SELECT DISTINCT unnest(a) AS e FROM t ORDER BY e",
  "SELECT g.e, count(*) AS n FROM (SELECT id, unnest(a) AS e FROM t) AS g JOIN t ON t.id = g.id GROUP BY g.e ORDER BY g.e",
  "SELECT id, e FROM t, unnest(coalesce(a, ARRAY['none'])) AS u(e) ORDER BY id, e",
  "SELECT id, w FROM t CROSS JOIN LATERAL unnest(string_to_array(t.s, ';')) AS u(w) ORDER BY id, w",
  "SELECT id, string_to_array(s, ';') AS p, cardinality(string_to_array(s, ';')) AS n FROM t ORDER BY id",
  "SELECT id, cardinality(a) AS n, array_length(a, 1) AS l, a = '{}' AS e, a[1] AS f FROM t ORDER BY id",
  "SELECT id, a @> ARRAY['y'] AS h, a @> ARRAY['y', 'z'] AS i, a && ARRAY['q', 'z'] AS o, 'x' = ANY (a) AS m FROM t ORDER BY id",
  "SELECT l.id, r.id AS other, l.a && r.a AS o FROM t AS l JOIN t AS r ON l.id < r.id ORDER BY 1, 2",
  "SELECT id, array_to_string(a, '-') AS j, array_position(a, 'y') AS p FROM t ORDER BY id",
  "SELECT id, a || ARRAY['n'] AS b, array_append(a, s) AS c, array_prepend('p', a) AS d FROM t ORDER BY id",
  "SELECT id, array_cat(a, a) AS b FROM t ORDER BY id",
  "SELECT id, a[2:3] AS b, a[2:] AS c, a[:1] AS d, a[3:1] AS e FROM t ORDER BY id",
  "SELECT array_agg(s ORDER BY id DESC) FILTER (WHERE s IS NOT NULL) AS b, array_agg(id ORDER BY id) AS c FROM t",
  "SELECT array_agg(DISTINCT length(s) ORDER BY length(s)) FILTER (WHERE s IS NOT NULL) AS b FROM t",
  "SELECT array_agg(id) AS b, array_to_string(array_agg(s), ',') AS c FROM t WHERE id > 9",
  "SELECT id > 2 AS k, array_agg(id ORDER BY id) AS b, (array_agg(id ORDER BY id DESC))[1] AS c FROM t GROUP BY id > 2 ORDER BY k",
  "SELECT array_to_string(array_agg(DISTINCT s ORDER BY s), '|') AS j FROM t",
  "SELECT ARRAY[1, id] AS b, ARRAY['x', s] AS c, ARRAY[id > 1] AS d, ARRAY[]::text[] AS e FROM t ORDER BY id",
  "SELECT id FROM t ORDER BY array_position(ARRAY['y', 'x;y'], s) NULLS LAST, id",
];

export const literal = (value: string | null): string => (value === null ? "NULL" : `'${value}'`);

/** The rows in PostgreSQL. */
export async function openArrayRows(): Promise<OpenedSource> {
  const database = await startPostgres();
  const client = await database.connect();
  await client.query("CREATE TABLE t (id int, s text, a text[])");
  for (const row of ARRAY_ROWS) await client.query("INSERT INTO t VALUES ($1, $2, $3)", [...row]);
  const postgres = await openPostgresDatabase(database);
  return {
    connector: postgres.connector,
    close: async () => {
      await postgres.close();
      await database.stop();
    },
  };
}
