import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const orders = {
  name: "orders",
  tableReference: { schema: "main", table: "orders" },
  columns: [{ name: "id", type: "INTEGER" }],
};
const manifest = (changes: Record<string, unknown>): unknown => ({
  catalog: "c",
  schema: "s",
  models: [orders],
  ...changes,
});
const model = (changes: Record<string, unknown>): unknown => manifest({ models: [{ ...orders, ...changes }] });

function failure(run: () => unknown): PlannerError {
  try {
    run();
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error("accepted");
}

describe("the manifest as a whole", () => {
  test.each([
    ["not an object", [], "MANIFEST_SCHEMA", "manifest must be an object"],
    ["no catalog", { schema: "s" }, "MANIFEST_SCHEMA", "manifest.catalog is missing"],
    ["catalog of a wrong type", manifest({ catalog: 1 }), "MANIFEST_SCHEMA", "manifest.catalog must be a string"],
    ["models that are no array", manifest({ models: {} }), "MANIFEST_SCHEMA", "manifest.models must be an array"],
    ["a model without name", manifest({ models: [{}] }), "MANIFEST_SCHEMA", "manifest.models[0].name is missing"],
    [
      "a name too long",
      manifest({ models: [{ name: "x".repeat(1_025) }] }),
      "MANIFEST_SCHEMA",
      "models[0].name is longer",
    ],
    ["a newer layout", manifest({ layoutVersion: 5 }), "MANIFEST_LAYOUT_VERSION", "layout version 5"],
    ["NUL in a name", manifest({ catalog: "a\u0000b" }), "MANIFEST_SCHEMA", "NUL"],
    ["half a surrogate pair in a name", manifest({ schema: "a\ud800" }), "MANIFEST_SCHEMA", "surrogate"],
  ])("%s", (_name, json, reason, message) => {
    const error = failure(() => manifestOf(json));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(message);
  });

  test("members called __proto__ and constructor are data", () => {
    const text = `{"catalog":"c","schema":"s","__proto__":{"models":[1]},"constructor":{"x":1},"models":[]}`;
    expect(manifestOf(JSON.parse(text)).catalog).toBe("c");
    expect(({} as Record<string, unknown>)["models"]).toBeUndefined();
  });
});

describe("one faulty model", () => {
  const good = { ...orders, name: "good" };
  test.each([
    ["no columns", { columns: undefined }, "MANIFEST_SCHEMA", "columns is missing"],
    [
      "a column whose name is too long",
      { columns: [{ name: "x".repeat(1_025), type: "text" }] },
      "MANIFEST_SCHEMA",
      "columns[0].name is longer than 1024 characters",
    ],
    ["a column without type", { columns: [{ name: "id" }] }, "MANIFEST_SCHEMA", "columns[0].type is missing"],
    ["no source", { tableReference: undefined }, "MANIFEST_SOURCE", "has no source"],
    ["two sources", { refSql: "SELECT 1" }, "MANIFEST_SOURCE", "more than one source"],
    [
      "a column named twice",
      { columns: [...orders.columns, ...orders.columns] },
      "MANIFEST_DUPLICATE",
      '"id" more than once',
    ],
    [
      "an unreadable flag",
      { columns: [{ name: "id", type: "INT", isHidden: "maybe" }] },
      "MANIFEST_SCHEMA",
      "true or false",
    ],
    [
      "a row rule without condition",
      { rowLevelAccessControls: [{ name: "r" }] },
      "MANIFEST_SCHEMA",
      "rowLevelAccessControls[0].condition is missing",
    ],
    [
      "a column rule without property",
      { columns: [{ name: "id", type: "INT", columnLevelAccessControl: { name: "r" } }] },
      "MANIFEST_SCHEMA",
      "requiredProperties must name exactly one property",
    ],
  ])("%s: refused for it, harmless for others", (_name, changes, reason, message) => {
    const json = manifest({ models: [{ ...orders, ...changes }, good] });
    expect(planned("SELECT id FROM good", manifestOf(json)).columns).toHaveLength(1);
    const error = failure(() => planned("SELECT id FROM orders", manifestOf(json)));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(message);
  });

  test("a name used twice is refused for that name alone", () => {
    const json = manifest({ models: [orders, orders, good] });
    expect(planned("SELECT id FROM good", manifestOf(json)).columns).toHaveLength(1);
    expect(failure(() => planned("SELECT id FROM orders", manifestOf(json))).reason).toBe("MANIFEST_DUPLICATE");
  });

  test.each([
    ["primaryKey as a list", { primaryKey: ["id"] }],
    ["flags as 0 and 1", { cached: 0, columns: [{ name: "id", type: "int", isHidden: 0, notNull: 1 }] }],
    ["null and empty members", { refSql: "", baseObject: null, primaryKey: "" }],
    ["empty catalog and schema", { tableReference: { catalog: "", schema: "", table: "orders" } }],
    ["unknown members", { somethingElse: { deep: [1] } }],
  ])("%s is accepted", (_name, changes) => {
    expect(planned("SELECT id FROM orders", manifestOf(model(changes))).columns).toHaveLength(1);
  });
});

describe("a query that names no model", () => {
  const broken: readonly (readonly [string, Record<string, unknown>, string])[] = [
    [
      "columns that are a number",
      { models: [orders, { ...orders, name: "b", columns: 5 }] },
      "columns must be an array",
    ],
    ["a column without a type", { models: [{ ...orders, columns: [{ name: "id" }] }] }, "type is missing"],
    [
      "an unknown join type",
      { relationships: [{ name: "r", models: ["orders", "orders"], joinType: "X", condition: "1 = 1" }] },
      "Unknown relationship type: X",
    ],
    ["a view without a statement", { views: [{ name: "v" }] }, "statement is missing"],
    ["a cube whose measures are a text", { cubes: [{ name: "q", baseObject: "orders", measures: "x" }] }, "measures"],
  ];

  test.each(broken)("reports %s", (_name, changes, message) => {
    for (const sql of ["SELECT 1", "WITH w AS (SELECT 1 AS x) SELECT x FROM w", "VALUES (1)"]) {
      const error = failure(() => planned(sql, manifestOf(manifest(changes))));
      expect(error.reason).toBe("MANIFEST_SCHEMA");
      expect(error.message).toContain(message);
    }
  });

  test("is planned where every object can be read", () => {
    expect(planned("SELECT 1", manifestOf(manifest({}))).columns).toHaveLength(1);
  });

  test("leaves objects alone that a query with a model does not need", () => {
    const json = manifest({ models: [orders, { ...orders, name: "b", columns: 5 }] });
    expect(planned("SELECT id FROM orders", manifestOf(json)).columns).toHaveLength(1);
  });
});
