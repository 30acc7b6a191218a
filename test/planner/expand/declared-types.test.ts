/** The declared type of a measure or calculated column is its type, on both engines. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Manifest } from "../../../src/planner/index.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { openShops, type Shop, shopWith } from "../cubes/shop.ts";

let shops: readonly Shop[] = [];
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ shops, stop } = await openShops());
});
afterAll(() => stop());

const COLUMNS = ["id", "qty"].map((name) => ({ name, type: "INTEGER" }));
const PLAIN = [...COLUMNS, { name: "price", type: "DECIMAL(10,2)" }, { name: "sold", type: "DATE" }];

function saleWith(expression: string, type: string): Manifest {
  const computed = { name: "x", type, isCalculated: true, expression };
  const sale = { name: "sale", tableReference: { table: "sale" }, primaryKey: "id", columns: [...PLAIN, computed] };
  return manifestOf({ catalog: "c", schema: "s", models: [sale] });
}

/** Values of the sale with id 3: `qty` 3, `price` 20.00, sold on the first of February. */
const COLUMN_VALUES: readonly (readonly [expression: string, type: string, value: string])[] = [
  ["qty / 2", "DOUBLE", "1.5"],
  ["qty / 2", "DECIMAL", "1.5"],
  ["qty / 2", "INTEGER", "1"],
  ["qty / 2 * 100", "DOUBLE", "150"],
  ["100 * (qty / 2)", "DOUBLE", "150"],
  ["round(qty / 8, 2)", "DECIMAL", "0.38"],
  ["-(qty / 2)", "DOUBLE", "-1.5"],
  ["coalesce(qty / nullif(id, 0), 0)", "DOUBLE", "1.5"],
  ["CASE WHEN qty / 2 = 1 THEN qty / 2 ELSE 7 END", "DOUBLE", "1.5"],
  ["div(qty, 2)", "DOUBLE", "1"],
  ["CAST(qty / 2 AS integer)", "DOUBLE", "1"],
  ["qty % 2", "DOUBLE", "1"],
  ["price / qty", "INTEGER", "7"],
  ["price * price / 7", "DECIMAL(10,2)", "57.1428571429"],
  ["CAST(price AS double precision) / qty", "DECIMAL(10,2)", "6.67"],
  ["qty", "VARCHAR", "3"],
  ["sold", "VARCHAR", "2024-02-01"],
  ["'7'", "INTEGER", "7"],
  ["qty > 2", "INTEGER", "1"],
  ["ARRAY[qty]", "INTEGER", "3"],
];

describe.each(COLUMN_VALUES)("a column %s declared %s", (expression, type, value) => {
  test(`is ${value}`, async () => {
    const manifest = saleWith(expression, type);
    for (const shop of shops) {
      const [row] = await shop.rows(planned("SELECT x FROM sale WHERE id = 2", manifest, { source: shop.name }));
      const [cell] = JSON.parse(row ?? "[]") as [string];
      if (Number.isNaN(Number(value))) expect(cell, shop.name).toBe(value);
      else expect(Number(cell), shop.name).toBeCloseTo(Number(value), 9);
    }
  });
});

test("what the caller computes with the column has the declared type", async () => {
  const manifest = saleWith("qty / 2", "DOUBLE");
  for (const shop of shops) {
    const plan = planned("SELECT x / 2 AS y FROM sale WHERE id = 2", manifest, { source: shop.name });
    expect(await shop.rows(plan), shop.name).toEqual(['["0.75"]']);
    expect(plan.columns[0]?.type).toEqual({ kind: "float", bits: 64 });
  }
});

const measure = (name: string, expression: string, type: string) => ({ name, expression, type });
const RATIOS = {
  name: "ratios",
  baseObject: "sale",
  dimensions: [measure("half", "qty / 2", "DOUBLE")],
  measures: [
    measure("paid", "count(*) FILTER (WHERE state = 'paid')", "BIGINT"),
    measure("n", "count(*)", "BIGINT"),
    measure("share", "paid / n", "DOUBLE"),
    measure("percent", "round(100 * (paid / n), 1)", "DECIMAL(5,1)"),
    measure("whole", "paid / n", "BIGINT"),
    measure("undeclared", "paid / n", ""),
    measure("ofwhole", "whole + 0", "DOUBLE"),
    measure("inverse", "1 / share", "DOUBLE"),
    measure("text", "count(*)", "VARCHAR"),
    measure("sumofhalves", "sum(qty / 2)", "DOUBLE"),
  ],
};

describe.each([
  ["share", "0.5"],
  ["percent", "50"],
  ["whole", "0"],
  ["undeclared", "0"],
  ["ofwhole", "0"],
  ["inverse", "2"],
  ["text", "6"],
  ["sumofhalves", "4"],
  ["max(half)", "1.5"],
])("the measure %s", (name, value) => {
  test(`is ${value}`, async () => {
    for (const shop of shops) {
      const plan = planned(`SELECT ${name} AS x FROM ratios`, shopWith([RATIOS]), { source: shop.name });
      const [row] = await shop.rows(plan);
      expect(Number((JSON.parse(row ?? "[]") as [string])[0]), shop.name).toBe(Number(value));
    }
  });
});
