/**
 * Constructs that targets do not support, by the message of the refusal. `test/sent-sql/dialects/every-target.ts` lists the constructs,
 * and the record holds for every target what is sent for them.
 */
import { describe, expect, test } from "vitest";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { EVERY_TARGETS_TABLE } from "../../sent-sql/dialects/every-target.ts";
import { planned } from "../../support/plan.ts";
import { PLANNED_SOURCES } from "../../support/statements.ts";

const ALL_BUT_POSTGRES = PLANNED_SOURCES.filter((source) => !["postgres", "duckdb", "local_file"].includes(source));

const REFUSED: readonly (readonly [sql: string, what: string, sources: readonly DataSource[]])[] = [
  ["SELECT i FROM t LIMIT 1 + 1", "a computed LIMIT or OFFSET", ALL_BUT_POSTGRES],
  ["SELECT sum(i) OVER (ORDER BY i GROUPS 1 PRECEDING) AS x FROM t", "a frame of GROUPS", ALL_BUT_POSTGRES],
  [
    "SELECT sum(i) OVER (ORDER BY i ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS x FROM t",
    "EXCLUDE in a frame",
    ALL_BUT_POSTGRES,
  ],
  [
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r",
    "a common table that names itself",
    ["doris", "spark"],
  ],
  ["SELECT INTERVAL '1 day' AS x FROM t", "an interval as a value", ALL_BUT_POSTGRES],
  ["SELECT TRY_CAST(s AS integer) AS x FROM t", "TRY_CAST of a text", ["redshift"]],
  ["SELECT (ARRAY[1, 2])[1] AS x FROM t", "an element of this", ["redshift"]],
];

describe.each(REFUSED)("%s", (sql, what, sources) => {
  test.each(sources)("on %s", (source) => {
    const message = `not supported on ${targetOf(source).product}: ${what}`;
    const plan = () => planned(sql, EVERY_TARGETS_TABLE, { source });
    expect(plan).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message }));
  });
});
