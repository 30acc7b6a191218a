/** The model that the examples of functions and knowledge are about. */
import type { Manifest } from "../../../src/planner/index.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf } from "../../support/plan.ts";

const COLUMNS = {
  id: "bigint",
  customer_id: "bigint",
  quantity: "integer",
  price: "decimal(12,2)",
  weight: "double",
  name: "varchar",
  city: "varchar",
  day: "date",
  at: "timestamp",
  created: "timestamptz",
  is_paid: "boolean",
  tags: "varchar[]",
  doc: "json",
} as const;

/** `orders`, `customers` that they lead to, and a cube over them. */
export function ordersOn(source: DataSource): Manifest {
  const type = (name: string): string => (source === "postgres" && name === "double" ? "double precision" : name);
  const columnsOf = (columns: Readonly<Record<string, string>>) =>
    Object.entries(columns).map(([name, own]) => ({ name, type: type(own) }));
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "orders",
        tableReference: { table: "orders" },
        primaryKey: "id",
        columns: [
          ...columnsOf(COLUMNS),
          { name: "customer", type: "customers", relationship: "orders_customers" },
          { name: "total", type: "decimal(12,2)", isCalculated: true, expression: "price * quantity" },
          { name: "customer_name", type: "varchar", isCalculated: true, expression: "customer.name" },
        ],
      },
      {
        name: "customers",
        tableReference: { table: "customers" },
        primaryKey: "id",
        columns: columnsOf({ id: "bigint", name: "varchar", country: "varchar" }),
      },
    ],
    cubes: [
      {
        name: "order_cube",
        baseObject: "orders",
        dimensions: [{ name: "city", expression: "city", type: "varchar" }],
        measures: [{ name: "revenue", expression: "sum(total)", type: "decimal(12,2)" }],
      },
    ],
    relationships: [
      {
        name: "orders_customers",
        models: ["orders", "customers"],
        joinType: "MANY_TO_ONE",
        condition: "orders.customer_id = customers.id",
      },
    ],
  });
}
