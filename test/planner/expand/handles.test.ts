/** Relationships followed in the caller's own SQL (docs/spec/planner.md#paths-in-queries), and which name wins. */
import { describe, expect, test } from "vitest";
import type { ExpectedRows } from "../../support/comparator.ts";
import { planned } from "../../support/plan.ts";
import { expectRefusal, openShop, refusal, shop } from "./shop.ts";

const { expectRows } = openShop();

describe("in every clause", () => {
  const cases: readonly (readonly [clause: string, sql: string, expected: ExpectedRows])[] = [
    [
      "SELECT",
      "SELECT id, buyer.name FROM orders WHERE id < 4",
      [
        [1, "Ann"],
        [2, "Ann"],
        [3, "Bob"],
      ],
    ],
    ["WHERE", "SELECT id FROM orders WHERE buyer.city = 'Oslo'", [[1], [2]]],
    [
      "GROUP BY",
      "SELECT buyer.name, count(*) FROM orders GROUP BY buyer.name",
      [
        ["Ann", 2],
        ["Bob", 1],
        [null, 2],
      ],
    ],
    ["HAVING", "SELECT customer FROM orders GROUP BY customer HAVING max(buyer.credit) > 10", [[2]]],
    ["ORDER BY", "SELECT id FROM orders WHERE id < 4 ORDER BY buyer.name DESC, id LIMIT 1", [[3]]],
    ["an aggregate", "SELECT max(buyer.manager.name) FROM orders", [["Ann"]]],
    [
      "a window",
      "SELECT id, count(*) OVER (PARTITION BY buyer.name) FROM orders WHERE id < 4",
      [
        [1, 2],
        [2, 2],
        [3, 1],
      ],
    ],
    ["QUALIFY", "SELECT id FROM orders QUALIFY row_number() OVER (ORDER BY buyer.credit DESC, id) = 1", [[3]]],
    [
      "ON",
      "SELECT o.id, p.id FROM orders o JOIN parcel p ON o.buyer.id = p.content.of.customer WHERE o.id = 2",
      [
        [2, 1],
        [2, 2],
        [2, 3],
      ],
    ],
    [
      "a subquery",
      "SELECT id FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.buyer.id = c.id AND o.origin.name = 'south')",
      [[1]],
    ],
    [
      "a correlated path",
      "SELECT id FROM orders o WHERE (SELECT max(city) FROM customer WHERE name = o.buyer.name) = 'Rome'",
      [[3]],
    ],
    ["a common table", "WITH t AS (SELECT buyer.name FROM orders) SELECT count(name) FROM t", [[3]]],
    [
      "a branch of UNION",
      "SELECT origin.name FROM orders WHERE id = 1 UNION SELECT destination.name FROM orders WHERE id = 1",
      [["north"], ["south"]],
    ],
  ];
  test.each(cases)("%s", (_clause, sql, expected) => expectRows(sql, shop({}), expected));
});

describe("precedence", () => {
  test("an alias wins over a handle of its name", () =>
    expectRows(
      "SELECT o.id, buyer.name FROM orders o JOIN place buyer ON buyer.id = o.source WHERE o.id = 1",
      shop({}),
      [[1, "north"]],
    ));

  test("so does a table of an outer query", () =>
    expectRows(
      "SELECT id FROM place AS buyer WHERE EXISTS (SELECT 1 FROM orders WHERE orders.customer = buyer.id AND orders.total > 25)",
      shop({}),
      [[2]],
    ));

  test("a handle of the inner query wins over one of the outer", () =>
    expectRows(
      "SELECT id FROM orders WHERE id = 4 AND EXISTS (SELECT 1 FROM orders i WHERE buyer.name = 'Bob')",
      shop({}),
      [[4]],
    ));

  test("the same in a rule's subquery, whose own rows go by the model's name", async () => {
    // Order 1 has tag 2, and a total of 10.
    const handle = shop({ rules: { item: "EXISTS (SELECT 1 FROM order_tag WHERE of.total > 15 AND tag_id = 2)" } });
    await expectRows("SELECT line FROM item", handle, []);
    const own = shop({
      rules: { item: "EXISTS (SELECT 1 FROM order_tag WHERE order_id = item.order_id AND tag_id = 2)" },
    });
    await expectRows("SELECT line FROM item", own, [[1], [2]]);
  });

  test("the column is called after the last name", () => {
    const { columns } = planned("SELECT buyer.manager.name FROM orders", shop({}));
    expect(columns.map(({ name }) => name)).toEqual(["name"]);
  });

  test("a handle that two tables have is ambiguous, at its place", () => {
    const sql = "SELECT buyer.name FROM orders a CROSS JOIN orders b";
    const { reason, span } = refusal(sql, shop({}));
    expect([reason, sql.slice(span?.start, span?.end)]).toEqual(["AMBIGUOUS_COLUMN", "buyer.name"]);
  });
});

describe("refused", () => {
  test.each([
    ["SELECT orders.name FROM customer", "FANOUT", "leads from one"],
    ["SELECT sum(c.orders.total) FROM customer c", "FANOUT", "leads from one"],
    ["SELECT buyer FROM orders", "COLUMN_NOT_FOUND", "buyer"],
    ["SELECT buyer.nobody FROM orders", "COLUMN_NOT_FOUND", "nobody"],
    ["SELECT name.buyer FROM orders", "COLUMN_NOT_FOUND", "name"],
  ] as const)("%s", (sql, reason, text) => expectRefusal(sql, shop({}), reason, text));

  test("hidden handles and hidden columns behind handles do not exist", () => {
    const manifest = shop({ hidden: ["orders.buyer", "place.name"] });
    expectRefusal("SELECT buyer.name FROM orders", manifest, "COLUMN_NOT_FOUND", "buyer");
    expectRefusal("SELECT origin.name FROM orders", manifest, "COLUMN_NOT_FOUND", "name");
  });
  test("calculated columns may follow them", () =>
    expectRows(
      "SELECT who FROM orders WHERE id = 1",
      shop({ hidden: ["orders.buyer"], calculated: { "orders.who": "buyer.name" } }),
      [["Ann"]],
    ));
});
