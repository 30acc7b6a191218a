/** A running service with the project of examples/tpch (`shop`), and one with everything that a client reflects (`model`). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type McpService, startMcpService } from "../mcp/mcp-service.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");

const MODEL = {
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "orders",
      tableReference: { table: "tpch/orders.parquet" },
      primaryKey: "id",
      description: "One row per order.",
      columns: [
        { name: "id", type: "INTEGER", expression: "o_orderkey", notNull: true },
        { name: "customer_id", type: "INTEGER", expression: "o_custkey" },
        { name: "parent_id", type: "INTEGER", expression: "o_orderkey" },
        { name: "status", type: "VARCHAR", expression: "o_orderstatus" },
        { name: "ordered_on", type: "DATE", expression: "o_orderdate" },
        { name: "total", type: "DECIMAL(15,2)", expression: "o_totalprice", description: "Amount in EUR." },
        { name: "is_large", type: "BOOLEAN", isCalculated: true, expression: "total > 200000" },
        { name: "secret", type: "VARCHAR", expression: "o_comment", isHidden: true },
        { name: "customer", type: "customers", relationship: "orders_customers" },
      ],
    },
    {
      name: "customers",
      tableReference: { table: "tpch/customer.parquet" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER", expression: "c_custkey", notNull: true },
        { name: "name", type: "VARCHAR", expression: "c_name" },
      ],
    },
    {
      name: "Odd Name",
      tableReference: { table: "tpch/orders.parquet" },
      columns: [{ name: "Customer Id", type: "INTEGER", expression: "o_custkey" }],
    },
  ],
  relationships: [
    {
      name: "orders_customers",
      models: ["orders", "customers"],
      joinType: "MANY_TO_ONE",
      condition: "orders.customer_id = customers.id",
    },
    {
      name: "orders_parents",
      models: ["orders", "orders"],
      joinType: "MANY_TO_ONE",
      condition: "orders.parent_id = orders.id",
    },
    {
      name: "customers_odd",
      models: ["customers", "Odd Name"],
      joinType: "ONE_TO_MANY",
      condition: 'customers.id = "Odd Name"."Customer Id"',
    },
    {
      name: "orders_by_secret",
      models: ["orders", "customers"],
      joinType: "MANY_TO_ONE",
      condition: "orders.secret = customers.name",
    },
  ],
  views: [
    {
      name: "large_orders",
      statement: "SELECT id, total FROM orders WHERE is_large",
      description: "Orders above 200,000.",
    },
  ],
};

export function startClientsService(): Promise<McpService> {
  const manifest = JSON.parse(readFileSync(join(EXAMPLES, "tpch/manifest.json"), "utf8")) as object;
  const files = { dataSource: "local_file", connectionInfo: { url: "/", format: "parquet" } } as const;
  return startMcpService(
    { shop: { ...files, manifest, pointer: { values: "text" } }, model: { ...files, manifest: MODEL } },
    { FILE_ROOT: EXAMPLES },
  );
}
