import { describe, expect, it } from "vitest";
import { planCube } from "../../src/planner/index.ts";
import { encoded, errorOf, planningApp } from "./test-app.ts";

const manifestStr = encoded({
  models: [
    {
      name: "t",
      tableReference: { table: "t" },
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "name", type: "VARCHAR" },
      ],
    },
  ],
  cubes: [
    {
      name: "k",
      baseObject: "t",
      measures: [{ name: "n", expression: "count(*)", type: "BIGINT" }],
      dimensions: [{ name: "name", expression: "name", type: "VARCHAR" }],
    },
  ],
});
const connectionInfo = { host: "db.test" };
const sql = "SELECT id FROM t WHERE name = $1";
const cube = { cube: "k", measures: ["n"], filters: [{ dimension: "name", operator: "eq", value: { parameter: 1 } }] };

const ROUTES: readonly (readonly [path: string, body: Record<string, unknown>])[] = [
  ["/v3/connector/dry-plan", { sql }],
  ["/v2/connector/postgres/dry-plan", { sql }],
  ["/v3/connector/postgres/query", { sql, connectionInfo }],
  ["/v3/connector/postgres/query?dryRun=true", { sql, connectionInfo }],
  ["/v3/connector/explain", { sql }],
  ["/v3/connector/postgres/explain", { sql }],
  ["/v3/connector/postgres/cube", { cube, connectionInfo }],
  ["/v3/connector/postgres/cube/dry-plan", { cube }],
  ["/v3/analysis/sql", { sql }],
];

const appWithCubes = () => {
  const app = planningApp();
  Object.assign(app.services.planner, { planCube });
  return app;
};

describe.each(ROUTES)("POST %s", (path, body) => {
  it("takes parameters", async () => {
    const app = appWithCubes();
    const response = await app.post(path, { ...body, manifestStr, parameters: ["o'neil"] });
    expect(response.status).toBeLessThan(300);
    const planned = app.services.sources.statements.at(-1)?.sql ?? (await response.text());
    expect(planned).toContain("o''neil");
  });
  it.each<[string, unknown, number]>([
    ["missing", [], 422],
    ["one too many", ["a", "b"], 422],
    ["odd", [{ x: 1 }, 5][0], 422],
    ["no list", "a", 422],
  ])("refuses %s ones", async (_, parameters, status) => {
    const app = appWithCubes();
    expect((await app.post(path, { ...body, manifestStr, parameters })).status).toBe(status);
    expect(app.services.sources.statements).toEqual([]);
  });
});

it("a missing parameter has a position and a hint", async () => {
  const response = await planningApp().post("/v3/connector/dry-plan", { sql, manifestStr });
  const { errorCode, metadata } = await errorOf(response);
  expect([errorCode, metadata]).toEqual([
    "INVALID_SQL",
    {
      reason: "PARAMETER_INVALID",
      position: { line: 1, column: 31, offset: 31, length: 2 },
      hint: 'Send the values in the order of their numbers: "parameters": [1, "text"].',
    },
  ]);
});
