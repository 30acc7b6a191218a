/** Objects of old manifests in whole plans (docs/spec/planner.md#metrics). */
import { describe, expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  enumDefinitions: [{ name: "Status", values: [{ name: "OPEN", value: "O" }, { name: "F" }] }],
  macros: [{ name: "addOne", definition: "(x: Expression) => {{ x }} + 1" }],
  models: [
    {
      name: "orders",
      tableReference: { table: "orders" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "status", type: "VARCHAR" },
        { name: "price", type: "INTEGER" },
        { name: "customer", type: "customer", relationship: "OC" },
        { name: "next", type: "INTEGER", expression: "{{ addOne('id') }}" },
        { name: "following", type: "INTEGER", isCalculated: true, expression: "{{ addOne('next') }}" },
        { name: "is_open", type: "BOOLEAN", isCalculated: true, expression: "status = Status.OPEN" },
        { name: "broken", type: "INTEGER", isCalculated: true, expression: "{{ nope() }}" },
        { name: "secret", type: "INTEGER", isHidden: true },
      ],
    },
    {
      name: "customer",
      tableReference: { table: "customer" },
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "name", type: "VARCHAR" },
      ],
      primaryKey: "id",
    },
    {
      name: "priced",
      baseObject: "orders",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "is_open", type: "BOOLEAN" },
        { name: "double_price", type: "INTEGER", expression: "price * 2" },
        { name: "buyer", type: "VARCHAR", expression: "customer.name" },
        { name: "missing", type: "INTEGER" },
      ],
      rowLevelAccessControls: [{ name: "cheap", requiredProperties: [], condition: "double_price < 100" }],
    },
    {
      name: "ruled",
      tableReference: { table: "ruled" },
      columns: [{ name: "a", type: "INTEGER" }],
      rowLevelAccessControls: [{ name: "few", requiredProperties: [], condition: "a < 3" }],
    },
    { name: "over_ruled", baseObject: "ruled", columns: [{ name: "a", type: "INTEGER" }] },
    { name: "round", baseObject: "trip", columns: [{ name: "a", type: "INTEGER" }] },
    { name: "trip", baseObject: "round", columns: [{ name: "a", type: "INTEGER" }] },
    { name: "lost", baseObject: "nowhere", columns: [{ name: "a", type: "INTEGER" }] },
  ],
  relationships: [
    { name: "OC", models: ["orders", "customer"], joinType: "MANY_TO_ONE", condition: "orders.price = customer.id" },
  ],
});

const sqlOf = (sql: string): string => planned(sql, manifest, { source: "postgres" }).sql;

describe("enums", () => {
  test.each([
    [
      "in a query",
      "SELECT id FROM orders WHERE status = Status.OPEN",
      "SELECT orders.id FROM orders AS orders WHERE orders.status = 'O'",
    ],
    [
      "without a value",
      "SELECT id FROM orders WHERE status = Status.F",
      "SELECT orders.id FROM orders AS orders WHERE orders.status = 'F'",
    ],
    [
      "in a calculated column",
      "SELECT is_open FROM orders",
      "SELECT orders.is_open FROM (SELECT _b.status = 'O' AS is_open FROM orders AS _b) AS orders",
    ],
    [
      "behind a relation of the same name",
      "SELECT Status.id FROM orders AS Status",
      'SELECT "Status".id FROM orders AS "Status"',
    ],
  ])("%s", (_name, sql, expected) => expect(sqlOf(sql)).toBe(expected));

  test("a wrong member is told, with the right ones", () => {
    expect(() => sqlOf("SELECT id FROM orders WHERE status = Status.OPEM")).toThrow(
      expect.objectContaining({
        reason: "ENUM_VALUE_NOT_FOUND",
        suggestions: ["OPEN"],
        span: { start: 37, end: 48 },
      }),
    );
  });
});

describe("macros", () => {
  test.each([
    ["in a source expression", "SELECT next FROM orders", "(id + 1) AS next"],
    ["in a calculated column", "SELECT following FROM orders", "+ 1 AS following"],
  ])("%s", (_name, sql, expected) => expect(sqlOf(sql)).toContain(expected));

  test("a broken one concerns its column alone", () => {
    expect(sqlOf("SELECT id FROM orders")).toBe("SELECT orders.id FROM orders AS orders");
    expect(() => sqlOf("SELECT broken FROM orders")).toThrow('no macro or parameter "nope"');
  });
});

describe("models built on models", () => {
  test.each([
    [
      "columns by name, calculated ones too, below the rule",
      "SELECT id, is_open FROM priced",
      "SELECT priced.id, priced.is_open FROM (SELECT _b.id, _b.is_open FROM (SELECT _b.id, _b.status = 'O' AS is_open, _b.price * 2 AS double_price FROM orders AS _b) AS _b WHERE _b.double_price < 100 OFFSET 0) AS priced",
    ],
    [
      "expressions over the base's columns and relationships",
      "SELECT buyer FROM priced",
      "SELECT priced.buyer FROM (SELECT _b.buyer FROM (SELECT _t1.name AS buyer, _b.price * 2 AS double_price FROM orders AS _b LEFT JOIN customer AS _t1 ON _b.price = _t1.id) AS _b WHERE _b.double_price < 100 OFFSET 0) AS priced",
    ],
    [
      "the base's rules",
      "SELECT a FROM over_ruled",
      "SELECT over_ruled.a FROM (SELECT _b.a FROM (SELECT _b.a FROM ruled AS _b WHERE _b.a < 3) AS _b) AS over_ruled",
    ],
  ])("%s", (_name, sql, expected) => expect(sqlOf(sql)).toBe(expected));

  test.each([
    ["a column that the base lacks", "SELECT missing FROM priced", "MANIFEST_EXPRESSION", 'not in "orders"'],
    ["a cycle", "SELECT a FROM round", "MANIFEST_CYCLE", "round → trip → round"],
    ["an unknown base", "SELECT a FROM lost", "MANIFEST_SOURCE", 'built on "nowhere"'],
  ])("%s is refused", (_name, sql, reason, message) => {
    expect(() => sqlOf(sql)).toThrow(expect.objectContaining({ reason, message: expect.stringContaining(message) }));
  });
});
