import { describe, expect, it } from "vitest";
import { describeManifest, readManifestText } from "../../../src/planner/index.ts";

/** Two models with a path from each to the other. */
function pathsWith(joinType: string): readonly (readonly [from: string, joinType: string])[] {
  const model = (name: string, other: string) => ({
    name,
    tableReference: { table: name },
    primaryKey: "id",
    columns: [
      { name: "id", type: "bigint" },
      { name: "other_id", type: "bigint" },
      { name: "other", type: other, relationship: "both" },
    ],
  });
  const loaded = readManifestText(
    JSON.stringify({
      catalog: "c",
      schema: "s",
      models: [model("a", "b"), model("b", "a")],
      relationships: [{ name: "both", models: ["a", "b"], joinType, condition: "a.other_id = b.id" }],
    }),
    1_000_000,
  );
  if (!loaded.ok) throw loaded.error;
  const described = describeManifest({
    manifest: loaded.value,
    source: "postgres",
    session: new Map(),
    accessControl: "strict",
  });
  if (!described.ok) throw described.error;
  return described.value.models.flatMap(({ name, paths }) => paths.map((path) => [name, path.joinType] as const));
}

describe("the catalogue", () => {
  it.each([
    ["MANY_TO_ONE", "ONE_TO_MANY"],
    ["ONE_TO_MANY", "MANY_TO_ONE"],
    ["ONE_TO_ONE", "ONE_TO_ONE"],
    ["MANY_TO_MANY", "MANY_TO_MANY"],
  ])("shows the %s path of the left model as %s from the right one", (joinType, reversed) => {
    expect(pathsWith(joinType)).toEqual([
      ["a", joinType],
      ["b", reversed],
    ]);
  });
});
