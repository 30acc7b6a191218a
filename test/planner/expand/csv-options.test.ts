/** `properties.csv` of a model: part of plans for files, and of no other plan. */
import { describe, expect, it } from "vitest";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

function readsOf(properties: unknown, source: DataSource) {
  const model = {
    name: "cities",
    tableReference: { table: "a.csv" },
    columns: [{ name: "n", type: "INTEGER" }],
    properties,
  };
  const manifest = manifestOf({ catalog: "c", schema: "s", models: [model] });
  return planned("SELECT n FROM cities", manifest, { source }).reads();
}

describe("properties.csv", () => {
  it.each<DataSource>(["local_file", "s3_file"])("is in the plan for %s as it is in the manifest", (source) => {
    expect(readsOf({ csv: { encoding: "latin-1", odd: 1 } }, source)).toMatchObject([
      { csv: { encoding: "latin-1", odd: 1 } },
    ]);
    expect(readsOf({ csv: true }, source)).toMatchObject([{ csv: true }]);
  });

  it.each<[properties: unknown, source: DataSource]>([
    [undefined, "local_file"],
    [{ owner: "sales" }, "local_file"],
    [["csv"], "local_file"],
    [{ csv: null }, "local_file"],
    [{ csv: { encoding: "latin-1" } }, "postgres"],
    [{ csv: true }, "postgres"],
  ])("%o gives the plan for %s no options", (properties, source) => {
    expect(readsOf(properties, source)[0]).not.toHaveProperty("csv");
  });
});
