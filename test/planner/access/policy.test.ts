import { describe, expect, test } from "vitest";
import type { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { Plan } from "../../../src/planner/plan.ts";
import { manifestOf, type PlanSettings, planned } from "../../support/plan.ts";

const level = (required: boolean, defaultExpr?: string): object => ({
  name: "clearance",
  requiredProperties: [{ name: "Level", required, ...(defaultExpr !== undefined && { defaultExpr }) }],
  operator: "GREATER_THAN",
  threshold: "5",
});

const rowRule = (name: string, property: string, required: boolean): object => ({
  name,
  requiredProperties: [{ name: property, required }],
  condition: `owner = @${property}`,
});

/** `orders` with its rules, beside `items`, whose rows lead to it and which has none. */
function shop({ rows = [], column = undefined as object | undefined, broken = false } = {}) {
  const ruled = column === undefined ? {} : { columnLevelAccessControl: column };
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "orders",
        tableReference: { schema: "s", table: "orders" },
        primaryKey: "key",
        rowLevelAccessControls: rows,
        columns: [
          { name: "key", type: "INTEGER", ...ruled },
          { name: "owner", type: "VARCHAR" },
          { name: "salary", type: "INTEGER", ...ruled },
          { name: "twice", type: "INTEGER", isCalculated: true, expression: "salary * 2" },
          { name: "four_times", type: "INTEGER", isCalculated: true, expression: "twice * 2" },
          { name: "items", type: "items", relationship: "items_orders" },
          { name: "item_count", type: "BIGINT", isCalculated: true, expression: "count(items.id)" },
        ],
      },
      {
        name: "items",
        tableReference: { schema: "s", table: "items" },
        primaryKey: "id",
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "order_key", type: "INTEGER" },
          { name: "order", type: "orders", relationship: "items_orders" },
          { name: "order_owner", type: "VARCHAR", isCalculated: true, expression: '"order".owner' },
          { name: "order_salary", type: "INTEGER", isCalculated: true, expression: '"order".salary' },
          { name: "order_twice", type: "INTEGER", isCalculated: true, expression: '"order".twice' },
        ],
      },
      ...(broken ? [{ name: "broken", tableReference: 7, columns: [] }] : []),
    ],
    relationships: [
      {
        name: "items_orders",
        models: ["items", "orders"],
        joinType: "MANY_TO_ONE",
        condition: "items.order_key = orders.key",
      },
    ],
    views: [
      { name: "salaries", statement: "SELECT owner, salary FROM orders" },
      { name: "keyless", statement: "SELECT owner FROM orders" },
      { name: "everything", statement: "SELECT * FROM orders" },
    ],
  });
}

const withLevel = (text?: string): PlanSettings =>
  text === undefined ? { source: "postgres" } : { source: "postgres", session: new Map([["level", text]]) };
const namesOf = ({ columns }: Plan): readonly string[] => columns.map(({ name }) => name);

function errorOf(run: () => unknown): PlannerError {
  try {
    run();
  } catch (error) {
    return error as PlannerError;
  }
  throw new Error("planned");
}

describe("columns that a rule withholds", () => {
  const manifest = shop({ column: level(true) });

  test.each([
    ["SELECT * FROM orders", ["owner", "item_count"]],
    ["SELECT o.* FROM orders o JOIN items i ON true", ["owner", "item_count"]],
    ["SELECT * FROM everything", ["owner", "item_count"]],
    ["SELECT * FROM keyless", ["owner"]],
    ["SELECT count(*) FROM orders", ["count(*)"]],
    ["SELECT * FROM items", ["id", "order_key", "order_owner"]],
    ["SELECT order_owner FROM items", ["order_owner"]],
    ["SELECT i.order.owner FROM items i", ["owner"]],
    ["SELECT item_count FROM orders", ["item_count"]],
    ["SELECT a.owner FROM orders a NATURAL JOIN orders b", ["owner"]],
  ])("%s", (sql, names) => {
    expect(namesOf(planned(sql, manifest, withLevel("1")))).toEqual(names);
  });

  test.each([
    ["SELECT salary FROM orders", "salary"],
    ["SELECT twice FROM orders", "salary"],
    ["SELECT four_times FROM orders", "salary"],
    ["SELECT key FROM orders", "key"],
    ["SELECT order_salary FROM items", "salary"],
    ["SELECT order_twice FROM items", "salary"],
    ["SELECT i.order.salary FROM items i", "salary"],
    ["SELECT i.order.four_times FROM items i", "salary"],
    ["SELECT salary FROM salaries", "salary"],
    ["SELECT 1 FROM orders ORDER BY SALARY", "salary"],
    ["SELECT 1 FROM orders a JOIN orders b USING (key)", "key"],
  ])("%s is refused by the name of the column with the rule", (sql, column) => {
    const error = errorOf(() => planned(sql, manifest, withLevel("1")));
    expect(error.reason).toBe("ACCESS_DENIED");
    expect(error.message).toContain(
      `Permission Denied: Access denied to column "orders"."${column}": violates access control rule "clearance"`,
    );
    expect(error.span).toBeDefined();
  });

  test("who may see them sees all", () => {
    const plan = planned("SELECT * FROM orders", manifest, withLevel("6"));
    expect(namesOf(plan)).toEqual(["key", "owner", "salary", "twice", "four_times", "item_count"]);
    expect(plan.restricted).toBe(false);
  });

  test.each([
    "SELECT owne FROM orders",
    "SELECT salar FROM orders",
    "SELECT o.x FROM orders o",
    "SELECT x FROM orders",
  ])("%s: no suggestion names them", (sql) => {
    for (const settings of [withLevel("1"), withLevel()]) {
      const { reason, message, hint, suggestions } = errorOf(() => planned(sql, manifest, settings));
      expect(reason).toBe("COLUMN_NOT_FOUND");
      expect([message, hint, ...suggestions].join().replace("salar ", "")).not.toMatch(/salary|twice|four_times|key/);
    }
  });

  test("a property is required only by those who need the column", () => {
    expect(namesOf(planned("SELECT owner FROM orders", manifest, withLevel()))).toEqual(["owner"]);
    for (const sql of ["SELECT salary FROM orders", "SELECT * FROM orders"]) {
      expect(errorOf(() => planned(sql, manifest, withLevel())).reason).toBe("SESSION_PROPERTY_REQUIRED");
    }
  });
});

describe("rules whose property is optional and absent (decisions P1)", () => {
  const rows = [rowRule("own", "user", false), rowRule("own too", "user", false)] as never[];
  const manifest = shop({ rows, column: level(false) });

  test("are skipped with a warning each, once", () => {
    const plan = planned("SELECT a.* FROM orders a JOIN orders b ON true", manifest, withLevel());
    expect(plan.restricted).toBe(false);
    expect(plan.sql).not.toContain("OFFSET");
    expect(plan.warnings.map(({ code }) => code)).toEqual(Array(plan.warnings.length).fill("ACCESS_RULE_SKIPPED"));
    expect(plan.warnings.map(({ message }) => message).toSorted()).toEqual([
      'column rule "clearance" of model "orders" is skipped: the session property Level is not set',
      'row rule "own too" of model "orders" is skipped: the session property user is not set',
      'row rule "own" of model "orders" is skipped: the session property user is not set',
    ]);
  });

  test("are no warning for queries that do not need them", () => {
    expect(planned("SELECT id FROM items", manifest, withLevel()).warnings).toEqual([]);
  });

  test.each(["SELECT owner FROM orders", "SELECT order_owner FROM items", "SELECT count(*) FROM keyless"])(
    "%s is refused when access control is strict",
    (sql) => {
      const strict = { ...withLevel(), options: { accessControl: "strict" as const } };
      expect(errorOf(() => planned(sql, manifest, strict))).toMatchObject({
        reason: "SESSION_PROPERTY_REQUIRED",
        message: "session property user is required for `own` rule but not found in headers",
      });
      expect(planned("SELECT id FROM items", manifest, strict).warnings).toEqual([]);
    },
  );

  test("strict access control knows defaults", () => {
    const byDefault = shop({ column: level(false, "9") });
    const strict = { ...withLevel(), options: { accessControl: "strict" as const } };
    expect(namesOf(planned("SELECT salary FROM orders", byDefault, strict))).toEqual(["salary"]);
  });
});

describe("whether anything is withheld", () => {
  const user = { source: "postgres" as const, session: new Map([["user", "'ann'"]]) };

  test.each([
    ["a model with a row rule", "SELECT owner FROM orders", true],
    ["a path to it", "SELECT order_owner FROM items", true],
    ["a view over it", "SELECT * FROM keyless", true],
    ["a to-many column of another", "SELECT (SELECT max(item_count) FROM orders) FROM items", true],
    ["a model without", "SELECT id FROM items", false],
  ])("%s: %s", (_what, sql, restricted) => {
    const manifest = shop({ rows: [rowRule("own", "user", true)] as never[] });
    expect(planned(sql, manifest, user).restricted).toBe(restricted);
  });

  test.each<readonly [string, Parameters<typeof shop>[0], PlanSettings, boolean]>([
    ["no rules", {}, user, true],
    ["a row rule of a model that is not read", { rows: [rowRule("own", "user", true)] as never[] }, user, false],
    ["a row rule whose property is missing", { rows: [rowRule("own", "user", true)] as never[] }, withLevel(), false],
    ["a row rule that is skipped", { rows: [rowRule("own", "user", false)] as never[] }, withLevel(), true],
    ["a column rule that withholds", { column: level(true) }, withLevel("1"), false],
    ["a column rule that does not", { column: level(true) }, withLevel("9"), true],
    ["a column rule whose property is wrong", { column: level(true) }, withLevel("admin"), false],
    ["a column rule that is skipped", { column: level(false) }, withLevel(), true],
    ["a model that is broken", { broken: true }, user, false],
  ])("unknown functions with %s (docs/decisions.md S46)", (_what, rules, settings, allowed) => {
    for (const sql of ["SELECT mystery('select * from s.orders')", "SELECT mystery(id) FROM items"]) {
      if (allowed) expect(planned(sql, shop(rules), settings).warnings).toMatchObject([{ code: "UNKNOWN_FUNCTION" }]);
      else expect(errorOf(() => planned(sql, shop(rules), settings)).reason).toBe("FUNCTION_NOT_ALLOWED");
    }
    expect(() => planned("SELECT upper('x') FROM items", shop(rules), settings)).not.toThrow();
  });
});

test("a rule may read what its user may not (decisions P3)", () => {
  const manifest = shop({
    rows: [{ name: "paid", requiredProperties: [], condition: "salary > 0 AND four_times > 4" }] as never[],
    column: level(true),
  });
  expect(planned("SELECT owner FROM orders", manifest, withLevel("1")).sql).toContain("salary > 0");
});
