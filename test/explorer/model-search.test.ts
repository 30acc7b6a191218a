import { expect, test } from "vitest";
import { listedColumns, matching } from "../../src/explorer/model-search.ts";

const column = (name: string, description?: string) => ({
  name,
  type: "text",
  nullable: true,
  ...(description !== undefined && { description }),
});
const MODEL = {
  models: [
    {
      name: "orders",
      description: "What customers bought",
      columns: [column("id"), column("total", "In euros")],
      paths: [],
    },
    { name: "areas", columns: [column("code")], paths: [{ name: "boss", model: "people", joinType: "MANY_TO_ONE" }] },
  ],
  views: [{ name: "late_orders" }],
  cubes: [{ name: "sales", measures: [{ name: "revenue", type: "numeric" }], dimensions: [], timeDimensions: [] }],
};

test.each([
  [[], { orders: ["id", "total"], areas: ["code", "boss"] }, ["late_orders"], ["sales"]],
  [["orders"], { orders: ["id", "total"] }, ["late_orders"], []],
  [["bought"], { orders: ["id", "total"] }, [], []],
  [["euros"], { orders: ["total"] }, [], []],
  [["boss"], { areas: ["boss"] }, [], []],
  [["revenue"], {}, [], ["sales"]],
  [["orders", "nothing"], {}, [], []],
])("%j", (words, models, views, cubes) => {
  const found = matching(MODEL, words);
  const names = found.models.map(({ name, columns, paths }) => [name, [...columns, ...paths].map((each) => each.name)]);
  expect(Object.fromEntries(names)).toEqual(models);
  expect(found.views.map(({ name }) => name)).toEqual(views);
  expect(found.cubes.map(({ name }) => name)).toEqual(cubes);
});

const typed = (name: string, type: string, searchable?: boolean) => ({
  name,
  type,
  nullable: true,
  ...(searchable !== undefined && { properties: { searchable: String(searchable) } }),
});

test.each([
  ["declared ones alone, of any type", [typed("a", "text"), typed("b", "integer", true)], ["b"]],
  ["texts where none is declared", [typed("a", "text"), typed("b", "integer"), typed("c", "text", false)], ["a", "c"]],
])("values are looked for in %s", (_, columns, expected) => {
  const found = listedColumns({ models: [{ name: "m", columns, paths: [] }] });
  expect(found.map((each) => each.column.name)).toEqual(expected);
});
