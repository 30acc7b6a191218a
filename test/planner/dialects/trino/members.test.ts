/** Athena and Canner: Trino's SQL with what differs; `test/engines/trino-members.test.ts` runs it on Trino. */
import { describe, expect, test } from "vitest";
import { targetOf } from "../../../../src/planner/dialects/targets.ts";
import { manifestOf, manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  i: "INTEGER",
  s: "VARCHAR",
  day: "DATE",
  at: "TIMESTAMP",
  seen: "TIMESTAMPTZ",
  a: "ARRAY<INTEGER>",
  r: "ROW(x INTEGER)",
  m: "MAP(VARCHAR, INTEGER)",
});

describe.each(["athena", "canner"] as const)("%s", (source) => {
  const sqlOf = (sql: string): string => planned(sql, manifest, { source }).sql.replaceAll('"t"."', '"');

  test("nothing is set for a statement", () => {
    expect(planned("SELECT i FROM t", manifest, { source }).session).toEqual([]);
  });

  // Functions that use the session's zone on Trino are planned for UTC explicitly.
  test.each([
    [
      "SELECT CAST(seen AS timestamp) AS x FROM t",
      `SELECT CAST(regexp_replace(CAST(at_timezone("seen", 'UTC') AS VARCHAR), ' UTC$', '') AS TIMESTAMP(6)) AS "x" FROM "t" AS "t"`,
    ],
    [
      "SELECT CAST(at AS timestamptz) AS x, CAST(s AS timestamptz) AS y, TRY_CAST(s AS timestamptz) AS z FROM t",
      "with_timezone(CAST(\"at\" AS TIMESTAMP(6)), 'UTC')",
    ],
    [
      "SELECT current_date AS x FROM t",
      `SELECT CAST(at_timezone(current_timestamp(6), 'UTC') AS DATE) AS "x" FROM "t" AS "t"`,
    ],
    [
      "SELECT localtimestamp AS x FROM t",
      `SELECT CAST(regexp_replace(CAST(at_timezone(current_timestamp(6), 'UTC') AS VARCHAR), ' UTC$', '') AS TIMESTAMP(6)) AS "x" FROM "t" AS "t"`,
    ],
    [
      "SELECT i FROM t WHERE at < seen AND day BETWEEN seen AND now()",
      `WHERE with_timezone(CAST("at" AS TIMESTAMP(6)), 'UTC') < "seen" AND with_timezone(CAST("day" AS TIMESTAMP(6)), 'UTC') BETWEEN "seen" AND current_timestamp(6)`,
    ],
    [
      "SELECT coalesce(seen, at) AS x, CASE WHEN i > 1 THEN day ELSE seen END AS y FROM t",
      `SELECT coalesce("seen", with_timezone(CAST("at" AS TIMESTAMP(6)), 'UTC')) AS "x", CASE WHEN "i" > 1 THEN with_timezone(CAST("day" AS TIMESTAMP(6)), 'UTC') ELSE "seen" END AS "y" FROM "t" AS "t"`,
    ],
    ["SELECT max_by(at, seen) AS x FROM t", 'SELECT max_by("at", "seen") AS "x" FROM "t" AS "t"'],
  ])("%s", (sql, said) => expect(sqlOf(sql)).toContain(said));

  test.each([
    ["SELECT at FROM t UNION ALL SELECT seen FROM t", "a timestamp without a zone beside one with a zone"],
    [
      "SELECT i FROM (SELECT i, at + INTERVAL '1 day' FROM t UNION ALL SELECT i, now() FROM t) AS d",
      "a timestamp without a zone beside one with a zone",
    ],
    ["SELECT i FROM t WHERE at IN (SELECT seen FROM t)", "a timestamp without a zone beside one with a zone"],
    ["SELECT lag(seen, 1, at) OVER (ORDER BY i) AS x FROM t", "a timestamp without a zone beside one with a zone"],
    ["SELECT a FROM t", "an array as a column"],
    ["SELECT array_agg(i) AS x FROM t", "an array as a column"],
    ["SELECT r FROM t", "a row as a column"],
    ["SELECT m FROM t", "a map as a column"],
  ])("refuses %s", (sql, what) => {
    expect(() => sqlOf(sql)).toThrow(
      expect.objectContaining({
        reason: "UNSUPPORTED_ON_SOURCE",
        message: `not supported on ${targetOf(source).product}: ${what}`,
      }),
    );
  });

  test("every statement over a model with row rules is refused, for no fence was proven there", () => {
    const ruled = manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "t",
          tableReference: { table: "t" },
          columns: [{ name: "i", type: "INTEGER" }],
          rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "i > 1" }],
        },
      ],
    });
    expect(() => planned("SELECT i FROM t", ruled, { source })).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" }),
    );
  });
});
