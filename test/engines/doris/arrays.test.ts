/** Arrays planned for Doris, by the words of its manual on DuckDB, against PostgreSQL. It is not Doris. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, askAsWritten, judgeAgainst } from "../../parity/judge.ts";
import type { OpenedSource } from "../../support/sources.ts";
import { ARRAY_QUESTIONS, ARRAY_ROWS, arrayManifest, literal, openArrayRows } from "../unexecuted/arrays.ts";
import { openManualArrays } from "./manual-arrays.ts";

const QUESTIONS: readonly string[] = [
  ...ARRAY_QUESTIONS,
  "SELECT id, array_remove(a, 'y') AS b, array_to_string(a, '-', '?') AS c, a <> '{}' AS d FROM t ORDER BY id",
  "SELECT id, s = ANY (a) AS m, 'q' <> ALL (a) AS n, s <> ALL (a) AS o FROM t ORDER BY id",
  "SELECT l.id, x, n FROM t AS l JOIN t AS r ON l.id = r.id LEFT JOIN LATERAL unnest(r.a) WITH ORDINALITY AS u(x, n) ON TRUE ORDER BY 1, 3",
  "SELECT l.id, r.id AS other, x FROM t AS l LEFT JOIN t AS r ON r.id = l.id + 1 CROSS JOIN LATERAL unnest(l.a) AS u(x) ORDER BY 1, 3",
  "SELECT array_agg(s ORDER BY id % 2, id DESC) FILTER (WHERE s IS NOT NULL) AS b, array_agg(id ORDER BY s NULLS FIRST, id) AS c FROM t",
  "SELECT array_agg(s ORDER BY s DESC) AS b, array_agg(DISTINCT s) AS c FROM t WHERE s IS NOT NULL",
  "SELECT id, array_agg(DISTINCT x ORDER BY x) AS b FROM t, unnest(a) AS u(x) WHERE x IS NOT NULL GROUP BY id ORDER BY id",
  "SELECT id, b FROM (SELECT id % 2 AS id, array_agg(s ORDER BY id) FILTER (WHERE s <> '') AS b FROM t GROUP BY 1) AS g WHERE b && ARRAY['y'] ORDER BY id",
];

const TABLE = `CREATE TABLE t AS ${ARRAY_ROWS.map(
  ([id, s, a]) =>
    `SELECT ${id} AS id, CAST(${literal(s)} AS VARCHAR) AS s, ` +
    `CAST(${a === null ? "NULL" : `ARRAY(${a.map(literal).join(", ")})`} AS ARRAY<VARCHAR>) AS a`,
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
  const answer = await ask(sql, arrayManifest, "doris", manual);
  const verdict = "outcome" in answer ? answer : judgeAgainst(reference, answer, { ordered: true, json: "value" });
  expect(verdict).toEqual({ ...verdict, outcome: "right" });
});
