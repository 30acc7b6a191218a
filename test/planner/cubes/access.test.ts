/** Row and column rules below cubes (docs/spec/planner.md#row-rules): a cube shows nothing that its base would not. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planned, plannedCube } from "../../support/plan.ts";
import { openShops, refusal, type Shop, saleWith, shopWith } from "./shop.ts";

const LEVEL = { requiredProperties: [{ name: "level", required: false, defaultExpr: "0" }] };
const denied = { columnLevelAccessControl: { name: "few", ...LEVEL, operator: "GREATER_THAN", threshold: "5" } };
const ruled = shopWith([], {
  sale: {
    rowLevelAccessControls: [
      { name: "own", requiredProperties: [{ name: "state", required: true }], condition: "state = @state" },
    ],
  },
  customer: { rowLevelAccessControls: [{ name: "known", requiredProperties: [], condition: "name <> 'O''Brien'" }] },
});
const session = new Map([["state", "'paid'"]]);

let shops: readonly Shop[] = [];
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ shops, stop } = await openShops());
});
afterAll(() => stop());

describe.each(["duckdb", "postgres"] as const)("row rules on %s", (source) => {
  const shop = () => shops.find(({ name }) => name === source);

  test.each([
    ["SELECT state, n FROM sales", [["paid", "3"]]],
    ["SELECT n FROM sales", [["3"]]],
    [
      "SELECT buyer, n FROM sales",
      [
        ["Ann", "1"],
        [null, "2"],
      ],
    ],
    ["SELECT n FROM sales WHERE state = 'new'", [["0"]]],
    [
      "SELECT nation.name, n FROM nation LEFT JOIN sales ON country = nation.name",
      [
        ["Peru", "1"],
        ["Chad", null],
      ],
    ],
    ["SELECT max(n) FROM (SELECT state, n FROM sales) t", [["3"]]],
    ["SELECT state, n FROM big", [["paid", "2"]]],
  ])("%s", async (sql, rows) => {
    const plan = planned(sql, ruled, { source, session });
    expect(plan.restricted).toBe(true);
    expect((await shop()?.rows(plan))?.toSorted()).toEqual(rows.map((row) => JSON.stringify(row)).toSorted());
  });

  test("a structured query", async () => {
    const cube = { cube: "sales", measures: ["n"], dimensions: ["state"] };
    expect(await shop()?.rows(plannedCube(cube, ruled, { source, session }))).toEqual(['["paid","3"]']);
  });
});

test("a required property that is missing", () => {
  const error = refusal(() => plannedCube({ cube: "sales", measures: ["n"] }, ruled));
  expect(error.reason).toBe("SESSION_PROPERTY_REQUIRED");
});

describe("rules that read a cube", () => {
  const rule = (condition: string) => ({
    rowLevelAccessControls: [{ name: "known", requiredProperties: [], condition }],
  });

  test("read its base, with whatever rules that has", () => {
    const nation = rule("id IN (SELECT n FROM sales)");
    const { sql } = planned("SELECT name FROM nation", shopWith([], { sale: rule("qty > 0"), nation }));
    expect(sql).toContain("> 0");
  });

  test("may read what their user may not", () => {
    const manifest = shopWith([], {
      sale: saleWith("price", denied),
      nation: rule("id IN (SELECT n FROM sales WHERE price > 5)"),
    });
    expect(planned("SELECT name FROM nation", manifest).sql).toContain("max(sale.price) > 5");
    expect(refusal(() => planned("SELECT price FROM sales", manifest)).reason).toBe("ACCESS_DENIED");
  });

  test.each([
    ["its own base", { sale: rule("state IN (SELECT state FROM sales)") }],
    ["its own base by way of a view", { sale: rule("state IN (SELECT state FROM big)") }],
    ["a path back", { nation: rule("name IN (SELECT country FROM sales)") }],
  ])("refuse %s", (_about, models) => {
    expect(refusal(() => planned("SELECT country, n FROM sales", shopWith([], models))).reason).toBe("MANIFEST_CYCLE");
  });
});

describe("column rules", () => {
  const manifest = shopWith([], { sale: saleWith("price", denied) });
  const allowed = new Map([["level", "9"]]);

  test.each([
    ["SELECT price FROM sales", "price"],
    ["SELECT revenue FROM sales", "revenue"],
    ["SELECT doubled FROM sales", "doubled"],
    ["SELECT size FROM sales", "size"],
    ["SELECT large FROM sales", "large"],
    ["SELECT state FROM sales WHERE revenue > 1", "revenue"],
    ["SELECT state FROM sales ORDER BY revenue", "revenue"],
    ["SELECT state FROM sales WHERE size = 'large'", "size"],
  ])("refuse what needs the column: %s", (sql, name) => {
    const error = refusal(() => planned(sql, manifest));
    expect(error.reason).toBe("ACCESS_DENIED");
    expect(error.message).toContain('Permission Denied: Access denied to column "sale"."price"');
    expect(error.span).toEqual({ start: sql.lastIndexOf(name), end: sql.lastIndexOf(name) + name.length });
    expect(planned(sql, manifest, { session: allowed }).restricted).toBe(false);
  });

  test("leave the rest alone", () => {
    expect(planned("SELECT state, n, buyers FROM sales", manifest).columns).toHaveLength(3);
  });

  test("are silent about * and near names", () => {
    const names = planned("SELECT * FROM sales", manifest).columns.map(({ name }) => name);
    expect(names).toEqual(["day", "moment", "state", "buyer", "country", "gift", "Odd Name", "n", "buyers", "marker"]);
    expect(planned("SELECT * FROM sales", manifest, { session: allowed }).columns).toHaveLength(17);
    expect(refusal(() => planned("SELECT revenu FROM sales", manifest)).suggestions).toEqual([]);
    expect(refusal(() => plannedCube({ cube: "sales", measures: ["revenu"] }, manifest)).suggestions).toEqual([]);
  });

  test("on columns behind a path", () => {
    const behind = shopWith([], {
      nation: {
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "name", type: "VARCHAR", ...denied },
        ],
      },
    });
    expect(refusal(() => planned("SELECT country FROM sales", behind)).reason).toBe("ACCESS_DENIED");
    expect(planned("SELECT * FROM sales", behind).columns.map(({ name }) => name)).not.toContain("country");
  });

  test("on a structured query, with its place", () => {
    const filters = [{ dimension: "size", operator: "eq", value: "large" }];
    const error = refusal(() => plannedCube({ cube: "sales", measures: ["n"], filters }, manifest));
    expect([error.reason, error.message]).toEqual(["ACCESS_DENIED", expect.stringContaining("cube.filters[0]: ")]);
  });
});
