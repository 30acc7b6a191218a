import { describe, expect, test } from "vitest";
import { equalColumns } from "../../../src/planner/describe/relationships.ts";
import type { RelationshipData } from "../../../src/planner/manifest/data.ts";

const SHOWN: Readonly<Record<string, ReadonlySet<string>>> = {
  orders: new Set(["id", "customer_id", "Region"]),
  customers: new Set(["id", "region"]),
};
const pairs = (condition: string, models: readonly [string, string] = ["orders", "customers"]) => {
  const relationship: RelationshipData = {
    name: "r",
    models,
    joinType: "MANY_TO_ONE",
    condition,
    annotations: undefined,
  };
  return equalColumns(relationship, (model) => SHOWN[model]);
};

describe("columns of a relationship", () => {
  test.each([
    ["orders.customer_id = customers.id", [["customer_id", "id"]]],
    ["customers.id = orders.customer_id", [["customer_id", "id"]]],
    ["ORDERS.Customer_Id = Customers.ID", [["customer_id", "id"]]],
    [
      '(orders.customer_id = customers.id) AND orders."Region" = customers.region',
      [
        ["customer_id", "id"],
        ["Region", "region"],
      ],
    ],
  ])("%s", (condition, expected) => {
    expect(pairs(condition)).toEqual(expected);
  });

  test("a model that is related to itself: the left operand belongs to the first row", () => {
    expect(pairs("orders.customer_id = orders.id", ["orders", "orders"])).toEqual([["customer_id", "id"]]);
  });

  test.each([
    ["another comparison", "orders.customer_id >= customers.id"],
    ["a disjunction", "orders.customer_id = customers.id OR orders.id = 1"],
    ["a condition of one side", "orders.customer_id = customers.id AND orders.id = 1"],
    ["an expression", "orders.customer_id + 1 = customers.id"],
    ["two columns of one model", "orders.id = orders.customer_id"],
    ["a column that is not shown", "orders.secret = customers.id"],
    ["a name without its model", "customer_id = customers.id"],
  ])("%s has none", (_, condition) => {
    expect(pairs(condition)).toBeUndefined();
  });
});
