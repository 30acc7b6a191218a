import { describe, expect, it } from "vitest";
import { plan } from "../../../src/planner/index.ts";
import { annotatedBy } from "../../../src/planner/manifest/annotations.ts";
import { manifestOf, requestOf } from "../../support/plan.ts";

const LONG = "x".repeat(5000);

describe("annotations of an object", () => {
  it.each<[string, Record<string, unknown>, object | undefined]>([
    ["neither", { name: "a" }, undefined],
    ["empty", { description: "", properties: null }, undefined],
    [
      "both",
      { description: "d", properties: { unit: "EUR", n: 1 } },
      { description: "d", properties: { unit: "EUR", n: 1 } },
    ],
    ["a description of a wrong type", { description: 5, properties: { a: 1 } }, { properties: { a: 1 } }],
    ["properties of a wrong type", { description: "d", properties: ["a"] }, { description: "d" }],
    ["a long description", { description: LONG }, { description: `${"x".repeat(4095)}…` }],
    ["a long property", { properties: { a: LONG, b: 1 } }, { properties: { b: 1 }, propertiesOmitted: 1 }],
    ["a deep property", { properties: { a: { b: [LONG] } } }, { propertiesOmitted: 1 }],
  ])("%s", (_, object, expected) => {
    expect(annotatedBy(object)?.annotations).toEqual(expected);
  });

  it("keeps 64 properties and counts the others", () => {
    const properties = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`p${index}`, index]));
    const read = annotatedBy({ properties })?.annotations;
    expect([Object.keys(read?.properties ?? {}).length, read?.propertiesOmitted]).toEqual([64, 6]);
  });

  it("is read only when a caller asks for it", () => {
    let reads = 0;
    const properties = {
      get unit() {
        reads++;
        return "EUR";
      },
    };
    const annotated = annotatedBy({ properties });
    expect(reads).toBe(0);
    expect([annotated?.annotations.properties, annotated?.annotations.properties]).toHaveLength(2);
    expect(reads).toBe(1);
  });
});

describe("properties.hidden", () => {
  const column = { name: "id", type: "INTEGER" };
  const table = { name: "t", tableReference: { table: "t" } };
  it.each([
    ["of a column", { ...table, columns: [{ ...column, properties: { hidden: true } }] }],
    ["of a column, as text", { ...table, columns: [{ ...column, properties: { hidden: "true" } }] }],
    ["isHidden among properties", { ...table, columns: [{ ...column, properties: { isHidden: true } }] }],
    ["of a model", { ...table, properties: { hidden: 1 }, columns: [column] }],
  ])("%s is refused with a hint", (_, model) => {
    const manifest = manifestOf({ catalog: "c", schema: "s", models: [model] });
    const outcome = plan({ sql: "SELECT id FROM t", ...requestOf(manifest, {}) });
    expect(outcome.ok ? undefined : [outcome.error.reason, outcome.error.hint]).toEqual([
      "MANIFEST_SCHEMA",
      expect.stringContaining("isHidden: true"),
    ]);
  });

  it("false hides nothing and is allowed", () => {
    const models = [{ ...table, columns: [{ ...column, properties: { hidden: false } }] }];
    const manifest = manifestOf({ catalog: "c", schema: "s", models });
    expect(plan({ sql: "SELECT id FROM t", ...requestOf(manifest, {}) }).ok).toBe(true);
  });
});
