/** Tables of models have no position in the caller's text: an error about them refers to the name in FROM. */
import { expect, it } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";

const order = { name: "id", type: "INTEGER" };
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "orders",
      tableReference: { table: "orders" },
      columns: [
        order,
        { name: "customer", type: "customers", relationship: "made" },
        { name: "who", type: "VARCHAR", isCalculated: true, expression: "customer.name" },
        { name: "customer_id", type: "STRANGE" },
      ],
    },
    {
      name: "customers",
      tableReference: { table: "customers" },
      columns: [
        { name: "id", type: "STRANGE" },
        { name: "name", type: "VARCHAR" },
      ],
      primaryKey: "id",
    },
  ],
  relationships: [
    {
      name: "made",
      models: ["orders", "customers"],
      joinType: "MANY_TO_ONE",
      condition: "orders.customer_id = customers.id",
    },
  ],
});

it.each([
  ["SELECT who FROM orders", "orders"],
  ["SELECT o.who FROM customers AS c CROSS JOIN orders AS o", "orders AS o"],
])("%s", (sql, named) => {
  const start = sql.indexOf(named);
  expect(() => planned(sql, manifest, { source: "oracle" })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining("a comparison of values whose type is unknown"),
      span: { start, end: start + named.length },
    }),
  );
});
