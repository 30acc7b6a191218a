/** The questions are asked of a real DuckDB; what is wrong with a condition is told before. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { checkOfRelationship, type Manifest } from "../../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { manifestOf, planned } from "../../support/plan.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  for (const sql of [
    "CREATE TABLE orders AS SELECT * FROM (VALUES (1, 10, 'a'), (2, 10, 'b'), (3, NULL, 'c'), (4, 99, 'd')) AS t(id, customer_id, code)",
    "CREATE TABLE customer AS SELECT * FROM (VALUES (10, 1), (11, 2), (NULL, 3), (NULL, 4)) AS t(id, nation)",
    "CREATE TABLE repeated AS SELECT * FROM (VALUES (10), (10), (11)) AS t(id)",
    "CREATE TABLE pairs AS SELECT * FROM (VALUES (1, 1), (1, 2), (2, 1), (1, NULL), (1, NULL)) AS t(a, b)",
    "CREATE TABLE pair_lines AS SELECT * FROM (VALUES (1, 2), (1, 2), (5, 5)) AS t(a, b)",
    "CREATE TABLE employee AS SELECT * FROM (VALUES (1, NULL), (2, 1), (3, 1)) AS t(id, manager_id)",
    'CREATE TABLE "odd" AS SELECT 10 AS "a ""b"" = c"',
    "CREATE TABLE nothing AS SELECT 1 AS id WHERE false",
  ]) {
    await connection.run(sql);
  }
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const model = (name: string, ...columns: string[]): Record<string, unknown> => ({
  name,
  tableReference: { schema: "main", table: name },
  columns: columns.map((column) => ({ name: column, type: "INTEGER" })),
});

function manifestWith(joinType: string, models: readonly [string, string], condition: string): Manifest {
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        ...model("orders", "id", "customer_id"),
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "customer_id", type: "INTEGER", isHidden: true },
          { name: "renamed", type: "INTEGER", expression: "customer_id" },
          { name: "calculated", type: "INTEGER", isCalculated: true, expression: "renamed + 1" },
          { name: "code", type: "VARCHAR" },
          { name: "customer", type: "customer", relationship: "R" },
        ],
      },
      model("customer", "id", "nation"),
      model("repeated", "id"),
      model("pairs", "a", "b"),
      model("pair_lines", "a", "b"),
      model("employee", "id", "manager_id"),
      {
        ...model("odd"),
        name: "Odd Model",
        tableReference: { table: "odd" },
        columns: [{ name: 'a "b" = c', type: "INTEGER" }],
      },
      model("nothing", "id"),
    ],
    relationships: [{ name: "R", models, joinType, condition }],
  });
}

type Shape = readonly [joinType: string, models: readonly [string, string], condition: string];

function checkOf(...[joinType, models, condition]: Shape) {
  const manifest = manifestWith(joinType, models, condition);
  const relationship = manifest.relationship("R");
  if (relationship === undefined) throw new TypeError("no relationship");
  const outcome = checkOfRelationship({ manifest, relationship, limits: DEFAULT_LIMITS });
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

async function findings(...shape: Shape): Promise<Record<string, unknown>> {
  const check = checkOf(...shape);
  const plan = planned(check.sql, check.manifest);
  const reader = await connection.runAndReadAll(plan.sql);
  const [row = []] = reader.getRowsJson();
  expect(reader.getRowsJson()).toHaveLength(1);
  return Object.fromEntries(check.findings.map((finding, index) => [finding, row[index]]));
}

describe("what the data says", () => {
  const related = { is_related: 1 };
  test.each<[...Shape, object]>([
    ["MANY_TO_ONE", ["orders", "customer"], "orders.renamed = customer.id", { ...related, right_table_unique: 1 }],
    // NULL is no key, however often it stands there.
    ["ONE_TO_MANY", ["customer", "orders"], "customer.id = orders.renamed", { ...related, left_table_unique: 1 }],
    [
      "ONE_TO_ONE",
      ["orders", "customer"],
      "orders.renamed = customer.id",
      { ...related, left_table_unique: 0, right_table_unique: 1 },
    ],
    ["MANY_TO_ONE", ["orders", "repeated"], "orders.renamed = repeated.id", { ...related, right_table_unique: 0 }],
    ["MANY_TO_MANY", ["orders", "repeated"], "orders.renamed = repeated.id", related],
    ["MANY_TO_ONE", ["orders", "customer"], "orders.id = customer.id", { is_related: 0, right_table_unique: 1 }],
    [
      "ONE_TO_ONE",
      ["nothing", "customer"],
      "nothing.id = customer.id",
      { is_related: 0, left_table_unique: 1, right_table_unique: 1 },
    ],
    // Operands in the other order, names in quotes and in another case.
    ["MANY_TO_ONE", ["orders", "customer"], 'customer.ID = "orders"."renamed"', { ...related, right_table_unique: 1 }],
    [
      "MANY_TO_ONE",
      ["orders", "Odd Model"],
      'orders.renamed = "Odd Model"."a ""b"" = c"',
      { ...related, right_table_unique: 1 },
    ],
    // Hidden and calculated columns relate models too.
    ["MANY_TO_ONE", ["orders", "customer"], "orders.customer_id = customer.id", { ...related, right_table_unique: 1 }],
    ["MANY_TO_ONE", ["orders", "repeated"], "orders.calculated = repeated.id", { ...related, right_table_unique: 0 }],
    // Several columns are one key.
    [
      "MANY_TO_ONE",
      ["pair_lines", "pairs"],
      "pair_lines.a = pairs.a AND (pair_lines.b = pairs.b)",
      { ...related, right_table_unique: 1 },
    ],
    [
      "ONE_TO_ONE",
      ["pair_lines", "pairs"],
      "pair_lines.a = pairs.a AND pair_lines.b = pairs.b",
      { ...related, left_table_unique: 0, right_table_unique: 1 },
    ],
    ["MANY_TO_ONE", ["pair_lines", "pairs"], "pair_lines.a = pairs.a", { ...related, right_table_unique: 0 }],
    // For a model related to itself, the left operand is the first.
    [
      "MANY_TO_ONE",
      ["employee", "employee"],
      "employee.manager_id = employee.id",
      { ...related, right_table_unique: 1 },
    ],
    [
      "ONE_TO_MANY",
      ["employee", "employee"],
      "employee.manager_id = employee.id",
      { ...related, left_table_unique: 0 },
    ],
  ])("%s %j ON %s", async (joinType, models, condition, expected) => {
    expect(await findings(joinType, models, condition)).toEqual(expected);
  });

  it("leaves a hidden column hidden in the caller's manifest", () => {
    const manifest = manifestWith("MANY_TO_ONE", ["orders", "customer"], "orders.customer_id = customer.id");
    checkOf("MANY_TO_ONE", ["orders", "customer"], "orders.customer_id = customer.id");
    expect(() => planned("SELECT customer_id FROM orders", manifest)).toThrow('column "customer_id" not found');
  });
});

describe("conditions that tell no keys", () => {
  test.each<[condition: string, message: string]>([
    ["orders.id > customer.id", "must be equalities between columns of its models"],
    ["orders.id = customer.id OR orders.id = 1", "must be equalities"],
    ["orders.id = customer.id AND orders.id = 1", "must be equalities"],
    ["lower(orders.id) = customer.id", "must be equalities"],
    ["orders.id = orders.renamed", "must be equalities"],
    ["id = customer.id", "must be equalities"],
    ["orders.customer.id = customer.id", "must be equalities"],
    ["orders.nosuch = customer.id", 'names the column "nosuch" of model "orders"'],
    ["orders.customer = customer.id", 'names the column "customer" of model "orders"'],
    ["orders.id =", "cannot be read"],
    ["'open", "cannot be read"],
    ["(".repeat(600), "cannot be read"],
  ])("%s", (condition, message) => {
    expect(() => checkOf("MANY_TO_ONE", ["orders", "customer"], condition)).toThrowError(
      expect.objectContaining({
        reason: "MANIFEST_RELATIONSHIP",
        message: expect.stringContaining(message),
        span: undefined,
      }),
    );
  });
});
