/** A small shop with a row for every edge: customers without orders, orders without customers, NULL and equal keys. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect } from "vitest";
import { PlannerError, type PlannerReason } from "../../../src/planner/diagnostics.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import { type ActualRows, type ExpectedRows, rowsDiffer } from "../../support/comparator.ts";
import { manifestOf, type PlanSettings, planned } from "../../support/plan.ts";

export const TABLES = `
CREATE TABLE customer(id INTEGER, name VARCHAR, city VARCHAR, boss INTEGER, credit INTEGER);
INSERT INTO customer VALUES (1, 'Ann', 'Oslo', NULL, 10), (2, 'Bob', 'Rome', 1, 20), (3, 'Cid', NULL, 1, 0), (4, 'Dee', 'Oslo', 2, NULL);
CREATE TABLE orders(id INTEGER, customer INTEGER, source INTEGER, target INTEGER, total INTEGER, name VARCHAR);
INSERT INTO orders VALUES (1, 1, 1, 2, 10, 'a'), (2, 1, 2, 1, 20, 'b'), (3, 2, 1, 1, 30, NULL), (4, NULL, NULL, 2, 40, 'd'), (5, 9, 9, NULL, NULL, 'e');
CREATE TABLE place(id INTEGER, name VARCHAR);
INSERT INTO place VALUES (1, 'north'), (2, 'south');
CREATE TABLE item(order_id INTEGER, line INTEGER, quantity INTEGER);
INSERT INTO item VALUES (1, 1, 5), (1, 2, 6), (2, 1, 7), (3, 1, NULL);
CREATE TABLE parcel(id INTEGER, order_id INTEGER, line INTEGER, weight INTEGER);
INSERT INTO parcel VALUES (1, 1, 1, 50), (2, 1, 2, 60), (3, 1, 2, 61), (4, 2, NULL, 70), (5, 2, 9, 80);
CREATE TABLE tag(id INTEGER, name VARCHAR);
INSERT INTO tag VALUES (1, 'new'), (2, 'old'), (3, 'unused');
CREATE TABLE order_tag(order_id INTEGER, tag_id INTEGER);
INSERT INTO order_tag VALUES (1, 1), (1, 2), (2, 1), (5, 8);
CREATE TABLE band(low INTEGER, high INTEGER, name VARCHAR);
INSERT INTO band VALUES (0, 15, 'small'), (15, 35, 'large');
`;

const KEYS: Readonly<Record<string, string | readonly string[]>> = {
  customer: "id",
  orders: "id",
  place: "id",
  item: ["order_id", "line"],
  parcel: "id",
  tag: "id",
};

const COLUMNS: Readonly<Record<string, string>> = {
  customer: "id name:VARCHAR city:VARCHAR boss credit",
  orders: "id customer source target total name:VARCHAR",
  place: "id name:VARCHAR",
  item: "order_id line quantity",
  parcel: "id order_id line weight",
  tag: "id name:VARCHAR",
  order_tag: "order_id tag_id",
  band: "low high name:VARCHAR",
};

/** Relationship → its models, direction, condition, and the handles on the two sides. */
const RELATIONSHIPS: readonly (readonly [
  string,
  string,
  string,
  string,
  string,
  readonly string[],
  readonly string[],
])[] = [
  ["OrdersCustomer", "orders", "customer", "MANY_TO_ONE", "orders.customer = customer.id", ["buyer"], ["orders"]],
  ["OrdersSource", "orders", "place", "MANY_TO_ONE", "orders.source = place.id", ["origin"], ["outgoing"]],
  ["OrdersTarget", "place", "orders", "ONE_TO_MANY", "place.id = orders.target", ["incoming"], ["destination"]],
  ["Boss", "customer", "customer", "MANY_TO_ONE", "customer.boss = customer.id", ["manager", "reports"], []],
  ["ItemOrder", "item", "orders", "MANY_TO_ONE", "item.order_id = orders.id", ["of"], ["items"]],
  [
    "ParcelItem",
    "parcel",
    "item",
    "MANY_TO_ONE",
    "parcel.order_id = item.order_id AND item.line = parcel.line",
    ["content"],
    ["parcels"],
  ],
  ["TagOrder", "order_tag", "orders", "MANY_TO_ONE", "order_tag.order_id = orders.id", ["of"], ["tags"]],
  ["TagTag", "order_tag", "tag", "MANY_TO_ONE", "order_tag.tag_id = tag.id", ["tag"], ["uses"]],
  [
    "OrdersBand",
    "orders",
    "band",
    "MANY_TO_ONE",
    "orders.total >= band.low AND orders.total < band.high",
    ["band"],
    ["within"],
  ],
  [
    "BigOrders",
    "customer",
    "orders",
    "ONE_TO_MANY",
    "customer.id = orders.customer AND orders.total > 10",
    ["big"],
    [],
  ],
  ["Mistaken", "orders", "customer", "ONE_TO_MANY", "orders.customer = customer.id", ["mistaken"], []],
  [
    "ByName",
    "customer",
    "orders",
    "ONE_TO_ONE",
    "customer.id = orders.customer OR customer.credit = orders.total",
    ["either"],
    [],
  ],
];

export interface Shop {
  /** `model.column` → expression of a calculated column. */
  readonly calculated?: Readonly<Record<string, string>>;
  readonly hidden?: readonly string[];
  readonly withoutKey?: readonly string[];
  /** Model → condition of its row rule. */
  readonly rules?: Readonly<Record<string, string>>;
  readonly views?: Readonly<Record<string, string>>;
  /** Relationship → its condition instead of the one above. */
  readonly conditions?: Readonly<Record<string, string>>;
}

export function shop(changes: Shop): Manifest {
  const { calculated = {}, hidden = [], withoutKey = [], rules = {}, views = {}, conditions = {} } = changes;
  const hide = (model: string, name: string) => (hidden.includes(`${model}.${name}`) ? { isHidden: true } : {});
  const handles = (model: string) =>
    RELATIONSHIPS.flatMap(([relationship, left, right, , , ofLeft, ofRight]) => [
      ...(left === model ? ofLeft.map((name) => ({ name, type: right, relationship, ...hide(model, name) })) : []),
      ...(right === model ? ofRight.map((name) => ({ name, type: left, relationship, ...hide(model, name) })) : []),
    ]);
  return manifestOf({
    catalog: "memory",
    schema: "main",
    models: Object.entries(COLUMNS).map(([model, columns]) => ({
      name: model,
      tableReference: { schema: "main", table: model },
      ...(withoutKey.includes(model) || KEYS[model] === undefined ? {} : { primaryKey: KEYS[model] }),
      columns: [
        ...columns.split(" ").map((column) => {
          const [name = "", type = "INTEGER"] = column.split(":");
          return { name, type, ...hide(model, name) };
        }),
        ...Object.entries(calculated)
          .filter(([path]) => path.startsWith(`${model}.`))
          .map(([path, expression]) => {
            const name = path.slice(model.length + 1);
            return { name, type: "UNKNOWN", isCalculated: true, expression, ...hide(model, name) };
          }),
        ...handles(model),
      ],
      rowLevelAccessControls: rules[model] === undefined ? [] : [{ name: "rule", condition: rules[model] }],
    })),
    relationships: RELATIONSHIPS.map(([name, left, right, joinType, condition]) => ({
      name,
      models: [left, right],
      joinType,
      condition: conditions[name] ?? condition,
    })),
    views: Object.entries(views).map(([name, statement]) => ({ name, statement })),
  });
}

/** Opens the shop for the tests of a file. */
export function openShop(): {
  readonly expectRows: (sql: string, manifest: Manifest, expected: ExpectedRows) => Promise<void>;
} {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(":memory:");
    connection = await instance.connect();
    await connection.run(TABLES);
  });
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
  });
  return {
    expectRows: async (sql, manifest, expected) => {
      const plan = planned(sql, manifest);
      const rows = (await connection.runAndReadAll(plan.sql)).getRowsJson() as ActualRows;
      expect(rowsDiffer(expected, rows, false), plan.sql).toBeUndefined();
    },
  };
}

/** Why the planner refuses; fails when it does not. */
export function refusal(sql: string, manifest: Manifest, settings?: PlanSettings): PlannerError {
  try {
    planned(sql, manifest, settings);
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  return expect.fail(`no refusal of ${sql}`);
}

export function expectRefusal(sql: string, manifest: Manifest, reason: PlannerReason, text: string): void {
  const error = refusal(sql, manifest);
  expect([error.reason, error.message]).toEqual([reason, expect.stringContaining(text)]);
}
