/** A manifest with rules, hidden columns and descriptions; names with `canary` may reach no caller. */
export const SHOP = {
  catalog: "shop",
  schema: "public",
  description: "Orders of a shop.",
  models: [
    {
      name: "orders",
      tableReference: { table: "orders_canary_table" },
      description: "One row per order.",
      primaryKey: "id",
      rowLevelAccessControls: [
        {
          name: "rule_canary",
          requiredProperties: [{ name: "tenant", required: true }],
          condition: "hidden_canary = @tenant",
        },
      ],
      columns: [
        { name: "id", type: "INTEGER", notNull: true },
        {
          name: "status",
          type: "VARCHAR",
          description: "State of the order.",
          properties: { searchable: true, synonyms: "phase, condition" },
        },
        { name: "note", type: "VARCHAR" },
        { name: "total", type: "DECIMAL(10,2)", description: "Amount in EUR.", properties: { unit: "EUR" } },
        { name: "hidden_canary", type: "VARCHAR", isHidden: true, description: "description_canary" },
        {
          name: "restricted_canary",
          type: "INTEGER",
          description: "description_canary",
          columnLevelAccessControl: {
            name: "column_rule_canary",
            requiredProperties: [{ name: "level", required: false }],
            operator: "GREATER_THAN",
            threshold: "3",
          },
        },
        { name: "twice_canary", type: "INTEGER", isCalculated: true, expression: "restricted_canary * 2" },
        { name: "customer", type: "customers", relationship: "orders_customers" },
      ],
    },
    {
      name: "customers",
      tableReference: { table: "customers_canary_table" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "name", type: "VARCHAR", properties: { searchable: "true" } },
      ],
    },
  ],
  relationships: [
    {
      name: "orders_customers",
      models: ["orders", "customers"],
      joinType: "MANY_TO_ONE",
      condition: "orders.id = customers.id",
    },
  ],
  views: [
    { name: "all_orders", statement: "SELECT id, status, restricted_canary FROM orders", description: "All of them." },
  ],
  cubes: [
    {
      name: "sales",
      baseObject: "orders",
      description: "Sales by state.",
      measures: [
        { name: "revenue", expression: "sum(total)", type: "DECIMAL(12,2)", description: "Sum of totals." },
        { name: "measure_canary", expression: "sum(restricted_canary)", type: "BIGINT" },
      ],
      dimensions: [
        { name: "state", expression: "status", type: "VARCHAR" },
        { name: "dimension_canary", expression: "restricted_canary", type: "INTEGER" },
      ],
    },
  ],
};
