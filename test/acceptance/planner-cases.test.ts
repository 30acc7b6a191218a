import { readFileSync } from "node:fs";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { Manifest } from "../../src/planner/index.ts";
import type { Plan } from "../../src/planner/plan.ts";
import { type ActualCell, type ExpectedRows, rowsDiffer } from "../support/comparator.ts";
import { manifestOf, planned, plannedCube } from "../support/plan.ts";

type Expected =
  | { readonly type: "error"; readonly kind: string }
  | {
      readonly type: "rows";
      readonly ordered?: boolean;
      readonly compareNames?: boolean;
      /** `false` where the answer is an estimate. */
      readonly compareRows?: boolean;
      readonly columns: readonly string[];
      readonly rows: ExpectedRows;
    }
  /** Planned, with a warning; what the source makes of it is its own affair. */
  | { readonly type: "planned" };

interface Case {
  readonly id: string;
  readonly topic: string;
  readonly title: string;
  readonly operation: string;
  readonly manifest: string;
  /** Of a case whose operation is `query`. */
  readonly sql: string;
  /** Of a case whose operation is `cubeQuery`. */
  readonly cubeQuery?: unknown;
  readonly sessionProperties: Readonly<Record<string, string>>;
  readonly expected: Expected;
  /** Other answers that are right, where the reference's is not the best one. */
  readonly acceptable?: readonly Expected[];
  /** How often a text may stand in the plan. */
  readonly planAssertions?: { readonly maxCount?: Readonly<Record<string, number>> };
}

const file = JSON.parse(readFileSync(new URL("../cases/planner-cases.json", import.meta.url), "utf8")) as {
  readonly fixtures: { readonly sql: string };
  readonly manifests: Readonly<Record<string, unknown>>;
  readonly cases: readonly Case[];
};

/** The topics that are built; the others join as they come. */
const TOPICS: readonly string[] = [
  "simple model",
  "query shapes",
  "calculated columns on own columns",
  "to-one relationship",
  "to-many relationship",
  "relationship handles in user SQL",
  "views",
  "row-level access control",
  "column-level access control",
  "metrics (legacy)",
  "enums and macros (legacy)",
  "cubes",
  "types, time, functions",
];

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
    "MANIFEST_RELATIONSHIP",
  ],
  INVALID_SQL: ["SYNTAX", "SEVERAL_STATEMENTS"],
  UNSUPPORTED_STATEMENT: ["UNSUPPORTED_STATEMENT"],
  CYCLE: ["MANIFEST_CYCLE"],
  FANOUT: ["FANOUT"],
  PRIMARY_KEY_REQUIRED: ["PRIMARY_KEY_REQUIRED"],
  SESSION_PROPERTY_REQUIRED: ["SESSION_PROPERTY_REQUIRED"],
  SESSION_PROPERTY_INVALID: ["SESSION_PROPERTY_INVALID"],
  ACCESS_DENIED: ["ACCESS_DENIED"],
  ENUM_VALUE_NOT_FOUND: ["ENUM_VALUE_NOT_FOUND"],
  FUNCTION_NOT_FOUND: ["FUNCTION_NOT_FOUND"],
  CUBE_NOT_FOUND: ["CUBE_NOT_FOUND"],
  CUBE_FIELD_NOT_FOUND: ["CUBE_FIELD_NOT_FOUND"],
  CUBE_INVALID_QUERY: ["CUBE_INVALID_QUERY"],
};

const OPERATIONS: readonly string[] = ["query", "cubeQuery"];

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
  const cases = file.cases.filter((each) => each.topic === topic && OPERATIONS.includes(each.operation));
  test("has cases", () => expect(cases.length).toBeGreaterThan(4));

  test.each(cases)("$id $title", async (each) => {
    const problems: string[] = [];
    for (const expected of [each.expected, ...(each.acceptable ?? [])]) {
      const problem = await problemWith(each, expected);
      if (problem === undefined) return;
      problems.push(problem);
    }
    expect.fail(problems.join("\n"));
  });
});

/** How the answer differs from `expected`; `undefined` when it does not. */
async function problemWith(each: Case, expected: Expected): Promise<string | undefined> {
  const session = new Map(Object.entries(each.sessionProperties).map(([name, value]) => [name.toLowerCase(), value]));
  let plan: Plan;
  try {
    plan =
      each.operation === "cubeQuery"
        ? plannedCube(each.cubeQuery, manifest(each.manifest), { session })
        : planned(each.sql, manifest(each.manifest), { session });
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    const fits = expected.type === "error" && REASONS[expected.kind]?.includes(error.reason) === true;
    return fits ? undefined : `${error.reason}: ${error.message}`;
  }
  if (expected.type === "error") return `no ${expected.kind}, but ${plan.sql}`;
  if (expected.type === "planned") return plan.warnings.length > 0 ? undefined : "planned without a warning";
  const rows = (await connection.runAndReadAll(plan.sql)).getRowsJson() as ActualCell[][];
  if (expected.compareRows !== false) {
    const difference = rowsDiffer(expected.rows, rows, expected.ordered ?? false);
    if (difference !== undefined) return `${JSON.stringify(difference)}\n${plan.sql}`;
  }
  const names = plan.columns.map(({ name }) => name);
  if (expected.compareNames === true && names.join() !== expected.columns.join()) return `named ${names.join()}`;
  for (const [text, most] of Object.entries(each.planAssertions?.maxCount ?? {})) {
    const count = plan.reads.filter(({ model }) => model === text).length;
    const tables = plan.sql.split(`"${text}" AS`).length - 1;
    if (Math.max(count, tables) > most) return `${text} stands ${tables} times in ${plan.sql}`;
  }
  return undefined;
}
