/**
 * Aggregates over relationship paths: each at its own grain, no row lost and none multiplied
 * (docs/spec/planner.md#aggregates-over-paths).
 */
import { describe, expect, test } from "vitest";
import type { ExpectedRows } from "../../support/comparator.ts";
import { planned } from "../../support/plan.ts";
import { expectRefusal, openShop, type Shop, shop } from "./shop.ts";

const { expectRows } = openShop();

type Case = readonly [title: string, expression: string, expected: ExpectedRows];

describe("of customers", () => {
  const cases: readonly Case[] = [
    [
      "sums are NULL and counts 0 without rows",
      "coalesce(sum(orders.total), -1) + count(orders.id)",
      [
        [1, 32],
        [2, 31],
        [3, -1],
        [4, -1],
      ],
    ],
    [
      "rows that are not there are not counted",
      "sum(CASE WHEN orders.name = 'a' THEN 0 ELSE 1 END)",
      [
        [1, 1],
        [2, 1],
        [3, null],
        [4, null],
      ],
    ],
    [
      "two depths are two grains",
      "sum(orders.total) + count(orders.items.line)",
      [
        [1, 33],
        [2, 31],
        [3, null],
        [4, null],
      ],
    ],
    [
      "an upper column repeats for each row below",
      "sum(orders.total * orders.items.quantity)",
      [
        [1, 250],
        [2, null],
        [3, null],
        [4, null],
      ],
    ],
    [
      "own columns stand beside aggregates",
      "credit + count(orders.id)",
      [
        [1, 12],
        [2, 21],
        [3, 0],
        [4, null],
      ],
    ],
    [
      "own columns stand inside aggregates",
      "sum(orders.total * credit)",
      [
        [1, 300],
        [2, 600],
        [3, null],
        [4, null],
      ],
    ],
    [
      "paths to one row follow the rows",
      "string_agg(orders.destination.name, ',' ORDER BY orders.id)",
      [
        [1, "south,north"],
        [2, "north"],
        [3, null],
        [4, null],
      ],
    ],
    [
      "two such paths may part",
      "count(CASE WHEN orders.origin.name = orders.destination.name THEN 1 END)",
      [
        [1, 0],
        [2, 1],
        [3, 0],
        [4, 0],
      ],
    ],
    [
      "a link table leads to many",
      "count(DISTINCT orders.tags.tag.name)",
      [
        [1, 2],
        [2, 0],
        [3, 0],
        [4, 0],
      ],
    ],
    [
      "FILTER counts its rows",
      "count(*) FILTER (WHERE orders.total > 10)",
      [
        [1, 1],
        [2, 1],
        [3, 0],
        [4, 0],
      ],
    ],
    [
      "a one-sided condition of the relationship holds inside",
      "sum(big.total)",
      [
        [1, 20],
        [2, 30],
        [3, null],
        [4, null],
      ],
    ],
    [
      "alternatives in a condition need the key",
      "string_agg(either.name, ',' ORDER BY either.id)",
      [
        [1, "a,b"],
        [2, "b"],
        [3, null],
        [4, null],
      ],
    ],
    [
      "a model related to itself is walked towards its many side",
      "count(reports.id)",
      [
        [1, 2],
        [2, 1],
        [3, 0],
        [4, 0],
      ],
    ],
    [
      "every step of it",
      "string_agg(reports.reports.name, ',')",
      [
        [1, "Dee"],
        [2, null],
        [3, null],
        [4, null],
      ],
    ],
    [
      "and towards its one side before another step to many",
      "sum(manager.orders.total)",
      [
        [1, null],
        [2, 30],
        [3, 30],
        [4, 30],
      ],
    ],
  ];
  test.each(cases)("%s: %s", (_title, expression, expected) =>
    expectRows("SELECT id, x FROM customer", shop({ calculated: { "customer.x": expression } }), expected),
  );
});

type Manifest = readonly [title: string, shop: Shop, sql: string, expected: ExpectedRows];

describe("in other places", () => {
  const cases: readonly Manifest[] = [
    [
      "two base rows with one join value see the same rows",
      { calculated: { "parcel.n": "sum(content.parcels.weight)" } },
      "SELECT id, n FROM parcel",
      [
        [1, 50],
        [2, 121],
        [3, 121],
        [4, null],
        [5, null],
      ],
    ],
    [
      "keys of several columns",
      { calculated: { "item.w": "sum(parcels.weight)" } },
      "SELECT order_id, line, w FROM item",
      [
        [1, 1, 50],
        [1, 2, 121],
        [2, 1, null],
        [3, 1, null],
      ],
    ],
    [
      "aggregates of aggregates",
      { calculated: { "orders.q": "sum(items.quantity)", "customer.q": "max(orders.q)" } },
      "SELECT id, q FROM customer",
      [
        [1, 11],
        [2, null],
        [3, null],
        [4, null],
      ],
    ],
    [
      "no key is needed where values are compared",
      { calculated: { "customer.n": "count(orders.id)" }, withoutKey: ["customer"] },
      "SELECT id, n FROM customer",
      [
        [1, 2],
        [2, 1],
        [3, 0],
        [4, 0],
      ],
    ],
    [
      "siblings do not multiply each other",
      { calculated: { "orders.i": "count(items.line)", "orders.t": "count(tags.tag_id)" } },
      "SELECT id, i, t FROM orders",
      [
        [1, 2, 2],
        [2, 1, 1],
        [3, 1, 0],
        [4, 0, 0],
        [5, 0, 1],
      ],
    ],
    [
      "nor do they in one expression",
      { calculated: { "orders.x": "count(items.line) - count(tags.tag_id)" } },
      "SELECT id, x FROM orders",
      [
        [1, 0],
        [2, 0],
        [3, 1],
        [4, 0],
        [5, -1],
      ],
    ],
    [
      "a condition of the query does not reach in",
      { calculated: { "customer.n": "count(orders.id)" } },
      "SELECT c.id, c.n FROM customer c JOIN orders o ON o.customer = c.id WHERE o.total > 10",
      [
        [1, 2],
        [2, 1],
      ],
    ],
    [
      "rules of what is aggregated hold inside",
      { calculated: { "customer.n": "count(orders.id)" }, rules: { orders: "total < 30" } },
      "SELECT id, n FROM customer",
      [
        [1, 2],
        [2, 0],
        [3, 0],
        [4, 0],
      ],
    ],
    [
      "a rule may need an aggregate over its own rows' columns",
      { rules: { customer: "sum(orders.total * credit) > 400" } },
      "SELECT id FROM customer",
      [[2]],
    ],
    [
      "DISTINCT sorts by an aggregate below",
      {
        calculated: {
          "orders.q": "concat(sum(items.quantity))",
          "customer.q": "string_agg(DISTINCT orders.q, ',' ORDER BY orders.q)",
        },
      },
      "SELECT id, q FROM customer WHERE id = 1",
      [[1, "11,7"]],
    ],
  ];
  test.each(cases)("%s", (_title, manifest, sql, expected) => expectRows(sql, shop(manifest), expected));
});

test("what is aggregated alike is aggregated once", () => {
  const calculated = { "customer.a": "sum(orders.total)", "customer.b": "sum(orders.total) + count(orders.id)" };
  const { sql } = planned("SELECT a, b FROM customer", shop({ calculated }));
  expect([sql.match(/sum\(/g)?.length, sql.match(/JOIN/g)?.length]).toEqual([1, 1]);
});

describe("refused", () => {
  const cases: readonly (readonly [string, string, Parameters<typeof expectRefusal>[2], string])[] = [
    ["two branches inside one aggregate", "sum(items.quantity * tags.tag_id)", "FANOUT", "pair every row"],
    ["two branches below one step", "sum(buyer.orders.total * buyer.reports.credit)", "FANOUT", "pair every row"],
    ["an aggregate without a path", "sum(total)", "MANIFEST_EXPRESSION", "needs a relationship path"],
    ["a relationship as a value", "count(items)", "MANIFEST_EXPRESSION", "name a column behind it"],
  ];
  test.each(cases)("%s", (_title, expression, reason, text) =>
    expectRefusal("SELECT x FROM orders", shop({ calculated: { "orders.x": expression } }), reason, text),
  );

  test.each([["sum(orders.total * credit)"], ["count(either.id)"]])("%s without a key", (expression) =>
    expectRefusal(
      "SELECT x FROM customer",
      shop({ calculated: { "customer.x": expression }, withoutKey: ["customer"] }),
      "PRIMARY_KEY_REQUIRED",
      "customer",
    ),
  );
});
