import { readFileSync } from "node:fs";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { Manifest } from "../../src/planner/index.ts";
import { type ActualCell, type ExpectedRows, rowsDiffer } from "../support/comparator.ts";
import { manifestOf, planned } from "../support/plan.ts";

interface Case {
  readonly id: string;
  readonly topic: string;
  readonly title: string;
  readonly operation: string;
  readonly manifest: string;
  readonly sql: string;
  readonly expected:
    | { readonly type: "error"; readonly kind: string }
    | {
        readonly type: "rows";
        readonly ordered: boolean;
        readonly compareNames: boolean;
        readonly columns: readonly string[];
        readonly rows: ExpectedRows;
      };
}

const file = JSON.parse(readFileSync(new URL("../cases/planner-cases.json", import.meta.url), "utf8")) as {
  readonly fixtures: { readonly sql: string };
  readonly manifests: Readonly<Record<string, unknown>>;
  readonly cases: readonly Case[];
};

/** The topics that are built; the others join as they come. */
const TOPICS: readonly string[] = ["simple model", "query shapes"];

/** The acceptance set's kinds → our reasons. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  COLUMN_NOT_FOUND: ["COLUMN_NOT_FOUND"],
  MODEL_NOT_FOUND: ["MODEL_NOT_FOUND"],
  AMBIGUOUS_COLUMN: ["AMBIGUOUS_COLUMN"],
  INVALID_MDL: [
    "MANIFEST_DUPLICATE",
    "MANIFEST_SOURCE",
    "MANIFEST_LAYOUT_VERSION",
    "MANIFEST_EXPRESSION",
    "MANIFEST_SCHEMA",
  ],
  INVALID_SQL: ["SYNTAX", "SEVERAL_STATEMENTS"],
  UNSUPPORTED_STATEMENT: ["UNSUPPORTED_STATEMENT"],
};

let instance: DuckDBInstance;
let connection: DuckDBConnection;
const manifests = new Map<string, Manifest>();

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(file.fixtures.sql);
});

afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

function manifest(name: string): Manifest {
  const known = manifests.get(name) ?? manifestOf(file.manifests[name]);
  manifests.set(name, known);
  return known;
}

describe.each(TOPICS)("%s", (topic) => {
  const cases = file.cases.filter((each) => each.topic === topic);
  test("has cases", () => expect(cases.length).toBeGreaterThan(20));

  test.each(cases)("$id $title", async ({ sql, manifest: name, expected }) => {
    if (expected.type === "error") {
      let reason: string | undefined;
      try {
        planned(sql, manifest(name));
      } catch (error) {
        if (!(error instanceof PlannerError)) throw error;
        reason = error.reason;
      }
      expect(REASONS[expected.kind]).toContain(reason);
      return;
    }
    const plan = planned(sql, manifest(name));
    const reader = await connection.runAndReadAll(plan.sql);
    const rows = reader.getRowsJson() as ActualCell[][];
    expect(rowsDiffer(expected.rows, rows, expected.ordered), plan.sql).toBeUndefined();
    if (expected.compareNames) expect(plan.columns.map((column) => column.name)).toEqual(expected.columns);
  });
});
