/** `siskin import lookml`: views and explores, and what has no counterpart. Numbers by SQL that is written by hand, on DuckDB. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { membersOf, remarksOn, runImport } from "./run-import.ts";
import { readings } from "./second-reading.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "siskin-import-lookml-"));
});
afterAll(() => rmSync(home, { recursive: true }));

const MODEL = `
connection: "shop"   # a comment
include: "/views/*.view"
include: "//other/views.lkml"
include: "../outside.view"
include: "missing/*.view.lkml"
week_start_day: sunday
access_grant: staff { user_attribute: team allowed_values: ["staff"] }

explore: orders {
  description: "Orders and who made them."
  sql_always_where: \${orders.status} <> 'void' AND \${amount} > 0 ;;
  join: customers {
    relationship: many_to_one
    sql_on: \${orders.customer_id} = \${customers.id} ;;
  }
  join: regions {
    sql_on: \${customers.region_id} = \${regions.id} ;;
  }
  join: lines { relationship: one_to_many sql_on: \${lines.order_id} = \${orders.id} ;; }
  join: home { from: customers type: inner foreign_key: customer_id }
  join: buyer { from: customers foreign_key: customer_id fields: [buyer.name, names*] }
  join: rates { sql_on: \${orders.day_date} >= \${customers.id} ;; }
  join: hidden_rows { from: customers sql_where: 1 = 1 ;; sql_on: \${orders.id} = \${hidden_rows.id} ;; }
  join: to_secret { from: secret sql_on: \${orders.id} = \${to_secret.id} ;; }
}
explore: secret {
  access_filter: { field: secret.team user_attribute: Team_Name }
  join: customers { sql_on: \${secret.id} = \${customers.id} ;; }
}
explore: filtered_by_join {
  from: lines_of_team
  access_filter: { field: customers.region_id user_attribute: r }
}
explore: asked { from: orders always_filter: { filters: [asked.status: "paid"] } }
explore: granted { from: orders required_access_grants: [staff] }
explore: base_only { extension: required from: customers }
explore: extended { extends: [base_only] fields: [ALL_FIELDS*, -extended.name] }
explore: +extended { description: "Refined." }
explore: nothing { from: absent }
explore: loop { extends: [loop] }
explore: needs { from: orders always_join: [customers] join: customers { type: full_outer sql_on: \${needs.id} = \${customers.id} ;; } }
`;

const ORDERS = `
view: orders {
  sql_table_name: @{table} ;;
  drill_fields: [id]
  dimension: id { type: number primary_key: yes sql: \${TABLE}.id ;; }
  dimension: customer_id { hidden: yes type: number }
  dimension: status { label: "State" description: "Where it is." html: <b>{{ value }}</b> ;; }
  dimension: amount { type: number sql: \${TABLE}."amount" ;; value_format_name: usd }
  dimension: is_large { type: yesno sql: \${amount} > 100 ;; }
  dimension: size { case: { when: { sql: \${is_large} ;; label: "it's large" } when: { sql: \${amount} > 10 ;; label: "middle" } else: "small" } }
  dimension: band { type: tier tiers: [0, 50, 100] style: integer sql: \${amount} ;; }
  dimension: old_band { type: tier tiers: [0, 50] sql: \${amount} ;; }
  dimension: place { type: location sql_latitude: 1 ;; sql_longitude: 2 ;; }
  dimension: chosen { sql: {% parameter unit %} ;; }
  dimension: unknown_constant { sql: @{nothing} ;; }
  dimension: granted { required_access_grants: [staff] sql: \${TABLE}.tax ;; }
  dimension: loop_a { sql: \${loop_b} ;; }
  dimension: loop_b { sql: \${loop_a} ;; }
  dimension_group: day {
    type: time
    timeframes: [raw, date, week, month, month_num, day_of_week]
    datatype: timestamp
    sql: \${TABLE}.day ;;
  }
  dimension_group: since { type: duration intervals: [day] sql_start: \${day_raw} ;; sql_end: now() ;; }
  dimension_group: epoch { type: time datatype: epoch sql: \${TABLE}.e ;; }
  measure: count { type: count drill_fields: [id, status] }
  measure: revenue { type: sum sql: \${amount} ;; }
  measure: paid { type: sum sql: \${amount} ;; filters: [status: "paid"] }
  measure: unpaid { type: count filters: { field: status value: "-paid,-open" } }
  measure: large { type: count filters: [is_large: "yes", amount: "<=150"] }
  measure: small { type: count filters: [is_large: "no"] }
  measure: some { type: count filters: [customer_id: "1, 2", day_date: "-null"] }
  measure: like_p { type: count filters: [status: "p%"] }
  measure: last_week { type: count filters: [day_date: "7 days"] }
  measure: buyers { type: count_distinct sql: \${customer_id} ;; }
  measure: about { type: count_distinct approximate: yes sql: \${customer_id} ;; }
  measure: net { type: sum sql: \${amount} - \${TABLE}.tax ;; }
  measure: middle { type: median sql: \${amount} ;; }
  measure: high { type: percentile percentile: 75 sql: \${amount} ;; }
  measure: per_buyer { type: number sql: 1.0 * \${revenue} / NULLIF(\${buyers}, 0) ;; }
  measure: newest { type: date sql: max(\${day_date}) ;; }
  measure: total_once { type: sum_distinct sql_distinct_key: \${id} ;; sql: \${amount} ;; }
  measure: share { type: percent_of_total sql: \${revenue} ;; }
  measure: running { type: running_total sql: \${revenue} ;; }
  measure: names { type: list list_field: status }
  measure: of_customers { type: number sql: \${customers.count} * 2 ;; }
  measure: cycle_a { type: number sql: \${cycle_b} ;; }
  measure: cycle_b { type: number sql: \${cycle_a} ;; }
  measure: revenue { type: sum sql: 1 ;; }
  parameter: unit { type: unquoted allowed_value: { value: "a" } }
  filter: picked { type: string }
  set: few { fields: [id, status] }
}
`;

const CUSTOMERS = `
view: people {
  extension: required
  dimension: id { type: number primary_key: yes }
  dimension: name { sql: concat_ws('-', 'x', \${TABLE}.name) ;; }
}
view: customers {
  extends: [people]
  dimension: name { description: "Its name." }
  dimension: region_id { type: number }
  dimension: upper_name { sql: upper(\${TABLE}.name) ;; }
  dimension: region_name { sql: \${regions.name} ;; }
  dimension: order_size { sql: \${orders.size} ;; }
  measure: count { type: count }
  measure: factors { type: sum sql: \${TABLE}.factor ;; }
  measure: top { type: max sql: \${TABLE}.factor ;; }
  set: names { fields: [upper_name] }
}
view: regions {
  derived_table: { sql: SELECT * FROM \${all_regions.SQL_TABLE_NAME} ;; persist_for: "1 hour" }
  dimension: id { type: number primary_key: yes }
  dimension: name {}
}
view: all_regions { derived_table: { sql: SELECT id, name FROM regions ;; } dimension: id {} }
view: lines { dimension: order_id { type: number } dimension: product {} measure: total { type: sum sql: \${TABLE}.price ;; } }
view: secret { dimension: id { type: number } dimension: team {} measure: count { type: count } }
view: native { derived_table: { explore_source: orders { column: id {} } } dimension: id {} }
view: lines_of_team { extends: [lines] }
view: unread { dimension: id {} }
view: +lines { dimension: product { hidden: yes } }
view: +absent { dimension: id {} }
view: lines { dimension: id {} }
`;

const FILES = {
  "p/shop.model.lkml": MODEL,
  "p/views/orders.view.lkml": ORDERS,
  "p/views/people.view.lkml": CUSTOMERS,
  "p/unused.view.lkml": "view: unused { dimension: id {} }",
  "p/shop.dashboard.lookml": "- dashboard: a",
  "p/manifest.lkml": 'project_name: "shop" constant: table { value: "orders" }',
  "outside.view.lkml": "view: outside { dimension: id {} }",
};

const imported = (args: readonly string[] = [], files: Readonly<Record<string, string>> = FILES) =>
  runImport({ home, format: "lookml", files, path: "p", args: ["--source", "duckdb", ...args] });

describe("a project", () => {
  test("columns, joins and measures", async () => {
    const { code, manifest } = await imported();
    expect(code).toBe(0);
    const model = (name: string) => manifest?.models.find((each) => each.name === name);
    expect(manifest?.models.map(({ name }) => name).toSorted()).toEqual([
      "buyer",
      "customers",
      "extended",
      "lines",
      "orders",
      "regions",
      "secret",
    ]);
    expect(model("orders")).toMatchObject({
      refSql: "SELECT * FROM orders AS filtered_rows WHERE (status <> 'void' AND \"amount\" > 0)",
      primaryKey: "id",
    });
    expect(model("regions")).toMatchObject({ refSql: "SELECT * FROM (SELECT id, name FROM regions)" });
    expect(model("customers")?.columns.find(({ name }) => name === "name")).toMatchObject({
      description: "Its name.",
      expression: "concat_ws('-', 'x', name)",
    });
    expect(model("secret")).toMatchObject({
      rowLevelAccessControls: [
        {
          name: "access_filter_1",
          requiredProperties: [{ name: "team_name", required: true }],
          condition: "team = @team_name",
        },
      ],
    });
    expect(manifest?.relationships?.map(({ name, joinType, condition }) => [name, joinType, condition])).toEqual([
      ["orders_customers", "MANY_TO_ONE", "orders.customer_id = customers.id"],
      ["orders_regions", "MANY_TO_ONE", "customers.region_id = regions.id"],
      ["lines_orders", "MANY_TO_ONE", "lines.order_id = orders.id"],
      ["orders_buyer", "MANY_TO_ONE", "orders.customer_id = buyer.id"],
    ]);
    expect(membersOf(manifest, "orders_metrics")).toEqual({
      "measure count": "count(*)",
      "measure revenue": "sum(amount)",
      "measure paid": "sum(paid_value)",
      "measure unpaid": "count(unpaid_value)",
      "measure large": "count(large_value)",
      "measure small": "count(small_value)",
      "measure some": "count(some_value)",
      "measure like_p": "count(like_p_value)",
      "measure buyers": "count(DISTINCT customer_id)",
      "measure net": "sum(net_value)",
      "measure middle": "percentile_cont(0.5) WITHIN GROUP (ORDER BY amount)",
      "measure high": "percentile_cont(0.75) WITHIN GROUP (ORDER BY amount)",
      "measure per_buyer": "CAST(1.0 * (sum(amount)) AS DOUBLE PRECISION) / NULLIF((count(DISTINCT customer_id)), 0)",
      "measure newest": "max(day_date)",
      "measure customers__count": "count(DISTINCT customers.id)",
      "measure customers__top": "max(customers.factor)",
      "dimension id": "id",
      "dimension status": "status",
      "dimension amount": "amount",
      "dimension is_large": "is_large",
      "dimension size": "size",
      "dimension band": "band",
      "dimension day_month_num": "day_month_num",
      "dimension customers__id": "customers.id",
      "dimension customers__region_id": "customers.region_id",
      "dimension customers__region_name": "customers.region_name",
      "dimension customers__upper_name": "customers.upper_name",
      "dimension regions__id": "customers.regions.id",
      "dimension regions__name": "customers.regions.name",
      "dimension buyer__upper_name": "buyer.upper_name",
      "time day": "day",
    });
    expect(membersOf(manifest, "extended_metrics")).toMatchObject({ "dimension id": "id" });
    expect(membersOf(manifest, "extended_metrics")).not.toHaveProperty("dimension name");
  });

  test.each<[object: string, reason: string]>([
    ['include "//other/views.lkml"', "Another project is not read."],
    ['include "../outside.view"', "It is outside of the folder."],
    ['include "missing/*.view.lkml"', "No file of the folder has the name."],
    ["file shop.model.lkml", "week_start_day: weeks of a cube begin on Monday."],
    ["file shop.dashboard.lookml", "A dashboard has no counterpart."],
    ["file unused.view.lkml", "No model includes it."],
    ['view "lines"', "Two objects have the name."],
    ['view "+absent"', "There is no view absent before it."],
    ['view "unread"', "No explore reads it."],
    ['view "native"', "No explore reads it."],
    ['view "regions"', "persist_for has no counterpart."],
    ['explore "orders"', "joined models can be read by themselves."],
    ['explore "filtered_by_join"', "Its access filter compares customers.region_id"],
    ['explore "asked"', "always_filter: a filter that each question changes has no counterpart."],
    ['explore "granted"', "required_access_grants: an access grant has no counterpart."],
    ['explore "nothing"', 'The view "absent" is not imported.'],
    ['explore "loop"', "It extends itself."],
    ['explore "needs"', "always_join: the join customers is refused."],
    ['join "lines" of explore "orders"', "Rows on the one side without rows on the many side are not listed."],
    ['join "home" of explore "orders"', "A join of type inner drops or adds rows"],
    ['join "rates" of explore "orders"', 'The view "rates" is not imported.'],
    ['join "hidden_rows" of explore "orders"', "sql_where: a condition on rows that a join brings has no counterpart."],
    ['join "to_secret" of explore "orders"', "An explore has an access filter over the view secret"],
    ['join "customers" of explore "secret"', "Rows of customers could be read without the access filter"],
    ['dimension "old_band" of view "orders"', "The labels of a tier of style classic have no counterpart."],
    ['dimension "place" of view "orders"', "sql_latitude: a place has no counterpart."],
    ['dimension "chosen" of view "orders"', "Liquid is not evaluated: {% parameter unit %}"],
    ['dimension "unknown_constant" of view "orders"', "The constant @{nothing} is not known."],
    ['dimension "granted" of view "orders"', "required_access_grants: an access grant has no counterpart."],
    ['dimension "loop_a" of view "orders"', "The dimension loop_a reads itself."],
    ['dimension "status" of view "orders"', "html has no counterpart."],
    ['timeframe "day_of_week" of dimension group "day" of view "orders"', "It has no counterpart."],
    ['dimension group "since" of view "orders"', "A group of type duration has no counterpart"],
    ['dimension group "epoch" of view "orders"', "Times that are stored as epoch have no counterpart."],
    ['parameter "unit" of view "orders"', "A value of each question has no counterpart."],
    ['filter "picked" of view "orders"', "A value of each question has no counterpart."],
    ['measure "last_week" of view "orders"', "The filter 7 days depends on the day of the question"],
    ['measure "about" of view "orders"', "approximate: an approximate count has no counterpart."],
    ['measure "total_once" of view "orders"', "sql_distinct_key: a key of the rows of a measure has no counterpart."],
    ['measure "share" of view "orders"', "A measure of type percent_of_total has no counterpart."],
    ['measure "running" of view "orders"', "A measure of type running_total has no counterpart."],
    ['measure "names" of view "orders"', "list_field: a list has no counterpart."],
    ['measure "of_customers" of view "orders"', "The measure reads customers.count, a field of another view."],
    ['measure "cycle_a" of view "orders"', "The measure cycle_a reads itself."],
    ['measure "revenue" of cube "orders_metrics"', "Two objects have the name."],
    ['dimension "order_size" of view "customers"', "A row without a partner has a value there"],
    ['measure "factors" of view "customers", joined to model "orders"', "The join repeats rows of the view"],
    ['dimension "name" of view "customers", joined in explore "orders"', "A row without a partner has a value there"],
  ])("%s: %s", async (object, reason) => {
    const { out } = await shared();
    const found = remarksOn(object, out);
    expect(found.map((each) => each.reason).join("\n")).toContain(reason);
    for (const each of found) expect(each.line).toBeGreaterThan(0);
  });

  test("--strict fails", async () => expect((await imported(["--strict"])).code).toBe(1));
});

let known: ReturnType<typeof imported> | undefined;
const shared = (): ReturnType<typeof imported> => {
  known ??= imported(["--format", "json"]);
  return known;
};

test("views without an explore are models", async () => {
  const { manifest } = await imported([], {
    "p/lines.view.lkml": "view: lines { dimension: id { type: number } measure: count {type: count} }",
  });
  expect(membersOf(manifest, "lines_metrics")).toEqual({ "measure count": "count(*)", "dimension id": "id" });
});

test("names of BigQuery, averages and quotients of columns whose type is not known", async () => {
  const view = `view: a {
    sql_table_name: \`my-project.sales.orders\` ;;
    dimension: net { type: number sql: \${TABLE}.net ;; }
    measure: total { type: sum sql: \${net} ;; }
    measure: number { type: count }
    measure: mean { type: average sql: \${net} ;; filters: [net: ">0"] }
    measure: each { type: number sql: \${total} / NULLIF(\${number}, 0) ;; }
  }
  view: b { sql_table_name: my-project.sales.lines ;; dimension: id {} }
  view: c { sql_table_name: {{ schema }}.t ;; dimension: id {} }`;
  const { out, manifest } = await imported(["--source", "bigquery"], {
    "p/a.view.lkml": view,
    "p/old.view.lookml": "- view: a",
  });
  expect(manifest?.models.map((model) => model["tableReference"])).toEqual([
    { catalog: "my-project", schema: "sales", table: "orders" },
    { catalog: "my-project", schema: "sales", table: "lines" },
  ]);
  expect(membersOf(manifest, "a_metrics")).toMatchObject({
    "measure total": "sum(net)",
    "measure mean": "avg(mean_value)",
    "measure each": "CAST((sum(total_value)) AS DOUBLE PRECISION) / NULLIF((count(*)), 0)",
  });
  expect(manifest?.models[0]?.columns.find(({ name }) => name === "mean_value")).toMatchObject({
    expression: "CASE WHEN ((net) > 0) THEN CAST(net AS FLOAT64) END",
    type: "DOUBLE",
  });
  expect(out).toContain("The older form of LookML, which is YAML, is not read.");
  expect(out).toContain('refused: view "c": Liquid is not evaluated: {{ schema }}.t');
});

test.each<[what: string, text: string, message: string]>([
  ["a block that is not closed", "view: a { dimension: b {", "1:22: error: The block is not closed."],
  ["SQL without an end", "view: a { sql_table_name: b }", "sql_table_name does not end with two semicolons."],
  ["a text that is not closed", 'view: a { label: "b }', "The text is not closed."],
  ["YAML", "- name: a\n", "A name and a colon are expected."],
  ["two keys of one name", "view: a { label: b label: c }", "The key is written twice in one object."],
  ["a secret", 'view: a { dimension: b { api_key: "hunter2-secret" } }', "holds a secret"],
  ["blocks without end", `view: a ${"{ a: ".repeat(5000)}`, "Blocks nest deeper than 100 levels."],
])("%s is refused", async (_, text, message) => {
  const outcome = await imported([], { "p/a.view.lkml": text });
  expect(outcome).toMatchObject({ code: 1, out: "", manifest: undefined, err: expect.stringContaining(message) });
  expect(outcome.err).not.toContain("hunter2");
});

test("5,000 fields and measures", async () => {
  const fields = Array.from(
    { length: 2500 },
    (_, at) => `dimension: f${at} { type: number sql: \${TABLE}.a${at} + 1 ;; }`,
  );
  const measures = Array.from({ length: 2500 }, (_, at) => `measure: m${at} { type: sum sql: \${f${at}} ;; }`);
  const { code, manifest } = await imported([], {
    "p/a.view.lkml": `view: a { ${fields.join("\n")} ${measures.join("\n")} }`,
  });
  expect(code).toBe(0);
  expect(manifest?.cubes?.[0]?.measures).toHaveLength(2500);
});

/** SQL of the second reading, with the explore's joins and condition written out. */
const FROM = `FROM orders o LEFT JOIN customers c ON o.customer_id = c.id LEFT JOIN regions r ON c.region_id = r.id
  WHERE o.status <> 'void' AND o.amount > 0`;
const MEASURES: Readonly<Record<string, string>> = {
  count: "count(*)",
  revenue: "sum(o.amount)",
  paid: "sum(CASE WHEN o.status = 'paid' THEN o.amount END)",
  unpaid: "count(CASE WHEN o.status NOT IN ('paid', 'open') OR o.status IS NULL THEN 1 END)",
  large: "count(CASE WHEN o.amount > 100 AND o.amount <= 150 THEN 1 END)",
  small: "count(CASE WHEN NOT coalesce(o.amount > 100, FALSE) THEN 1 END)",
  some: "count(CASE WHEN o.customer_id IN (1, 2) AND o.day IS NOT NULL THEN 1 END)",
  like_p: "count(CASE WHEN o.status LIKE 'p%' THEN 1 END)",
  buyers: "count(DISTINCT o.customer_id)",
  net: "sum(o.amount - o.tax)",
  middle: "quantile_cont(o.amount::DOUBLE, 0.5)",
  high: "quantile_cont(o.amount::DOUBLE, 0.75)",
  per_buyer: "sum(o.amount)::DOUBLE / nullif(count(DISTINCT o.customer_id), 0)",
  customers__count: "count(DISTINCT c.id)",
  customers__top: "max(c.factor)",
};
const DIMENSIONS: Readonly<Record<string, string>> = {
  status: "o.status",
  is_large: "o.amount > 100",
  size: "CASE WHEN o.amount > 100 THEN 'it''s large' WHEN o.amount > 10 THEN 'middle' ELSE 'small' END",
  band: "CASE WHEN o.amount < 0 THEN 'Below 0' WHEN o.amount < 50 THEN '0 to 49' WHEN o.amount < 100 THEN '50 to 99' WHEN o.amount >= 100 THEN '100 or Above' ELSE 'Undefined' END",
  day_month_num: "month(o.day)",
  customers__upper_name: "upper(c.name)",
  regions__name: "r.name",
};

test("the numbers of a second reading", async () => {
  const { directory } = await imported();
  const { different, equal } = await readings(directory, {
    cube: "orders_metrics",
    measures: MEASURES,
    dimensions: DIMENSIONS,
    from: FROM,
  });
  expect(different).toEqual([]);
  expect(equal).toBe(Object.keys(MEASURES).length * (Object.keys(DIMENSIONS).length + 1));
});
