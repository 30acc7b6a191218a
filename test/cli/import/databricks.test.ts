/** `siskin import databricks`: metric views, and what has no counterpart. Numbers by SQL that is written by hand, on DuckDB. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { membersOf, remarksOn, runImport } from "./run-import.ts";
import { readings } from "./second-reading.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "siskin-import-databricks-"));
});
afterAll(() => rmSync(home, { recursive: true }));

const ORDERS = `version: 1.1
comment: One row per order.
source: orders
filter: source.amount > 0 AND source.status <> 'void'
joins:
  - name: customer
    source: customers
    on: source.customer_id = customer.id
    rely: {at_most_one_match: true}
    joins:
      - name: region
        source: SELECT * FROM regions
        'on': customer.region_id = region.id
        cardinality: many_to_one
  - {name: source, source: shops, using: [shop_id]}
  - {name: lines, source: lines, on: lines.order_id = source.id, cardinality: one_to_many}
  - {name: newest, source: rates, on: source.day >= newest.day}
  - {name: shop, source: shops, using: [shop_id]}
fields:
  - {name: status, expr: status, comment: State., display_name: Status, synonyms: [state, phase]}
  - {name: month, expr: "date_trunc('month', day)", format: {type: date}}
  - {name: size, expr: "CASE WHEN source.amount > 100 THEN 'large' ELSE 'small' END"}
  - {name: is_large, expr: "size = 'large'"}
  - {name: region, expr: customer.region.name}
  - {name: region_upper, expr: upper(region)}
  - {name: region_or_none, expr: "coalesce(region.name, 'none')"}
  - {name: place, expr: "concat(status, customer.name)"}
  - {name: line, expr: lines.product}
  - {name: "a b", expr: "\`status\`"}
  - {name: doubled, expr: 'status = "paid"'}
  - {name: amount, expr: amount * 2}
  - {name: twice, expr: amount + 1}
  - {name: of_all_days, expr: "SUM(tax) OVER (PARTITION BY status)"}
  - {name: loop_a, expr: loop_b}
  - {name: loop_b, expr: loop_a}
  - {name: shop, expr: shop.name}
measures:
  - {name: orders, expr: COUNT(1), comment: All orders.}
  - {name: revenue, expr: SUM(source.amount)}
  - {name: paid, expr: "SUM(source.amount) FILTER (WHERE status = 'paid')"}
  - {name: large, expr: count_if(size = 'large')}
  - {name: net, expr: SUM(source.amount - tax)}
  - {name: buyers, expr: COUNT(DISTINCT customer_id)}
  - {name: per_buyer, expr: "MEASURE(revenue) / MEASURE(\`buyers\`)"}
  - {name: guarded, expr: CASE WHEN MEASURE(buyers) = 0 THEN NULL ELSE MEASURE(revenue) / MEASURE(buyers) END}
  - {name: mean, expr: AVG(source.amount)}
  - {name: regions, expr: COUNT(DISTINCT region.name)}
  - {name: north, expr: "COUNT(*) FILTER (WHERE region.name = 'north')"}
  - {name: nowhere, expr: "COUNT(*) FILTER (WHERE region.name IS NULL)"}
  - {name: weighted, expr: SUM(source.amount * customer.factor)}
  - {name: running, expr: SUM(source.amount), window: [{order: month, range: cumulative, semiadditive: last}]}
  - {name: of_running, expr: MEASURE(running) + 1}
  - {name: self_a, expr: MEASURE(self_b)}
  - {name: self_b, expr: MEASURE(self_a)}
  - {name: ranked, expr: SUM(SUM(source.amount)) OVER (ORDER BY day)}
materialization: {schedule: every 6 hours, mode: relaxed}
`;

const imported = (text: string, args: readonly string[] = []) =>
  runImport({ home, format: "databricks", files: { "orders.yml": text }, path: "orders.yml", args });

let known: ReturnType<typeof imported> | undefined;
const shared = (): ReturnType<typeof imported> => {
  known ??= imported(ORDERS, ["--format", "json"]);
  return known;
};

describe("a metric view", () => {
  test("columns, joins and measures", async () => {
    const { code, manifest, err } = await imported(ORDERS);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("Wrote 4 models, 3 relationships") });
    const model = (name: string) => manifest?.models.find((each) => each.name === name);
    expect(model("orders")).toMatchObject({
      refSql: "SELECT * FROM orders AS source WHERE amount > 0 AND status <> 'void'",
      description: "One row per order.",
    });
    expect(model("orders_customer_region")).toMatchObject({ refSql: "SELECT * FROM regions" });
    expect(manifest?.relationships?.map((each) => each["condition"])).toEqual([
      "orders.customer_id = orders_customer.id",
      "orders_customer.region_id = orders_customer_region.id",
      "orders.shop_id = orders_shop.shop_id",
    ]);
    const column = (name: string) => model("orders")?.columns.find((each) => each.name === name);
    expect(column("status")).toMatchObject({
      description: "State.",
      properties: { display_name: "Status", synonyms: "state, phase" },
    });
    expect(column("is_large")).toMatchObject({
      expression: "(CASE WHEN amount > 100 THEN 'large' ELSE 'small' END) = 'large'",
    });
    expect(column("region")).toMatchObject({ isCalculated: true, expression: "customer.region.name" });
    expect(column("region_or_none")).toMatchObject({ expression: "coalesce(customer.region.name, 'none')" });
    expect(column("paid_value")).toMatchObject({
      expression: "CASE WHEN status = 'paid' THEN amount END",
      isHidden: true,
    });
    expect(membersOf(manifest, "orders_metrics")).toMatchObject({
      "measure orders": "COUNT(1)",
      "measure revenue": "sum(amount_2)",
      "measure paid": "sum(paid_value)",
      "measure per_buyer": "CAST((sum(revenue_value)) AS DOUBLE PRECISION) / (count(DISTINCT customer_id))",
      "measure regions": "count(DISTINCT customer.region.name)",
      "time month": "month",
      "dimension a b": '"a b"',
    });
  });

  test.each<[object: string, reason: string]>([
    ['metric view "orders"', "materialization has no counterpart."],
    ['join "lines" of metric view "orders"', "A join of cardinality one_to_many aggregates rows of its own"],
    ['join "newest" of metric view "orders"', "The condition is no conjunction of equalities"],
    ['field "line" of metric view "orders"', "The expression reads lines.product, whose join is not imported."],
    ['field "doubled" of metric view "orders"', "Double quotes enclose texts on Spark"],
    ['field "twice" of metric view "orders"', "amount is a field and a column of the source: write source.amount."],
    ['field "loop_a" of metric view "orders"', "The field loop_a reads itself."],
    ['measure "running" of metric view "orders"', "window: a window of a measure has no counterpart."],
    ['measure "of_running" of metric view "orders"', "A member of it has no counterpart."],
    ['field "of_all_days" of metric view "orders"', "The expression holds a window function."],
    ['join "source" of metric view "orders"', "Its name is absent, or another table of the view has it."],
    ['measure "self_a" of metric view "orders"', "The measure self_a reads itself."],
    ['measure "ranked" of metric view "orders"', "The expression holds a window function."],
  ])("%s: %s", async (object, reason) => {
    const { out } = await shared();
    const found = remarksOn(object, out);
    expect(found.map((each) => each.reason).join("\n")).toContain(reason);
    for (const each of found) expect(each.line).toBeGreaterThan(0);
  });

  test("the statement that makes a view, and many files", async () => {
    const statement = `-- a view\nCREATE OR REPLACE VIEW c.s.sales WITH METRICS LANGUAGE YAML AS $$\nversion: 1.0\nsource: c.s.orders\ndimensions: [{name: day, expr: day}]\nmeasures: [{name: n, expr: COUNT(*)}, {name: w, expr: SUM(a), window: [{order: day}]}]\n$$`;
    const { out, manifest } = await runImport({
      home,
      format: "databricks",
      files: {
        "v/sales.sql": statement,
        "v/b.yml": "version: 9\nsource: t\n",
        "v/c.yml": "version: 1.1\nsource: '{{ t }}'\n",
      },
      path: "v",
    });
    expect(manifest?.models).toMatchObject([
      { name: "sales", tableReference: { catalog: "c", schema: "s", table: "orders" } },
    ]);
    expect(out).toContain("v/sales.sql:6:");
    expect(out).toContain("The version 9 of the specification is not known.");
    expect(out).toContain("A template is not evaluated");
  });

  test.each<[what: string, change: (text: string) => string, reason: string]>([
    [
      "a filter over a joined table",
      (t) => t.replace("source.amount > 0", "customer.factor > 0"),
      "The filter reads customer.factor",
    ],
    ["a parameter", (t) => `${t}parameters: [{name: p, type: STRING}]\n`, "a parameter of a metric view"],
    ["an unknown member", (t) => `${t}row_filter: a\n`, "row_filter is not a known member."],
  ])("%s refuses the view", async (_, change, reason) => {
    const { code, out, manifest } = await imported(change(ORDERS));
    expect({ code, manifest }).toEqual({ code: 1, manifest: undefined });
    expect(out).toContain(reason);
  });

  test("one report line makes --strict fail", async () => {
    expect((await imported(ORDERS, ["--strict"])).code).toBe(1);
  });
});

test.each<[what: string, text: string, message: string]>([
  ["Jinja", "version: 1.1\nsource: t\n{% if a %}\n", "A template is not evaluated"],
  ["an anchor", "version: 1.1\nsource: &a t\nfilter: *a\n", "The alias *a is not read."],
  ["a secret", "version: 1.1\nsource: t\nproperties: {api_key: hunter2-secret}\n", "holds a secret"],
])("%s is refused", async (_, text, message) => {
  const outcome = await imported(text);
  expect(outcome).toMatchObject({ code: 1, manifest: undefined, err: expect.stringContaining(message) });
  expect(outcome.err).not.toContain("hunter2");
});

test("5,000 fields and measures", async () => {
  const fields = Array.from({ length: 2500 }, (_, at) => `  - {name: f${at}, expr: "a${at} + 1"}`);
  const measures = Array.from({ length: 2500 }, (_, at) => `  - {name: m${at}, expr: "SUM(f${at})"}`);
  const { code, manifest } = await imported(
    `version: 1.1\nsource: t\nfields:\n${fields.join("\n")}\nmeasures:\n${measures.join("\n")}\n`,
  );
  expect(code).toBe(0);
  expect(manifest?.cubes?.[0]?.measures).toHaveLength(2500);
});

/** SQL of the second reading, with the view's joins and filter written out. */
const FROM = `FROM orders o LEFT JOIN customers c ON o.customer_id = c.id LEFT JOIN regions r ON c.region_id = r.id
  WHERE o.amount > 0 AND o.status <> 'void'`;
const MEASURES: Readonly<Record<string, string>> = {
  orders: "count(*)",
  revenue: "sum(o.amount)",
  paid: "sum(o.amount) FILTER (WHERE o.status = 'paid')",
  large: "count(*) FILTER (WHERE o.amount > 100)",
  net: "sum(o.amount - o.tax)",
  buyers: "count(DISTINCT o.customer_id)",
  per_buyer: "sum(o.amount)::DOUBLE / count(DISTINCT o.customer_id)",
  guarded:
    "CASE WHEN count(DISTINCT o.customer_id) = 0 THEN NULL ELSE sum(o.amount)::DOUBLE / count(DISTINCT o.customer_id) END",
  mean: "avg(o.amount)",
  regions: "count(DISTINCT r.name)",
  north: "count(*) FILTER (WHERE r.name = 'north')",
  nowhere: "count(*) FILTER (WHERE r.name IS NULL)",
  weighted: "sum(o.amount * c.factor)",
};
const DIMENSIONS: Readonly<Record<string, string>> = {
  status: "o.status",
  size: "CASE WHEN o.amount > 100 THEN 'large' ELSE 'small' END",
  region: "r.name",
  region_upper: "upper(r.name)",
  region_or_none: "coalesce(r.name, 'none')",
};

test("the numbers of a second reading", async () => {
  const { directory } = await imported(ORDERS, ["--source", "duckdb"]);
  const { different, equal } = await readings(directory, {
    cube: "orders_metrics",
    measures: MEASURES,
    dimensions: DIMENSIONS,
    from: FROM,
  });
  expect(different).toEqual([]);
  expect(equal).toBe(Object.keys(MEASURES).length * (Object.keys(DIMENSIONS).length + 1));
});
