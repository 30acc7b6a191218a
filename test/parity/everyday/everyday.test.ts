/** Everyday questions are planned on every source, or listed here as refused. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../support/plan.ts";
import { PLANNED_SOURCES } from "../../support/statements.ts";
import { columnsOf, QUESTIONS } from "./questions.ts";

const UUIDS = [
  "SELECT id FROM t WHERE uid = '550e8400-e29b-41d4-a716-446655440000'",
  "SELECT id FROM t WHERE uid IN ('550e8400-e29b-41d4-a716-446655440000')",
];

const REFUSED: Partial<Record<DataSource, readonly string[]>> = {
  // These sources have no type for UUIDs: a column of them is a text.
  bigquery: UUIDS,
  redshift: UUIDS,
  snowflake: UUIDS,
  doris: UUIDS,
  oracle: UUIDS,
};

function refusedOn(source: DataSource): readonly string[] {
  const manifest = manifestOfTable(columnsOf(source));
  return QUESTIONS.filter((sql) => {
    try {
      planned(sql, manifest, { source, options: { unknownFunctions: "refuse" } });
      return false;
    } catch (error) {
      if (!(error instanceof PlannerError)) throw error;
      return true;
    }
  });
}

test("there are 46 questions", () => {
  expect(new Set(QUESTIONS).size).toBe(46);
});

describe("refused everyday questions", () => {
  test.each(PLANNED_SOURCES)("%s", (source) => {
    expect(refusedOn(source)).toEqual(REFUSED[source] ?? []);
  });
});
