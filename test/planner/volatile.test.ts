import { describe, expect, it } from "vitest";
import { manifestOf, planned } from "../support/plan.ts";

const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [
        { name: "a", type: "INTEGER" },
        { name: "at", type: "TIMESTAMP" },
        { name: "zoned", type: "TIMESTAMPTZ" },
        { name: "age", type: "INTEGER" },
        { name: "recent", type: "BOOLEAN", isCalculated: true, expression: "at > localtimestamp" },
      ],
    },
    {
      name: "latest",
      refSql: "SELECT a FROM t WHERE at > now() - interval '1 day'",
      columns: [{ name: "a", type: "INTEGER" }],
    },
    {
      name: "named",
      tableReference: { table: "n" },
      columns: [{ name: "a", type: "INTEGER", expression: "Random()" }],
    },
  ],
  views: [{ name: "today", statement: "SELECT a FROM t WHERE at::date = current_date" }],
});

const volatile = (sql: string, source: "postgres" | "duckdb"): boolean => planned(sql, MANIFEST, { source }).volatile;

describe.each(["postgres", "duckdb"] as const)("on %s", (source) => {
  it.each([
    "SELECT now()",
    "SELECT pg_catalog.now()",
    "SELECT a FROM t WHERE at > CURRENT_TIMESTAMP",
    "SELECT current_date - 1",
    "SELECT a FROM t ORDER BY random()",
    "SELECT gen_random_uuid()",
    "SELECT age(at) FROM t",
    "SELECT recent FROM t",
    "SELECT a FROM (SELECT a, recent FROM t) AS s WHERE recent",
    "SELECT a FROM latest",
    "SELECT a FROM named",
    "SELECT a FROM today",
  ])("%s depends on when it is asked", (sql) => {
    expect(volatile(sql, source)).toBe(true);
  });

  it.each([
    "SELECT a FROM t",
    "SELECT age FROM t",
    "SELECT age(at, TIMESTAMP '2024-01-01') FROM t",
    "SELECT 'now', 'random()' FROM t",
    "SELECT sum(a) FROM t WHERE at > TIMESTAMP '2024-01-01' GROUP BY date_trunc('day', at)",
  ])("%s does not", (sql) => {
    expect(volatile(sql, source)).toBe(false);
  });
});

it("a function that nobody knows may be anything", () => {
  expect(planned("SELECT mystery(a) FROM t", MANIFEST, { source: "postgres" }).volatile).toBe(true);
});

describe("what an answer depends on is in the SQL", () => {
  const zoned = "SELECT a FROM t WHERE zoned > TIMESTAMP WITH TIME ZONE '2024-01-01 00:00'";

  it("the zone of literals without one", () => {
    const inZone = (timeZone: string) => planned(zoned, MANIFEST, { source: "postgres", timeZone }).sql;
    expect(inZone("Europe/Paris")).not.toBe(inZone("UTC"));
  });

  it("the values of the session that rules read", () => {
    const manifest = manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "t",
          tableReference: { table: "t" },
          columns: [{ name: "a", type: "INTEGER" }],
          rowLevelAccessControls: [
            { name: "own", requiredProperties: [{ name: "who", required: true }], condition: "a = @who" },
          ],
        },
      ],
    });
    const as = (who: string) =>
      planned("SELECT a FROM t", manifest, { source: "postgres", session: new Map([["who", who]]) }).sql;
    expect(as("1")).not.toBe(as("2"));
  });
});
