/** Paths to one row in calculated columns (docs/spec/planner.md#calculated-columns). */
import { describe, expect, test } from "vitest";
import type { ExpectedRows } from "../../support/comparator.ts";
import { planned } from "../../support/plan.ts";
import { expectRefusal, openShop, refusal, shop } from "./shop.ts";

const { expectRows } = openShop();

type Case = readonly [title: string, calculated: Readonly<Record<string, string>>, sql: string, expected: ExpectedRows];

describe("values", () => {
  const cases: readonly Case[] = [
    [
      "a missing partner gives NULL",
      { "orders.who": "buyer.name" },
      "SELECT id, who FROM orders",
      [
        [1, "Ann"],
        [2, "Ann"],
        [3, "Bob"],
        [4, null],
        [5, null],
      ],
    ],
    [
      "of a row that is not there nothing is computed, whatever the expression makes of NULLs",
      { "customer.safe": "coalesce(city, '?')", "orders.town": "buyer.safe" },
      "SELECT id, town FROM orders",
      [
        [1, "Oslo"],
        [2, "Oslo"],
        [3, "Rome"],
        [4, null],
        [5, null],
      ],
    ],
    [
      "a count behind a missing partner is NULL, behind one without rows 0",
      { "customer.n": "count(orders.id)", "orders.siblings": "buyer.n", "customer.boss_n": "manager.n" },
      "SELECT id, siblings, NULL FROM orders UNION ALL SELECT id, NULL, boss_n FROM customer",
      [
        [1, 2, null],
        [2, 2, null],
        [3, 1, null],
        [4, null, null],
        [5, null, null],
        [1, null, null],
        [2, null, 2],
        [3, null, 2],
        [4, null, 1],
      ],
    ],
    [
      "two handles to one model are two roles",
      { "orders.route": "origin.name || '>' || destination.name" },
      "SELECT id, route FROM orders WHERE id < 4",
      [
        [1, "north>south"],
        [2, "south>north"],
        [3, "north>north"],
      ],
    ],
    [
      "a model related to itself is walked towards its one side",
      { "customer.chief": "manager.name", "customer.grand": "manager.manager.name" },
      "SELECT id, chief, grand FROM customer",
      [
        [1, null, null],
        [2, "Ann", null],
        [3, "Ann", null],
        [4, "Bob", "Ann"],
      ],
    ],
    [
      "keys of several columns match as a whole",
      { "parcel.pieces": "content.quantity", "parcel.price": "content.of.total" },
      "SELECT id, pieces, price FROM parcel",
      [
        [1, 5, 10],
        [2, 6, 10],
        [3, 6, 10],
        [4, null, null],
        [5, null, null],
      ],
    ],
    [
      "ranges join as they are written",
      { "orders.size": "band.name" },
      "SELECT id, size FROM orders",
      [
        [1, "small"],
        [2, "large"],
        [3, "large"],
        [4, null],
        [5, null],
      ],
    ],
    [
      "columns of one name on both sides stay apart",
      { "orders.trio": "coalesce(name, '-') || buyer.name || origin.name" },
      "SELECT id, name, trio FROM orders WHERE id IN (1, 3)",
      [
        [1, "a", "aAnnnorth"],
        [3, null, "-Bobnorth"],
      ],
    ],
    [
      "filters stand outside: they find rows without partner",
      { "orders.who": "buyer.name" },
      "SELECT id FROM orders WHERE who IS NULL",
      [[4], [5]],
    ],
  ];
  test.each(cases)("%s", (_title, calculated, sql, expected) => expectRows(sql, shop({ calculated }), expected));
});

test("paths with a common beginning share its join", () => {
  const calculated = { "parcel.a": "content.of.name", "parcel.b": "content.quantity + content.of.total" };
  const { sql } = planned("SELECT a, b FROM parcel", shop({ calculated }));
  expect(sql.match(/ JOIN /g)).toHaveLength(2);
});

test("columns nobody names join nothing", () => {
  const { sql } = planned("SELECT count(*) FROM orders", shop({ calculated: { "orders.who": "buyer.name" } }));
  expect(sql).not.toContain("JOIN");
});

test.each([
  ["orders.customer = customer.nobody", 'condition of relationship "OrdersCustomer": model "customer" has no column'],
  ["orders.customer = customer.id AND orders.total > id", "a condition names columns as model.column"],
  ["orders.customer = customer.name", 'condition of relationship "OrdersCustomer": cannot compare'],
])("a condition that is wrong is told, whoever tries again: %s", (condition, text) => {
  const conditions = { OrdersCustomer: condition };
  for (const calculated of ["buyer.name", "concat(buyer.name, buyer.city)"]) {
    const { reason, message } = refusal(
      "SELECT x FROM orders",
      shop({ calculated: { "orders.x": calculated }, conditions }),
    );
    expect(`${reason} ${message}`).toContain(text);
  }
  const others = [
    ["SELECT x FROM customer", shop({ calculated: { "customer.x": "count(orders.id)" }, conditions })],
    ["SELECT id FROM orders", shop({ rules: { orders: "buyer.name = 'Ann'" }, conditions })],
    ["SELECT buyer.name FROM orders", shop({ conditions })],
  ] as const;
  for (const [sql, manifest] of others) expect(refusal(sql, manifest).message).toContain(text);
});

describe("single values over a relationship that leads to many", () => {
  test("are refused where no key vouches for it", () => {
    const manifest = shop({ calculated: { "customer.an_order": "orders.name" } });
    expectRefusal(
      "SELECT an_order FROM customer",
      manifest,
      "FANOUT",
      `"orders" leads from one "customer" to many "orders"`,
    );
  });
  test("are there where the declaration is wrong and a key is compared", () =>
    expectRows("SELECT id, who FROM orders WHERE id < 4", shop({ calculated: { "orders.who": "mistaken.name" } }), [
      [1, "Ann"],
      [2, "Ann"],
      [3, "Bob"],
    ]));
  test("are refused where that key is not declared", () => {
    const manifest = shop({ calculated: { "orders.who": "mistaken.name" }, withoutKey: ["customer"] });
    expectRefusal(
      "SELECT who FROM orders",
      manifest,
      "FANOUT",
      `"mistaken" leads from one "orders" to many "customer"`,
    );
  });
  test.each([
    ["SELECT id FROM customer c WHERE c.x = 'a'", "c.x"],
    ["SELECT y FROM customer", "y"],
    ["SELECT id FROM customer ORDER BY z", "z"],
    ["SELECT buyer.x FROM orders", "buyer.x"],
    ["SELECT * FROM customer", "*"],
    ["SELECT id FROM named", "named"],
  ])("%s: the error stands where the column is named", (sql, name) => {
    const calculated = { "customer.x": "orders.name", "customer.y": "x", "customer.z": "nobody" };
    const { span } = refusal(sql, shop({ calculated, views: { named: "SELECT id, x FROM customer" } }));
    expect(sql.slice(span?.start, span?.end)).toBe(name);
  });
  test("only columns that need them are", () =>
    expectRows("SELECT id FROM customer", shop({ calculated: { "customer.x": "orders.name" } }), [[1], [2], [3], [4]]));
});

describe("window functions", () => {
  const cases: readonly Case[] = [
    [
      "are over the whole model, not over what the query leaves",
      { "orders.rank": "rank() OVER (ORDER BY total DESC)" },
      "SELECT id, rank FROM orders WHERE total = 20",
      [[2, 3]],
    ],
    [
      "are over the whole model behind a path too",
      { "customer.position": "row_number() OVER (ORDER BY name DESC)", "orders.position": "buyer.position" },
      "SELECT id, position FROM orders WHERE id < 4",
      [
        [1, 4],
        [2, 4],
        [3, 3],
      ],
    ],
    [
      "may stand over other windows",
      { "orders.n": "row_number() OVER (ORDER BY id DESC)", "orders.m": "sum(n) OVER (ORDER BY id)" },
      "SELECT id, m FROM orders WHERE id > 2",
      [
        [3, 12],
        [4, 14],
        [5, 15],
      ],
    ],
    [
      "may stand over aggregates and paths",
      { "customer.place": "rank() OVER (PARTITION BY manager.name ORDER BY count(orders.id) DESC)" },
      "SELECT id, place FROM customer",
      [
        [1, 1],
        [2, 1],
        [3, 2],
        [4, 1],
      ],
    ],
  ];
  test.each(cases)("%s", (_title, calculated, sql, expected) => expectRows(sql, shop({ calculated }), expected));

  test("see the rows that rules leave", () => {
    const calculated = { "orders.n": "count(*) OVER ()" };
    return expectRows("SELECT id, n FROM orders", shop({ calculated, rules: { orders: "total > 15" } }), [
      [2, 3],
      [3, 3],
      [4, 3],
    ]);
  });

  test("cannot decide which rows they see", () => {
    const manifest = shop({ calculated: { "orders.n": "count(*) OVER ()" }, rules: { orders: "n > 1" } });
    expectRefusal("SELECT id FROM orders", manifest, "MANIFEST_CYCLE", "orders");
  });
});

describe("calculated columns over each other", () => {
  test("of any depth", () => {
    const calculated = { "orders.a": "total * 2", "orders.b": "a + 1", "orders.c": "b - a" };
    return expectRows("SELECT c FROM orders WHERE id = 1", shop({ calculated }), [[1]]);
  });
  test("in a cycle are refused with the cycle", () => {
    const calculated = { "orders.a": "buyer.b", "customer.b": "max(orders.a)" };
    expectRefusal("SELECT a FROM orders", shop({ calculated }), "MANIFEST_CYCLE", "orders.a → customer.b → orders.a");
  });
});
