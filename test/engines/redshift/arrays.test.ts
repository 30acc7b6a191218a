/** Arrays planned for Redshift, by the words of its manual on DuckDB, against PostgreSQL. It is not Redshift. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, askAsWritten, judgeAgainst } from "../../parity/judge.ts";
import type { OpenedSource } from "../../support/sources.ts";
import { ARRAY_ROWS, arrayManifest, openArrayRows } from "../unexecuted/arrays.ts";
import { openManualArrays } from "./manual-arrays.ts";

const QUESTIONS: readonly string[] = [
  "SELECT id, a FROM t ORDER BY id",
  "SELECT id, e FROM t, unnest(a) AS e ORDER BY id, e",
  "SELECT id, x, n FROM t CROSS JOIN LATERAL unnest(t.a) WITH ORDINALITY AS e(x, n) ORDER BY id, n",
  "SELECT x, count(*) AS n, min(id) AS i FROM t JOIN LATERAL unnest(t.a) AS e(x) ON TRUE GROUP BY x ORDER BY n DESC, x",
  "SELECT p.x AS l, q.x AS r FROM t, unnest(a) AS p(x), unnest(a) AS q(x) WHERE p.x < q.x ORDER BY 1, 2",
  "SELECT DISTINCT unnest(a) AS e FROM t ORDER BY e",
  "SELECT g.e, count(*) AS n FROM (SELECT id, unnest(a) AS e FROM t) AS g JOIN t ON t.id = g.id GROUP BY g.e ORDER BY g.e",
  "SELECT l.id, r.id AS other, x FROM t AS l LEFT JOIN t AS r ON r.id = l.id + 1 CROSS JOIN LATERAL unnest(l.a) AS u(x) ORDER BY 1, 3",
  "SELECT l.id, x FROM t AS l CROSS JOIN LATERAL unnest(l.a) AS u(x) JOIN t AS r ON r.id = l.id ORDER BY 1, 2",
  "SELECT id, string_to_array(s, ';') AS p FROM t ORDER BY id",
  "SELECT id, cardinality(a) AS n, array_length(a, 1) AS l, a = '{}' AS e, a <> '{}' AS g, a[1] AS f, a[2] AS h FROM t ORDER BY id",
  "SELECT id, a @> ARRAY['y'] AS h, a @> ARRAY['y', 'z'] AS i, a && ARRAY['q', 'z'] AS o, 'x' = ANY (a) AS m, 'q' <> ALL (a) AS n FROM t ORDER BY id",
  "SELECT id, a || ARRAY['n'] AS b, array_append(a, s) AS c, array_prepend('p', a) AS d, array_cat(a, a) AS e FROM t ORDER BY id",
  "SELECT id, a[2:3] AS b, a[2:] AS c, a[:1] AS d, a[3:1] AS e FROM t ORDER BY id",
  "SELECT array_agg(s ORDER BY id DESC) FILTER (WHERE s IS NOT NULL) AS b, array_agg(id ORDER BY id) AS c FROM t",
  "SELECT array_agg(id) AS b, array_agg(s) AS c FROM t WHERE id > 9",
  "SELECT id > 2 AS k, array_agg(id ORDER BY id) AS b FROM t GROUP BY id > 2 ORDER BY k",
  "SELECT ARRAY[1, id] AS b, ARRAY['x', s] AS c, ARRAY[]::text[] AS e FROM t ORDER BY id",
  "SELECT id FROM t ORDER BY array_position(ARRAY['y', 'x;y'], s) NULLS LAST, id",
  "SELECT id, id = ANY (k) AS m, 9 <> ALL (k) AS n, k @> ARRAY[1] AS o, array_position(k, 2) AS p, k && ARRAY[3, 7] AS q FROM (SELECT id, ARRAY[1, id, NULL] AS k FROM t UNION ALL SELECT 6, ARRAY[2, 3] UNION ALL SELECT 7, ARRAY[]::int[]) AS u ORDER BY id",
];

const literal = (value: unknown): string => (value === null ? "NULL" : `'${String(value)}'`);

const TABLE = `CREATE TABLE t AS ${ARRAY_ROWS.map(
  ([id, s, a]) =>
    `SELECT ${id} AS id, CAST(${literal(s)} AS VARCHAR) AS s, ` +
    `JSON_PARSE(${a === null ? "NULL" : literal(JSON.stringify(a))}) AS a`,
).join(" UNION ALL ")}`;

let postgres: OpenedSource;
let manual: OpenedSource;
beforeAll(async () => {
  [postgres, manual] = await Promise.all([openArrayRows(), openManualArrays([TABLE])]);
}, 60_000);
afterAll(() => Promise.all([postgres?.close(), manual?.close()]));

test.each(QUESTIONS)("%s", async (sql) => {
  const reference = await askAsWritten(sql, postgres);
  if ("outcome" in reference) throw new Error(JSON.stringify(reference));
  const answer = await ask(sql, arrayManifest, "redshift", manual);
  const verdict = "outcome" in answer ? answer : judgeAgainst(reference, answer, { ordered: true, json: "value" });
  expect(verdict).toEqual({ ...verdict, outcome: "right" });
});
