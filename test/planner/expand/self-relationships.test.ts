/** Models related to themselves: which of the two rows a condition speaks of, and which way an aggregate walks. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planned } from "../../support/plan.ts";
import { expectRefusal, shop, TABLES } from "./shop.ts";

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

const rowsOf = async (sql: string): Promise<unknown> => (await connection.runAndReadAll(sql)).getRowsJson();

describe("the left operand of a comparison is one row, the right one the other", () => {
  /** `e` is the row, `m` its manager. */
  test.each([
    ["customer.boss = customer.id", "e.boss = m.id"],
    ["(customer.boss = customer.id) IS TRUE", "e.boss = m.id"],
    ["NOT (customer.boss <> customer.id)", "e.boss = m.id"],
    ["abs(customer.boss + 0) = abs(customer.id)", "e.boss = m.id"],
    ["customer.boss - customer.id + customer.id = customer.id", "e.boss = m.id"],
    ["customer.boss IS NOT DISTINCT FROM customer.id AND 1 = 1", "e.boss = m.id"],
    ["customer.boss = customer.id AND customer.credit > customer.credit", "e.boss = m.id AND e.credit > m.credit"],
    ["customer.boss = customer.id OR customer.id < customer.boss", "e.boss = m.id OR e.id < m.boss"],
    ["CASE WHEN customer.credit > 5 THEN customer.boss END = customer.id", "e.credit > 5 AND e.boss = m.id"],
    ["customer.boss = CASE WHEN customer.city LIKE 'O%' THEN customer.id END", "m.city LIKE 'O%' AND e.boss = m.id"],
    ["customer.boss = customer.id AND customer.credit = 20", "e.boss = m.id AND e.credit = 20"],
    ["customer.boss = customer.id AND 20 = customer.credit", "e.boss = m.id AND m.credit = 20"],
    ["customer.boss = customer.id OR customer.credit > 15", "e.boss = m.id OR e.credit > 15"],
    ["customer.boss = customer.id AND lower(customer.city) <> 'oslo'", "e.boss = m.id AND lower(e.city) <> 'oslo'"],
    ["CASE WHEN customer.boss = customer.id THEN true ELSE false END", "e.boss = m.id"],
  ])("%s", async (condition, byHand) => {
    const manifest = shop({ calculated: { "customer.chief": "manager.name" }, conditions: { Boss: condition } });
    const expected = await rowsOf(
      `SELECT e.id, m.name FROM customer e LEFT JOIN customer m ON ${byHand} ORDER BY e.id, m.name`,
    );
    const plan = planned("SELECT id, chief FROM customer ORDER BY id, chief", manifest);
    expect(await rowsOf(plan.sql), plan.sql).toEqual(expected);
  });

  test.each([
    "customer.boss = customer.id AND customer.city IS NOT NULL",
    "customer.boss IN (customer.id, 7)",
    "customer.id BETWEEN customer.boss AND customer.boss + customer.id",
    "abs(customer.boss - customer.id) < 1",
    "(customer.boss - customer.id) IS NULL",
    "customer.name LIKE customer.city || '%'",
    "(customer.boss = customer.id) = (customer.id = customer.boss)",
    "(customer.boss = customer.id) = true",
  ])("%s leaves a row open", (condition) => {
    const manifest = shop({ calculated: { "customer.chief": "manager.name" }, conditions: { Boss: condition } });
    const sql = "SELECT chief FROM customer";
    expectRefusal(sql, manifest, "MANIFEST_RELATIONSHIP", "it is not clear which of the two rows this speaks of");
  });
});

describe("aggregates", () => {
  const over = (rows: string, value: string): string =>
    `SELECT b.id, (SELECT ${value} FROM ${rows}) FROM customer b ORDER BY b.id`;
  const managersOrders = "customer m JOIN orders o ON o.customer = m.id WHERE m.id = b.boss";

  test.each([
    ["sum(manager.orders.total)", over(managersOrders, "sum(o.total)")],
    ["sum(manager.orders.total * manager.credit)", over(managersOrders, "sum(o.total * m.credit)")],
    ["sum(manager.credit * manager.orders.total)", over(managersOrders, "sum(o.total * m.credit)")],
    ["sum(manager.orders.total * credit)", over(managersOrders, "sum(o.total * b.credit)")],
    [
      "sum(manager.orders.total) FILTER (WHERE manager.credit > 5)",
      over(`${managersOrders} AND m.credit > 5`, "sum(o.total)"),
    ],
    [
      "sum(manager.manager.orders.total * manager.credit)",
      over(
        "customer m JOIN customer g ON g.id = m.boss JOIN orders o ON o.customer = g.id WHERE m.id = b.boss",
        "sum(o.total * m.credit)",
      ),
    ],
    ["sum(reports.credit)", over("customer r WHERE r.boss = b.id", "sum(r.credit)")],
    ["sum(reports.credit * credit)", over("customer r WHERE r.boss = b.id", "sum(r.credit * b.credit)")],
    [
      "sum(reports.reports.id * reports.credit)",
      over("customer r JOIN customer s ON s.boss = r.id WHERE r.boss = b.id", "sum(s.id * r.credit)"),
    ],
  ])("%s", async (expression, byHand) => {
    const plan = planned("SELECT id, x FROM customer ORDER BY id", shop({ calculated: { "customer.x": expression } }));
    expect(await rowsOf(plan.sql), plan.sql).toEqual(await rowsOf(byHand));
  });

  test.each(["sum(orders.total * manager.credit)", "sum(manager.orders.total * orders.total)"])(
    "%s pairs rows of two paths",
    (expression) =>
      expectRefusal("SELECT x FROM customer", shop({ calculated: { "customer.x": expression } }), "FANOUT", "pair"),
  );
});
