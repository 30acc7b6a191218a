/** `siskin import snowflake`: the YAML of a semantic view, and what has no counterpart. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { membersOf, remarksOn, runImport } from "./run-import.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "siskin-import-snowflake-"));
});
afterAll(() => rmSync(home, { recursive: true }));

const VIEW = `name: sales
description: Sales of a shop.
tables:
  - name: orders
    description: One row per order.
    base_table: {database: shop, schema: public, table: '"Orders"'}
    primary_key: {columns: [order_id]}
    synonyms: [purchases]
    dimensions:
      - {name: order_id, expr: order_id, data_type: "NUMBER(38,0)"}
      - {name: status, expr: status_code, data_type: VARCHAR, synonyms: [state, phase], cortex_search_service: {service: s}}
      - {name: is_large, expr: net > 100, data_type: BOOLEAN}
      - {name: loop, expr: "loop_2 || 'x'", data_type: VARCHAR}
      - {name: loop_2, expr: "loop || 'x'", data_type: VARCHAR}
    time_dimensions:
      - {name: ordered_at, expr: ordered_at, data_type: TIMESTAMP_NTZ}
    facts:
      - {name: net, expr: amount - tax, data_type: "NUMBER(12,2)"}
      - {name: quantity, expr: quantity, data_type: "NUMBER(10,0)"}
      - {name: cost, expr: cost, data_type: "NUMBER(12,2)", access_modifier: private_access}
    metrics:
      - {name: revenue, expr: SUM(net), description: Net revenue.}
      - {name: list_price, expr: SUM(quantity * customers.factor)}
      - {name: orders_count, expr: COUNT(DISTINCT order_id)}
      - {name: doubled, expr: revenue * 2}
      - {name: average, expr: "SUM(net) / COUNT(order_id)"}
      - {name: average_double, expr: "CAST(SUM(net) AS DOUBLE) / COUNT(order_id)"}
      - {name: hidden, expr: SUM(cost), access_modifier: private_access}
      - {name: of_hidden, expr: hidden + 1}
      - {name: balance, expr: SUM(net), non_additive_dimensions: [{table: orders, dimension: ordered_at}]}
      - {name: cycle, expr: cycle_2 + 1}
      - {name: cycle_2, expr: cycle + 1}
    filters:
      - {name: recent, expr: "ordered_at > '2026-01-01'"}
  - name: customers
    base_table: {database: shop, schema: public, table: customers}
    primary_key: {columns: [id]}
    dimensions: [{name: region, expr: region, data_type: VARCHAR}]
    facts: [{name: factor, expr: factor, data_type: FLOAT}]
  - name: of_query
    base_table: {definition: SELECT 1}
  - name: old
    base_table: {database: d, schema: s, table: t}
    measures: [{name: m, expr: m, default_aggregation: sum}]
relationships:
  - {name: orders_customers, left_table: orders, right_table: customers, relationship_columns: [{left_column: customer_id, right_column: id}], join_type: left_outer, relationship_type: many_to_one}
  - {name: inner, left_table: orders, right_table: customers, relationship_columns: [{left_column: a, right_column: id}], join_type: inner, relationship_type: many_to_one}
  - {name: as_of, left_table: orders, right_table: customers, relationship_columns: [{left_column: a, right_column: id, operator: ">="}]}
metrics:
  - {name: total, expr: orders.revenue + orders.orders_count}
  - {name: both, expr: orders.revenue + customers.region}
verified_queries:
  - {name: by region, question: How much by region?, sql: "SELECT __customers.region, count(*) FROM __customers WHERE '__orders' <> region GROUP BY 1;", verified_by: ann}
  - {name: of absent, question: How much?, sql: SELECT absent FROM __orders}
  - {name: templated, question: How much?, sql: "SELECT {{ x }} FROM __orders"}
`;

const imported = (args: readonly string[] = []) =>
  runImport({ home, format: "snowflake", files: { "v.yaml": VIEW }, path: "v.yaml", args });

describe("a semantic view", () => {
  test("tables, columns, relationships and metrics", async () => {
    const { code, manifest } = await imported();
    expect(code).toBe(0);
    expect(membersOf(manifest, "orders_metrics")).toEqual({
      "measure revenue": "SUM(net)",
      "measure list_price": "SUM(quantity * customers.factor)",
      "measure orders_count": "COUNT(DISTINCT order_id)",
      "measure average_double": "CAST(SUM(net) AS DOUBLE) / COUNT(order_id)",
      "measure doubled": "(SUM(net)) * 2",
      "measure of_hidden": "(SUM(cost)) + 1",
      "measure total": "(SUM(net)) + (COUNT(DISTINCT order_id))",
      "dimension order_id": "order_id",
      "dimension status": "status",
      "dimension is_large": "is_large",
      "dimension recent": "recent",
      "dimension customers__region": "customers.region",
      "time ordered_at": "ordered_at",
    });
    const [customers, orders] = manifest?.models.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? [];
    // Names without quotes are those that Snowflake stores: capitals.
    expect(orders).toMatchObject({
      tableReference: { catalog: "SHOP", schema: "PUBLIC", table: "Orders" },
      primaryKey: "order_id",
    });
    expect(customers).toMatchObject({ tableReference: { table: "CUSTOMERS" } });
    const column = (name: string) => orders?.columns.find((each) => each.name === name);
    expect(column("is_large")).toMatchObject({ expression: "(amount - tax) > 100" });
    expect(column("status")).toMatchObject({ expression: "status_code", properties: { synonyms: "state, phase" } });
    expect(column("ordered_at")).toMatchObject({ expression: "ordered_at" });
    expect(column("cost")).toMatchObject({ isHidden: true });
    expect(column("net")).not.toHaveProperty("isHidden");
  });

  test.each<[object: string, reason: string]>([
    ['table "of_query"', "definition: a query as a table has no counterpart."],
    ['table "old"', "measures: measures are the older form"],
    ['table "orders"', "synonyms has no counterpart."],
    ['dimension "status" of table "orders"', "cortex_search_service has no counterpart."],
    ['metric "average" of table "orders"', "A quotient of snowflake has other digits"],
    ['dimension "loop" of table "orders"', "The column loop reads itself."],
    ['metric "balance" of table "orders"', "non_additive_dimensions: a metric that is not additive"],
    ['metric "cycle" of table "orders"', "The metric cycle reads itself."],
    ['metric "both"', "The metric reads several tables"],
    ['relationship "inner"', "An inner join drops rows"],
    ['relationship "as_of"', "operator: a join that is no equality has no counterpart."],
    ['verified query "of absent"', "The imported model does not answer it"],
    ['verified query "templated"', "A template is not evaluated."],
  ])("%s: %s", async (object, reason) => {
    const { out } = await imported(["--format", "json"]);
    const found = remarksOn(object, out);
    expect(found.map((each) => each.reason).join("\n")).toContain(reason);
    for (const each of found) expect(each.line).toBeGreaterThan(0);
  });
});

test("a verified query is an example", async () => {
  const { directory } = await imported();
  expect(readdirSync(join(directory, "shop/knowledge/sql"))).toEqual(["by_region.sql"]);
  expect(readFileSync(join(directory, "shop/knowledge/sql/by_region.sql"), "utf8")).toBe(
    "-- How much by region?\nSELECT customers.region, count(*) FROM customers WHERE '__orders' <> region GROUP BY 1\n",
  );
});
