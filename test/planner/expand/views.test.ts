/** Views: closed units, expanded where they are used, faulty for those alone who use them (docs/spec/planner.md#views). */
import { describe, expect, test } from "vitest";
import type { ExpectedRows } from "../../support/comparator.ts";
import { planned } from "../../support/plan.ts";
import { expectRefusal, openShop, refusal, shop } from "./shop.ts";

const { expectRows } = openShop();

const VIEWS = {
  named: "SELECT id, buyer.name AS who, total FROM orders",
  nested: "SELECT who, sum(total) AS total FROM named GROUP BY who",
  first_two: "SELECT id FROM orders ORDER BY total DESC LIMIT 2",
  private_table: "WITH customer AS (SELECT id FROM place) SELECT id FROM customer",
  unnamed: "SELECT id, count(*) FROM order_tag JOIN orders ON order_id = id GROUP BY id",
  itself: "SELECT * FROM itself",
  ping: "SELECT * FROM pong",
  pong: "SELECT * FROM ping",
  faulty: "SELECT id,\n  nobody FROM orders",
  unreadable: "SELECT FROM WHERE",
};

describe("rows", () => {
  const cases: readonly (readonly [title: string, sql: string, expected: ExpectedRows])[] = [
    [
      "views over views",
      "SELECT who, total FROM nested",
      [
        ["Ann", 30],
        ["Bob", 30],
        [null, 40],
      ],
    ],
    ["LIMIT comes before the query's filter", "SELECT id FROM first_two WHERE id < 4", [[3]]],
    [
      "common tables are private",
      "SELECT c.id, v.id FROM customer c JOIN private_table v ON v.id = c.id",
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [
      "the caller's common tables do not reach in",
      "WITH orders AS (SELECT 1 AS one) SELECT count(*) FROM named",
      [[5]],
    ],
    ["columns without a name may be there", "SELECT id FROM unnamed", [[1], [2], [5]]],
    ["count(*) needs no column", "SELECT count(*) FROM nested", [[3]]],
    ["an alias hides the name", "SELECT v.who FROM named AS v WHERE v.id = 3", [["Bob"]]],
  ];
  test.each(cases)("%s", (_title, sql, expected) => expectRows(sql, shop({ views: VIEWS }), expected));

  test("rules hold inside", () =>
    expectRows(
      "SELECT who, total FROM nested",
      shop({ views: VIEWS, rules: { orders: "total < 30", customer: "id > 1" } }),
      [[null, 30]],
    ));
});

describe("faults", () => {
  const manifest = shop({ views: VIEWS });
  test.each([
    ["SELECT * FROM itself", "MANIFEST_CYCLE", "itself → itself"],
    ["SELECT * FROM ping", "MANIFEST_CYCLE", "ping → pong → ping"],
    [
      "SELECT * FROM faulty",
      "MANIFEST_EXPRESSION",
      `view "faulty": column "nobody" not found (at line 2, column 3 of its statement)`,
    ],
    ["SELECT * FROM unreadable", "MANIFEST_EXPRESSION", `view "unreadable"`],
  ] as const)("%s", (sql, reason, text) => expectRefusal(sql, manifest, reason, text));

  test("stand where the caller names the view", () => {
    const sql = "SELECT id FROM orders WHERE id IN (SELECT id FROM faulty)";
    const { span } = refusal(sql, manifest);
    expect(sql.slice(span?.start, span?.end)).toBe("faulty");
  });
});

test("a warning of a view stands where the caller names the outermost view", () => {
  const views = { inner: "SELECT strange(id) AS x FROM orders", outer_view: "SELECT x FROM inner_alias" };
  const manifest = shop({ views: { inner_alias: views.inner, outer_view: views.outer_view } });
  const sql = "SELECT x FROM outer_view";
  const [warning] = planned(sql, manifest, { source: "postgres" }).warnings;
  expect([warning?.code, sql.slice(warning?.span?.start, warning?.span?.end)]).toEqual([
    "UNKNOWN_FUNCTION",
    "outer_view",
  ]);
});

test("a warning of the caller's own SQL stands at the call", () => {
  const sql = "SELECT strange(buyer.name) FROM orders";
  const [warning] = planned(sql, shop({}), { source: "postgres" }).warnings;
  expect([warning?.code, sql.slice(warning?.span?.start, warning?.span?.end)]).toEqual([
    "UNKNOWN_FUNCTION",
    "strange(buyer.name)",
  ]);
});
