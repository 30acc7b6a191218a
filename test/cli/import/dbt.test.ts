/** `siskin import dbt`: a semantic manifest as a project, and what has no counterpart. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readYaml } from "../../../cli/project/yaml.ts";
import { siskin } from "../../support/terminal.ts";
import { membersOf, remarksOn, runImport } from "./run-import.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "siskin-import-dbt-"));
});
afterAll(() => rmSync(home, { recursive: true }));

const where = (...texts: readonly string[]) => ({ where_filters: texts.map((text) => ({ where_sql_template: text })) });
const simple = (name: string, measure: string, more: object = {}) => ({
  name,
  type: "simple",
  type_params: {
    measure: { name: measure, filter: null, alias: null, join_to_timespine: false, fill_nulls_with: null },
  },
  filter: null,
  ...more,
});

const relation = (alias: string) => ({
  alias,
  schema_name: "main",
  database: "shop",
  relation_name: `"shop"."main"."${alias}"`,
});

/** A shop: facts of our own, in the form that dbt writes. */
const SHOP = {
  semantic_models: [
    {
      name: "orders",
      description: "One row per order.",
      node_relation: relation("fct_orders"),
      primary_entity: null,
      entities: [
        { name: "order", type: "primary", expr: "order_id", role: null },
        { name: "customer", type: "foreign", expr: "customer_id" },
      ],
      measures: [
        { name: "order_total", agg: "sum", expr: null, description: "Sum of totals.", create_metric: false },
        { name: "net_total", agg: "sum", expr: "order_total - tax_paid" },
        { name: "order_count", agg: "count", expr: "order_id" },
        { name: "buyers", agg: "count_distinct", expr: "customer_id" },
        { name: "median_total", agg: "median", expr: "order_total" },
        { name: "large", agg: "sum_boolean", expr: "order_total > 50" },
        {
          name: "stock",
          agg: "sum",
          expr: "stock",
          non_additive_dimension: { name: "ordered_at", window_choice: "max" },
        },
      ],
      dimensions: [
        {
          name: "ordered_at",
          type: "time",
          type_params: { time_granularity: "day", validity_params: null },
          expr: null,
        },
        { name: "is_food", type: "categorical", type_params: null, expr: "food_items > 0" },
        { name: "status", type: "categorical", expr: null },
      ],
    },
    {
      name: "customers",
      node_relation: relation("dim_customers"),
      entities: [{ name: "customer", type: "primary", expr: "id" }],
      measures: [],
      dimensions: [
        { name: "region", type: "categorical" },
        { name: "first_order_at", type: "time", type_params: { time_granularity: "day" } },
      ],
    },
  ],
  metrics: [
    simple("revenue", "order_total", { description: "Revenue of all orders." }),
    simple("net", "net_total"),
    simple("orders_count", "order_count"),
    simple("buyers_count", "buyers"),
    simple("median", "median_total"),
    simple("large_orders", "large"),
    simple("food_revenue", "order_total", { filter: where("{{ Dimension('order__is_food') }} = true") }),
    simple("north_revenue", "order_total", {
      filter: where("{{ Dimension('customer__region') }} = 'north'", "{{ Dimension('order__status') }} IN ('paid')"),
    }),
    {
      name: "share",
      type: "ratio",
      type_params: { numerator: { name: "food_revenue" }, denominator: { name: "revenue" } },
    },
    {
      name: "average_value",
      type: "derived",
      type_params: {
        expr: "total / n",
        metrics: [
          { name: "revenue", alias: "total" },
          { name: "orders_count", alias: "n" },
        ],
      },
    },
    {
      name: "paid_share",
      type: "ratio",
      type_params: {
        numerator: { name: "revenue", filter: where("{{ Dimension('order__status') }} = 'paid'") },
        denominator: { name: "revenue" },
      },
    },
    {
      name: "growth",
      type: "derived",
      type_params: {
        expr: "now - before",
        metrics: [
          { name: "revenue", alias: "now" },
          { name: "revenue", alias: "before", offset_window: { count: 1, granularity: "month" } },
        ],
      },
    },
    {
      name: "running",
      type: "cumulative",
      type_params: { measure: { name: "order_total" }, window: { count: 7, granularity: "day" } },
    },
    { name: "conversion", type: "conversion", type_params: { conversion_type_params: { entity: "customer" } } },
    { name: "of_refused", type: "derived", type_params: { expr: "running * 2", metrics: [{ name: "running" }] } },
    simple("filled", "order_total", { type_params: { measure: { name: "order_total", fill_nulls_with: 0 } } }),
    simple("by_month", "order_total", {
      filter: where("{{ TimeDimension('order__ordered_at', 'month') }} >= DATE '2026-01-01'"),
    }),
    simple("templated", "order_total", { filter: where("{{ var('x') }} = 1") }),
    simple("of_metric", "order_total", { filter: where("{{ Metric('revenue', group_by=['customer']) }} > 1") }),
    simple("unknown_column", "order_total", { filter: where("{{ Dimension('order__nothing') }} = 1") }),
  ],
  saved_queries: [
    {
      name: "weekly",
      description: "Revenue by week.",
      query_params: {
        metrics: ["revenue", "net"],
        group_by: ["TimeDimension('order__ordered_at', 'week')", "Dimension('customer__region')", "order__status"],
        limit: 10,
      },
      exports: [{ name: "weekly" }],
    },
    { name: "of_refused", query_params: { metrics: ["running"] } },
    { name: "filtered", query_params: { metrics: ["revenue"], where: where("{{ Dimension('order__is_food') }}") } },
    { name: "by_nothing", query_params: { metrics: ["revenue"], group_by: ["Dimension('order__nothing')"] } },
    { name: "by_metric_time", query_params: { metrics: ["revenue"], group_by: ["metric_time__month"] } },
  ],
};

const imported = (manifest: object, args: readonly string[] = []) =>
  runImport({
    home,
    format: "dbt",
    files: { "target/semantic_manifest.json": JSON.stringify(manifest, null, 1) },
    path: "target",
    args: ["--source", "duckdb", ...args],
  });

describe("a shop", () => {
  test("measures, dimensions and joined dimensions", async () => {
    const { code, manifest, err, out } = await imported(SHOP);
    expect([code, err]).toEqual([0, "Wrote 2 models, 1 relationships and 2 cubes to shop.\n"]);
    expect(membersOf(manifest, "orders_metrics")).toEqual({
      "measure revenue": "sum(order_total)",
      "measure net": "sum(net_total_value)",
      "measure orders_count": "count(order_id)",
      "measure buyers_count": "count(DISTINCT customer_id)",
      "measure median": "percentile_cont(0.5) WITHIN GROUP (ORDER BY order_total)",
      "measure large_orders": "sum(large_value)",
      "measure food_revenue": "sum(food_revenue_value)",
      "measure north_revenue": "sum(north_revenue_filtered)",
      "measure share":
        "CAST(sum(food_revenue_value) AS DOUBLE PRECISION) / CAST(NULLIF(sum(order_total), 0) AS DOUBLE PRECISION)",
      "measure average_value": "CAST((sum(order_total)) AS DOUBLE PRECISION) / (count(order_id))",
      "measure paid_share":
        "CAST(sum(revenue_value) AS DOUBLE PRECISION) / CAST(NULLIF(sum(order_total), 0) AS DOUBLE PRECISION)",
      "measure by_month": "sum(by_month_filtered)",
      "dimension is_food": "is_food",
      "dimension status": "status",
      "dimension order": "order_id",
      "dimension customer": "customer_id",
      "dimension customer__region": "customer.region",
      "time ordered_at": "ordered_at",
      "time customer__first_order_at": "customer.first_order_at",
    });
    const orders = manifest?.models.find(({ name }) => name === "orders");
    expect(orders).toMatchObject({
      tableReference: { catalog: "shop", schema: "main", table: "fct_orders" },
      primaryKey: "order_id",
      description: "One row per order.",
    });
    const column = (name: string) => orders?.columns.find((each) => each.name === name);
    expect(column("net_total_value")).toMatchObject({ expression: "order_total - tax_paid", isHidden: true });
    expect(column("food_revenue_value")).toMatchObject({
      expression: "CASE WHEN ((food_items > 0) = true) THEN order_total END",
    });
    expect(column("north_revenue_filtered")).toMatchObject({
      isCalculated: true,
      expression: "CASE WHEN (customer.region = 'north') THEN north_revenue_value END",
    });
    expect(manifest?.relationships).toEqual([
      {
        name: "orders_customer",
        models: ["orders", "customers"],
        joinType: "MANY_TO_ONE",
        condition: "orders.customer_id = customers.id",
      },
    ]);
    expect(out).toMatch(
      /target\/semantic_manifest\.json:\d+:\d+: refused: metric "running": window: a cumulative window/,
    );
  });

  test.each<[object: string, reason: string]>([
    ['metric "growth"', "offset_window: an offset in time has no counterpart."],
    ['metric "running"', "window: a cumulative window has no counterpart."],
    ['metric "conversion"', "conversion_type_params: a conversion metric has no counterpart."],
    ['metric "of_refused"', "A member of the metric has no counterpart."],
    ['metric "filled"', "fill_nulls_with: values for absent rows have no counterpart."],
    ['metric "templated"', "The filter holds a template that is neither Dimension, TimeDimension nor Entity."],
    ['metric "of_metric"', "The filter holds a template that is neither Dimension, TimeDimension nor Entity."],
    [
      'metric "unknown_column"',
      "The filter names order__nothing, which is no dimension of the semantic model or one join away.",
    ],
    [
      'measure "stock" of semantic model "orders"',
      "non_additive_dimension: a measure that is not additive over a dimension has no counterpart.",
    ],
    ['saved query "of_refused"', "Its metrics are not measures of one cube."],
    ['saved query "filtered"', "where: a filter of a question has no counterpart."],
    ['saved query "by_nothing"', "It groups by Dimension('order__nothing'), which is no dimension of the cube."],
    ['saved query "by_metric_time"', "Its measures are not over one time dimension."],
  ])("%s is in the report", async (object, reason) => {
    const { out } = await imported(SHOP, ["--format", "json"]);
    const found = remarksOn(object, out);
    expect(found.map((each) => each.reason)).toContain(reason);
    for (const each of found) expect(each.line).toBeGreaterThan(1);
  });

  test("--strict fails, and a second import does not overwrite", async () => {
    const { code, directory } = await imported(SHOP, ["--strict"]);
    expect(code).toBe(1);
    const args = ["import", "dbt", "target", "shop", "--source", "duckdb"];
    expect(await siskin(args, { directory })).toMatchObject({ code: 2, err: expect.stringContaining("is not empty") });
  });

  test("types come from the catalog", async () => {
    const catalog = {
      nodes: { a: { metadata: { schema: "main", name: "fct_orders" }, columns: { ORDERED_AT: { type: "DATE" } } } },
    };
    const { manifest } = await runImport({
      home,
      format: "dbt",
      files: { "t/semantic_manifest.json": JSON.stringify(SHOP), "t/catalog.json": JSON.stringify(catalog) },
      path: "t/semantic_manifest.json",
      args: ["--source", "postgres"],
    });
    const orders = manifest?.models.find(({ name }) => name === "orders");
    expect(orders?.columns.find(({ name }) => name === "ordered_at")).toMatchObject({ type: "DATE" });
    expect(orders).toMatchObject({ tableReference: { schema: "main", table: "fct_orders" } });
  });
});

test("a saved query is a golden question over the cube", async () => {
  const { directory } = await imported(SHOP);
  const file = readFileSync(join(directory, "shop/tests/imported.yml"), "utf8");
  expect(readYaml(file, "imported.yml").value).toEqual([
    {
      name: "Revenue by week.",
      cube: {
        cube: "orders_metrics",
        measures: ["revenue", "net"],
        dimensions: ["customer__region", "status"],
        timeDimensions: [{ dimension: "ordered_at", granularity: "week" }],
        limit: 10,
      },
      row_count: { min: 1 },
    },
  ]);
});
