/** Refusals of Athena and Canner; `test/sent-sql/dialects/trino.ts` lists what is supported. */
import { describe, expect, test } from "vitest";
import { targetOf } from "../../../../src/planner/dialects/targets.ts";
import { TRINO_TIMES } from "../../../sent-sql/dialects/trino.ts";
import { manifestOf, planned } from "../../../support/plan.ts";

describe.each(["athena", "canner"] as const)("%s", (source) => {
  const sqlOf = (sql: string): string => planned(sql, TRINO_TIMES, { source }).sql;

  test("nothing is set for a statement", () => {
    expect(planned("SELECT i FROM t", TRINO_TIMES, { source }).session).toEqual([]);
  });

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
