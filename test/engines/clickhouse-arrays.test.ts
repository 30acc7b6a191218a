/**
 * Arrays that may be NULL on ClickHouse, whose own may not: a column that the model declares as `Nullable(Array(…))` holds documents of
 * JSON. PostgreSQL answers the same questions over arrays of its own.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, judgeAgainst } from "../parity/judge.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { startPostgres } from "../support/postgres.ts";
import { type OpenedSource, openClickHouseWith, openPostgresDatabase } from "../support/sources.ts";
import { BROKEN, IN_POSTGRES, manifestOfArrays, RAISED, RIGHT, withDocuments } from "./array-questions.ts";

const POSTGRES = manifestOfArrays({ schema: "public" }, ["text[]", "bigint[]"]);
const CLICKHOUSE = manifestOfArrays({}, ["Nullable(Array(String))", "Nullable(Array(Int64))"]);

/** Beyond what every source of documents answers. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  "arrays that are compared": [
    "SELECT id, tags = others AS a, tags <> others AS b, tags[1:1] || tags[2:] = tags AS c, places = ARRAY[7, 7]::bigint[] AS d FROM t ORDER BY id",
    "SELECT id, tags IS NULL AS a, places IS NOT NULL AS b FROM t ORDER BY id",
  ],
  "arrays that are keys": [
    "SELECT tags, count(*) AS n, min(id) AS first FROM t GROUP BY tags ORDER BY first",
    "SELECT tags, count(*) AS n FROM many GROUP BY tags ORDER BY tags",
    "SELECT DISTINCT tags, places FROM t",
    "SELECT count(DISTINCT tags) AS n FROM many",
    "SELECT others FROM t UNION SELECT tags FROM t",
    "SELECT others FROM t UNION ALL SELECT ARRAY['x', NULL]",
    "SELECT others FROM t INTERSECT SELECT tags FROM t",
    "SELECT id, row_number() OVER (PARTITION BY tags ORDER BY id) AS n FROM many ORDER BY id",
  ],
  "arrays that are sorted": [
    "SELECT id, tags FROM t ORDER BY tags, id",
    "SELECT id, tags FROM t ORDER BY tags DESC, id",
    "SELECT id, places FROM t ORDER BY places NULLS FIRST, id",
    "SELECT id, places FROM t ORDER BY places DESC NULLS LAST, id",
    "SELECT id, rank() OVER (ORDER BY others) AS r FROM t ORDER BY id",
  ],
};

/** Refused of what every source of documents is asked: queries of each row, comparisons by order, and arrays of ClickHouse's that may be NULL. */
const NOT_ANSWERED =
  /\(SELECT \S+(?: x\))? FROM unnest\(|LEFT JOIN LATERAL unnest|2 < ANY|\(3, NULL|^SELECT array_agg\(id % 2/;

const REFUSED = [
  "SELECT tags::text AS a FROM t",
  "SELECT to_json(tags) AS a FROM t",
  "SELECT max(tags) AS a FROM t",
  "SELECT 'x' || tags::text AS a FROM t",
  "SELECT concat(tags, 'x') AS a FROM t",
  "SELECT tags < others AS a FROM t",
  "SELECT tags IS DISTINCT FROM others AS a FROM t",
  "SELECT tags IN (others) AS a FROM t",
  "SELECT tags BETWEEN others AND others AS a FROM t",
  "SELECT nullif(tags, others) AS a FROM t",
  "SELECT greatest(tags, others) AS a FROM t",
  "SELECT array_agg(tags) AS a FROM t GROUP BY id",
  "SELECT ARRAY[tags, others] AS a FROM t",
  "SELECT 1 = ANY(tags) AS a FROM t",
  "SELECT 'x' < ANY(tags) AS a FROM t",
  "SELECT 'x' LIKE ANY(tags) AS a FROM t",
  "SELECT tags::varchar[] AS a FROM t",
  "SELECT tags && places AS a FROM t",
  "SELECT coalesce(tags, string_to_array(list, ',')) AS a FROM t",
  "SELECT x, y FROM t, unnest(tags, others) AS u(x, y)",
  "SELECT d.a FROM (SELECT string_to_array(list, ',') AS a FROM t) AS d",
  "SELECT d.a FROM (SELECT array_agg(list) AS a FROM t) AS d",
  "SELECT count(*) AS n FROM t GROUP BY string_to_array(list, ',')",
  "SELECT array_agg(id / 4.0) AS a FROM t",
];

describe.runIf(hasClickHouse())("ClickHouse", () => {
  let postgres: OpenedSource;
  let clickhouse: OpenedSource;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const database = await startPostgres();
    const client = await database.connect();
    for (const sql of IN_POSTGRES) await client.query(sql);
    await client.end();
    postgres = await openPostgresDatabase(database);
    clickhouse = await openClickHouseWith(async ({ query }) => {
      const types = ["Nullable(String)", "Int32", "Nullable(String)"] as const;
      for (const sql of withDocuments(...types, " ENGINE = MergeTree ORDER BY id")) await query(sql);
    });
    stops.push(
      () => clickhouse.close(),
      () => postgres.close(),
      () => database.stop(),
    );
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  const answer = (sql: string) => ask(sql, CLICKHOUSE, "clickhouse", clickhouse);

  describe.each(Object.entries({ ...RIGHT, ...OWN }))("%s", (_what, queries) => {
    test.each(queries)("%s", async (sql) => {
      const [expected, own] = [await ask(sql, POSTGRES, "postgres", postgres), await answer(sql)];
      if (NOT_ANSWERED.test(sql)) expect(own).toMatchObject({ outcome: "refused" });
      else if ("outcome" in expected || "outcome" in own) expect([expected, own]).toEqual("two answers");
      else
        expect(judgeAgainst(expected, own, { ordered: sql.includes(" ORDER BY "), json: "text" })).toEqual({
          outcome: "right",
        });
    });
  });

  describe.each(RAISED)("%s", (sql) => {
    test.each(BROKEN.map((text, id) => [text, id] as const))("raises over %s", async (_text, id) => {
      expect(await answer(`${sql} WHERE id = ${id}`)).toMatchObject({ outcome: "engine error" });
    });
  });

  test.each(REFUSED)("refused: %s", async (sql) => {
    expect(await answer(sql)).toMatchObject({ outcome: "refused" });
  });
});

test.skipIf(hasClickHouse())(WITHOUT_CLICKHOUSE, () => {});
