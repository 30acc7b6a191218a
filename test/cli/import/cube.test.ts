/** `siskin import cube`: YAML models, and what has no counterpart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { membersOf, remarksOn, runImport } from "./run-import.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "siskin-import-cube-"));
});
afterAll(() => rmSync(home, { recursive: true }));

const ORDERS = `cubes:
  - name: base
    sql_table: public.base
    dimensions:
      - {name: created_at, sql: created_at, type: time}
      - {name: status, sql: old_status, type: string}
  - name: orders
    extends: base
    sql_table: public.orders
    description: One row per order.
    refresh_key: {every: 1 hour}
    joins:
      - {name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}"}
      - {name: items, relationship: one_to_many, sql: "{CUBE.id} = {items}.order_id AND {CUBE}.shop = {items}.shop"}
      - {name: nowhere, relationship: many_to_one, sql: "{CUBE}.a = {nowhere.b}"}
      - {name: customers, relationship: many_to_one, sql: "{CUBE}.a > {customers.id}"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: "{CUBE}.status", type: string, title: State}
      - {name: is_large, sql: "{CUBE}.amount > 100", type: boolean}
      - {name: size, type: string, case: {when: [{sql: "{is_large}", label: it's large}, {sql: "{CUBE}.amount > 10", label: middle}], else: {label: small}}}
      - {name: customer_region, sql: "{customers.region}", type: string}
      - {name: secret, sql: secret, type: string, public: false}
      - {name: customer_kind, sql: "{customers.kind}", type: string}
      - {name: place, type: geo, latitude: {sql: a}, longitude: {sql: b}}
      - {name: lines, sql: "{items.count}", type: number, sub_query: true}
      - {name: loop_a, sql: "{loop_b} + 1", type: number}
      - {name: loop_b, sql: "{loop_a} + 1", type: number}
      - {name: filtered, sql: "{FILTER_PARAMS.orders.created_at.filter('x')}", type: number}
    segments:
      - {name: paid, sql: "{CUBE}.status = 'paid'"}
    measures:
      - {name: count, type: count}
      - {name: revenue, sql: amount, type: sum, description: All orders.}
      - {name: paid_revenue, sql: "{CUBE}.amount", type: sum, filters: [{sql: "{CUBE}.status = 'paid'"}, {sql: "{is_large}"}]}
      - {name: paid_count, type: count, filters: [{sql: "{paid_at} IS NOT NULL"}]}
      - {name: paid_orders, type: count, filters: [{sql: "{CUBE}.status = 'paid'"}]}
      - {name: buyers, sql: customer_id, type: count_distinct}
      - {name: about_buyers, sql: customer_id, type: count_distinct_approx}
      - {name: average, sql: "{revenue} / {count}", type: number}
      - {name: net, sql: "sum({CUBE}.amount - {CUBE}.tax)", type: number}
      - {name: hidden, sql: amount, type: max, public: false}
      - {name: of_hidden, sql: "{hidden} * 2", type: number}
      - {name: running, sql: amount, type: sum, rolling_window: {trailing: 7 day}}
      - {name: ranked, type: rank, multi_stage: true}
      - {name: of_items, sql: "{items.total} * 2", type: number}
      - {name: cycle_a, sql: "{cycle_b}", type: number}
      - {name: cycle_b, sql: "{cycle_a}", type: number}
      - {name: revenue, sql: tax, type: sum}
    hierarchies:
      - {name: place, levels: [customers.region, status]}
      - {name: wrong, levels: [nothing]}
    pre_aggregations:
      - {name: main, measures: [count]}
  - name: customers
    sql: SELECT * FROM public.customers
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: region, sql: "upper(region)", type: string}
      - {name: kind, sql: "coalesce(kind, '-')", type: string}
  - name: items
    sql: SELECT a.*, 1 AS one FROM public.items a;
    dimensions: [{name: total, sql: total, type: number}]
    measures: [{name: count, type: count}]
  - name: itself
    extends: itself
    sql_table: t
  - name: fenced
    sql: "SELECT * FROM t WHERE {SECURITY_CONTEXT.tenant.filter('tenant')}"
  - name: ruled
    sql_table: ruled
    dimensions: [{name: tenant, sql: tenant, type: string}, {name: id, sql: id, type: number}]
    measures: [{name: count, type: count}]
    access_policy:
      - role: "*"
        row_level: {filters: [{member: "{CUBE}.tenant", operator: equals, values: ["{ securityContext.tenant_id }"]}]}
  - name: half_ruled
    sql_table: half_ruled
    dimensions: [{name: tenant, sql: tenant, type: string}]
    access_policy:
      - role: manager
        row_level: {allow_all: true}
  - name: masked
    sql_table: masked
    dimensions: [{name: tenant, sql: tenant, type: string}]
    access_policy:
      - {role: "*", member_level: {includes: "*", excludes: [tenant]}}
  - name: orders
    sql_table: other
views:
  - name: overview
    description: Orders with regions.
    cubes:
      - {join_path: orders, includes: [count, revenue, {name: status, alias: state}, created_at, secret, nothing], excludes: [revenue]}
      - {join_path: orders.customers, includes: "*", prefix: true, excludes: [id]}
      - {join_path: orders.items, includes: "*"}
  - name: of_all
    cubes: [{join_path: customers, includes: "*", prefix: true, alias: c}]
  - name: of_two
    cubes: [{join_path: orders, includes: "*"}, {join_path: customers, includes: "*"}]
  - name: ruled_view
    cubes: [{join_path: orders, includes: "*"}]
    access_policy: [{role: "*", row_level: {allow_all: true}}]
  - name: orders
    cubes: [{join_path: orders, includes: "*"}]
  - name: items_of_orders
    cubes: [{join_path: items.orders, includes: [count, status]}]
`;

const imported = (text: string, args: readonly string[] = []) =>
  runImport({
    home,
    format: "cube",
    files: { "model/cubes/orders.yml": text, "model/cubes/old.js": "cube(`old`, {});" },
    path: "model",
    args: ["--source", "duckdb", ...args],
  });

describe("a shop", () => {
  test("columns, joins and measures", async () => {
    const { code, manifest } = await imported(ORDERS);
    expect(code).toBe(0);
    expect(membersOf(manifest, "orders_metrics")).toEqual({
      "measure count": "count(*)",
      "measure revenue": "sum(amount)",
      "measure paid_revenue": "sum(paid_revenue_value)",
      "measure paid_orders": "count(paid_orders_value)",
      "measure buyers": "count(DISTINCT customer_id)",
      "measure average": "CAST((sum(amount)) AS DOUBLE PRECISION) / (count(*))",
      "measure net": "sum(amount - tax)",
      "measure of_hidden": "(max(amount)) * 2",
      "dimension id": "id",
      "dimension status": "status",
      "dimension is_large": "is_large",
      "dimension size": "size",
      "dimension customer_region": "customer_region",
      "dimension paid": "paid",
      "dimension customers__id": "customers.id",
      "dimension customers__region": "customers.region",
      "time created_at": "created_at",
    });
    const orders = manifest?.models.find(({ name }) => name === "orders");
    const column = (name: string) => orders?.columns.find((each) => each.name === name);
    expect(orders).toMatchObject({ tableReference: { schema: "public", table: "orders" }, primaryKey: "id" });
    expect(column("status")).toMatchObject({ description: "State", type: "VARCHAR" });
    expect(column("size")).toMatchObject({
      expression: "CASE WHEN (amount > 100) THEN 'it''s large' WHEN amount > 10 THEN 'middle' ELSE 'small' END",
    });
    expect(column("paid_revenue_value")).toMatchObject({
      expression: "CASE WHEN (status = 'paid') AND ((amount > 100)) THEN amount END",
      isHidden: true,
    });
    expect(column("paid_orders_value")).toMatchObject({ expression: "CASE WHEN (status = 'paid') THEN 1 END" });
    expect(column("customer_region")).toMatchObject({ isCalculated: true, expression: "customers.region" });
    expect(column("secret")).toMatchObject({ isHidden: true });
    expect(manifest?.models.find(({ name }) => name === "customers")).toMatchObject({
      tableReference: { schema: "public", table: "customers" },
    });
    expect(manifest?.models.find(({ name }) => name === "items")).toMatchObject({
      refSql: "SELECT a.*, 1 AS one FROM public.items a",
    });
    expect(manifest?.relationships).toEqual([
      {
        name: "orders_customers",
        models: ["orders", "customers"],
        joinType: "MANY_TO_ONE",
        condition: "orders.customer_id = customers.id",
      },
      {
        name: "items_orders",
        models: ["items", "orders"],
        joinType: "MANY_TO_ONE",
        condition: "items.order_id = orders.id AND items.shop = orders.shop",
      },
    ]);
    expect(manifest?.cubes?.find(({ name }) => name === "orders_metrics")).toMatchObject({
      hierarchies: { place: ["customers__region", "status"] },
    });
  });

  test("a view is a cube over its root", async () => {
    const { manifest } = await imported(ORDERS);
    expect(manifest?.cubes?.find(({ name }) => name === "overview")).toMatchObject({
      baseObject: "orders",
      description: "Orders with regions.",
    });
    expect(membersOf(manifest, "overview")).toEqual({
      "measure count": "count(*)",
      "dimension state": "status",
      "dimension customers_region": "customers.region",
      "time created_at": "created_at",
    });
    expect(membersOf(manifest, "of_all")).toEqual({
      "dimension c_id": "id",
      "dimension c_region": "region",
      "dimension c_kind": "kind",
    });
    expect(membersOf(manifest, "items_of_orders")).toEqual({ "dimension status": "orders.status" });
  });

  test("an access policy over one value of the security context is a row rule", async () => {
    const { manifest } = await imported(ORDERS);
    expect(manifest?.models.find(({ name }) => name === "ruled")).toMatchObject({
      rowLevelAccessControls: [
        {
          name: "access_policy_1",
          requiredProperties: [{ name: "tenant_id", required: true }],
          condition: "tenant = @tenant_id",
        },
      ],
    });
    const names = manifest?.models.map(({ name }) => name) ?? [];
    expect(names.toSorted()).toEqual(["base", "customers", "items", "orders", "ruled"]);
  });

  test.each<[object: string, reason: string]>([
    ["file model/cubes/old.js", "A model that is a program is not run."],
    ['member "secret" of path "orders" of view "overview"', "It is no public member of the cube that is imported."],
    ['member "nothing" of path "orders" of view "overview"', "It is no public member of the cube that is imported."],
    ['path "orders.items" of view "overview"', "No relationship to one row leads from orders to items."],
    ['member "count" of path "items.orders" of view "items_of_orders"', "The join repeats rows of the cube"],
    ['view "of_two"', "Its paths begin at several cubes."],
    ['view "ruled_view"', "access_policy: an access policy of a view has no counterpart."],
    ['view "orders"', "Two objects have the name."],
    ['cube "orders"', "Two objects have the name."],
    ['cube "orders"', "pre_aggregations has no counterpart."],
    ['cube "orders"', "refresh_key has no counterpart."],
    ['cube "itself"', "It extends itself."],
    ['cube "fenced"', "{SECURITY_CONTEXT.tenant.filter('tenant')} is not evaluated."],
    ['cube "half_ruled"', "Its access policy is for one role, and has no counterpart."],
    ['cube "masked"', "Its access policy excludes members, which has no counterpart."],
    ['join to "nowhere" of cube "orders"', 'The cube "nowhere" is not imported.'],
    ['join to "items" of cube "orders"', "Rows on the one side without rows on the many side are not listed."],
    ['dimension "place" of cube "orders"', "latitude: a place has no counterpart."],
    ['dimension "customer_kind" of cube "orders"', "A row without a partner has a value there"],
    ['dimension "kind" of cube "customers", joined to cube "orders"', "A row without a partner has a value there"],
    ['member "kind" of path "orders.customers" of view "overview"', "A row without a partner has a value there"],
    ['dimension "lines" of cube "orders"', "sub_query: a dimension that is a query has no counterpart."],
    ['dimension "loop_a" of cube "orders"', "The dimension loop_a reads itself."],
    ['dimension "filtered" of cube "orders"', "is not evaluated."],
    ['measure "paid_count" of cube "orders"', "The SQL reads paid_at, which is no dimension of the cube."],
    ['measure "about_buyers" of cube "orders"', "A measure of type count_distinct_approx has no counterpart."],
    ['measure "running" of cube "orders"', "rolling_window: a rolling window has no counterpart."],
    ['measure "ranked" of cube "orders"', "multi_stage: a measure of several stages has no counterpart."],
    ['measure "of_items" of cube "orders"', "The measure reads items.total, a member of another cube."],
    ['measure "cycle_a" of cube "orders"', "The measure cycle_a reads itself."],
    ['measure "revenue" of cube "orders_metrics"', "Two objects have the name."],
    ['hierarchy "wrong" of cube "orders"', "A level is no dimension of the cube."],
  ])("%s: %s", async (object, reason) => {
    const { out } = await imported(ORDERS, ["--format", "json"]);
    const found = remarksOn(object, out);
    expect(found.map((each) => each.reason).join("\n")).toContain(reason);
    for (const each of found) expect(each.line).toBeGreaterThan(0);
  });
});

test("a join that is no equality is refused", async () => {
  const text = ORDERS.replace("{CUBE}.customer_id = {customers.id}", "{CUBE}.customer_id > {customers.id}");
  const { out, manifest } = await imported(text);
  expect(out).toContain('refused: join to "customers" of cube "orders": The condition is no conjunction of equalities');
  expect(manifest?.relationships?.map(({ name }) => name)).toEqual(["items_orders"]);
  // The dimension that reads the other cube goes with the join.
  expect(out).toContain('refused: column "customer_region" of model "orders"');
});

test.each<[what: string, text: string, message: string]>([
  ["an anchor", "cubes:\n  - &a {name: a, sql_table: t, joins: [*a]}\n", "The alias *a is not read."],
  ["a secret", "cubes:\n  - {name: a, sql_table: t, meta: {api_key: hunter2-secret}}\n", "holds a secret"],
  ["two keys of one name", "cubes:\n  - {name: a, name: b}\n", "The key is written twice"],
])("%s is refused", async (_, text, message) => {
  const outcome = await imported(text);
  expect(outcome).toMatchObject({ code: 1, out: "", manifest: undefined, err: expect.stringContaining(message) });
  expect(outcome.err).not.toContain("hunter2");
});

test.each<[what: string, text: string, at: string]>([
  ["Jinja", "cubes:\n{% for x in y %}\n  - name: a\n{% endfor %}\n", "2:1"],
  ["an expression of Jinja", 'cubes:\n  - name: a\n    sql_table: "{{ table }}"\n', "3:17"],
])("%s is refused: nothing remains", async (_, text, at) => {
  expect(await imported(text)).toMatchObject({
    code: 1,
    out: expect.stringContaining(
      `model/cubes/orders.yml:${at}: refused: file model/cubes/orders.yml: A template is not evaluated`,
    ),
    err: "Nothing could be imported, and nothing is written.\n",
    manifest: undefined,
  });
});

test("a directory is read without its templates and its files of comments", async () => {
  const { out, manifest } = await runImport({
    home,
    format: "cube",
    path: "model",
    args: ["--source", "duckdb"],
    files: {
      "model/cubes/a.yml": "cubes:\n  - name: a\n    sql_table: t\n    measures: [{name: n, type: count}]\n",
      "model/cubes/b.yml": "{% set teams = ['x'] %}\ncubes:\n  - name: b\n    sql_table: t\n",
      "model/views/example.yml": "# views:\n#   - name: example\n",
    },
  });
  expect(out).toContain("model/cubes/b.yml:1:1: refused: file model/cubes/b.yml: A template is not evaluated");
  expect(out).toContain("1 refused, 0 left out.");
  expect(manifest?.models.map(({ name }) => name)).toEqual(["a"]);
});

test("an unknown member may be a filter: its object is refused", async () => {
  const cube = { name: "a", sql_table: "t", measures: [{ name: "n", type: "count" }] };
  const file = JSON.stringify({
    cubes: [
      { ...cube, default_filter: "x = 1" },
      { ...cube, name: "b" },
    ],
  });
  const { out, manifest } = await imported(file);
  expect(out).toContain('refused: cube "a": default_filter is not a known member.');
  expect(manifest?.models.map(({ name }) => name)).toEqual(["b"]);
});
