/** Forms that PostgreSQL alone has, planned for it and run on it; DuckDB's answers where it has an equal. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openDuckDbFiles, openPostgresDatabase } from "../support/sources.ts";
import { ask, askAsWritten, judgeAgainst } from "./judge.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
let database: TestDatabase;
const opened = new Map<DataSource, OpenedSource>();
const at = (source: DataSource): OpenedSource => opened.get(source)!;

beforeAll(async () => {
  database = await startPostgres();
  opened.set("postgres", await openPostgresDatabase(database));
  opened.set("local_file", await openDuckDbFiles(new URL("../../examples", import.meta.url).pathname));
});
afterAll(async () => {
  await Promise.all([...opened.values()].map((source) => source.close()));
  await database.stop();
});

const T = "(VALUES (1, 'a-1', ARRAY['x','y']), (2, 'b-22', ARRAY['z']), (3, NULL, NULL)) t(id, s, a)";
const J = `(VALUES (1, '{"a":{"b":1,"c":[1,2]},"d":[3,4]}'::jsonb), (2, '{"d":null}'::jsonb)) t(id, j)`;

/** The same on both, or refused on DuckDB. */
const QUERIES: readonly (readonly [sql: string, onDuckDb: "right" | "refused"])[] = [
  [`SELECT id, json_typeof(row_to_json(t)), row_to_json(t) ->> 's' AS s FROM ${T}`, "right"],
  [`SELECT json_array_length(json_agg(t)) AS n FROM ${T}`, "right"],
  [`SELECT to_jsonb(t) #>> '{j,a,b}' AS r FROM ${J}`, "right"],
  [`SELECT jsonb_agg(t ORDER BY t.id) #>> '{1,id}' AS r FROM ${J}`, "right"],
  [`SELECT b.id, row_to_json(t) ->> 'id' AS r FROM (VALUES (1), (9)) b(id) LEFT JOIN ${T} ON t.id = b.id`, "right"],
  [`SELECT id, regexp_matches(s, '([a-z])-([0-9])', 'g') AS m FROM ${T}`, "refused"],
  [`SELECT format('%s=%L', s, id) AS f, format('%I', s) AS i FROM ${T} WHERE s IS NOT NULL`, "refused"],
  [`SELECT id, j #- '{a,b}' AS r FROM ${J}`, "refused"],
  [`SELECT id, generate_subscripts(a, 1) AS i FROM ${T}`, "refused"],
  [`SELECT id, i, a[i] FROM ${T}, generate_subscripts(a, 1) AS i`, "refused"],
  [`SELECT string_to_array('a,x,,b', ',', 'x') AS a, string_to_array('a,x,,b', ',', '') AS b`, "right"],
  [`SELECT id, string_to_array(s, '-', '1') AS a FROM ${T}`, "right"],
  [`SELECT id, v FROM ${J}, jsonb_path_query(j, '$.a.c[*]') AS v`, "refused"],
  [`SELECT id, jsonb_path_query(j, '$.d[*] ? (@ > 3)') AS v FROM ${J}`, "refused"],
  [`SELECT x.d, x.a ->> 'b' AS b FROM ${J}, jsonb_to_record(j) AS x(a jsonb, d int[]) ORDER BY t.id`, "right"],
  [`SELECT x.d FROM ${J}, jsonb_to_record(j) AS x(d text[]) ORDER BY t.id`, "right"],
  [
    "SELECT date_trunc(u, TIMESTAMPTZ '2024-07-01 22:30:00+00', 'Asia/Kolkata') AS x FROM (VALUES ('hour'), ('day')) v(u)",
    "refused",
  ],
  ["SELECT date_trunc('hour', TIMESTAMPTZ '2024-07-01 22:30:00+00', 'Asia/Kolkata') AS x", "right"],
  ["SELECT to_number('1,234.5', '9,999.99') AS n, to_number(' -12 ', '999') AS m, to_number(NULL, '9') AS o", "right"],
  [`SELECT u AS e, count(*) FROM (SELECT unnest(a) AS u FROM ${T}) q GROUP BY u ORDER BY u`, "right"],
  [`SELECT unnest(a) AS e, count(*) FROM ${T} GROUP BY unnest(a) ORDER BY e`, "right"],
  [
    `SELECT unnest(a) AS e, count(*), max(id) FROM ${T} WHERE id < 3 GROUP BY 1 HAVING count(*) > 0 ORDER BY 1 DESC`,
    "right",
  ],
  [`SELECT json_object_agg(id, s) AS o FROM ${T}`, "right"],
  [
    "SELECT extract(month FROM to_date(m, 'Month')) AS n, m FROM (VALUES ('March'), ('december')) v(m) ORDER BY to_date(m, 'Month')",
    "right",
  ],
  ["SELECT to_date('Mar 05', 'Mon DD') AS d, to_date('03', 'MM') AS e", "right"],
];

describe.each(QUERIES)("%s", (sql, onDuckDb) => {
  test("is PostgreSQL's own answer on PostgreSQL", async () => {
    const original = await askAsWritten(sql, at("postgres"));
    if ("outcome" in original) throw new Error(JSON.stringify(original));
    const answer = await ask(sql, manifest, "postgres", at("postgres"));
    expect("outcome" in answer ? answer : judgeAgainst(original, answer)).toEqual({ outcome: "right" });
  });

  test(`is ${onDuckDb} on DuckDB`, async () => {
    const original = await askAsWritten(sql, at("postgres"));
    const answer = await ask(sql, manifest, "local_file", at("local_file"));
    const verdict = "outcome" in answer || "outcome" in original ? answer : judgeAgainst(original, answer);
    expect(verdict).toMatchObject({ outcome: onDuckDb });
  });
});

test.each(["1e3", "12,345,678", "", "1.234"])("%j is no number of the format, and no wrong one", async (value) => {
  const sql = `SELECT to_number('${value}', '9,999.99') AS n`;
  expect(await ask(sql, manifest, "local_file", at("local_file"))).toMatchObject({ outcome: "engine error" });
});
