/**
 * GROUP BY a declared primary key determines the model's other columns
 * (docs/decisions/0044-groups-follow-a-declared-key.md#decision), also those that the manifest computes and those behind paths, and
 * never more than the caller may name. What plain tables allow is compared with PostgreSQL's own answers in
 * `test/parity/originals.test.ts`. Searched: keys of one and of several columns, with a part missing or hidden; nullable sides of
 * outer joins, self joins; calculated columns over own columns, paths and aggregates; row rules, column rules; views, models built
 * on models, derived and common tables; subqueries; warnings.
 */
import { expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";
import { expectRefusal, openShop, refusal, shop } from "../expand/shop.ts";

const { expectRows } = openShop();

const CALCULATED = {
  "customer.label": "name || coalesce('@' || city, '')",
  "customer.spent": "sum(orders.total)",
  "orders.buyer_city": "buyer.city",
  "item.big": "quantity > 5",
};

const LOOKS = "SELECT c.id, c.name, c.label, c.spent FROM customer c";

test.each([
  [
    "calculated columns",
    `${LOOKS} GROUP BY c.id`,
    [
      [1, "Ann", "Ann@Oslo", 30],
      [2, "Bob", "Bob@Rome", 30],
      [3, "Cid", "Cid", null],
      [4, "Dee", "Dee@Oslo", null],
    ],
  ],
  [
    "calculated columns of a side that may be missing",
    "SELECT c.label, count(*) FROM orders o LEFT JOIN customer c ON o.customer = c.id GROUP BY c.id",
    [
      ["Ann@Oslo", 2],
      ["Bob@Rome", 1],
      [null, 2],
    ],
  ],
  [
    "paths",
    "SELECT o.id, o.buyer.name, buyer_city, count(*) FROM orders o JOIN item i ON i.order_id = o.id GROUP BY o.id",
    [
      [1, "Ann", "Oslo", 2],
      [2, "Ann", "Oslo", 1],
      [3, "Bob", "Rome", 1],
    ],
  ],
  [
    "composite keys",
    "SELECT i.quantity, i.big FROM item i GROUP BY i.line, i.order_id HAVING i.quantity > 5",
    [
      [6, true],
      [7, true],
    ],
  ],
  [
    "self joins",
    "SELECT a.name, b.label, count(*) FROM customer a JOIN customer b ON a.boss = b.id GROUP BY a.id, b.id",
    [
      ["Bob", "Ann@Oslo", 1],
      ["Cid", "Ann@Oslo", 1],
      ["Dee", "Bob@Rome", 1],
    ],
  ],
] as const)("%s are determined by the key", async (_what, sql, rows) => {
  await expectRows(sql, shop({ calculated: CALCULATED }), rows);
});

test("a row rule leaves its rows out", async () => {
  const manifest = shop({ calculated: CALCULATED, rules: { customer: "city = 'Oslo'", orders: "total < 15" } });
  await expectRows(`${LOOKS} GROUP BY c.id`, manifest, [
    [1, "Ann", "Ann@Oslo", 10],
    [4, "Dee", "Dee@Oslo", null],
  ]);
});

test("inside a view", async () => {
  const manifest = shop({ calculated: CALCULATED, views: { looks: `${LOOKS} GROUP BY c.id` } });
  await expectRows("SELECT label FROM looks WHERE id = 1", manifest, [["Ann@Oslo"]]);
});

test.each([
  ["a part of the key", "SELECT i.‸quantity FROM item i GROUP BY i.order_id"],
  ["a key of another occurrence", "SELECT a.‸name FROM customer a JOIN customer b ON a.boss = b.id GROUP BY b.id"],
  ["the key behind an expression", "SELECT ‸name FROM customer GROUP BY id + 0"],
  ["the key of a model behind a path", "SELECT o.‸buyer.city FROM orders o GROUP BY o.buyer.id"],
  ["the key of a derived table", "SELECT ‸name FROM (SELECT * FROM customer) AS c GROUP BY id"],
  ["the key of a common table", "WITH c AS (SELECT * FROM customer) SELECT ‸name FROM c GROUP BY id"],
  ["a key of some grouping sets", "SELECT ‸name FROM customer GROUP BY GROUPING SETS ((id), (city))"],
  ["a key that ROLLUP drops", "SELECT ‸name FROM customer GROUP BY ROLLUP (id)"],
  ["no key of the model", "SELECT ‸tag_id FROM order_tag GROUP BY order_id"],
])("%s determines nothing", (_what, marked) => {
  const at = marked.indexOf("‸");
  const sql = marked.replace("‸", "");
  const start = sql.lastIndexOf(" ", at) + 1;
  const error = refusal(sql, shop({}));
  expect([error.reason, error.span?.start]).toEqual(["UNGROUPED_COLUMN", start]);
});

test("a view has no key", () => {
  const manifest = shop({ views: { people: "SELECT * FROM customer" } });
  expectRefusal("SELECT name FROM people GROUP BY id", manifest, "UNGROUPED_COLUMN", '"name"');
});

const people = (column: object) =>
  manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "people",
        tableReference: { table: "people" },
        primaryKey: "id",
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "name", type: "VARCHAR" },
          { name: "secret", type: "VARCHAR", ...column },
        ],
      },
      {
        name: "again",
        baseObject: "people",
        primaryKey: "id",
        columns: ["id", "name"].map((name) => ({ name, type: name === "id" ? "INTEGER" : "VARCHAR" })),
      },
    ],
  });

test("what a column rule denies stays denied, and * leaves it out", () => {
  const rule = {
    name: "level",
    operator: "EQUALS",
    threshold: "1",
    requiredProperties: [{ name: "level", required: false, defaultExpr: "0" }],
  };
  const manifest = people({ columnLevelAccessControl: rule });
  expect(refusal("SELECT secret FROM people GROUP BY id", manifest).reason).toBe("ACCESS_DENIED");
  const plan = planned("SELECT * FROM people GROUP BY id", manifest);
  expect(plan.columns.map(({ name }) => name)).toEqual(["id", "name"]);
  expect(plan.sql).not.toContain("secret");
});

test("a model built on a model has the key that it declares", () => {
  expect(planned("SELECT name FROM again GROUP BY id", people({})).columns).toHaveLength(1);
});

test("what has no equality in PostgreSQL is no key there: one value stands for the group", () => {
  const manifest = people({ type: "JSON" });
  const { sql } = planned("SELECT id, secret FROM people GROUP BY id", manifest, { source: "postgres" });
  expect(sql).toContain("array_agg(");
  expect(sql).toMatch(/GROUP BY (people\.)?id$/);
});

test("columns are added once, in the order they are named, and no others", () => {
  const { sql } = planned("SELECT name, upper(city), name FROM customer GROUP BY id ORDER BY credit", shop({}));
  expect(sql).toMatch(/GROUP BY customer.id, customer.name, customer.city, customer.credit ORDER BY/);
});

test("a table grouped by a key is known to have one row for it", () => {
  const sql =
    "SELECT sum(o.total) FROM orders o JOIN (SELECT c.id, c.name FROM customer c JOIN item i ON i.line = c.id GROUP BY c.id) g ON g.id = o.customer";
  expect(planned(sql, shop({})).warnings).toEqual([]);
});
